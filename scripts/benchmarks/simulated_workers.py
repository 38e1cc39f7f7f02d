"""Workers of machines that are not there: they hand over a recorded result when their time has passed.

Everything but the playing is real: each result is an object of its own in Ray's store, travels, is checked, joins the
window and is learnt from, and every update goes out to every worker. So such a run shows what a run with as many real
workers would ask of the process that learns.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from alphadiamond.arena.pairs import Pairing
from alphadiamond.cluster.nodes import Node, on_node
from alphadiamond.cluster.worker_results import Raw, packed
from alphadiamond.cluster.workers import RayWorkers, _Member
from alphadiamond.settings.cluster import RaySettings
from alphadiamond.training.cores import shares
from alphadiamond.training.reshard import WorkerState
from alphadiamond.training.settings import PitSettings
from alphadiamond.training.worker import Side, Weights, Worker, WorkerJob


def recorded(job: WorkerJob, weights: Weights, *, workers: int, iterations: int) -> Raw:
    """What one of so many workers makes of an iteration: of so many of them, once its games are of all lengths, the one
    in which about as many plies ended as were played."""
    worker = Worker(job.share(0, workers), seed=job.seed, state=None)
    worker.update(weights)
    made = [worker.play(iteration, job.selfplay.simulations) for iteration in range(1, iterations + 1)]
    played = shares(job.selfplay.games, workers)[0] * job.selfplay.rounds
    counts = [len(one.samples) if one.samples is not None else 0 for one in made[iterations // 2 :]]
    nearest = min(range(len(counts)), key=lambda place: abs(counts[place] - played))
    return packed(made[iterations // 2 + nearest], job.game)


class SimulatedHost:
    """One process with many simulated workers in it, each in a thread of its own while it waits."""

    def __init__(self, raw: Raw, seconds: float) -> None:
        self._raw = raw
        self._seconds = seconds

    def ready(self) -> bool:
        return True

    def update(self, weights: Weights) -> None:
        """What a worker would do with them it does on another core."""

    def play(self, iteration: int, simulations: int) -> Raw:
        time.sleep(self._seconds)
        samples = dict(self._raw["samples"])
        if samples:
            samples["iteration"] = np.full(len(samples["outcome"]), iteration, dtype=np.int32)
        return {**self._raw, "samples": samples}


class _Simulated:
    """What the near end takes for the handle of an actor."""

    def __init__(self, host: Any) -> None:
        self.ready, self.update, self.play, self.take = host.ready, host.update, host.play, _Nothing()


class _Nothing:
    def remote(self, *_: object) -> None:
        """Its games are recorded."""


class SimulatedWorkers(RayWorkers):
    """So many simulated workers in a few processes."""

    def __init__(self, job: WorkerJob, raw: Raw, *, count: int, seconds: float = 0.0, hosts: int = 1) -> None:
        """`raw`: the result that each hands over after so many seconds; with 0, as fast as it can be taken in."""
        sizes = set(shares(job.selfplay.games, count))
        assert sizes == {len(raw["state"]["known"])}, "all workers have as many games as were recorded"
        self._count, self._hosts_wanted = count, hosts
        self._raw, self._seconds = raw, seconds
        self._hosts: list[Any] = []
        super().__init__(job, settings=RaySettings(), count=hosts)

    def start(self, states: Sequence[WorkerState | None]) -> None:
        super().start([])

    def pit(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: PitSettings) -> list[float]:
        raise NotImplementedError("simulated workers play no matches")

    def stop(self) -> None:
        self._members = []
        super().stop()

    def _plan(self) -> list[Node]:
        return [self._nodes.usable[0]] * self._count

    def _create(self, node: Node) -> _Member:
        if len(self._hosts) < self._hosts_wanted:
            kind = self._ray.remote(num_cpus=1, max_concurrency=min(1000, self._count + 2))(SimulatedHost)
            here = kind.options(scheduling_strategy=on_node(node.id))
            self._hosts.append(here.remote(self._ray.put(self._raw), self._seconds))
        number, self._numbers = self._numbers, self._numbers + 1
        actor = _Simulated(self._hosts[number % len(self._hosts)])
        return _Member(number, node, actor, actor.ready.remote(), time.monotonic())
