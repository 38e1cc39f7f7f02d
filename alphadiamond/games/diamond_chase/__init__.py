"""Diamond Chase: the board, the rules, positions, moves and records."""

from alphadiamond.base.notation import IllegalMoveError, NotationError, PositionError
from alphadiamond.base.record import RecordError
from alphadiamond.games.diamond_chase.move import Move
from alphadiamond.games.diamond_chase.position import Position, Reason, Side, perft
from alphadiamond.games.diamond_chase.record import GameRecord, parse_records, read_records, write_records

__all__ = [
    "GameRecord",
    "IllegalMoveError",
    "Move",
    "NotationError",
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
