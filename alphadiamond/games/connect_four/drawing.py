"""How Connect Four is shown: an upright board of holes, discs that fall behind it, and the words for it."""

import functools
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from alphadiamond.base.drawing import GRID, Drawing, Lesson, Square
from alphadiamond.games.connect_four.board import COLUMNS, DIRECTIONS, NODES, ROWS, STRIDE, Mask, bit_of
from alphadiamond.games.connect_four.german import GERMAN
from alphadiamond.games.connect_four.german import LESSONS as LESSONS_IN_GERMAN
from alphadiamond.games.connect_four.lessons import LESSONS, advice
from alphadiamond.games.connect_four.move import Move
from alphadiamond.games.connect_four.position import Position, Side, winning_line

_LOWER: Final = 0.17
"""The board stands a little below the middle: a disc is held above it."""
_WEIGHTS: Final = (0.0, 0.008, 0.03, 0.11)
"""What a line is worth that only one side has discs in, by how many."""


@functools.cache
def _lines() -> tuple[Mask, ...]:
    """Every four cells in a row, as masks."""
    on_board = {bit_of(node) for node in range(NODES)}
    lines = ([first + k * step for k in range(4)] for first in range(COLUMNS * STRIDE) for step in DIRECTIONS)
    return tuple(sum(1 << bit for bit in line) for line in lines if on_board.issuperset(line))


class ConnectFourDrawing(Drawing):
    surface: ClassVar[str] = GRID
    names: ClassVar[tuple[str, ...]] = tuple(
        f"column {node % COLUMNS + 1} row {ROWS - node // COLUMNS}" for node in range(NODES)
    )
    points: ClassVar[tuple[tuple[float, float], ...]] = tuple(
        (float(node % COLUMNS - 3), 2.5 - node // COLUMNS - _LOWER) for node in range(NODES)
    )
    reach: ClassVar[float] = 3.86
    radius: ClassVar[float] = 0.45
    columns: ClassVar[tuple[tuple[Square, ...], ...]] = tuple(
        tuple(row * COLUMNS + column for row in reversed(range(ROWS))) for column in range(COLUMNS)
    )
    column_names: ClassVar[tuple[str, ...]] = tuple(str(column + 1) for column in range(COLUMNS))
    colours: ClassVar[tuple[str, str]] = ("yellow", "red")
    side_names: ClassVar[tuple[str, str]] = ("yellow", "red")
    shape: ClassVar[str] = "disc"
    piece: ClassVar[str] = "disc"
    place: ClassVar[str] = "column"
    how: ClassVar[str] = "fall"
    home: ClassVar[int] = COLUMNS // 2
    pictured_game: ClassVar[str] = " ".join("4552554244266646654151111162333")
    pictured_plies: ClassVar[int] = 16
    longest_move: ClassVar[int] = 1
    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {"de": GERMAN}
    lesson_texts: ClassVar[Mapping[str, Mapping[str, str]]] = {"de": LESSONS_IN_GERMAN}
    editable: ClassVar[bool] = True
    tagline: ClassVar[str] = (
        "Seven columns, six rows, four in a row. Whoever begins can win, if every disc falls where it should."
    )
    guess: ClassVar[str] = "Open lines"
    endings: ClassVar[Mapping[str, str]] = {"four in a row": "four in a row", "full board": "the board is full"}
    lessons: ClassVar[tuple[Lesson, ...]] = LESSONS

    def pieces(self, position: Position) -> dict[Square, Side]:
        found = ((node, position.at(node)) for node in range(NODES))
        return {node: side for node, side in found if side is not None}

    def lit(self, position: Position) -> tuple[Square, ...]:
        return winning_line(position)

    def lead(self, position: Position) -> float:
        """Lines that only one side can still fill."""
        own = opp = 0.0
        for line in _lines():
            mine, theirs = (position.own & line).bit_count(), (position.opp & line).bit_count()
            if not theirs:
                own += _WEIGHTS[min(mine, 3)]
            elif not mine:
                opp += _WEIGHTS[min(theirs, 3)]
        return own - opp if position.side is Side.X else opp - own

    def arranged(self, pieces: Mapping[Square, Side], side: Side) -> Position:
        own, opp = (
            sum(1 << bit_of(node) for node, owner in pieces.items() if owner is one) for one in (side, side.other)
        )
        return Position(own, opp, side)

    def advice(self, position: Position) -> str:
        return advice(position)

    def path(self, position: Position, move: Move) -> tuple[Square, ...]:
        return (position.landing(move),)

    def result_words(self, position: Position, winner: Any | None, reason: str) -> str:
        words = super().result_words(position, winner, reason)
        return f"{words} after {position.plies} discs" if winner is not None else words

    def words(self, position: Position) -> list[str]:
        """Column by column from below, as one would feel it."""
        lines = [f"{str(position.side).capitalize()} to move."]
        for number, column in enumerate(self.columns, start=1):
            discs = [str(side) for node in column if (side := position.at(node)) is not None]
            if discs:
                lines.append(f"Column {number} from below: {', '.join(discs)}.")
        return lines if len(lines) > 1 else [*lines, "The board is empty."]
