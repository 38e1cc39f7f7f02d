"""How a run is spread over the cores of a machine: games over workers, and what is left to the learner.

An iteration is the same games and the same learning on every machine; more cores only make it shorter.
"""

from dataclasses import dataclass
from typing import Final

MOST_THREADS: Final = 4
"""The learner's matrices are small: more threads than this would wait for each other."""
FEWEST_GAMES: Final = 4
"""A worker with fewer games at once asks the network one position at a time, and is not worth a process."""


@dataclass(frozen=True)
class Split:
    """Who gets the cores."""

    workers: int
    """Processes for self-play."""
    threads: int
    """Threads of the learner."""


def split(cores: int, *, games: int, workers: int = 0, threads: int = 0) -> Split:
    """What is not told (0) is chosen: with few cores a worker on each, with more of them a quarter for the learner.

    On two cores the learner and two workers share them: neither has to wait for the other to have something to do.
    """
    if not workers:
        kept = (threads or min(cores // 4, MOST_THREADS)) if cores >= 4 else 0
        workers = max(1, min(cores - kept, games // FEWEST_GAMES))
    workers = min(workers, games)
    return Split(workers, threads or max(1, min(cores - workers, MOST_THREADS)))


def shares(games: int, workers: int) -> list[int]:
    """How many of the games each worker plays."""
    return [games // workers + (number < games % workers) for number in range(workers)]
