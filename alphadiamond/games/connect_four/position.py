"""A position: a small immutable object over the kernels."""

import enum
from dataclasses import dataclass, field
from typing import ClassVar

from alphadiamond.base import game
from alphadiamond.base.game import Ended
from alphadiamond.base.notation import IllegalMoveError, NotationError, PositionError, require_text, shown
from alphadiamond.games.connect_four import kernels
from alphadiamond.games.connect_four.board import (
    BOARD,
    COLUMNS,
    NODE_OF,
    NODES,
    ROWS,
    TOP,
    Mask,
    Node,
    bit_of,
    cell_name,
    nodes_of,
)
from alphadiamond.games.connect_four.move import Move


class Side(game.Side):
    X = 0
    O = 1  # noqa: E741  (as people call it)


class Reason(enum.StrEnum):
    """How a game ends by the rules."""

    FOUR = "four in a row"
    FULL = "full board"


@dataclass(frozen=True, slots=True)
class Position:
    """Discs and the side to move."""

    own: Mask
    """The discs of the side to move."""
    opp: Mask
    """The discs of the opponent."""
    side: Side
    """Who is to move."""
    line: game.Line | None = field(default=None, compare=False, repr=False)
    """Where the game began and what was played since; None where it began here."""

    START: ClassVar[str] = "......./......./......./......./......./....... x"

    def __post_init__(self) -> None:
        self._check()

    @classmethod
    def start(cls) -> "Position":
        return cls(0, 0, Side.X)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read `rows side`, the rows from above, for example Position.START."""
        fields = require_text(text, "a position").strip(" ").split(" ")
        if len(fields) != 2:
            raise NotationError(
                f"position {shown(text)}: expected the rows and the side to move, one space apart, "
                f"but found {len(fields)} field{'s' if len(fields) != 1 else ''}"
            )
        rows = fields[0].split("/")
        if len(rows) != ROWS:
            raise NotationError(f"board {shown(fields[0])}: expected {ROWS} rows, found {len(rows)}")
        discs = {"x": 0, "o": 0, ".": 0}
        for number, row in enumerate(rows):
            if len(row) != COLUMNS:
                raise NotationError(f"row {number + 1} {shown(row)}: expected {COLUMNS} cells, found {len(row)}")
            for column, letter in enumerate(row):
                if letter not in discs:
                    raise NotationError(
                        f"row {number + 1} {shown(row)}: {shown(letter)} in column {column + 1} is none of x, o and ."
                    )
                discs[letter] |= 1 << bit_of(number * COLUMNS + column)
        if fields[1] not in ("x", "o"):
            raise NotationError(f"side to move {shown(fields[1])}: expected x or o")
        if fields[1] == "x":
            return cls(discs["x"], discs["o"], Side.X)
        return cls(discs["o"], discs["x"], Side.O)

    def __str__(self) -> str:
        letters = "".join("." if (side := self.at(node)) is None else side.letter for node in range(NODES))
        return f"{'/'.join(letters[row * COLUMNS :][:COLUMNS] for row in range(ROWS))} {self.side.letter}"

    @property
    def occupied(self) -> Mask:
        return self.own | self.opp

    @property
    def plies(self) -> int:
        """How many moves have been played."""
        return self.occupied.bit_count()

    def discs(self, side: Side) -> tuple[Node, ...]:
        return nodes_of(self.own if side is self.side else self.opp)

    def at(self, node: Node) -> Side | None:
        """Whose disc lies in a cell."""
        if self.own >> bit_of(node) & 1:
            return self.side
        return self.side.other if self.opp >> bit_of(node) & 1 else None

    def landing(self, move: Move) -> Node:
        """The cell that the disc of a legal move falls to."""
        self._require_legal(move)
        disc = self._disc(move)
        return NODE_OF[disc.bit_length() - 1]

    @property
    def outcome(self) -> Ended | None:
        """None while the game goes on."""
        if kernels.has_four(self.opp):
            return Ended(self.side.other, Reason.FOUR)
        return Ended(None, Reason.FULL) if self.occupied == BOARD else None

    def moves(self) -> list[Move]:
        """The legal moves in order of action; none in a finished game."""
        if self.outcome is not None:
            return []
        return [move for move in map(Move.of_action, range(COLUMNS)) if self._disc(move)]

    def play(self, move: Move | str) -> "Position":
        """The position after a legal move."""
        if isinstance(move, str):
            move = Move.parse(move)
        self._require_legal(move)
        return Position(self.opp, self.own | self._disc(move), self.side.other, game.line_after(self, move))

    def image(self, symmetry: int) -> "Position":
        """This position, mirrored by symmetry 1."""
        if not symmetry:
            return self
        return Position(int(kernels.mirrored(self.own)), int(kernels.mirrored(self.opp)), self.side)

    def _disc(self, move: Move) -> Mask:
        """The bit that a move sets; 0 where the column is full."""
        return int(kernels.playable(self.occupied) & kernels.column_mask(move.column))

    def _check(self) -> None:
        for mask in (self.own, self.opp):
            if mask < 0 or mask & ~BOARD:
                raise PositionError("a mask has bits beyond the 42 cells")
        if both := self.own & self.opp:
            raise PositionError(f"two discs in one cell: {cell_name(nodes_of(both)[0])}")
        below = (self.occupied & ~(self.occupied << 1)) & ~_GROUND
        if below:
            raise PositionError(f"a disc floats: the cell under {cell_name(nodes_of(below)[-1])} is empty")
        x, o = (self.own, self.opp) if self.side is Side.X else (self.opp, self.own)
        if x.bit_count() - o.bit_count() != int(self.side):
            raise PositionError(
                f"x has {x.bit_count()} and o has {o.bit_count()} discs with {self.side} to move: "
                f"x has as many as o when x is to move, and one more when o is"
            )
        if kernels.has_four(self.own):
            whose = "both sides have" if kernels.has_four(self.opp) else f"{self.side} is to move and has"
            raise PositionError(f"{whose} four in a row: the game ended before that")

    def _require_legal(self, move: Move) -> None:
        outcome = self.outcome
        if outcome is not None:
            raise IllegalMoveError(f"{move}: the game is over, {outcome}")
        if self.occupied & TOP & kernels.column_mask(move.column):
            raise IllegalMoveError(f"{move}: column {move} is full")


_GROUND = BOARD & ~(BOARD << 1)


def winning_line(position: Position) -> tuple[Node, ...]:
    """The cells of the winner's four, or of all of them where a disc has made several; none while nobody has won."""
    return nodes_of(int(kernels.fours(position.opp)))
