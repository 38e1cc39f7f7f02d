"""The settings of the server."""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from alphadiamond.settings import between, each, maybe, one_of, setting, text
from alphadiamond.settings.places import OUTPUT_DIRECTORY, Output
from alphadiamond.settings.players import PLAYERS
from alphadiamond.settings.ranges import or_empty

_HOST: Final = text("a name such as play.example.org", r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
_ADDRESS: Final = text("an address such as 127.0.0.1 or ::1", r"[0-9A-Fa-f.:]+")


@dataclass
class ServeSettings:
    host: str = setting("127.0.0.1", _ADDRESS)
    """The address to listen on; other machines are let in only with public=true."""
    port: int = setting(8765, between(0, 65_535, note="0 for any that is free"))
    """The port to listen on."""
    public: bool = False
    """Listen beyond this machine. Without TLS in front, tokens can be read by all on the way (docs/guides/serve.md)."""
    names: list[str] = setting([], each(_HOST))
    """Under which names browsers reach the server, a proxy's included; this machine's own always count."""
    proxies: list[str] = setting([], each(_ADDRESS))
    """Addresses of proxies in front of it, whose word on where a request came from is believed."""
    directory: str | None = setting(None, maybe(OUTPUT_DIRECTORY, "the user's data directory"))
    """Where the database and its backups are kept."""
    bots: list[str] = setting([], PLAYERS)
    """Further players that people may choose, beside those that every server has."""
    bot_processes: int = setting(2, between(1, 64), formerly="thinkers")
    """Processes in which bots think."""
    think_seconds: float = setting(5.0, between(0.01, 600))
    """A bot that thinks for longer is told to answer with what it has."""
    bot_games: int = setting(500, between(1, 1_000_000))
    """Games with bots that may go on at once, of people who are here or were within ten minutes."""
    bot_games_per_address: int = setting(50, between(1, 1_000_000))
    """Games with bots that people from one address may have going on."""
    games_per_person: int = setting(50, between(1, 100_000))
    """Games that one person may have going on at once."""
    connections: int = setting(5000, between(1, 1_000_000))
    """Connections in all."""
    connections_per_address: int = setting(100, between(1, 1_000_000))
    """Connections from one address."""
    handshakes_per_second: float = setting(30.0, between(0.1, 1_000_000))
    """New connections from one address, over some seconds."""
    people_per_address: int = setting(30, between(1, 1_000_000))
    """New names that one address may take in an hour."""
    messages_per_second: float = setting(20.0, between(0.1, 1_000_000))
    """Messages of one connection, over some seconds; who sends more is told so, then cut off."""
    messages_per_address: float = setting(400.0, between(1, 1_000_000))
    """Messages a second of all connections from one address, over some seconds; beyond that they wait."""
    first_move_seconds: float = setting(60.0, between(0.1, 86_400))
    """In games with clocks: without a side's first move within this time the game is aborted."""
    away_seconds: float = setting(60.0, between(0.1, 86_400))
    """In games with clocks: after being gone for this long the opponent may claim the win."""
    correspondence_days: float = setting(14.0, between(0.001, 3650))
    """In games without clocks: a side that does not move for this long loses."""
    unattended_hours: float = setting(3.0, between(0.001, 8760))
    """In games without clocks against bots: after being gone for this long the game is aborted; it can be resumed."""
    rated_at_home: bool = False
    """Let people of one address play each other for rating before their ratings are known well."""
    speed: float = setting(1.0, between(0.01, 1000))
    """How fast the clocks of all games run; other than 1 is for trying out."""
    seconds: float = setting(0.0, between(0, 1_000_000_000, note="0 for as long as nobody ends it"))
    """How long to serve."""
    back_in: float = setting(3.0, between(0, 3600))
    """Seconds after which clients are told to come back when the server stops."""
    backup_hours: float = setting(24.0, between(0, 8760, note="0 for none"))
    """How often the database is backed up while the server runs."""
    backups: int = setting(7, between(1, 10_000))
    """Backups that are kept."""
    log: str = setting("info", one_of("debug", "info", "warning"))
    """How much is logged on standard error, one JSON object a line."""
    backup: str = setting("", or_empty(Output(suffixes=(".sqlite",)), "no backup"))
    """Write a backup of the database to this file, also of a server that is running, and end."""
    moderate: str = setting("", or_empty(text("an action such as list or rename/NAME/NEW", r".+"), "none"))
    """Have the server that runs on this directory do something: list, list/PART, rename/NAME/NEW, silence/NAME,
    unsilence/NAME, remove/NAME, end/GAME."""
    audit: bool = False
    """Replay all games and all ratings in the database, say whether they agree, and end."""

    def faults(self) -> Iterator[tuple[str, str]]:
        try:
            loopback = ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            yield "host", "expected an address such as 127.0.0.1 or ::1"
            return
        if not loopback and not self.public:
            yield "host", "other machines would be let in; say public=true if that is meant"
        for proxy in self.proxies:
            try:
                ipaddress.ip_address(proxy)
            except ValueError:
                yield "proxies", f"{proxy} is no address"
