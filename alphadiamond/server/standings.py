"""Ratings as the server keeps them, and their replay from the games."""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from alphadiamond.server import glicko, writes
from alphadiamond.server.glicko import Rating
from alphadiamond.server.online_game import SCORES, OnlineGame
from alphadiamond.server.queries import Reader
from alphadiamond.server.session import Person
from alphadiamond.server.storage import Statement

_OF: Final = "SELECT value, deviation, volatility, at, won, drawn, lost FROM ratings WHERE person = ? AND game = ?"


@dataclass(frozen=True)
class Standing:
    rating: Rating = Rating()
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def after(self, rating: Rating, score: float) -> "Standing":
        return Standing(rating, self.won + (score == 1), self.drawn + (score == 0.5), self.lost + (score == 0))


class Standings:
    """What `Person.standings` holds, and how it changes."""

    def __init__(self, beginning: Callable[[Person, str], Rating]) -> None:
        """`beginning` says what a person without games has: bots may be anchored."""
        self._beginning = beginning

    def of(self, person: Person, game: str) -> Standing:
        return person.standings.get(game) or Standing(self._beginning(person, game))

    async def load(self, reader: Reader, people: Iterable[Person], game: str) -> None:
        """Have them at hand."""
        for person in people:
            if game not in person.standings:
                rows = await reader.rows(_OF, person.id, game)
                person.standings.setdefault(game, self._read(person, game, rows))

    def load_now(
        self, read: Callable[[str, tuple[int, str]], list[tuple[float, ...]]], person: Person, game: str
    ) -> None:
        """The same before the server has begun."""
        if game not in person.standings:
            person.standings[game] = self._read(person, game, read(_OF, (person.id, game)))

    def count(
        self, online_game: OnlineGame, players: tuple[Person, Person], number: int
    ) -> tuple[list[Statement], tuple[Rating, Rating], tuple[Rating, Rating]]:
        """A rated game that has ended: what to write, and the ratings before and after it.

        The players have to be held until that is on disk.
        """
        assert online_game.result is not None
        name, score = online_game.game.name, SCORES[online_game.result]
        one, two = (self.of(person, name) for person in players)
        after = glicko.both_after(one.rating, two.rating, score, at=online_game.ended)
        made = (one.after(after[0], score), two.after(after[1], 1 - score))
        wanted: list[Statement] = []
        for person, before, now in zip(players, (one, two), made, strict=True):
            person.standings[name] = now
            wanted.append(writes.set_rating(person.id, name, now.rating, (now.won, now.drawn, now.lost)))
            wanted.append(writes.add_change(person.id, name, number, before.rating, now.rating, at=online_game.ended))
        return wanted, (one.rating, two.rating), after

    def _read(self, person: Person, game: str, rows: list[tuple[float, ...]]) -> Standing:
        if not rows:
            return Standing(self._beginning(person, game))
        value, deviation, volatility, at, won, drawn, lost = rows[0]
        return Standing(_stored(value, deviation, volatility, int(at)), int(won), int(drawn), int(lost))


def _stored(value: float, deviation: float, volatility: float, at: int) -> Rating:
    """A row of the database; an anchor is known by its time, which stays 0."""
    return Rating(value, deviation, volatility, at, anchor=at == 0)


def replayed(connection: sqlite3.Connection) -> dict[tuple[int, str], Standing]:
    """All ratings computed again from the finished games, in the order in which they counted."""
    anchors = {
        (person, game): glicko.anchored(value)
        for person, game, value in connection.execute("SELECT person, game, value FROM ratings WHERE at = 0")
    }
    found: dict[tuple[int, str], Standing] = {}
    sql = "SELECT game, first, second, result, ended FROM games WHERE rated AND number IS NOT NULL ORDER BY number"
    for game, first, second, result, ended in connection.execute(sql):
        if result not in SCORES:
            continue
        keys = ((first, game), (second, game))
        one, two = (found.get(key) or Standing(anchors.get(key, Rating())) for key in keys)
        after = glicko.both_after(one.rating, two.rating, SCORES[result], at=ended)
        found[keys[0]] = one.after(after[0], SCORES[result])
        found[keys[1]] = two.after(after[1], 1 - SCORES[result])
    return found


def stored(connection: sqlite3.Connection) -> dict[tuple[int, str], Standing]:
    """All ratings as they are in the database."""
    rows = connection.execute("SELECT person, game, value, deviation, volatility, at, won, drawn, lost FROM ratings")
    return {
        (person, game): Standing(_stored(value, deviation, volatility, at), won, drawn, lost)
        for person, game, value, deviation, volatility, at, won, drawn, lost in rows
    }


__all__ = ["Standing", "Standings", "replayed", "stored"]
