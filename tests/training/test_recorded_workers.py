"""Recorded workers: what they hand out is what real ones would have played, when those would have been done."""

import time
from pathlib import Path

import pytest

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import build_model
from alphadiamond.training.loop import Training
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.settings import PitSettings
from alphadiamond.training.worker import WorkerResult, weights_of
from alphadiamond.training.workers import InlineWorkers
from scripts.benchmarks.recorded_workers import RecordedWorkers, Recording, record
from tests.training.damage import tiny
from tests.training.small import MODEL, job_of, same

WEIGHTS = weights_of(build_model(MODEL, seed=1, game=GAME))


def test_a_recording_is_what_workers_play() -> None:
    of = tiny(2)
    recording = record(job_of(of), WEIGHTS, workers=3, iterations=2)
    workers = InlineWorkers(job_of(of), count=3)
    workers.start([])
    for iteration in (1, 2):
        workers.update(WEIGHTS)
        workers.begin(iteration, of.selfplay.simulations)
        for one, other in zip(workers.collect(), recording.results[iteration - 1], strict=True):
            assert one is not None
            assert same(one.state, other.state)  # type: ignore[arg-type]
    assert recording.workers == 3
    assert recording.seconds(0) == max(result.measures["seconds"] for result in recording.results[0])


def test_a_recording_goes_on_with_games_that_are_shared_out() -> None:
    of = tiny(1)
    before = record(job_of(of), WEIGHTS, workers=1, iterations=1).results[0][0].state
    after = record(job_of(of), WEIGHTS, workers=4, iterations=1, states=[before]).results[0]
    assert [len(result.state["known"]) for result in after] == [2, 2, 2, 2]
    moves = sum(int(result.state["lengths"].sum()) for result in after)
    moves += sum(summary.plies for result in after for summary in result.summaries)
    assert moves == int(before["lengths"].sum()) + of.selfplay.games * of.selfplay.rounds


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def lasting(*seconds: float) -> Recording:
    return Recording([[WorkerResult(None, [], {}, {"seconds": each}) for each in (0.5, last)] for last in seconds])


def test_results_arrive_when_the_slowest_worker_would_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock.monotonic)
    monkeypatch.setattr(time, "sleep", clock.sleep)
    workers = RecordedWorkers(lasting(3.0, 2.0))
    workers.start([None, None])
    workers.begin(1, 8)
    workers.collect()
    assert clock.now == 103.0
    workers.begin(2, 8)
    clock.now += 5.0  # the learner takes longer than the workers
    workers.collect()
    assert clock.now == 108.0, "they are done already"
    workers.begin(3, 8)
    assert workers.idle == 3.0
    workers.collect()
    assert clock.now == 111.0, "the recording begins again"
    with pytest.raises(AlphaDiamondError, match="no matches"):
        workers.pit({}, {}, [], PitSettings())


def test_a_run_learns_from_a_recording_as_from_the_workers_themselves(tmp_path: Path) -> None:
    of = tiny(1)
    of.gate.every = 1000
    recording = record(job_of(of), WEIGHTS, workers=2, iterations=1)
    of.init = str(tmp_path / "first.safetensors")
    from alphadiamond.network import save_checkpoint

    save_checkpoint(Path(of.init), build_model(MODEL, seed=1, game=GAME), step=0)
    runs = []
    for number, workers in enumerate((InlineWorkers(job_of(of), count=2), RecordedWorkers(recording))):
        run = Training(of, RunDirectory(tmp_path / str(number)), workers)
        run.workers.start([])
        run.workers.update(WEIGHTS)
        run.workers.begin(1, of.selfplay.simulations)
        run.play_games()
        run.learn()
        runs.append(run)
    assert runs[0].state.learner.step_count == runs[1].state.learner.step_count > 0
    states = [run.state.learner.state() for run in runs]
    assert same(states[0]["model"], states[1]["model"])
