"""Dame on 6x6 squares: men that only go forward, compulsory captures, no kings; solved whole."""

from alphadiamond.base.notation import IllegalMoveError, NotationError, PositionError
from alphadiamond.games.dame.move import Move
from alphadiamond.games.dame.position import Position, Reason
from alphadiamond.games.dame.side import Side

__all__ = [
    "IllegalMoveError",
    "Move",
    "NotationError",
    "Position",
    "PositionError",
    "Reason",
    "Side",
]
