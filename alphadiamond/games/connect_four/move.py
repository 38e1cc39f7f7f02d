"""A move: a disc dropped into a column."""

from dataclasses import dataclass

from alphadiamond.base.notation import NotationError, require_text, shown
from alphadiamond.games.connect_four.board import COLUMNS, Column


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """Written as the number of its column, 1 to 7 from the left."""

    column: Column
    """0 to 6."""

    def __post_init__(self) -> None:
        if not 0 <= self.column < COLUMNS:
            raise NotationError(f"no column {self.column + 1}: columns are 1 to {COLUMNS}")

    @classmethod
    def parse(cls, text: str) -> "Move":
        if require_text(text, "a move") not in _NAMES:
            raise NotationError(f"move {shown(text)}: a move is the number of a column, 1 to {COLUMNS}")
        return cls(int(text) - 1)

    @classmethod
    def of_action(cls, action: int) -> "Move":
        return _MOVES[action]

    @property
    def action(self) -> int:
        return self.column

    @property
    def squares(self) -> tuple[int, ...]:
        """The top cell of the column: it stands for the whole of it."""
        return (self.column,)

    def image(self, symmetry: int) -> "Move":
        """This move, mirrored by symmetry 1."""
        return Move(COLUMNS - 1 - self.column) if symmetry else self

    def __str__(self) -> str:
        return str(self.column + 1)


_NAMES = tuple(str(column + 1) for column in range(COLUMNS))
_MOVES = tuple(Move(column) for column in range(COLUMNS))
