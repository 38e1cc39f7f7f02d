"""Networks on a card, with torch's CPU in the card's place."""

import numpy as np
import pytest
import torch

from alphadiamond.games.connect_four.game import GAME as CONNECT_FOUR
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import (
    DeviceError,
    Evaluator,
    Model,
    ModelConfig,
    build_model,
    devices,
    evaluator,
    find_device,
)
from alphadiamond.network.devices import CPU, STAND_IN, cards, is_card


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> torch.device:
    monkeypatch.setenv(STAND_IN, "1")
    (found,) = cards()
    return found


def orbit() -> Model:
    return build_model(ModelConfig(width=3, blocks=1, value_width=8), GAME, seed=1)


def mlp() -> Model:
    return build_model(ModelConfig(kind="mlp", width=16, blocks=1, value_width=8), CONNECT_FOUR, seed=1)


def test_without_a_card_everything_is_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STAND_IN, raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert cards() == []
    assert find_device("auto") == CPU
    assert Evaluator(mlp()).device == CPU


def test_what_stands_in_for_a_card_is_a_card_and_the_cpu_is_none(card: torch.device) -> None:
    assert is_card(card)
    assert not is_card(CPU)
    assert is_card(find_device("cuda"))
    assert is_card(find_device("cuda:1"))


def test_a_network_with_a_compiled_form_answers_on_the_cpu_unless_told(card: torch.device) -> None:
    assert evaluator.has_compiled_form(orbit())
    assert Evaluator(orbit()).device == CPU
    assert Evaluator(orbit(), device="cuda").device == card


@pytest.mark.parametrize(("card_seconds", "chosen"), [(0.001, True), (1.0, False)])
def test_any_other_is_asked_where_it_answers_one_position_sooner(
    card: torch.device, monkeypatch: pytest.MonkeyPatch, card_seconds: float, chosen: bool
) -> None:
    asked = iter((0.1, card_seconds))  # the CPU comes first
    monkeypatch.setattr(evaluator, "seconds_of", lambda work: (work(), next(asked))[1])
    assert not evaluator.has_compiled_form(mlp())
    assert is_card(Evaluator(mlp()).device) == chosen


@pytest.mark.parametrize("make", [orbit, mlp])
def test_a_card_says_what_the_cpu_says_in_bfloat16_with_exact_heads(make: object, card: torch.device) -> None:
    model: Model = make()  # type: ignore[operator]
    states = np.repeat(model.game.states_of([model.game.sample_start()]), 3, axis=0)
    exact = Evaluator(model, device="cpu", half=False, compiled=False).logits(states)
    halved = Evaluator(model, device=card)
    assert {str(buffer.dtype) for buffer in halved._network.buffers()} == {"torch.bfloat16", "torch.float32"}  # type: ignore[union-attr]
    for ours, theirs in zip(halved.logits(states), exact, strict=True):
        assert ours.dtype == np.float32
        assert not np.array_equal(ours, theirs)
        np.testing.assert_allclose(ours, theirs, atol=0.05)
    for ours, theirs in zip(Evaluator(model, device=card, half=False).logits(states), exact, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_outputs_of_a_card_that_are_not_finite_are_one_clear_error(card: torch.device) -> None:
    model = mlp()
    with torch.no_grad():
        next(iter(model.parameters())).fill_(float("inf"))
    states = model.game.states_of([model.game.sample_start()])
    with pytest.raises(DeviceError, match="outputs on cpu:0 are not finite numbers: take device=cpu"):
        Evaluator(model, device=card)(states)


def test_a_real_card_gets_tf32_and_memory_that_it_can_read_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as that can be seen without one: what torch is asked for."""
    asked: list[object] = []
    monkeypatch.setattr(torch, "set_float32_matmul_precision", asked.append)
    devices.prepare(CPU)
    assert asked == []
    devices.prepare(torch.device("cuda"))
    assert asked == ["high"]

    class Pinned:
        def pin_memory(self) -> "Pinned":
            asked.append("pinned")
            return self

        def to(self, device: torch.device, non_blocking: bool = False) -> None:
            asked.append((str(device), non_blocking))

    devices.onto(Pinned(), torch.device("cuda"))  # type: ignore[arg-type]
    assert asked[1:] == ["pinned", ("cuda", True)]
