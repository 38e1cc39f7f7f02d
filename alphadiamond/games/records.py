"""Records of any of the games: each says by its tag Game which one it is of."""

from collections.abc import Iterable
from pathlib import Path

from alphadiamond.base import record
from alphadiamond.base.game import Game
from alphadiamond.base.record import GameRecord, RecordError, write_records
from alphadiamond.games import UNNAMED, load


def parse_records(text: str) -> list[GameRecord]:
    """Read any number of games; a fault names the line and, where there is one, the move."""
    return record.parse_records(text, _load)


def read_records(path: Path) -> list[GameRecord]:
    return record.read_records(path, _load)


def records_of(game: Game, records: Iterable[GameRecord]) -> list[GameRecord]:
    """Those of one game."""
    return [one for one in records if one.game.name == game.name]


def _load(name: str | None) -> Game:
    return load(UNNAMED if name is None else name)


__all__ = ["GameRecord", "RecordError", "parse_records", "read_records", "records_of", "write_records"]
