"""Where a run learns and plays, with torch's CPU in a card's place."""

from pathlib import Path

import pytest

from alphadiamond.network.devices import STAND_IN, DeviceError, is_card
from alphadiamond.settings.model import ModelConfig
from alphadiamond.training import placement
from alphadiamond.training.cores import Split
from alphadiamond.training.placement import place
from alphadiamond.training.settings import LearnerSettings, SelfPlaySettings, TrainSettings
from tests.training.small import settings, training

MLP = ModelConfig(kind="mlp", width=16, blocks=1, value_width=8)


def wanted(
    device: str = "auto", learner: str = "", selfplay: str = "", model: ModelConfig | None = None
) -> TrainSettings:
    return TrainSettings(
        device=device,
        model=model or ModelConfig(width=3, blocks=1, value_width=8),
        learner=LearnerSettings(device=learner, batch=32),
        selfplay=SelfPlaySettings(device=selfplay, games=16),
    )


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STAND_IN, "1")


def timed(monkeypatch: pytest.MonkeyPatch, **seconds: float) -> None:
    """Steps and rounds take as long as said on the CPU and on the card, and are made all the same."""
    step, rounds = placement._step_seconds, placement._round_seconds
    monkeypatch.setattr(
        placement,
        "_step_seconds",
        lambda *asked: (step(*asked), seconds["step_card" if is_card(asked[2]) else "step_cpu"])[1],
    )
    monkeypatch.setattr(
        placement,
        "_round_seconds",
        lambda *asked: (rounds(*asked), {"cpu": seconds["round_cpu"], "cuda": seconds["round_card"]})[1],
    )


def test_without_a_card_nothing_is_measured_and_a_card_that_is_asked_for_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(STAND_IN, raising=False)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    assert place(wanted()) == placement.Placement("cpu", "cpu")
    with pytest.raises(DeviceError, match="device cuda: torch finds none"):
        place(wanted(learner="cuda"))


@pytest.mark.usefixtures("card")
def test_what_is_told_is_done_apart_or_together_without_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement, "_choose", lambda *asked: pytest.fail("measured"))
    assert place(wanted("cuda")) == placement.Placement("cuda", "cuda")
    assert place(wanted("cpu", learner="cuda")) == placement.Placement("cuda", "cpu")
    assert place(wanted("cuda", learner="cpu")) == placement.Placement("cpu", "cuda")


@pytest.mark.usefixtures("card")
def test_a_compiled_network_plays_on_the_cpu_and_the_learner_goes_where_its_steps_are_faster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timed(monkeypatch, step_cpu=0.02, step_card=0.004, round_cpu=1.0, round_card=0.001)
    found = place(wanted())
    assert (found.learner, found.selfplay) == ("cuda", "cpu")
    assert found.reason == (
        "a step of the learner takes 4 ms on cuda and 20 ms on cpu; the compiled network plays on the CPU"
    )
    timed(monkeypatch, step_cpu=0.004, step_card=0.02, round_cpu=1.0, round_card=0.001)
    assert place(wanted()).learner == "cpu"


@pytest.mark.usefixtures("card")
def test_a_network_without_a_compiled_form_plays_where_a_round_is_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, step_cpu=0.02, step_card=0.004, round_cpu=0.01, round_card=0.002)
    found = place(wanted(model=MLP))
    assert (found.learner, found.selfplay) == ("cuda", "cuda")
    assert "a round of all games takes 2 ms on cuda and 10 ms on cpu" in found.reason
    timed(monkeypatch, step_cpu=0.02, step_card=0.004, round_cpu=0.001, round_card=0.002)
    assert place(wanted(model=MLP)).selfplay == "cpu"


def test_cores_go_to_workers_where_the_card_learns_and_to_the_learner_where_the_card_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("alphadiamond.training.settings.available_cores", lambda: 16)

    def shared(learner: str, selfplay: str) -> Split:
        chosen = TrainSettings()
        chosen.placement = placement.Placement(learner, selfplay)
        return chosen.split()

    assert shared("cpu", "cpu") == TrainSettings().split()
    assert shared("cuda", "cpu") == Split(15, 1)
    assert shared("cpu", "cuda") == Split(1, 4)
    assert shared("cuda", "cuda") == Split(1, 1)


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize("apart", [("cuda", "cpu"), ("cpu", "cuda")])
def test_a_run_learns_on_one_and_plays_on_the_other(tmp_path: Path, apart: tuple[str, str]) -> None:
    chosen = settings(iterations=2)
    chosen.learner.device, chosen.selfplay.device = apart
    run = training(tmp_path / "run", chosen)
    run.run()
    assert is_card(run.state.learner.device) == (apart[0] == "cuda")
    assert run.state.progress.iteration == 2
    assert run.state.learner.step_count > 0
