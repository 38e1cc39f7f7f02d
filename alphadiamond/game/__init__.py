"""Diamond Chase: the board, the rules, positions, moves and records."""

from alphadiamond.game.move import Move
from alphadiamond.game.notation import IllegalMoveError, NotationError, PositionError
from alphadiamond.game.position import Outcome, Position, Reason, Side, perft
from alphadiamond.game.record import GameRecord, RecordError, parse_records, read_records, write_records

__all__ = [
    "GameRecord",
    "IllegalMoveError",
    "Move",
    "NotationError",
    "Outcome",
    "Position",
    "PositionError",
    "Reason",
    "RecordError",
    "Side",
    "parse_records",
    "perft",
    "read_records",
    "write_records",
]
