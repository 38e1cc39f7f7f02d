"""The window's side of play over the network: where to, who I am, the lobby and the games at hand. No pygame here."""

import ipaddress
import json
import os
import re
import time
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import config_directory

if TYPE_CHECKING:
    from alphadiamond.online import messages as m
    from alphadiamond.online.game_state import GameState
    from alphadiamond.online.link import Link

PORT: Final = 8765
"""Where a server listens unless told otherwise."""
_PATIENCE: Final = 1.0
"""Seconds after which a server that does not answer is spoken of."""
_KEY: Final = re.compile(r"ad_[\w-]{43}", re.ASCII)
_CODE: Final = re.compile(r"[0-9a-z]{5}([ -][0-9a-z]{5}){4}", re.ASCII | re.IGNORECASE)
_SCHEMES: Final = {"ws": "ws", "http": "ws", "wss": "wss", "https": "wss"}


def now() -> float:
    """Milliseconds, by the clock that game states are told."""
    return 1000 * time.monotonic()


class AddressError(AlphaDiamondError):
    """A text that is no server's address."""


def missing() -> str:
    """What to do where the packages for playing online are not installed; empty where they are."""
    try:
        import alphadiamond.online.link  # noqa: F401
    except ImportError as error:
        return f"Playing online needs {error.name}, which is not installed here: pip install '.[online]'"
    return ""


