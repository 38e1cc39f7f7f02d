"""Many positions thought about side by side by one player, each coming and going on its own."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from alphadiamond.agents.base import Analysis, Position, Stop

Finding: TypeAlias = Callable[[], Analysis]
"""What was found when it was read, put together when it is called: at any time, in any thread."""


def found(analysis: Analysis) -> Finding:
    """An analysis that is already there."""
    return lambda: analysis


class Batch(Protocol):
    """Places for positions: one is begun in a free place, worked on together with the others, read, and ended."""

    @property
    def free(self) -> int:
        """How many positions can be begun now."""

    def begin(self, positions: Sequence[Position]) -> list[int]:
        """Take positions in which the game goes on, no more than are `free`; returns the place of each."""

    def work(self, *, stop: Stop) -> None:
        """Think about all of them until `stop` says so or nothing is left to do."""

    def done(self) -> list[int]:
        """The places whose budget is spent, or whose position is proven."""

    def read(self, places: Sequence[int]) -> list[Finding]:
        """What has been found so far; the places may be ended or worked on before it is put together."""

    def end(self, places: Sequence[int]) -> None:
        """Give places free, finished or not."""
