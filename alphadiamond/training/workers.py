"""Where self-play happens: workers that are started, given weights, asked for games, and stopped.

`Workers` is the whole interface; processes on this machine are one implementation of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

import numpy as np

from alphadiamond.arena.pairs import Pairing
from alphadiamond.base.processes import Process, told
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.training.reshard import WorkerState
from alphadiamond.training.settings import PitSettings
from alphadiamond.training.stop_flag import StopFlag, Stopped
from alphadiamond.training.worker import Side, Weights, Worker, WorkerJob, WorkerResult


class WorkerError(AlphaDiamondError):
    """A worker that fails again and again."""


class Workers(Protocol):
    """Workers play with the latest weights they were given."""

    @property
    def count(self) -> int:
        """How many there are."""

    def start(self, states: Sequence[WorkerState | None]) -> None:
        """Begin, each worker where its state was taken, or anew."""

    def update(self, weights: Weights) -> None:
        """New weights for self-play; not between `begin` and `collect`."""

    def begin(self, iteration: int, simulations: int) -> None:
        """Begin one iteration of self-play with so many simulations a move, without waiting for it."""

    def collect(self) -> list[WorkerResult | None]:
        """What was begun, from every worker, in order; one that died is replaced and gives None."""

    def pit(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: PitSettings) -> list[float]:
        """Play each pairing with both colours; what the first scored in each, of 2 points.

        Self-play that was begun comes first, and is there to be collected afterwards. Networks are built once for as
        long as the same two are asked for.
        """

    def states(self) -> list[WorkerState]:
        """What every worker goes on from if a run ends now, so that `start` can be given it: its games as they were
        when what was last collected was; empty for one that begins anew."""

    def measures(self) -> dict[str, float]:
        """What is to be reported of the workers themselves, as metrics."""

    def stop(self) -> None:
        """End at once; may be called twice."""


class Seated:
    """Who plays the match that is under way, so that workers are told of its networks once."""

    def __init__(self) -> None:
        self.sides: tuple[Side, Side, PitSettings] | tuple[()] = ()

    def clear(self) -> None:
        self.sides = ()

    def changed(self, *sides: *tuple[Side, Side, PitSettings]) -> bool:
        """Whether these are others than before, who sit there from now on."""
        same = len(self.sides) == len(sides) and all(a is b for a, b in zip(self.sides, sides, strict=True))
        self.sides = sides
        return not same


class InlineWorkers:
    """Workers in this process, one after the other: for debugging, and where there is one device to share."""

    def __init__(self, job: WorkerJob, *, count: int) -> None:
        self._job = job
        self._count = count
        self._workers: list[Worker] = []
        self._begun = (0, 0)
        self._states: list[WorkerState] = []
        self._seated = Seated()

    @property
    def count(self) -> int:
        return self._count

    def start(self, states: Sequence[WorkerState | None]) -> None:
        padded = [*states, *[None] * self._count]
        self._workers = [
            Worker(
                self._job.share(number, self._count),
                seed=worker_seed(self._job.seed, number, 0),
                state=padded[number],
            )
            for number in range(self._count)
        ]

    def update(self, weights: Weights) -> None:
        for worker in self._workers:
            worker.update(weights)

    def begin(self, iteration: int, simulations: int) -> None:
        self._begun = (iteration, simulations)

    def collect(self) -> list[WorkerResult | None]:
        self._seated.clear()
        results = [worker.play(*self._begun) for worker in self._workers]
        self._states = [result.state for result in results]
        return list(results)

    def pit(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: PitSettings) -> list[float]:
        worker = self._workers[0]
        if self._seated.changed(first, second, settings):
            worker.seat(first, second, settings)
        return worker.pit(pairings)

    def states(self) -> list[WorkerState]:
        return self._states

    def measures(self) -> dict[str, float]:
        return {}

    def stop(self) -> None:
        self._workers = []


def compile_for(job: WorkerJob) -> None:
    """Let this process compile what the workers of its machine need, so that they need not all do it at once."""
    tiny = replace(job, selfplay=replace(job.selfplay, games=2, rounds=2, simulations=2), device="cpu", cache=64)
    workers = InlineWorkers(tiny, count=1)
    workers.start([])
    workers.begin(0, tiny.selfplay.simulations)
    workers.collect()


class ProcessWorkers:
    """One process a worker, started with `spawn`, with one torch thread each on a CPU."""

    def __init__(self, job: WorkerJob, *, count: int, stopping: StopFlag | None = None) -> None:
        self._job = job
        self._count = count
        self._stopping = stopping or StopFlag()
        self._workers: list[Process | None] = [None] * count
        self._weights: Weights | None = None
        self._seated = Seated()
        self._playing = False
        self._results: list[WorkerResult | None] = []
        self._states: list[WorkerState] = []
        self.replaced = 0
        """How many workers have died and been replaced."""

    @property
    def count(self) -> int:
        return self._count

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._workers if worker is not None]

    def start(self, states: Sequence[WorkerState | None]) -> None:
        for number in range(self._count):
            self._workers[number] = self._start_one(number, states[number] if number < len(states) else None)

    def update(self, weights: Weights) -> None:
        self._weights = weights
        for number in range(self._count):
            self._send(number, ("update", weights))

    def begin(self, iteration: int, simulations: int) -> None:
        self._seated.clear()
        for number in range(self._count):
            self._send(number, ("play", iteration, simulations))
        self._playing = True

    def collect(self) -> list[WorkerResult | None]:
        self._finish_playing()
        self._states = [result.state if result is not None else {} for result in self._results]
        return self._results

    def pit(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: PitSettings) -> list[float]:
        self._finish_playing()
        if self._seated.changed(first, second, settings):
            for number in range(self._count):
                self._send(number, ("seat", *self._seated.sides))
        for number in range(self._count):
            self._send(number, ("pit", list(pairings[number :: self._count])))
        answers = self._answers()
        scores = [0.0] * len(pairings)
        lost: list[int] = []
        for number, answer in enumerate(answers):
            places = range(number, len(pairings), self._count)
            if answer is None:
                lost += places
            else:
                for place, score in zip(places, answer, strict=True):
                    scores[place] = score
        if lost:  # a worker died: its share is played by the others
            again = self.pit(first, second, [pairings[place] for place in lost], settings)
            for place, score in zip(lost, again, strict=True):
                scores[place] = score
        return scores

    def states(self) -> list[WorkerState]:
        return self._states

    def measures(self) -> dict[str, float]:
        return {}

    def stop(self) -> None:
        for worker in self._workers:
            if worker is not None:
                worker.kill()
        for worker in self._workers:
            if worker is not None:
                worker.end()
        self._workers = [None] * self._count

    def _finish_playing(self) -> None:
        if self._playing:
            self._results = self._answers()
            self._playing = False

    def _answers(self) -> list[Any]:
        """Every worker's answer; None from one that died, which is replaced."""
        answers: list[Any] = [None] * self._count
        open_numbers = set(range(self._count))
        while open_numbers:
            connections = {self._worker(number).connection: number for number in open_numbers}
            ready = wait(list(connections), timeout=0.2)
            if self._stopping.is_set():
                raise Stopped
            for connection in ready:
                number = connections[connection]  # type: ignore[index]
                try:
                    kind, answer = self._worker(number).receive()
                except EOFError:
                    self._replace(number)
                else:
                    if kind == "error":
                        raise WorkerError(f"worker {number} failed: {answer}")
                    answers[number] = answer
                open_numbers.discard(number)
        return answers

    def _send(self, number: int, message: Any) -> None:
        self._worker(number).send(message)  # a dead worker is noticed when its answer does not come

    def _worker(self, number: int) -> Process:
        worker = self._workers[number]
        assert worker is not None, "start() comes first"
        return worker

    def _replace(self, number: int) -> None:
        """Drop a dead worker with its unfinished games and start another."""
        self._worker(number).end()
        self.replaced += 1
        if self.replaced > 10 * self._count:
            raise WorkerError(f"workers died {self.replaced} times: is there enough memory for {self._count} of them?")
        self._workers[number] = self._start_one(number, None)
        if self._weights is not None:
            self._send(number, ("update", self._weights))
        if self._seated.sides:
            self._send(number, ("seat", *self._seated.sides))

    def _start_one(self, number: int, state: WorkerState | None) -> Process:
        seed = worker_seed(self._job.seed, number, self.replaced)
        job = self._job.share(number, self._count)
        return Process(_work, job, seed, state, name=f"alphadiamond worker {number}")


def worker_seed(seed: int, number: int, births: int) -> int:
    """The seed of one of a run's workers, another for each that takes a dead one's place."""
    return int(np.random.SeedSequence([seed, number, births]).generate_state(1, np.uint32)[0])


def _work(connection: "Connection[Any, Any]", job: WorkerJob, seed: int, state: WorkerState | None) -> None:
    """A worker's life: obey until the run is gone."""
    try:
        worker = Worker(job, seed=seed, state=state)
        while True:
            kind, *arguments = connection.recv()
            answer = getattr(worker, kind)(*arguments)
            if answer is not None:
                connection.send(("answer", answer))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        connection.send(("error", told(error)))
