"""A position: a small immutable object over the kernels. Nothing can recur, so that it has no history."""

import enum
from dataclasses import dataclass, field

import numpy as np

from alphadiamond.base.game import Ended, Line, line_after
from alphadiamond.base.notation import IllegalMoveError, NotationError, PositionError, require_text, shown
from alphadiamond.base.results import LOSS, ONGOING
from alphadiamond.games.dame import kernels
from alphadiamond.games.dame.board import (
    FAR_RANK,
    FILES,
    FIRST_RANK,
    MEN,
    RANKS,
    SQUARE_NAMES,
    SQUARES,
    START,
    Mask,
    Square,
    square_at,
    squares_of,
)
from alphadiamond.games.dame.move import Move
from alphadiamond.games.dame.side import Side


class Reason(enum.StrEnum):
    """How a game ends."""

    FAR_RANK = "far rank"
    NO_MEN = "no men"
    NO_MOVE = "no move"


@dataclass(frozen=True, slots=True)
class Position:
    """The men and the side to move."""

    own: Mask
    """The men of the side to move, as it sees the board: black's is turned by half a turn."""
    opp: Mask
    """The opponent's men, as the side to move sees the board."""
    side: Side
    line: Line | None = field(default=None, compare=False, repr=False)
    """Where the game began and what was played since; None where it began here."""

    def __post_init__(self) -> None:
        self._check()

    @classmethod
    def start(cls) -> "Position":
        return cls(START, int(kernels.turn(START)), Side.WHITE)

    @classmethod
    def of(cls, white: Mask, black: Mask, side: Side) -> "Position":
        """From the men on the squares of the board."""
        if (white | black) >> SQUARES or white < 0 or black < 0:
            raise PositionError(f"a mask has bits beyond the {SQUARES} dark squares")
        if side is Side.WHITE:
            return cls(white, black, side)
        return cls(int(kernels.turn(black)), int(kernels.turn(white)), side)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """From text such as `.b.b.b/b.b.b./....../....../.w.w.w/w.w.w. w`: ranks 6 to 1, then the side to move."""
        fields = require_text(text, "a position").split(" ")
        if len(fields) != 2:
            raise NotationError(f"position {shown(text, 60)}: expected a board and the side to move")
        ranks = fields[0].split("/")
        if len(ranks) != RANKS:
            raise NotationError(f"board {shown(fields[0], 60)}: expected {RANKS} ranks, found {len(ranks)}")
        men = {"w": 0, "b": 0}
        for number, line in zip(range(RANKS, 0, -1), ranks, strict=True):
            if len(line) != FILES:
                raise NotationError(f"rank {number} {shown(line)}: expected {FILES} squares, found {len(line)}")
            for file, letter in enumerate(line):
                name, square = f"{'abcdef'[file]}{number}", square_at(file, number - 1)
                if letter not in ("w", "b", "."):
                    raise NotationError(f"rank {number} {shown(line)}: {shown(letter)} at {name} is none of w, b and .")
                if letter != ".":
                    if square is None:
                        raise PositionError(f"a man on {name}, which is a light square")
                    men[letter] |= 1 << square
        if fields[1] not in ("w", "b"):
            raise NotationError(f"side to move {shown(fields[1])}: expected w or b")
        return cls.of(men["w"], men["b"], Side.WHITE if fields[1] == "w" else Side.BLACK)

    def __str__(self) -> str:
        lines = []
        for rank in reversed(range(RANKS)):
            squares = (square_at(file, rank) for file in range(FILES))
            lines.append("".join(self._letter(square) for square in squares))
        return f"{'/'.join(lines)} {self.side.letter}"

    @property
    def white(self) -> Mask:
        """White's men on the squares of the board."""
        return self.own if self.side is Side.WHITE else int(kernels.turn(self.opp))

    @property
    def black(self) -> Mask:
        """Black's men on the squares of the board."""
        return self.opp if self.side is Side.WHITE else int(kernels.turn(self.own))

    def men(self, side: Side) -> list[Square]:
        return squares_of(self.white if side is Side.WHITE else self.black)

    def at(self, square: Square) -> Side | None:
        """Whose man stands on a square."""
        if self.white >> square & 1:
            return Side.WHITE
        return Side.BLACK if self.black >> square & 1 else None

    @property
    def outcome(self) -> Ended | None:
        """None while the game goes on."""
        value = kernels.status(self.own, self.opp)
        if value == ONGOING:
            return None
        winner = self.side.other if value == LOSS else self.side
        return Ended(winner, reason_of(self.own, self.opp))

    @property
    def must_capture(self) -> bool:
        return self.outcome is None and bool(kernels.must_capture(self.own, self.opp))

    def moves(self) -> list[Move]:
        """The legal moves in order of action; none in a finished game."""
        if self.outcome is not None:
            return []
        actions = np.empty(kernels.MAX_MOVES, dtype=np.int64)
        count = kernels.list_moves(self.own, self.opp, actions)
        return [Move.of_action(int(action), self.side) for action in actions[:count]]

    def play(self, move: Move | str) -> "Position":
        """The position after a legal move."""
        if isinstance(move, str):
            move = Move.parse(move)
        self._require_legal(move)
        own, opp = kernels.apply(self.own, self.opp, move.action)
        return Position(int(own), int(opp), self.side.other, line_after(self, move))

    def removed_by(self, move: Move) -> list[Square]:
        """The men that come off when a legal move is played, in the order in which they are jumped."""
        self._require_legal(move)
        return move.captured

    def _letter(self, square: Square | None) -> str:
        side = None if square is None else self.at(square)
        return "." if side is None else side.letter

    def _check(self) -> None:
        if (self.own | self.opp) >> SQUARES or self.own < 0 or self.opp < 0:
            raise PositionError(f"a mask has bits beyond the {SQUARES} dark squares")
        if self.own & self.opp:
            both = squares_of(self.white & self.black)
            raise PositionError(f"two men on {', '.join(SQUARE_NAMES[square] for square in both)}")
        for side, mask in ((self.side, self.own), (self.side.other, self.opp)):
            if mask.bit_count() > MEN:
                raise PositionError(f"{side} has {mask.bit_count()} men, and a side has at most {MEN}")
        if self.own & FAR_RANK:
            raise PositionError(f"it is {self.side}'s move, and a man of {self.side} stands on its far rank already")
        if (self.opp & FIRST_RANK).bit_count() > 1:
            raise PositionError(f"{self.side.other} has more than one man on its far rank, and the first ends the game")

    def _require_legal(self, move: Move) -> None:
        outcome = self.outcome
        if outcome is not None:
            raise IllegalMoveError(f"{move}: the game is over, {outcome}")
        if self.at(move.source) is not self.side:
            whose = "empty" if self.at(move.source) is None else f"a man of {self.side.other}"
            raise IllegalMoveError(f"{move}: it is {self.side}'s move, and {SQUARE_NAMES[move.source]} is {whose}")
        if move.side is not self.side:
            way = "up" if self.side is Side.WHITE else "down"
            raise IllegalMoveError(f"{move}: {self.side} moves {way} the board")
        for square in move.squares[1:]:
            if self.at(square) is not None:
                raise IllegalMoveError(f"{move}: {SQUARE_NAMES[square]} is not empty")
        for square in move.captured:
            if self.at(square) is not self.side.other:
                whose = "is empty" if self.at(square) is None else "is an own man"
                raise IllegalMoveError(f"{move}: nothing to capture, {SQUARE_NAMES[square]} {whose}")
        legal = self.moves()
        if move not in legal:
            longer = [other for other in legal if other.squares[: len(move.squares)] == move.squares]
            if longer:
                raise IllegalMoveError(f"{move}: the man can capture again and has to, {_either(longer)}")
            raise IllegalMoveError(f"{move}: a capture is compulsory, {_either(legal)}")


def reason_of(own: Mask, opp: Mask) -> Reason:
    """Why a finished game ended, by the masks of the side to move."""
    if opp & FIRST_RANK:
        return Reason.FAR_RANK
    return Reason.NO_MOVE if own and opp else Reason.NO_MEN


def _either(moves: list[Move]) -> str:
    return " or ".join(str(move) for move in moves)
