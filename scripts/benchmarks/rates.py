"""Timing two ways of doing a thing side by side, so that a busy machine slows both."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Row:
    """One line of the table; JSON holds the same fields."""

    name: str
    value: float
    unit: str
    reference: float | None = None
    """The same quantity for the plain version, measured in the same run."""
    reference_name: str = ""

    @property
    def ratio(self) -> float | None:
        return self.value / self.reference if self.reference else None


Work = Callable[[], float]
"""Does some work and returns how many units it did."""


def rate(work: Work, clock: Callable[[], float] = time.perf_counter) -> float:
    started = clock()
    units = work()
    return units / (clock() - started)


def rates(
    ours: Work, reference: Work, *, repeats: int, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, float]:
    """Median units per second of both, run in turns after one untimed turn each.

    What keeps to one thread may be timed by the processor's clock, which other work on the machine disturbs much less.
    """
    ours(), reference()
    pairs = [(rate(ours, clock), rate(reference, clock)) for _ in range(repeats)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)
