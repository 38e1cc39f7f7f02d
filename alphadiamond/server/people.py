"""Who is who: people by token, code and name; new ones; new names."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

from alphadiamond.server import tokens, writes
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.limits import Buckets
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.names import LONGEST, clean_name, key_of, skeleton_of
from alphadiamond.server.queries import Reader
from alphadiamond.server.session import Person
from alphadiamond.server.storage import Statement, Store

_ROW: Final = "SELECT id, name, bot, silenced FROM people"


class Newcomer(NamedTuple):
    person: Person
    token: str


class People:
    """The one object of each person that anybody holds: connections, games and challenges. Others are on disk alone."""

    def __init__(
        self, *, reader: Reader, store: Store, now: Callable[[], int], metrics: Metrics, names_an_hour: int
    ) -> None:
        self._reader = reader
        self._store = store
        self._now = now
        self._metrics = metrics
        self._known: WeakValueDictionary[int, Person] = WeakValueDictionary()
        self._bots: dict[str, Person] = {}
        self._claimed: set[str] = set()
        self._next = 1
        self._names = Buckets(names_an_hour / 3600, names_an_hour)

    def __len__(self) -> int:
        return len(self._known)

    def restore(self, bots: Sequence[str]) -> None:
        """Before the store is started: the bots, those of this server's list among them."""
        read = self._store.read
        self._next = read("SELECT coalesce(max(id), 0) + 1 FROM people")[0][0]
        for row in read(f"{_ROW} WHERE bot"):
            person = self._meet(*row)
            self._bots[person.name] = person
        for name in bots:
            if name not in self._bots:
                self._store.write_now(writes.add_person(self._next, name, None, at=self._now()))
                self._bots[name] = self._meet(self._next, name, True, False)
                self._next += 1

    def read_now(self, where: str) -> list[Person]:
        """Before the store is started: everybody who is wanted then."""
        return [self._meet(*row) for row in self._store.read(f"{_ROW} WHERE {where}")]

    def bot(self, name: str) -> Person:
        return self._bots[name]

    def known(self, number: int) -> Person | None:
        """Somebody who is held by somebody."""
        return self._known.get(number)

    async def fetch(self, numbers: Sequence[int]) -> list[Person]:
        """These people; hold them, or they are gone again."""
        found = []
        for number in numbers:
            person = self._known.get(number)
            if person is None:
                (row,) = await self._reader.rows(f"{_ROW} WHERE id = ?", number)
                person = self._meet(*row)
            found.append(person)
        return found

    async def find(self, name: str) -> Person:
        for row in await self._reader.rows(f"{_ROW} WHERE key = ?", key_of(name)):
            return self._meet(*row)
        raise RefusedError("unknown", f"nobody here is called {name[:LONGEST]!a}")

    async def by_token(self, token: str) -> Person:
        if tokens.looks_like_token(token):
            for row in await self._reader.rows(f"{_ROW} WHERE token = ?", tokens.hash_of(token)):
                return self._meet(*row)
        raise RefusedError("token", "this token is not valid; say hello with a name to begin anew")

    async def by_code(self, text: str, done: Callable[[], None]) -> Newcomer:
        """Who has lost the token: the code brings a new one, once. `done` is called when the old one is void."""
        code = tokens.read_recovery_code(text)
        hashed = tokens.hash_of(code) if code is not None else b""
        if code is not None and code not in self._claimed:
            for row in await self._reader.rows(f"{_ROW} WHERE recovery = ?", hashed):
                if code in self._claimed:
                    break
                person, token = self._meet(*row), tokens.new_token()
                self._claim(code)
                self._write(
                    [writes.set_token(person.id, tokens.hash_of(token)), writes.set_recovery(person.id, None)],
                    {code},
                    done,
                )
                return Newcomer(person, token)
        raise RefusedError("token", "this recovery code is not valid; it may have been used, or made anew")

    async def newcomer(self, address: str, text: str) -> Newcomer:
        name = clean_name(text)
        claimed = await self._claim_name(name, address)
        token = tokens.new_token()
        number = self._next
        self._next += 1
        self._write([writes.add_person(number, name, tokens.hash_of(token), at=self._now())], claimed)
        self._metrics.add("people")
        return Newcomer(self._meet(number, name, False, False), token)

    async def rename(self, person: Person, text: str, done: Callable[[], None], *, address: str | None = None) -> None:
        """With an address it counts as a new name from there."""
        name = clean_name(text)
        claimed = await self._claim_name(name, address, but=person.id)

        def told() -> None:
            person.name = name
            done()

        self._write([writes.rename(person.id, name)], claimed, told)

    def renew(self, person: Person, done: Callable[[str], None]) -> None:
        token = tokens.new_token()
        self._write([writes.set_token(person.id, tokens.hash_of(token))], set(), lambda: done(token))

    def make_code(self, person: Person, done: Callable[[str], None]) -> None:
        code = tokens.new_recovery_code()
        self._write([writes.set_recovery(person.id, tokens.hash_of(code))], set(), lambda: done(code))

    # Inside

    def _meet(self, number: int, name: str, bot: Any, silenced: Any) -> Person:
        person = self._known.get(number)
        if person is None:
            person = self._known[number] = Person(number, name, bool(bot), silenced=bool(silenced))
        return person

    async def _claim_name(self, name: str, address: str | None, *, but: int = 0) -> set[str]:
        """Refuse a name that is taken or looks like one that is; of two who want it at once only one gets it."""
        key, skeleton = key_of(name), skeleton_of(name)
        claimed = {f"key {key}", f"skeleton {skeleton}"}
        if claimed & self._claimed:
            raise RefusedError("name", f"{name} is taken")
        self._claim(*claimed)  # before looking
        try:
            sql = "SELECT name, key FROM people WHERE (key = ? OR skeleton = ?) AND id != ?"
            for other, others in await self._reader.rows(sql, key, skeleton, but):
                raise RefusedError(
                    "name", f"{name} is taken" if others == key else f"{name} looks like {other}, who is here already"
                )
            if address is not None and not self._names.take(address, time.monotonic()):
                raise RefusedError("limit", "too many new names from your address; try again later")
        except BaseException:
            self._claimed -= claimed
            raise
        return claimed

    def _claim(self, *what: str) -> None:
        self._claimed.update(what)

    def _write(self, wanted: list[Statement], claimed: set[str], done: Callable[[], None] | None = None) -> None:
        def told() -> None:
            self._claimed.difference_update(claimed)
            if done is not None:
                done()

        self._store.write(wanted, told)
