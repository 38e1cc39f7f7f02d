"""Connect Four: the board, the rules, positions and moves."""

from alphadiamond.base.notation import IllegalMoveError, NotationError, PositionError
from alphadiamond.games.connect_four.move import Move
from alphadiamond.games.connect_four.position import Position, Reason, Side, winning_line

__all__ = [
    "IllegalMoveError",
    "Move",
    "NotationError",
    "Position",
    "PositionError",
    "Reason",
    "Side",
    "winning_line",
]
