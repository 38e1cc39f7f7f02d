"""Which games may begin: how many at once, and which of them may be rated."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from alphadiamond.online import messages as m
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.online_game import OnlineGame
from alphadiamond.server.session import Person
from alphadiamond.server.standings import Standings

_LATELY: Final = 600_000
"""Milliseconds for which somebody who is gone keeps the place of a game with a bot."""


@dataclass(frozen=True)
class Admission:
    most_each: int
    """Games of one person."""
    most_bots: int
    """Games with bots, of people who are here or were lately."""
    most_bots_per_address: int
    """Games with bots of the people of one address."""
    rated_at_home: bool
    """Whether new people of one address may play each other for rating."""
    standings: Standings
    now: Callable[[], int]

    def check(self, terms: m.Terms, owner: Person, other: Person, going: Iterable[OnlineGame]) -> None:
        """Refuse a game that is one too many, or that may not be rated."""
        if owner is other:
            raise RefusedError("not_allowed", "you cannot play yourself")
        for person in (owner, other):
            if not person.bot and len(person.playing) >= self.most_each:
                raise RefusedError("limit", f"{person.name} plays as many games as one may")
        if owner.bot or other.bot:
            self._check_bots(other if owner.bot else owner, [one for one in going if any(one.bots)])
        elif terms.rated and owner.address and owner.address == other.address and not self.rated_at_home:
            for person in (owner, other):
                if not self.standings.of(person, terms.game).rating.now(self.now()).sure:
                    raise RefusedError(
                        "not_allowed",
                        "rated games within one address are for people whose ratings are known well; play unrated",
                    )

    def _check_bots(self, person: Person, going: list[OnlineGame]) -> None:
        """Games that nobody attends take no place, but still count for their address."""
        people = [one.players[one.bots.index(False)] for one in going]
        if person.address and sum(one.address == person.address for one in people) >= self.most_bots_per_address:
            raise RefusedError("limit", "too many games with bots from your address; finish or resign some")
        earliest = self.now() - _LATELY
        attended = sum(
            one.here or any(gone is not None and gone > earliest for gone in online_game.away)
            for online_game, one in zip(going, people, strict=True)
        )
        if attended >= self.most_bots:
            raise RefusedError("limit", "all bots are busy; try again later")
