"""Who wants to play: open seeks, and challenges by link or to one person."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from alphadiamond.online import messages as m
from alphadiamond.server import writes
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.session import Person
from alphadiamond.server.storage import Statement
from alphadiamond.server.tokens import new_code

SEEKS_EACH: Final = 5
CHALLENGES_EACH: Final = 20
CHALLENGE_LASTS: Final = 7 * 86_400_000
SHOWN: Final = 100


@dataclass(frozen=True)
class Seek:
    code: str
    owner: Person
    terms: m.Terms


@dataclass(frozen=True)
class Challenge:
    code: str
    owner: Person
    invited: Person | None
    terms: m.Terms
    until: int


class Lobby:
    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self.seeks: dict[str, Seek] = {}
        self._challenges: dict[str, Challenge] = {}

    def restore(self, rows: list[tuple[str, int, int | None, str, int]], people: dict[int, Person]) -> None:
        for code, owner, invited, terms, until in rows:
            if until > self._now():
                read = msgspec.json.decode(terms, type=m.Terms)
                asked = people[invited] if invited is not None else None
                self._challenges[code] = Challenge(code, people[owner], asked, read, until)

    def seek(self, owner: Person, terms: m.Terms) -> Seek:
        if sum(one.owner is owner for one in self.seeks.values()) >= SEEKS_EACH:
            raise RefusedError("limit", f"you have {SEEKS_EACH} seeks already")
        made = Seek(new_code(), owner, terms)
        self.seeks[made.code] = made
        return made

    def unseek(self, owner: Person, code: str) -> None:
        if code not in self.seeks or self.seeks[code].owner is not owner:
            raise RefusedError("unknown", "you have no such seek")
        del self.seeks[code]

    def find_seek(self, person: Person, code: str) -> Seek:
        """A seek that somebody may take; it stays until `take`, since the game may be refused."""
        if code not in self.seeks:
            raise RefusedError("unknown", "somebody else was faster, or it was withdrawn")
        if self.seeks[code].owner is person:
            raise RefusedError("not_allowed", "that is your own")
        return self.seeks[code]

    def take(self, person: Person, code: str) -> None:
        del self.seeks[self.find_seek(person, code).code]

    def gone(self, owner: Person) -> bool:
        """Withdraw the seeks of somebody who is not here any more; whether there were any."""
        theirs = [code for code, one in self.seeks.items() if one.owner is owner]
        for code in theirs:
            del self.seeks[code]
        return bool(theirs)

    def challenge(self, owner: Person, invited: Person | None, terms: m.Terms) -> tuple[Challenge, list[Statement]]:
        self._expire()
        if sum(one.owner is owner for one in self._challenges.values()) >= CHALLENGES_EACH:
            raise RefusedError("limit", f"you have {CHALLENGES_EACH} challenges already")
        until = self._now() + CHALLENGE_LASTS
        made = Challenge(new_code(), owner, invited, terms, until)
        self._challenges[made.code] = made
        text = msgspec.json.encode(terms).decode()
        number = invited.id if invited is not None else None
        return made, [writes.add_challenge(made.code, owner.id, number, text, until=until)]

    def find(self, person: Person | None, code: str) -> Challenge:
        """A challenge that somebody may know of: by its link, or because it is to them or from them."""
        self._expire()
        found = self._challenges.get(code)
        if found is None or (found.invited is not None and person not in (found.owner, found.invited)):
            raise RefusedError("unknown", "there is no such challenge for you; it may have been taken")
        return found

    def accept(self, person: Person, code: str) -> tuple[Challenge, list[Statement]]:
        found = self.find(person, code)
        if found.owner is person:
            raise RefusedError("not_allowed", "that is your own")
        del self._challenges[code]
        return found, [writes.drop_challenge(code)]

    def decline(self, person: Person, code: str) -> tuple[Challenge, list[Statement]]:
        found = self._challenges.get(code)
        if found is None or person not in (found.owner, found.invited):
            raise RefusedError("unknown", "there is no such challenge of yours")
        del self._challenges[code]
        return found, [writes.drop_challenge(code)]

    def drop_all(self, person: Person) -> list[Statement]:
        """Of somebody who is no more."""
        theirs = self.challenges_of(person)
        for one in theirs:
            del self._challenges[one.code]
        return [writes.drop_challenge(one.code) for one in theirs]

    def challenges_of(self, person: Person) -> list[Challenge]:
        self._expire()
        return [one for one in self._challenges.values() if person in (one.owner, one.invited)]

    def _expire(self) -> None:
        now = self._now()
        for code in [code for code, one in self._challenges.items() if one.until <= now]:
            del self._challenges[code]
