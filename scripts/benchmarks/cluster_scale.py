"""How many cores one learner can feed: a run whose workers are simulated and hand over recorded results at once.

The real loop takes in results as large and as many as so many workers make, so that the rate of each of its stages
shows: fetching and checking (Ray's store and the loopback network), joining the window, compressing and writing, the
state, learning. Each is timed by the processor's clock of the thread that does it, the learner having one, so that
other work on the machine does not count; so is one worker, with the shipped network, and what so many would offer is
that times their number. The loop's own rate is that of its stages one after the other, but for compressing and
writing, which goes on beside them. Two sets of settings: the default profile with at least 8 games for each worker,
since with fewer a worker asks its network about too few positions at once, and profile=cluster.
"""

import contextlib
import dataclasses
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from alphadiamond.games import load
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import load_checkpoint
from alphadiamond.resources import champion_of
from alphadiamond.training import replay_buffer
from alphadiamond.training.handlers import Handler
from alphadiamond.training.learner import Learner
from alphadiamond.training.loop import Training
from alphadiamond.training.persistence import Persistence
from alphadiamond.training.replay_buffer import ReplayBuffer
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.settings import TrainSettings
from alphadiamond.training.state import RunState
from alphadiamond.training.stop_flag import Stopped
from alphadiamond.training.worker import Weights, Worker, WorkerJob, weights_of
from benchmarks.cluster import installed
from benchmarks.profiles import plain
from benchmarks.rates import Row

CORES = (2, 16, 128, 1024)
"""Of the workers; the learner has its own."""
LEAST_GAMES = 8
MOST_SAMPLES = 400_000
"""Of an iteration that is measured; longer ones are the same only longer."""
STEPS = 4
"""Of the learner in such an iteration; their time is scaled to as many as the samples are worth."""
NEVER = 1_000_000_000


@dataclasses.dataclass
class Stages:
    """Seconds of an iteration, stage by stage, and what came in."""

    collect: float = 0.0
    window: float = 0.0
    learn: float = 0.0
    write: float = 0.0
    save: float = 0.0
    samples: float = 0.0


def measure(*, repeats: int, seed: int) -> list[Row]:
    if not installed():
        return []
    before = torch.get_num_threads()
    try:
        return [
            row
            for name in ("laptop", "cluster")
            for cores in CORES
            if not (name == "cluster" and cores == CORES[0])
            for row in _rows(name, cores, repeats, seed)
        ]
    finally:
        torch.set_num_threads(before)


