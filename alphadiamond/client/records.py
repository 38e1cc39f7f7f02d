"""Games as records, whichever game it is: what the window asks of them in one place. No pygame here."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from alphadiamond.games import Game, load
from alphadiamond.games.diamond_chase import GameRecord, RecordError, read_records, write_records

__all__ = ["RecordError", "game_of", "make_record", "players_of", "read_records", "save_records"]


def make_record(
    game: Game,
    start: Any,
    moves: Sequence[Any],
    *,
    players: tuple[str, str],
    result: str | None = None,
    ending: str | None = None,
    date: str = "",
) -> Any:
    return GameRecord.of(start, moves, green=players[0], red=players[1], result=result, ending=ending, date=date)


def players_of(record: Any) -> tuple[str, str]:
    """Who played, the side that moves first before the other."""
    return record.green, record.red


def game_of(record: Any) -> Game:
    return load()


def save_records(path: Path, records: Iterable[Any]) -> None:
    write_records(path, records)
