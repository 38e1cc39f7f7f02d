"""Ways over a board, as plain data: what path finders explore and where they go, what is in sight, what was paid.

A game in which pieces look for their way gives its drawing a `Ways`. Windows, terminals and pictures show it without
knowing the game. Nothing here draws.
"""

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from alphadiamond.base.drawing import Ply, Square


class Moment(NamedTuple):
    """How far a walk has got."""

    explored: tuple[Square, ...]
    """The squares that were looked at from, in order, the latest last."""
    frontier: tuple[Square, ...]
    """The squares that wait."""
    path: tuple[Square, ...]
    """The way so far; empty while the path finder still looks for one."""
    paid: int


@dataclass(frozen=True)
class Walk:
    """One path finder at one problem: first it explores, then it goes its way."""

    finder: str
    heuristic: str
    """Empty where it takes none."""
    explored: tuple[Square, ...]
    """The squares that it looked at from, in order; one may come up again."""
    frontiers: tuple[tuple[Square, ...], ...]
    """The squares that waited after each of them."""
    path: tuple[Square, ...]
    """From where it began; as far as it got where it did not arrive."""
    paid: tuple[int, ...]
    """What it had paid on each square of the path, 0 first."""
    arrived: bool
    log: str
    """One letter a step: `Ways.letters` says what they mean."""
    cheapest: int
    """What the cheapest way costs."""

    @property
    def cost(self) -> int:
        return self.paid[-1]

    @property
    def steps(self) -> int:
        return len(self.path) - 1

    @property
    def seen(self) -> int:
        """Different squares that it looked at from."""
        return len(set(self.explored))

    @property
    def efficiency(self) -> float | None:
        """The cheapest way as a share of what was paid; None where it did not arrive."""
        return efficiency(self.cheapest, self.cost) if self.arrived else None

    @property
    def frames(self) -> int:
        """Moments from the beginning to the end."""
        return len(self.explored) + len(self.path)

    def at(self, frame: int) -> Moment:
        """Frame 0 is before anything is explored."""
        frame = max(0, min(frame, self.frames - 1))
        looked = min(frame, len(self.explored))
        gone = frame - looked + 1 if looked == len(self.explored) else 0
        return Moment(
            self.explored[:looked],
            self.frontiers[looked - 1] if looked else (),
            self.path[:gone],
            self.paid[gone - 1] if gone else 0,
        )


def efficiency(cheapest: int, paid: int) -> float:
    """The cheapest way as a share of what was paid. Where nothing had to be paid, whoever paid nothing did well."""
    return min(1.0, cheapest / paid) if paid > 0 else 1.0


class Ways(abc.ABC):
    """What a game knows of the ways on its board."""

    finders: ClassVar[Mapping[str, str]]
    """The path finders by name, with what people call them, from the simplest on."""
    heuristics: ClassVar[tuple[str, ...]]
    guided: ClassVar[tuple[str, ...]]
    """The path finders that take a heuristic."""
    sight: ClassVar[int]
    """How far a piece sees in a fog, in squares of any direction."""
    letters: ClassVar[Mapping[str, str]]
    """What each letter of a log means."""

    @abc.abstractmethod
    def walk(self, position: Any, finder: str, heuristic: str = "", *, side: Any | None = None) -> Walk:
        """How a path finder finds the way home of a side, by default of the one to move."""

    @abc.abstractmethod
    def cheapest(self, position: Any, side: Any) -> Walk:
        """The cheapest way home of a side that is alone."""

    @abc.abstractmethod
    def distances(self, position: Any, side: Any) -> dict[Square, int]:
        """The steps from each square to a side's home, where there is a way."""

    @abc.abstractmethod
    def to(
        self, position: Any, square: Square, *, known: frozenset[Square] | None = None
    ) -> tuple[tuple[Square, ...], int]:
        """The squares of the cheapest way of the side to move to a square, over what is known, its own first, and what
        it costs; nothing where there is no way."""

    @abc.abstractmethod
    def in_sight(self, positions: Sequence[Any], side: Any) -> frozenset[Square]:
        """In a fog: what a side sees after these positions of a game, the present one last."""

    @abc.abstractmethod
    def log(self, plies: Sequence[Ply], side: Any) -> str:
        """What happened to a side in a game, one letter a step."""

    @abc.abstractmethod
    def result(self, start: Any, end: Any, side: Any) -> tuple[int, int, float | None]:
        """What a side has paid in a game, what its cheapest way home cost at the start, and its efficiency, None where
        it is not at home."""
