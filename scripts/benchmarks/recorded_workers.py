"""Workers of a machine that is not there: what they would have played is played beforehand, one after the other.

How long a run takes on more cores than one has is a matter of when results arrive. `record` plays the iterations of so
many workers in this process and times each of them; `RecordedWorkers` hands them to a run when the slowest of the
workers, each on a core of its own, would have been done. The run's own part, learning, really takes place.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from alphadiamond.arena.pairs import Pairing
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.training.cores import shares
from alphadiamond.training.reshard import WorkerState, reshard
from alphadiamond.training.settings import PitSettings
from alphadiamond.training.worker import Side, Weights, WorkerJob, WorkerResult
from alphadiamond.training.workers import InlineWorkers


@dataclass(frozen=True)
class Recording:
    """What so many workers made in some iterations."""

    results: list[list[WorkerResult]]
    """[iterations][workers]"""

    @property
    def workers(self) -> int:
        return len(self.results[0])

    def seconds(self, number: int) -> float:
        """How long the slowest worker took in an iteration."""
        return max(result.measures["seconds"] for result in self.results[number])


def record(
    job: WorkerJob, weights: Weights, *, workers: int, iterations: int, states: Sequence[WorkerState] = ()
) -> Recording:
    """Play so many iterations; the workers go on with the games of `states`, shared out among them, or begin anew."""
    team = InlineWorkers(job, count=workers)
    team.start([state or None for state in reshard(states, shares(job.selfplay.games, workers))] if states else [])
    made = []
    for iteration in range(1, iterations + 1):
        team.update(weights)
        team.begin(iteration, job.selfplay.simulations)
        made.append([result for result in team.collect() if result is not None])
    return Recording(made)


class RecordedWorkers:
    """Workers that hand out a recording, again and again, each iteration when its time has passed."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._next = 0
        self._due = 0.0
        self.idle = 0.0
        """Seconds that the workers had nothing to do, since the first iteration was begun."""

    @property
    def count(self) -> int:
        return self._recording.workers

    def start(self, states: Sequence[WorkerState | None]) -> None:
        """What they play is recorded: there is nothing to go on with."""

    def update(self, weights: Weights) -> None:
        """What they play is recorded, with whatever weights."""

    def begin(self, iteration: int, simulations: int) -> None:
        now = time.monotonic()
        if self._next:
            self.idle += max(0.0, now - self._due)
        self._due = now + self._recording.seconds(self._next % len(self._recording.results))

    def collect(self) -> list[WorkerResult | None]:
        time.sleep(max(0.0, self._due - time.monotonic()))
        results = self._recording.results[self._next % len(self._recording.results)]
        self._next += 1
        return list(results)

    def pit(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: PitSettings) -> list[float]:
        raise AlphaDiamondError("recorded workers play no matches")

    def states(self) -> list[WorkerState]:
        last = (self._next - 1) % len(self._recording.results)
        return [result.state for result in self._recording.results[last]] if self._next else []

    def measures(self) -> dict[str, float]:
        return {}

    def stop(self) -> None:
        """There is nothing to stop."""
