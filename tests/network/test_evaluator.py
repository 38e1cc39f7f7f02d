"""The evaluator: what search is told, with and without symmetries and the cache."""

import numpy as np
import numpy.typing as npt
import pytest
import torch

from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import turn_states
from alphadiamond.network import DeviceError, Evaluator, build_model, encode, find_device, kernels, legal_actions
from tests.network.states import KINDS, SMALL, random_states, sharpened


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, {"cache": 256}, {"symmetries": True}], ids=["plain", "cache", "symmetries"])
def test_the_policy_is_over_the_legal_moves_and_everything_sums_to_one(kind: str, options: dict[str, int]) -> None:
    evaluator = Evaluator(sharpened(kind), device="cpu", **options)  # type: ignore[arg-type]
    for size in (0, 1, 2, 100):
        states = random_states(size, seed=size)
        policy, wdl = evaluator(states)
        assert policy.dtype == wdl.dtype == np.float32
        assert policy.shape == (size, 72)
        assert wdl.shape == (size, 3)
        legal = legal_actions(states, game=GAME)
        assert (policy[~legal] == 0).all()
        assert (policy[legal] > 0).all()
        np.testing.assert_allclose(policy.sum(axis=1), 1, atol=1e-5)
        np.testing.assert_allclose(wdl.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_what_the_model_says(kind: str) -> None:
    model, states = sharpened(kind), random_states(40)
    policy, wdl = Evaluator(model, device="cpu", half=False)(states)
    with torch.no_grad():
        outputs = model(torch.from_numpy(encode(states, game=GAME)))
    legal = legal_actions(states, game=GAME)
    weights = np.where(legal, np.exp(outputs.policy.double().numpy()), 0)
    np.testing.assert_allclose(policy, weights / weights.sum(axis=1, keepdims=True), atol=2e-5)
    np.testing.assert_allclose(wdl, outputs.value.softmax(dim=1).numpy(), atol=2e-5)


@pytest.mark.parametrize("kind", ["orbit", "mlp", "graph"])
def test_only_large_batches_of_networks_without_symmetry_may_be_rounded_to_half_the_precision(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alphadiamond.network.evaluator.bfloat16_pays", lambda device: True)
    model, states = sharpened(kind), random_states(200)
    whole, half = Evaluator(model, device="cpu", half=False), Evaluator(model, device="cpu")
    np.testing.assert_array_equal(whole(states[:31])[0], half(states[:31])[0])
    apart = [float(abs(one - other).max()) for one, other in zip(whole(states), half(states), strict=True)]
    if kind == "mlp":
        assert 0 < max(apart) < 0.02
    else:
        assert max(apart) == 0
    half.update(sharpened(kind, seed=9))
    whole.update(sharpened(kind, seed=9))
    np.testing.assert_allclose(whole(states)[0], half(states)[0], atol=0.02)


def test_huge_logits_make_no_overflow() -> None:
    states = random_states(3)
    logits = np.where(np.arange(72) % 2 == 0, np.float32(3e4), np.float32(-3e4))[None].repeat(3, axis=0)
    policy, wdl = kernels.read_outputs(
        GAME.rules, states.astype(np.int64), logits, np.full((3, 3), 1e30, dtype=np.float32)
    )
    assert np.isfinite(policy).all()
    np.testing.assert_allclose(policy.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(wdl, 1 / 3, atol=1e-6)


def test_a_position_without_moves_gets_no_policy_and_no_nan() -> None:
    full = (1 << 21) - 1
    policy, wdl = Evaluator(sharpened("mlp"), device="cpu", cache=8)([[full, 0, 0, 1]])
    assert (policy == 0).all()
    assert np.isfinite(wdl).all()


@pytest.mark.parametrize("kind", KINDS)
def test_one_at_a_time_and_many_at_once_agree(kind: str) -> None:
    evaluator = Evaluator(sharpened(kind), device="cpu")
    states = random_states(30)
    policy, wdl = evaluator(states)
    for row in range(30):
        one_policy, one_wdl = evaluator(states[row : row + 1])
        np.testing.assert_allclose(one_policy[0], policy[row], atol=1e-5)
        np.testing.assert_allclose(one_wdl[0], wdl[row], atol=1e-5)


def averaged(evaluator: Evaluator, states: npt.NDArray[np.int32]) -> tuple[np.ndarray, np.ndarray]:
    """The mean over the eight boards, the plain way."""
    policies, outcomes = [], []
    for symmetry in range(8):
        policy, wdl = evaluator(turn_states(states, np.full(len(states), symmetry)))
        policies.append(policy[:, ACTION_SYMMETRIES[symmetry]])
        outcomes.append(wdl)
    return np.mean(policies, axis=0), np.mean(outcomes, axis=0)


def test_averaging_takes_the_mean_over_the_eight_boards_and_makes_any_model_symmetric() -> None:
    model, states = sharpened("mlp"), random_states(20)
    plain = Evaluator(model, device="cpu", half=False)
    symmetric = Evaluator(model, device="cpu", half=False, symmetries=True)
    policy, wdl = symmetric(states)
    expected = averaged(plain, states)
    np.testing.assert_allclose(policy, expected[0], atol=1e-5)
    np.testing.assert_allclose(wdl, expected[1], atol=1e-5)
    assert abs(policy - plain(states)[0]).max() > 0.01
    for symmetry in range(8):
        turned = symmetric(turn_states(states, np.full(20, symmetry)))
        np.testing.assert_allclose(turned[0][:, ACTION_SYMMETRIES[symmetry]], policy, atol=1e-5)
        np.testing.assert_allclose(turned[1], wdl, atol=1e-5)


def test_averaging_changes_nothing_for_the_orbit_network() -> None:
    model, states = sharpened("orbit"), random_states(20)
    plain = Evaluator(model, device="cpu")(states)
    averaged = Evaluator(model, device="cpu", symmetries=True)(states)
    for one, other in zip(plain, averaged, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


@pytest.mark.parametrize("cache", [0, 1024])
def test_new_weights_speak_at_once(cache: int) -> None:
    states = random_states(10)
    old, new = sharpened("orbit", seed=1), sharpened("orbit", seed=2)
    evaluator = Evaluator(old, device="cpu", cache=cache)
    evaluator(states)
    evaluator.update(new)
    expected = Evaluator(new, device="cpu")(states)
    for one, other in zip(evaluator(states), expected, strict=True):
        assert (one == other).all()


def test_training_on_does_not_reach_the_evaluator_before_it_is_updated() -> None:
    model, states = sharpened("orbit"), random_states(5)
    evaluator = Evaluator(model, device="cpu")
    before = evaluator(states)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2.0)
    assert (evaluator(states)[0] == before[0]).all()


def test_the_start_position_is_seen_the_same_by_both_colours() -> None:
    start = Position.start()
    evaluator = Evaluator(build_model(SMALL["orbit"], seed=4, game=GAME), device="cpu")
    policy, wdl = evaluator([[start.own, start.opp, 0, 1], [start.opp, start.own, 0, 1]])
    np.testing.assert_allclose(np.sort(policy[0]), np.sort(policy[1]), atol=1e-6)
    np.testing.assert_allclose(wdl[0], wdl[1], atol=1e-6)


def test_states_of_another_shape_are_refused() -> None:
    evaluator = Evaluator(build_model(SMALL["mlp"], game=GAME), device="cpu")
    with pytest.raises(ValueError, match=r"states are \[B, 4\]"):
        evaluator(np.zeros((3, 2), dtype=np.int32))


def test_the_thread_count_is_set_for_the_job() -> None:
    before = torch.get_num_threads()
    try:
        Evaluator(build_model(SMALL["mlp"], game=GAME), device="cpu", threads=2)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_devices_are_found_or_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_device("cpu").type == "cpu"
    assert find_device("auto").type == "cpu"
    with pytest.raises(DeviceError, match="no device is called 'gpu': choose among auto, cpu, cuda, mps"):
        find_device("gpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(DeviceError, match="device cuda: torch finds none on this machine"):
        find_device("cuda")
