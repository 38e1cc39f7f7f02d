"""A move: a step in one of eight directions, or a pass at home."""

from dataclasses import dataclass, field

from alphadiamond.base.notation import NotationError, require_text, shown
from alphadiamond.games.labyrinth.board import ACTIONS, DIRECTIONS, PASS, Cell
from alphadiamond.games.labyrinth.side import Side

_NAMES = (*DIRECTIONS, "-")


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """Written as a direction of the board, `n` to `nw`, or `-` for a pass.

    Two moves are equal if they go the same way. A move that a position lists knows its runner and cells as well; one
    that was read from a text alone does not, and has no action until a position is asked (`Position.bound`).
    """

    direction: int
    """0 to 7 clockwise from north; PASS."""
    side: Side | None = field(default=None, compare=False)
    squares: tuple[Cell, ...] = field(default=(), compare=False)
    """From where to where, which is what a person clicks; the home alone for a pass."""

    def __post_init__(self) -> None:
        if not 0 <= self.direction < ACTIONS:
            raise NotationError(f"no direction {self.direction}: directions are 0 to {PASS}")

    @classmethod
    def parse(cls, text: str) -> "Move":
        if require_text(text, "a move") not in _NAMES:
            raise NotationError(f"move {shown(text)}: expected one of {' '.join(DIRECTIONS)}, or - to pass")
        return cls(_NAMES.index(text))

    @classmethod
    def of_action(cls, action: int, side: Side = Side.A) -> "Move":
        """The move with this number as a runner plays it: for b the board is turned by half."""
        return cls(turned(action) if side is Side.B else action, side)

    @property
    def action(self) -> int:
        """Its number, seen by its runner."""
        if self.side is None:
            raise NotationError(f"move {self} belongs to no position, so that it has no number: ask `Position.bound`")
        return turned(self.direction) if self.side is Side.B else self.direction

    @property
    def is_pass(self) -> bool:
        return self.direction == PASS

    def __str__(self) -> str:
        return _NAMES[self.direction]


def turned(direction: int) -> int:
    """A direction after a half turn; a pass stays one."""
    return direction if direction == PASS else (direction + 4) % 8
