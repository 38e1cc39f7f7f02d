"""How somebody plays a game: results by opponent and by opening, and mistakes by exact value where it is solved."""

import asyncio
import sqlite3
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from alphadiamond.arena.mistakes import NONE, Mistakes, mistakes_of
from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.server.queries import Reader

_GAMES: Final = 1000
"""The last games that are counted."""
_JUDGED: Final = 20
"""The last games in which mistakes are looked for."""
_LINES: Final = 12
_OPENING_PLIES: Final = 2
_KEPT: Final = 5000
"""Judged games that are remembered."""

_PLAYED: Final = """
SELECT * FROM (SELECT id, number, code, start, result, 0 AS seat, second AS other FROM games
    WHERE first = ?1 AND game = ?2 AND number IS NOT NULL AND result != 'aborted' ORDER BY number DESC LIMIT ?3)
UNION ALL SELECT * FROM (SELECT id, number, code, start, result, 1 AS seat, first AS other FROM games
    WHERE second = ?1 AND game = ?2 AND number IS NOT NULL AND result != 'aborted' ORDER BY number DESC LIMIT ?3)
ORDER BY number DESC LIMIT ?3
"""
_MOVES: Final = "SELECT move FROM moves WHERE game = ? ORDER BY ply LIMIT ?"
_MOST_PLIES: Final = 1000


class Profiles:
    """Asked for one person and one game; mistakes are looked for off the event loop, for one person after another."""

    def __init__(self, games: Mapping[str, Game], reader: Reader) -> None:
        self._games = games
        self._reader = reader
        self._judging = asyncio.Lock()
        self._judged: OrderedDict[tuple[str, int], Mistakes] = OrderedDict()

    async def results(self, key: str, name: str) -> dict[str, Any] | None:
        game = self._games.get(name)
        if game is None:
            return None
        found = await self._reader.ask(lambda connection: _played(connection, key, game))
        if found is None:
            return None
        counted, last = found
        async with self._judging:
            counted["mistakes"] = await asyncio.to_thread(self._mistakes, game, last)
        return counted

    def _mistakes(self, game: Game, games: list[tuple[str, int, str, list[str]]]) -> dict[str, Any] | None:
        """Of the last games together; None where exact values would have to be searched for, or are not here."""
        if game.solution_searches:
            return None
        solution = game.solution()
        if solution is None:
            return None
        total = NONE
        worst: list[dict[str, Any]] = []
        for code, seat, start, moves in games:
            judged = self._judged.get((code, seat))
            if judged is None:
                try:
                    judged = mistakes_of(game, solution, seat, start, moves)
                except (AlphaDiamondError, ValueError):  # a game of before, under other rules
                    continue
                self._judged[code, seat] = judged
                if len(self._judged) > _KEPT:
                    self._judged.popitem(last=False)
            total = total + judged
            if judged.given_away:
                worst.append({"game": code, "mistakes": judged.given_away})
        worst.sort(key=lambda line: -line["mistakes"])
        return {
            "games": len(games),
            "moves": total.moves,
            "critical": total.critical,
            "wins_lost": total.wins,
            "draws_lost": total.draws,
            "worst": worst[:5],
        }


def _played(
    connection: sqlite3.Connection, key: str, game: Game
) -> tuple[dict[str, Any], list[tuple[str, int, str, list[str]]]] | None:
    person = connection.execute("SELECT id FROM people WHERE key = ?", (key,)).fetchone()
    if person is None:
        return None
    opponents: dict[int, list[int]] = {}
    openings: dict[tuple[int, str], list[int]] = {}
    last: list[tuple[str, int, str, list[str]]] = []
    for number, _, code, start, result, seat, other in connection.execute(_PLAYED, (person[0], game.name, _GAMES)):
        place = 1 if result == "draw" else 0 if result == ("first", "second")[seat] else 2
        opponents.setdefault(other, [0, 0, 0])[place] += 1
        most = _MOST_PLIES if len(last) < _JUDGED else _OPENING_PLIES
        moves = [move for (move,) in connection.execute(_MOVES, (number, most))]
        if not game.seeded and len(moves) >= _OPENING_PLIES:
            openings.setdefault((seat, " ".join(moves[:_OPENING_PLIES])), [0, 0, 0])[place] += 1
        if len(last) < _JUDGED:
            last.append((code, seat, start, moves))
    name = "SELECT name FROM people WHERE id = ?"
    return {
        "game": game.name,
        "opponents": [
            {"name": connection.execute(name, (other,)).fetchone()[0], **_tally(tally)}
            for other, tally in _most(opponents)
        ],
        "openings": [{"moves": moves, "seat": seat, **_tally(tally)} for (seat, moves), tally in _most(openings)],
    }, last


def _most(found: dict[Any, list[int]]) -> list[tuple[Any, list[int]]]:
    return sorted(found.items(), key=lambda pair: -sum(pair[1]))[:_LINES]


def _tally(tally: list[int]) -> dict[str, int]:
    return dict(zip(("won", "drawn", "lost"), tally, strict=True))