def settings_of(profile: str, cores: int, seed: int) -> TrainSettings:
    """A profile with enough games for so many workers."""
    settings = plain(profile, seed=seed, iterations=NEVER, snapshot_every=NEVER)
    selfplay = settings.selfplay
    games = max(selfplay.games, LEAST_GAMES * cores)
    rounds = max(1, min(selfplay.rounds, MOST_SAMPLES // games))
    settings.selfplay = dataclasses.replace(selfplay, games=games, rounds=rounds)
    settings.gate.every = settings.evaluation.every = settings.evaluation.exam_every = NEVER
    settings.learner = dataclasses.replace(settings.learner, threads=1)
    return settings


def _rows(profile: str, cores: int, repeats: int, seed: int) -> list[Row]:
    from benchmarks.simulated_workers import SimulatedWorkers, recorded

    settings = settings_of(profile, cores, seed)
    weights = _network(settings)
    job = WorkerJob(settings.model, settings.selfplay, seed, "cpu", settings.cache, game=GAME)
    pace = _worker_pace(job, weights, cores)
    raw = recorded(job, weights, workers=cores, iterations=max(4, 400 // settings.selfplay.rounds))
    reuse, batch = settings.learner.reuse, settings.learner.batch
    samples = max(1, len(raw["samples"].get("outcome", ()))) * cores
    settings.learner = dataclasses.replace(settings.learner, reuse=STEPS * batch / samples)
    stages = run(settings, SimulatedWorkers(job, raw, count=cores), max(2, repeats))
    learn = stages.learn / STEPS / batch * reuse  # seconds for each sample
    intake, save = (stages.collect + stages.window) / stages.samples, stages.save / stages.samples
    write = stages.write / stages.samples
    loop = 1 / max(intake + learn + save, write)
    offered = cores * pace
    games = settings.selfplay.games // cores
    name = f"{profile}, {cores} cores"
    return [
        Row(f"{name} of {games} games: offered by the workers", offered, "samples/s"),
        Row(f"{name}: fetched, checked, in the window", 1 / intake, "samples/s", offered, "offered"),
        Row(f"{name}: compressed and written, beside it", 1 / write, "samples/s", offered, "offered"),
        Row(f"{name}: state written", 1 / save, "samples/s", offered, "offered"),
        Row(f"{name}: learnt {reuse:g} times, by one thread", 1 / learn, "samples/s", offered, "offered"),
        Row(f"{name}: the whole loop", loop, "samples/s", offered, "offered"),
        Row(f"{name}: one learner feeds", loop / pace, "cores"),
    ]


def _network(settings: TrainSettings) -> Weights:
    """The shipped network: games of a new one end sooner, and its cache answers more."""
    model = load_checkpoint(champion_of(load(settings.game)), game=load(settings.game)).model
    settings.model = model.config
    return weights_of(model)


def _worker_pace(job: WorkerJob, weights: Weights, workers: int) -> float:
    """Samples/s that one worker makes on a core of its own, by the processor's clock."""
    share = job.share(0, workers)
    share = dataclasses.replace(share, selfplay=dataclasses.replace(share.selfplay, rounds=8))
    worker = Worker(share, seed=1, state=None)
    paces = []
    for iteration in range(1, 9):
        worker.update(weights)
        began = time.thread_time()
        worker.play(iteration, share.selfplay.simulations)
        paces.append(share.selfplay.games * share.selfplay.rounds / (time.thread_time() - began))
    return statistics.median(paces[4:])


def run(settings: TrainSettings, workers: Any, repeats: int) -> Stages:
    """So many iterations of the real loop, stage by stage; medians."""
    warming = 2
    watch = _Watch(warming + repeats)
    with (
        tempfile.TemporaryDirectory() as directory,
        contextlib.suppress(Stopped),
        _timed(workers, "collect", "collect", watch),
        _timed(ReplayBuffer, "add", "window", watch),
        _timed(Learner, "learn", "learn", watch),
        _timed(replay_buffer, "_write", "write", watch),
        _timed(Persistence, "save_due", "save", watch),
    ):
        Training(settings, RunDirectory(Path(directory)), workers, handlers=[watch]).run()
    counted = watch.found[warming:]
    names = [field.name for field in dataclasses.fields(Stages)]
    return Stages(**{name: statistics.median(getattr(one, name) for one in counted) for name in names})


class _Watch(Handler):
    """Adds up the seconds of each iteration's stages, and ends the run after so many."""

    def __init__(self, iterations: int) -> None:
        self.found: list[Stages] = []
        self._current = Stages()
        self._iterations = iterations

    def heard(self, stage: str, seconds: float) -> None:
        setattr(self._current, stage, getattr(self._current, stage) + seconds)

    def iteration_finished(self, state: RunState, metrics: Mapping[str, float]) -> None:
        self._current.samples = metrics["replay/samples"]
        for written in state.replay.writing:  # it is counted where it is written, not where it is waited for
            written.result()

    def save_due(self, state: RunState) -> None:
        """Told after the run's own files are written."""
        self.found.append(self._current)
        self._current = Stages()
        if len(self.found) > self._iterations:
            raise Stopped


@contextlib.contextmanager
def _timed(owner: Any, name: str, stage: str, watch: _Watch) -> Iterator[None]:
    """Let a function tell how long each of its calls took."""
    plain = getattr(owner, name)

    def timed(*arguments: Any, **named: Any) -> Any:
        began = time.thread_time()
        try:
            return plain(*arguments, **named)
        finally:
            watch.heard(stage, time.thread_time() - began)

    setattr(owner, name, timed)
    try:
        yield
    finally:
        setattr(owner, name, plain)
