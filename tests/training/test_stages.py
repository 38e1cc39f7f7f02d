"""What the stages of the loop decide, with gates and matches whose results are made up."""

from pathlib import Path
from typing import Any

import pytest

from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import build_model, load_checkpoint
from alphadiamond.training import loop
from alphadiamond.training.evaluation import BaselineResult
from alphadiamond.training.gate import GateResult
from alphadiamond.training.loop import Training
from alphadiamond.training.rundir import RunDirectory, read_metrics
from alphadiamond.training.worker import weights_of
from tests.training.small import MODEL, same, settings, training


def run_with_gate(directory: Path, monkeypatch: pytest.MonkeyPatch, *, passed: bool, **changes: object) -> Training:
    """Two iterations, the gate held in each."""
    held: list[Any] = []

    def hold_gate(workers: Any, candidate: Any, champion: Any, *_: Any, **__: Any) -> GateResult:
        held.append((candidate, champion))
        return GateResult(passed, 0.55, (0.5, 0.6), pairs=9, at_limit=False)

    monkeypatch.setattr(loop, "hold_gate", hold_gate)
    of = settings(**{"iterations": 2, **changes})
    of.gate.every = 1
    run = training(directory, of)
    run.run()
    assert len(held) == of.iterations
    assert same(held[0][1], FIRST), "the first champion has learnt nothing"
    assert not same(held[0][0], FIRST), "the candidate has"
    assert same(held[1][1], held[0][0] if passed else FIRST)
    return run


FIRST: Any = weights_of(build_model(MODEL, seed=1, game=GAME))


def test_a_candidate_that_passes_becomes_champion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_with_gate(tmp_path, monkeypatch, passed=True)
    assert same(run.state.champion, weights_of(run.state.learner.averaged))  # type: ignore[arg-type]
    assert (run.state.progress.gates, run.state.progress.promotions) == (2, 2)
    saved = load_checkpoint(RunDirectory(tmp_path).champion)
    assert same(weights_of(saved.model), run.state.champion)  # type: ignore[arg-type]
    assert saved.metadata.step == run.state.learner.step_count
    lines = read_metrics(tmp_path / "metrics.jsonl")
    assert [line["gate/passed"] for line in lines] == [1, 1]
    assert [line["gate/promotions"] for line in lines] == [1, 2]
    assert {name: lines[0][name] for name in ("gate/score", "gate/low", "gate/high", "gate/pairs")} == {
        "gate/score": 0.55,
        "gate/low": 0.5,
        "gate/high": 0.6,
        "gate/pairs": 9,
    }


def test_a_candidate_that_fails_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_with_gate(tmp_path, monkeypatch, passed=False)
    assert same(run.state.champion, FIRST)  # type: ignore[arg-type]
    assert (run.state.progress.gates, run.state.progress.promotions) == (2, 0)
    assert same(weights_of(load_checkpoint(RunDirectory(tmp_path).champion).model), FIRST)  # type: ignore[arg-type]


@pytest.mark.parametrize("who", ["latest", "champion"])
def test_whoever_is_named_plays_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    given: list[Any] = []
    update = loop.Training._begin_games

    def begin_games(run: Training, iteration: int) -> None:
        given.append(run.state.playing)
        update(run, iteration)

    monkeypatch.setattr(loop.Training, "_begin_games", begin_games)
    run_with_gate(tmp_path, monkeypatch, passed=False, selfplay_weights=who, iterations=3)
    assert same(given[0], FIRST)
    assert same(given[-1], FIRST) == (who == "champion"), "the champion is the one that has learnt nothing"


def test_each_baseline_has_its_own_score_and_rating(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = [
        BaselineResult("minimax:depth=4", 0.75, (0.6, 0.85), wins=3, losses=1, pairs=4),
        BaselineResult("random", 1.0, (0.9, 1.0), wins=4, losses=0, pairs=4),
    ]
    monkeypatch.setattr(loop, "play_baselines", lambda *_, **__: results)
    training(tmp_path, settings(iterations=1)).run()
    (line,) = read_metrics(tmp_path / "metrics.jsonl")
    for result, tag in zip(results, ("minimax_depth_4", "random"), strict=True):
        assert line[f"score/{tag}"] == result.score
        rating = [line[name] for name in (f"elo/{tag}", f"elo/{tag}/low", f"elo/{tag}/high")]
        assert rating == pytest.approx(result.elo, abs=1e-5)
