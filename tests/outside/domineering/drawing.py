"""The plain drawing of squares and texts, with dominoes in place of single tiles."""

from collections.abc import Iterator
from typing import Any

from alphadiamond.base.drawing import Square
from alphadiamond.base.plain_drawing import PlainDrawing

from .board import CELLS
from .size import SIZE


class DomineeringDrawing(PlainDrawing):
    piece = "domino"
    pieces_are = "dominoes"

    def blocks(self, position: Any) -> tuple[tuple[Square, ...], ...]:
        return tuple(self._dominoes(self.pieces(position)))

    def _dominoes(self, pieces: dict[Square, Any]) -> Iterator[tuple[Square, ...]]:
        """Dominoes of one side that touch end to end are told apart from the top, or from the left."""
        done: set[Square] = set()
        for square in range(CELLS):
            if square in pieces and square not in done:
                other = square + (1 if pieces[square] else SIZE)
                done |= {square, other}
                yield square, other
