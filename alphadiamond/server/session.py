"""Who is connected: people, and their connections as everything but the sockets sees them."""

import abc
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from alphadiamond.online.messages import encode
from alphadiamond.server.bot_pool import Order

if TYPE_CHECKING:
    from alphadiamond.server.standings import Standing


@dataclass(eq=False)
class Person:
    """Somebody with a name: a person, or a bot. There is one object as long as anybody holds it, and then none."""

    id: int
    name: str
    bot: bool = False
    sessions: set["Session"] = field(default_factory=set)
    """Their connections: windows, tabs, programs."""
    playing: set[str] = field(default_factory=set)
    """Codes of their games that go on."""
    asking: bool = False
    """Whether an opinion is under way for them."""
    address: str = ""
    """Where they last came from since the server began, as far as it counts for limits."""
    silenced: bool = False
    """By whoever runs the server: plays on, and reaches nobody new."""
    left: bool = False
    """For good: nothing is written about them any more."""
    standings: dict[str, "Standing"] = field(default_factory=dict)
    """Ratings by game, of those that were asked for; once here, memory knows best."""

    @property
    def here(self) -> bool:
        return self.bot or bool(self.sessions)


class Session(abc.ABC):
    """One connection."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.person: Person | None = None
        self.greeted = False
        self.in_lobby = False
        self.scenes = False
        self.closed = False
        self.watching: set[str] = set()
        self.opinion: Order | None = None
        """What a bot thinks about for this connection."""

    @abc.abstractmethod
    def send(self, data: bytes) -> None:
        """Hand over a message; it never waits."""

    @abc.abstractmethod
    def close(self, code: int, reason: str) -> None:
        """End the connection once what was sent is gone."""

    def tell(self, message: object) -> None:
        self.send(encode(message))
