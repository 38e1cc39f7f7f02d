"""A move: a man's step or its whole chain of captures, by the squares of the board."""

import itertools
from dataclasses import dataclass

from alphadiamond.base.notation import NotationError, require_text, shown
from alphadiamond.games.dame.board import (
    ACTION_IDS,
    PATHS,
    SQUARE_IDS,
    SQUARE_NAMES,
    SQUARES,
    Action,
    Path,
    Square,
    jumped,
    rank_of,
    turned,
)
from alphadiamond.games.dame.side import Side


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A step `b2-a3`, a capture `c3xe5` or a chain `a1xc3xe5`. White goes up and black down, so that the squares tell
    whose move it is."""

    squares: Path
    """Where the man starts and every square it lands on, which is what a person clicks."""

    def __post_init__(self) -> None:
        for square in self.squares:
            if not 0 <= square < SQUARES:
                raise NotationError(f"no square {square}: squares are 0 to {SQUARES - 1}")
        if _seen_by_mover(self.squares) not in ACTION_IDS:
            raise NotationError(_fault(self.squares))

    @classmethod
    def parse(cls, text: str) -> "Move":
        sign = "x" if "x" in require_text(text, "a move") else "-"
        names = text.split(sign)
        if len(names) < 2 or (sign == "-" and len(names) > 2):
            raise NotationError(f"move {shown(text)}: expected a step such as b2-a3 or a capture such as c3xe5")
        for name in names:
            if name not in SQUARE_IDS:
                raise NotationError(f"move {shown(text)}: no dark square is called {shown(name)}")
        try:
            move = cls(tuple(SQUARE_IDS[name] for name in names))
        except NotationError as error:
            raise NotationError(f"move {shown(text)}: {error}") from None
        if move.is_capture != (sign == "x"):
            expected = "a capture is written with x" if move.is_capture else "a step is written with a dash"
            raise NotationError(f"move {shown(text)}: {expected}, {move}")
        return move

    @classmethod
    def of_action(cls, action: Action, side: Side = Side.WHITE) -> "Move":
        """The move with this number as a side plays it."""
        return _MOVES[side][action]

    @property
    def side(self) -> Side:
        return Side.WHITE if self.squares[1] > self.squares[0] else Side.BLACK

    @property
    def action(self) -> Action:
        """The number of this move among all that a side can see before it."""
        return ACTION_IDS[_seen_by_mover(self.squares)]

    @property
    def source(self) -> Square:
        return self.squares[0]

    @property
    def target(self) -> Square:
        return self.squares[-1]

    @property
    def captured(self) -> list[Square]:
        """The squares jumped over, in order."""
        return jumped(self.squares)

    @property
    def is_capture(self) -> bool:
        return abs(rank_of(self.squares[0]) - rank_of(self.squares[1])) == 2

    def __str__(self) -> str:
        return ("x" if self.is_capture else "-").join(SQUARE_NAMES[square] for square in self.squares)


def _seen_by_mover(squares: Path) -> Path:
    """The path with the board turned where it goes down."""
    goes_up = len(squares) < 2 or squares[1] > squares[0]
    return squares if goes_up else tuple(turned(square) for square in squares)


def _fault(squares: Path) -> str:
    """Why squares are no path."""
    if len(squares) < 2:
        return "a move has at least two squares"
    for a, b in itertools.pairwise(squares):
        if _seen_by_mover((a, b)) not in ACTION_IDS:
            names = f"{SQUARE_NAMES[a]} to {SQUARE_NAMES[b]}"
            return f"no man goes from {names}: a step is one square on a diagonal, a jump two"
    return "a chain is of captures alone and never turns back"


_MOVES = {
    Side.WHITE: [Move(path) for path in PATHS],
    Side.BLACK: [Move(tuple(turned(square) for square in path)) for path in PATHS],
}
