"""What is asked of the database while it is being written: on connections of their own, in threads of their own."""

import asyncio
import itertools
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from alphadiamond.server.glicko import MOST_UNSURE, SURE, Rating
from alphadiamond.server.storage import connect

T = TypeVar("T")

PAGE: Final = 50
"""Games in one answer."""
MOST_POINTS: Final = 2000
"""Of a curve."""
_LEADERS: Final = 100

_LINE: Final = """
SELECT games.code, games.game, games.rated, games.seconds, games.increment, games.result, games.ending, games.ended,
    games.number, one.name, one.bot, two.name, two.bot, (SELECT count(*) FROM moves WHERE moves.game = games.id)
FROM games JOIN people AS one ON one.id = games.first JOIN people AS two ON two.id = games.second
"""


class Reader:
    """A few threads that read. Those who come in and play have their own: nobody who only looks keeps them waiting."""

    def __init__(self, path: Path, *, threads: int = 2, name: str = "reader") -> None:
        self._path = path
        self._local = threading.local()
        self._made: list[sqlite3.Connection] = []
        self._pool = ThreadPoolExecutor(threads, name)

    async def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._ask, question)

    async def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self.ask(lambda connection: connection.execute(sql, values).fetchall())

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        for connection in self._made:
            connection.close()

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = connect(self._path, read_only=True)
            self._made.append(connection)
        return question(connection)


def number_of(connection: sqlite3.Connection, key: str) -> int | None:
    """A person by the key of their name."""
    found = connection.execute("SELECT id FROM people WHERE key = ?", (key,)).fetchone()
    return None if found is None else int(found[0])


def leaderboard(connection: sqlite3.Connection, game: str, now: int) -> dict[str, Any]:
    """People by rating, as far as it is known well now: a deviation grows with time. And the bots."""
    sql = """
        SELECT name, value, deviation, won, drawn, lost, volatility, at
        FROM ratings JOIN people ON people.id = ratings.person
        WHERE ratings.game = ? AND bot = ? AND deviation <= ? ORDER BY value DESC
    """

    def lines(bot: bool) -> Iterator[dict[str, Any]]:
        limit = MOST_UNSURE if bot else SURE
        for name, value, deviation, won, drawn, lost, volatility, at in connection.execute(sql, (game, bot, limit)):
            rating = Rating(value, deviation, volatility, at).now(now)
            if bot or rating.sure:
                yield _standing(name, rating.value, rating.deviation, won, drawn, lost)

    people, bots = (list(itertools.islice(lines(bot), _LEADERS)) for bot in (False, True))
    return {"game": game, "people": people, "bots": bots}


def profile(connection: sqlite3.Connection, key: str) -> dict[str, Any] | None:
    found = connection.execute("SELECT id, name, bot, created FROM people WHERE key = ?", (key,)).fetchone()
    if found is None:
        return None
    person, name, bot, created = found
    sql = "SELECT game, value, deviation, won, drawn, lost FROM ratings WHERE person = ? ORDER BY game"
    ratings = {game: _standing(None, *rest) for game, *rest in connection.execute(sql, (person,))}
    (games,) = connection.execute(
        "SELECT (SELECT count(*) FROM games WHERE first = ?1 AND number IS NOT NULL) + "
        "(SELECT count(*) FROM games WHERE second = ?1 AND number IS NOT NULL)",
        (person,),
    ).fetchone()
    return {"name": name, "bot": bool(bot), "since": created, "games": games, "ratings": ratings}


def games_of(connection: sqlite3.Connection, key: str, before: int | None) -> dict[str, Any] | None:
    """Finished games, the newest first."""
    found = connection.execute("SELECT id FROM people WHERE key = ?", (key,)).fetchone()
    if found is None:
        return None
    most = before if before is not None else 1 << 62
    # Each half goes by its own index.
    sql = " UNION ALL ".join(
        f"SELECT * FROM ({_LINE} WHERE games.{seat} = ?1 AND games.number < ?2 ORDER BY games.number DESC LIMIT ?3)"
        for seat in ("first", "second")
    )
    rows = connection.execute(sql, (found[0], most, PAGE)).fetchall()
    rows = sorted(rows, key=lambda row: -row[8])[:PAGE]
    return {"games": [_line(row) for row in rows], "next": rows[-1][8] if len(rows) == PAGE else None}


def curve(connection: sqlite3.Connection, key: str, game: str) -> dict[str, Any] | None:
    found = connection.execute("SELECT id FROM people WHERE key = ?", (key,)).fetchone()
    if found is None:
        return None
    sql = "SELECT at, value, deviation FROM changes WHERE person = ? AND game = ? ORDER BY number DESC LIMIT ?"
    rows = connection.execute(sql, (found[0], game, MOST_POINTS))
    points = [[at, round(value), round(deviation)] for at, value, deviation in rows]
    return {"game": game, "curve": points[::-1]}


def versus(connection: sqlite3.Connection, one: str, two: str) -> dict[str, Any] | None:
    """Head to head."""
    sql = "SELECT id, name FROM people WHERE key = ?"
    found = [connection.execute(sql, (key,)).fetchone() for key in (one, two)]
    if None in found:
        return None
    (first, name), (second, other) = found
    counts: dict[str, dict[str, int]] = {}
    sql = (
        "SELECT game, result, first = ?1, count(*) FROM games WHERE number IS NOT NULL AND result != 'aborted' AND "
        "((first = ?1 AND second = ?2) OR (first = ?2 AND second = ?1)) GROUP BY 1, 2, 3"
    )
    for game, result, as_first, number in connection.execute(sql, (first, second)):
        tally = counts.setdefault(game, {"won": 0, "drawn": 0, "lost": 0})
        won = (result == "first") == bool(as_first)
        tally["drawn" if result == "draw" else "won" if won else "lost"] += number
    last = connection.execute(
        f"{_LINE} WHERE games.number IS NOT NULL AND ((games.first = ?1 AND games.second = ?2) OR "
        "(games.first = ?2 AND games.second = ?1)) ORDER BY games.number DESC LIMIT 20",
        (first, second),
    )
    return {"players": [name, other], "results": counts, "games": [_line(row) for row in last]}


def _standing(name: str | None, value: float, deviation: float, won: int, drawn: int, lost: int) -> dict[str, Any]:
    line = {"rating": round(value), "deviation": round(deviation), "won": won, "drawn": drawn, "lost": lost}
    return line if name is None else {"name": name, **line}


def _line(row: tuple[Any, ...]) -> dict[str, Any]:
    code, game, rated, seconds, increment, result, ending, ended, number, *who, plies = row
    return {
        "game": code,
        "of": game,
        "rated": bool(rated),
        "clock": None if seconds is None else {"seconds": seconds, "increment": increment},
        "result": result,
        "ending": ending,
        "at": ended,
        "number": number,
        "plies": plies,
        "players": [{"name": who[0], "bot": bool(who[1])}, {"name": who[2], "bot": bool(who[3])}],
    }
