"""A training run on 2, 4, 8, 16 and 64 cores: what an iteration of the default profile takes, and who waits for whom.

Where this machine has the cores, real workers play, pinned to so many of them. Where it has not, what they would have
played is played beforehand and arrives when they would have been done; the learner really learns meanwhile, with as
many of its threads as there are cores here, so that on the real machine it could only be faster. Iterations are a
quarter of their length (24 moves of every game instead of 96) and figures are scaled up; gates and evaluations are left
out. Nothing else should run meanwhile.
"""

import contextlib
import dataclasses
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch

from alphadiamond.base.threads import available_cores
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import build_model
from alphadiamond.training.cores import Split, split
from alphadiamond.training.handlers import Handler
from alphadiamond.training.loop import Training
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.settings import TrainSettings
from alphadiamond.training.state import RunState
from alphadiamond.training.stop_flag import Stopped
from alphadiamond.training.worker import WorkerJob, weights_of
from alphadiamond.training.workers import ProcessWorkers, Workers
from benchmarks.profiles import plain
from benchmarks.rates import Row
from benchmarks.recorded_workers import RecordedWorkers, record

CORES = (2, 4, 8, 16, 64)
PART = 4
"""Iterations are shorter by this factor."""
NEVER = 1_000_000_000


@dataclasses.dataclass(frozen=True)
class Pace:
    """Seconds of an iteration, on average."""

    whole: float
    learner_waits: float
    workers_wait: float


def measure(*, repeats: int, seed: int) -> list[Row]:
    before = torch.get_num_threads()
    try:
        return _rows(default_settings(seed), repeats)
    finally:
        torch.set_num_threads(before)


def default_settings(seed: int) -> TrainSettings:
    settings = plain("laptop", seed=seed)
    settings.selfplay = dataclasses.replace(settings.selfplay, rounds=settings.selfplay.rounds // PART)
    settings.gate.every = settings.evaluation.every = settings.evaluation.exam_every = NEVER
    settings.snapshot_every = NEVER
    return settings


def _rows(settings: TrainSettings, repeats: int) -> list[Row]:
    weights = weights_of(build_model(settings.model, seed=settings.seed, game=GAME))
    job = WorkerJob(settings.model, settings.selfplay, settings.seed, "cpu", settings.cache, game=GAME)
    rested = dataclasses.replace(job, selfplay=dataclasses.replace(job.selfplay, rounds=job.selfplay.rounds * PART))
    states = [record(rested, weights, workers=1, iterations=1).results[0][0].state]  # games of all lengths
    rows, reference = [], 0.0
    for cores in CORES:
        share = split(cores, games=settings.selfplay.games)
        pace = _real(settings, job, share, cores, repeats)
        kind = ""
        if pace is None:
            recording = record(job, weights, workers=share.workers, iterations=2, states=states)
            threads = min(share.threads, available_cores())
            pace = run(settings, RecordedWorkers(recording), Split(share.workers, threads), repeats)
            kind = f" ({share.workers} workers simulated, learner with {threads} of {share.threads} threads)"
        name = f"{cores} cores{kind}"
        whole = pace.whole * PART
        reference = reference or whole
        rows.append(Row(f"{name}: an iteration", whole, "s", reference, f"on {CORES[0]} cores"))
        rows.append(Row(f"{cores} cores: {settings.iterations} iterations", whole * settings.iterations / 60, "min"))
        rows.append(Row(f"{cores} cores: the learner waits", 100 * pace.learner_waits / pace.whole, "%"))
        rows.append(Row(f"{cores} cores: the workers wait", 100 * pace.workers_wait / pace.whole, "%"))
    return rows


def _real(settings: TrainSettings, job: WorkerJob, share: Split, cores: int, repeats: int) -> Pace | None:
    """With real workers on so many cores of this machine, if it has them."""
    if cores > available_cores() or not hasattr(os, "sched_setaffinity"):
        return None
    with _pinned(cores):
        return run(settings, ProcessWorkers(job, count=share.workers), share, repeats)


@contextlib.contextmanager
def _pinned(cores: int) -> Iterator[None]:
    """Keep this process, and those it starts, to so many cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def run(settings: TrainSettings, workers: Workers, share: Split, repeats: int) -> Pace:
    """So many iterations of a run, after some that fill the replay window and the games."""
    settings = dataclasses.replace(settings, iterations=NEVER, workers=share.workers)
    settings.learner = dataclasses.replace(settings.learner, threads=share.threads)
    warming = PART + 1
    watch = _Watch(warming + repeats)
    with tempfile.TemporaryDirectory() as directory, contextlib.suppress(Stopped):
        Training(settings, RunDirectory(Path(directory)), workers, handlers=[watch]).run()
    counted = watch.paces[warming:]
    return Pace(*(sum(getattr(pace, name) for pace in counted) / len(counted) for name in Pace.__annotations__))


class _Watch(Handler):
    """Notes the pace of each iteration, and ends the run after so many."""

    def __init__(self, iterations: int) -> None:
        self.paces: list[Pace] = []
        self._iterations = iterations

    def iteration_finished(self, state: RunState, metrics: Mapping[str, float]) -> None:
        whole = metrics["speed/iteration_seconds"]  # with the state that is written to disk between iterations
        idle = max(0.0, whole - metrics["speed/selfplay_seconds"])
        self.paces.append(Pace(whole, metrics["speed/waiting_seconds"], idle))
        if state.progress.iteration >= self._iterations:
            raise Stopped
