"""Finished games as records: the one place that knows how a game is written down."""

import datetime
import importlib
import inspect
import sqlite3
from collections.abc import Iterator
from typing import Any

from alphadiamond.base.game import Game

_RESULTS = {"first": 0, "second": 1}
_SQL = (
    "SELECT games.id, games.code, games.game, games.result, games.ending, games.began, games.rated, one.name, two.name "
    "FROM games JOIN people AS one ON one.id = games.first JOIN people AS two ON two.id = games.second "
)


def records_of(connection: sqlite3.Connection, games: dict[str, Game], *, person: str, most: int) -> Iterator[str]:
    """The last games of a person, by the key of their name, the newest first."""
    where = "WHERE (one.key = ?1 OR two.key = ?1) AND games.number IS NOT NULL ORDER BY games.number DESC LIMIT ?2"
    for row in connection.execute(_SQL + where, (person, most)).fetchall():
        text = _record(connection, games, row)
        if text is not None:
            yield text


def record_of(connection: sqlite3.Connection, games: dict[str, Game], code: str) -> str | None:
    """One finished game, or one that goes on as far as it is on disk."""
    row = connection.execute(_SQL + "WHERE games.code = ?", (code,)).fetchone()
    return None if row is None else _record(connection, games, row)


def _record(connection: sqlite3.Connection, games: dict[str, Game], row: tuple[Any, ...]) -> str | None:
    number, code, name, result, ending, began, rated, first, second = row
    if name not in games:
        return None
    sql = "SELECT move FROM moves WHERE game = ? ORDER BY ply"
    moves = [move for (move,) in connection.execute(sql, (number,))]
    date = datetime.datetime.fromtimestamp(began / 1000, datetime.UTC).date().isoformat()
    tags = {"Site": "online", "Code": code, "Rated": "yes" if rated else "no"}
    return write(games[name], moves, (first, second), result=result, ending=ending, date=date, tags=tags)


def write(
    game: Game,
    moves: list[str],
    players: tuple[str, str],
    *,
    result: str | None,
    ending: str | None,
    date: str,
    tags: dict[str, str],
) -> str:
    """The text of a record. A game without a result is one that is not over."""
    sides = [str(side) for side in game.sides]
    over = result in ("first", "second", "draw")
    if result == "aborted":
        tags = {**tags, "Aborted": "yes"}
    words = sides[_RESULTS[result]] if result in _RESULTS else "draw" if over else None
    kind: Any = _record_class()
    if kind is not None and "players" in inspect.signature(kind.of).parameters:
        played = [game.parse_move(text) for text in moves]
        more = {"game": game} if "game" in inspect.signature(kind.of).parameters else {}
        return str(
            kind.of(game.start(), played, players=players, result=words, ending=ending if over else None, date=date,
                    tags=tags, **more)
        )  # fmt: skip
    if game.name == "diamond_chase":
        from alphadiamond.games.diamond_chase.record import GameRecord

        played = [game.parse_move(text) for text in moves]
        first, second = players
        return str(
            GameRecord.of(game.start(), played, green=first, red=second, result=words,
                          ending=ending if over else None, date=date, tags=tags)
        )  # fmt: skip
    return _plain(game, moves, players, result=words or "*", ending=ending or "unfinished", date=date, tags=tags)


def _record_class() -> Any:
    """The record of any game, where there is one."""
    try:
        return importlib.import_module("alphadiamond.base.record").GameRecord
    except ImportError:
        return None


def _plain(
    game: Game,
    moves: list[str],
    players: tuple[str, str],
    *,
    result: str,
    ending: str,
    date: str,
    tags: dict[str, str],
) -> str:
    """The same in the same form, for games whose records nobody reads yet."""
    first, second = (str(side).capitalize() for side in game.sides)
    known = {"Game": game.name, first: players[0], second: players[1], "Date": date, "Result": result, "Ending": ending}
    lines = [f'[{name} "{value}"]' for name, value in {**known, "Start": str(game.start()), **tags}.items()]
    words = [text if ply % 2 else f"{ply // 2 + 1}. {text}" for ply, text in enumerate(moves)]
    return "\n".join([*lines, "", " ".join(words), result, ""])
