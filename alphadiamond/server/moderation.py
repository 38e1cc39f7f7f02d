"""What can be done to a person or a game from outside the games: by the person, or by whoever runs the server."""

import logging
from collections.abc import Callable
from typing import Any, Final

from alphadiamond.server import writes
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.game_manager import GameManager
from alphadiamond.server.lobby import Lobby
from alphadiamond.server.people import People
from alphadiamond.server.puzzles import Puzzles
from alphadiamond.server.queries import Reader
from alphadiamond.server.session import Person
from alphadiamond.server.storage import Store

LEFT: Final = 4002
"""Closes the connections of somebody who is no more."""
_LISTED: Final = 1000
_log = logging.getLogger("alphadiamond.server")


def nothing() -> None:
    pass


class Moderation:
    def __init__(
        self,
        *,
        people: People,
        lobby: Lobby,
        game_manager: GameManager,
        puzzles: Puzzles,
        store: Store,
        reader: Reader,
    ) -> None:
        self._people = people
        self._lobby = lobby
        self._game_manager = game_manager
        self._puzzles = puzzles
        self._store = store
        self._reader = reader

    async def list(self, part: str) -> list[dict[str, Any]]:
        """People whose name holds a text, the newest first."""
        sql = (
            "SELECT id, name, created, silenced, (SELECT count(*) FROM games WHERE first = people.id) + "
            "(SELECT count(*) FROM games WHERE second = people.id) FROM people "
            "WHERE NOT bot AND instr(lower(name), lower(?)) ORDER BY id DESC LIMIT ?"
        )
        found = []
        for number, name, created, silenced, games in await self._reader.rows(sql, part, _LISTED):
            known = self._people.known(number)
            found.append(
                {
                    "id": number,
                    "name": name,
                    "created": created,
                    "silenced": bool(silenced),
                    "games": games,
                    "here": known is not None and known.here,
                    "playing": sorted(known.playing) if known is not None else [],
                }
            )
        return found

    async def rename(
        self, person: Person, name: str, by: str, done: Callable[[], None], *, address: str | None = None
    ) -> None:
        before = person.name

        def told() -> None:
            _log.info("renamed", extra={"person": person.id, "called": before, "now_called": person.name, "by": by})
            done()

        await self._people.rename(person, name, told, address=address)

    def silence(self, person: Person, silenced: bool, by: str, done: Callable[[], None] = nothing) -> None:
        """Whoever is silenced plays on, but offers and challenges nobody hears of and is in no list of the lobby."""
        person.silenced = silenced
        if silenced:
            self._lobby.gone(person)
        _log.info(
            "silenced" if silenced else "unsilenced", extra={"person": person.id, "called": person.name, "by": by}
        )
        self._store.write([writes.silence(person.id, silenced)], done)

    def remove(self, person: Person, by: str, done: Callable[[], None] = nothing) -> None:
        """Token, code, name and puzzles go; games stay for those who played them, under a name that says nothing."""
        before, name = person.name, f"(left {person.id})"
        self._game_manager.leave_all(person)
        self._lobby.gone(person)
        wanted = [*self._lobby.drop_all(person), *self._puzzles.forget(person.id)]
        person.name = name
        person.left = True

        def told() -> None:
            _log.info("removed", extra={"person": person.id, "called": before, "by": by})
            done()
            for session in list(person.sessions):
                session.close(LEFT, "this person is no more")

        self._store.write([*wanted, writes.remove_person(person.id, name)], told)

    def end_game(self, code: str, by: str, done: Callable[[], None] = nothing) -> None:
        online_game = self._game_manager.going.get(code)
        if online_game is None:
            raise RefusedError("unknown", "there is no such game going on")
        _log.info("ended by moderation", extra={"game": code, "by": by})
        self._game_manager.end_by_hand(online_game, done)
