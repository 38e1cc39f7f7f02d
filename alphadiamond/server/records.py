"""Finished games as records: the one place that knows how a game is written down."""

import datetime
import sqlite3
from typing import Any

from alphadiamond.base.game import Game
from alphadiamond.base.record import DRAWN

_SQL = (
    "SELECT games.id, games.code, games.game, games.result, games.ending, games.began, games.rated, games.start, "
    "one.name, two.name, games.number "
    "FROM games JOIN people AS one ON one.id = games.first JOIN people AS two ON two.id = games.second "
)


def records_of(
    connection: sqlite3.Connection, games: dict[str, Game], person: int, *, before: int, most: int
) -> list[tuple[int, str | None]]:
    """Finished games of a person with a number below `before`, the newest first, with their numbers."""
    halves = (  # each goes by its own index
        f"SELECT * FROM ({_SQL} WHERE games.{seat} = ?1 AND games.number < ?2 ORDER BY games.number DESC LIMIT ?3)"
        for seat in ("first", "second")
    )
    rows = connection.execute(" UNION ALL ".join(halves), (person, before, most)).fetchall()
    rows = sorted(rows, key=lambda row: -row[-1])[:most]
    return [(row[-1], _record(connection, games, row)) for row in rows]


def record_of(connection: sqlite3.Connection, games: dict[str, Game], code: str) -> str | None:
    """One finished game, or one that goes on as far as it is on disk."""
    row = connection.execute(_SQL + "WHERE games.code = ?", (code,)).fetchone()
    return None if row is None else _record(connection, games, row)


def _record(connection: sqlite3.Connection, games: dict[str, Game], row: tuple[Any, ...]) -> str | None:
    number, code, name, result, ending, began, rated, start, first, second, _ = row
    if name not in games:
        return None
    sql = "SELECT move FROM moves WHERE game = ? ORDER BY ply"
    moves = [move for (move,) in connection.execute(sql, (number,))]
    date = datetime.datetime.fromtimestamp(began / 1000, datetime.UTC).date().isoformat()
    tags = {"Site": "online", "Code": code, "Rated": "yes" if rated else "no"}
    return write(games[name], start, moves, (first, second), result=result, ending=ending, date=date, tags=tags)


def write(
    game: Game,
    start: str,
    moves: list[str],
    players: tuple[str, str],
    *,
    result: str | None,
    ending: str | None,
    date: str,
    tags: dict[str, str],
) -> str:
    """The text of a record. A game that goes on or was aborted has no result."""
    first, second = map(str, game.sides)
    words = {"first": first, "second": second, "draw": DRAWN}.get(result or "")
    if result == "aborted":
        tags = {**tags, "Aborted": "yes"}
    record = game.record(
        game.parse(start),
        [game.parse_move(text) for text in moves],
        players=players,
        result=words,
        ending=ending if words else None,
        date=date,
        tags=tags,
    )
    return str(record)