def address_of(text: str) -> str:
    """The address of a server's socket, from what a person types: a name, an address with a port, or a page."""
    text = text.strip()
    scheme, separator, _ = text.partition("://")
    if separator and scheme not in _SCHEMES:
        raise AddressError(f"{scheme}: a server's address begins with http, https, ws or wss, or with none of them")
    try:
        parts = urllib.parse.urlsplit(text if separator else f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise AddressError(f"{text}: no server's address ({error})") from None
    if not host or any(letter.isspace() for letter in host):
        raise AddressError("Type the server's address, such as 127.0.0.1:8765 or play.example.org")
    if separator:
        kind = _SCHEMES[scheme]
    else:  # a name is on the net, and wants to be spoken to in secret
        kind = "ws" if _is_number(host) or host == "localhost" else "wss"
        port = port or (PORT if kind == "ws" else None)
    shown = f"[{host}]" if ":" in host else host
    path = parts.path if parts.path not in ("", "/") else "/ws"
    return f"{kind}://{shown}{f':{port}' if port else ''}{path}"


def page_of(text: str) -> str:
    """The page of a server, from what a person types for it."""
    parts = urllib.parse.urlsplit(address_of(text.partition("#")[0]))
    path = parts.path.removesuffix("/ws")
    return f"{'https' if parts.scheme == 'wss' else 'http'}://{parts.netloc}{path}"


def challenge_of(text: str) -> str:
    """The code of the challenge that a link leads to, such as `play.example.org/#challenge/p9T`; empty: none."""
    kind, _, code = urllib.parse.unquote(text.partition("#")[2].strip()).partition("/")
    return code if kind == "challenge" and re.fullmatch(r"[\w-]{1,32}", code, re.ASCII) else ""


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Keys:
    """The tokens by which servers know this person, in a file that nobody else may read."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_directory() / "online.json"

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def get(self, address: str, name: str) -> str | None:
        there = self._read().get(address)
        found = there.get(name.casefold()) if isinstance(there, dict) else None
        return found if isinstance(found, str) else None

    def put(self, address: str, name: str, token: str | None) -> None:
        """Keep a token, or forget it."""
        known = self._read()
        there = known.get(address)
        there = dict(there) if isinstance(there, dict) else {}
        there.pop(name.casefold(), None)
        known[address] = there | ({name.casefold(): token} if token else {})
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f"{self.path.name}.new")
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(known, file, indent=2)
        beside.replace(self.path)


class Online:
    """A connection and all that has come over it; `update` once a frame never waits."""

    def __init__(self, server: str, name: str, *, keys: Keys) -> None:
        self.server = server.partition("#")[0].strip()
        self.invitation = challenge_of(server)
        """The challenge whose link was opened; empty: none."""
        self.address = address_of(server)
        self.name = name.strip()
        self._key = self._code = ""
        if _KEY.fullmatch(self.name):  # of somebody who began elsewhere
            self._key, self.name = self.name, ""
        elif _CODE.fullmatch(self.name):
            self._code, self.name = self.name, ""
        self.keys = keys
        self.welcome: m.Welcome | None = None
        self.lobby: m.LobbyState | None = None
        self.games: dict[str, GameState] = {}
        self.challenges: dict[str, m.ChallengeInfo] = {}
        self.fault = ""
        """Why the server does not let us in."""
        self.notices: list[str] = []
        """What is to be told in passing."""
        self.to_open: list[str] = []
        """Games that have begun, or were asked for, and wait to be shown."""
        self.refused: set[str] = set()
        """Games in which a move of mine was not accepted."""
        self.version = 0
        """Goes up whenever something has happened."""
        self._wanted: set[str] = set()
        self._since = time.monotonic()
        self._was = False
        self._said = ""
        self._link = self._open(keys.get(self.address, self.name) if self.name else self._key or None)

    def _open(self, token: str | None) -> "Link":
        from alphadiamond.online.link import Link

        return Link(self.address, name=self.name or None, token=token, recovery=self._code or None)

    def close(self) -> None:
        self._link.close(wait=False)

    # What there is

    @property
    def connected(self) -> bool:
        return self._link.connected and self.welcome is not None and not self.fault

    @property
    def spectating(self) -> bool:
        """Whether one may only look, having no name."""
        return not self.name

    @property
    def own(self) -> "list[GameState]":
        """My games that go on."""
        return [state for state in self.games.values() if state.seat is not None and not state.over]

    @property
    def line(self) -> str:
        """How things stand, in a line."""
        if self.fault:
            return self.fault
        if not self.connected:
            trouble = self._link.trouble
            why = f" ({trouble})" if trouble else ""
            if self.welcome is not None:
                return f"The connection to {self.server} is lost; it comes back by itself{why}"
            if time.monotonic() - self._since < _PATIENCE:
                return f"Connecting to {self.server}"
            return f"There is no server at {self.server} yet; trying again{why}"
        who = f"as {self.name}" if self.name else "to watch"
        lobby = self.lobby
        if lobby is None:
            return f"At {self.server} {who}"
        return f"At {self.server} {who} · {lobby.here} here, {_count(lobby.playing, 'game')} being played"

    # What one can do

    def send(self, request: "m.Request") -> None:
        """Ask for something; a refusal comes as a notice."""
        self._link.send(request)

    def watch(self, code: str) -> None:
        """Show a game, as soon as it is known."""
        from alphadiamond.online import messages as m

        if code in self.games:
            self.to_open.append(code)
        else:
            self._wanted.add(code)
            self.send(m.Watch(game=code))

    def leave(self, code: str) -> None:
        """No longer look at a game; one's own goes on."""
        from alphadiamond.online import messages as m

        state = self.games.get(code)
        if state is None or (state.seat is not None and not state.over):
            return
        del self.games[code]
        if self.connected:
            self.send(m.Unwatch(game=code))

    def move(self, code: str, text: str) -> None:
        self._link.move(code, text)

    # What happens

    def update(self) -> None:
        if self._was != self._link.connected:
            self._was = self._link.connected
            self._since = time.monotonic()
        if self.line != self._said:
            self._said = self.line
            self.version += 1
        for event in self._link.poll():
            self.version += 1
            self._take(event)

    def _take(self, event: Any) -> None:
        from alphadiamond.online import messages as m
        from alphadiamond.online.link import Failed

        if isinstance(event, Failed):
            self._failed(event)
        elif isinstance(event, m.Welcome):
            self.welcome = event
            self.challenges = {one.challenge: one for one in event.challenges}
            token, self._key, self._code = event.token or self._key, "", ""
            if token:
                self.keys.put(self.address, self.name or event.name or "", token)
            self.name = event.name or ""
            self.send(m.Lobby())
            if self.invitation:
                self.send(m.Look(challenge=self.invitation))
        elif isinstance(event, m.LobbyState):
            self.lobby = event
        elif isinstance(event, m.Challenged):
            self.challenges[event.challenge.challenge] = event.challenge
            opened = event.challenge.challenge == self.invitation
            if (opened or event.challenge.to is not None) and event.challenge.owner != self.name:
                self.notices.append(f"{event.challenge.owner} challenges you: it is first among the open games.")
        elif isinstance(event, m.Unchallenged):
            self.challenges.pop(event.challenge, None)
            if event.challenge == self.invitation:
                self.invitation = ""
        elif isinstance(event, m.Stopping):
            self.notices.append(f"The server stops; it is back in about {max(1, event.back_in // 1000)} s.")
        elif getattr(event, "game", None):
            self._follow(event)

    def _follow(self, event: Any) -> None:
        """Bring a game up to date, and open one that is new."""
        from alphadiamond.online import messages as m
        from alphadiamond.online.game_state import reduce

        before = self.games.get(event.game)
        state = reduce(before, event, now())
        if state is not None:
            self.games[event.game] = state
        if isinstance(event, m.Game):
            self._open_game(event, known=before is not None)

    def _open_game(self, event: "m.Game", *, known: bool) -> None:
        going = {line.game for line in self.welcome.playing} if self.welcome else set()
        if event.game in self._wanted or (not known and event.seat is not None and event.game not in going):
            self._wanted.discard(event.game)
            self.to_open.append(event.game)

    def _failed(self, event: Any) -> None:
        from alphadiamond.online import messages as m

        if event.request is not None:
            if isinstance(event.request, m.Move):
                self.refused.add(event.request.game)
            if isinstance(event.request, m.Watch):
                self._wanted.discard(event.request.game)
            self.notices.append(f"{event.message[:1].upper()}{event.message[1:]}.")
        elif event.code == "token" and self.keys.get(self.address, self.name):  # the server has forgotten us
            self.keys.put(self.address, self.name, None)
            self._link.close(wait=False)
            self._link = self._open(None)
        else:
            self.fault = event.message


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def clock_text(clock: "m.Clock | None") -> str:
    """`5 + 3`: minutes and the seconds that each move adds."""
    if clock is None:
        return "no clock"
    minutes = f"{clock.seconds // 60}" if clock.seconds % 60 == 0 else f"{clock.seconds / 60:.1f}"
    return f"{minutes} + {clock.increment}"
