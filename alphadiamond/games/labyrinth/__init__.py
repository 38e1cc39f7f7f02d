"""The Duel of the Labyrinth: mazes, positions and moves."""

from alphadiamond.base.notation import IllegalMoveError, NotationError, PositionError
from alphadiamond.games.labyrinth.move import Move
from alphadiamond.games.labyrinth.position import Maze, Outcome, Position, Reason
from alphadiamond.games.labyrinth.side import Side

__all__ = [
    "IllegalMoveError",
    "Maze",
    "Move",
    "NotationError",
    "Outcome",
    "Position",
    "PositionError",
    "Reason",
    "Side",
]
