"""Long answers, page by page: a person's games as records, and all that is kept about one."""

import sqlite3
from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec

from alphadiamond.base.game import Game
from alphadiamond.server import puzzles
from alphadiamond.server.queries import Reader
from alphadiamond.server.records import records_of

_PAGE: Final = 50
"""Games of a page: whoever else asks something waits for no more than one."""


async def records(reader: Reader, games: dict[str, Game], person: int) -> AsyncIterator[str]:
    """All finished games of a person, the newest first, with an empty line between two."""
    between = ""
    async for found in _games(reader, games, person):
        for _, text in found:
            yield between + text
            between = "\n"


async def all_data(reader: Reader, games: dict[str, Game], person: int) -> AsyncIterator[str]:
    """Everything, one JSON object a line: the person, ratings with changes, puzzles, challenges, games as records."""

    def rest(connection: sqlite3.Connection) -> list[dict[str, Any]]:
        found = []
        for kind, sql in _KEPT.items():
            cursor = connection.execute(sql, (person,))
            names = [column[0] for column in cursor.description]
            found += [{"kind": kind, **dict(zip(names, row, strict=True))} for row in cursor]
        return found

    yield _lines(await reader.ask(rest))
    async for page in _games(reader, games, person):
        yield _lines([{"kind": "game", "number": number, "record": text} for number, text in page])


_KEPT: Final = {
    "person": "SELECT name, created, silenced, recovery IS NOT NULL AS has_recovery_code FROM people WHERE id = ?",
    "rating": "SELECT game, value, deviation, volatility, at, won, drawn, lost FROM ratings WHERE person = ?",
    "change": "SELECT game, number, at, before, value, deviation FROM changes WHERE person = ?",
    "challenge": "SELECT code, terms, until FROM challenges WHERE owner = ?",
    "going on": "SELECT code, game, began FROM games WHERE result IS NULL AND ?1 IN (first, second)",
    **puzzles.KEPT,
}


def _lines(found: list[dict[str, Any]]) -> str:
    return "".join(f"{msgspec.json.encode(one).decode()}\n" for one in found)


async def _games(reader: Reader, games: dict[str, Game], person: int) -> AsyncIterator[list[tuple[int, str]]]:
    before = 1 << 62
    while True:
        page = await reader.ask(
            lambda connection, before=before: records_of(connection, games, person, before=before, most=_PAGE)  # type: ignore[misc]
        )
        if not page:
            return
        before = page[-1][0]
        yield [(number, text) for number, text in page if text is not None]
