"""Players as text: `name:parameter=value,...` read into one thing that the rest of the project asks and hands on.

A value with a comma in it stands in double quotes, and there a quote or a backslash follows a backslash.

This is the only place that takes such a text apart. Whether the player exists and its parameters are in range is known
to `alphadiamond.agents.registry`, which is asked when a setting is checked and not before, since players bring compiled
code with them.
"""

import functools
import importlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.ranges import Allowed, Each

PROGRAM: Final = "engine"
"""Who is another program; its parameter `command` starts it."""
HUMAN: Final = "human"
"""Who sits at the board, where a seat may be taken by a person."""

CHECKPOINT_SUFFIX: Final = ".safetensors"
CHAMPION: Final = f"champion{CHECKPOINT_SUFFIX}"
"""How a run's best network is called."""
_REGISTRY: Final = "alphadiamond.agents.registry"
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
"""A value that may hold anything: a quote or a backslash in it follows a backslash."""
_BEFORE_VALUE: Final = re.compile(r"[^=]*=\s*")


class AgentError(AlphaDiamondError, ValueError):
    """A player that cannot be built or asked like this; it says what exists."""

    def __init__(self, reason: str, *, player: str = "") -> None:
        super().__init__(f"player {player!r}: {reason}" if player else reason)
        self.reason = reason
        """The same without the player's name."""


class UnavailableError(AgentError):
    """A player that is rightly named and lacks something here: a network, a tablebase, a device."""


@dataclass(frozen=True)
class PlayerSpec:
    """Who is to play: a name, parameters as they were written, and where that was."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    source: str = field(default="", compare=False)
    """The setting, file or scene that names the player."""

    @classmethod
    def parse(cls, text: "str | PlayerSpec", *, source: str = "") -> "PlayerSpec":
        """Read a text; only its form is looked at."""
        if isinstance(text, PlayerSpec):
            return replace(text, source=source) if source else text
        spec = _parse(text.strip())
        return replace(spec, source=source) if source else spec

    @classmethod
    def of_seat(cls, text: str) -> "PlayerSpec":
        """Who is named at a seat, in a record say: also a person, whose name may be anything."""
        try:
            return cls.parse(text)
        except AgentError:
            return cls(text)

    @property
    def network(self) -> str:
        """What tells a network from others: its run, its snapshot or its file; empty for the shipped one."""
        path = Path(self.get("checkpoint"))
        if not path.name:
            return ""
        if path.suffix != CHECKPOINT_SUFFIX:
            return path.name  # a run stands for its champion
        if path.name == CHAMPION:
            return path.absolute().parent.name
        if path.parent.name == "checkpoints":
            return f"{path.absolute().parent.parent.name} {path.stem}"
        return path.stem

    @property
    def program(self) -> str:
        """What people call another program: its name, or that of its file; empty for the players of this project."""
        if self.name != PROGRAM:
            return ""
        words = [word for word in self.get("command").split() if not word.startswith("-")]
        return self.get("name") or (Path(words[-1].strip("\"'")).stem if words else PROGRAM)

    def __str__(self) -> str:
        return self.name + (f":{self.parameter_text}" if self.parameters else "")

    @property
    def parameter_text(self) -> str:
        return ",".join(f"{key}={_written(value)}" for key, value in self.parameters)

    def get(self, key: str, default: str = "") -> str:
        """A parameter as it was written."""
        return dict(self.parameters).get(key, default)

    def having(self, **changes: object) -> "PlayerSpec":
        """The same player with other parameters."""
        return replace(self, parameters=tuple({**dict(self.parameters), **_texts(changes)}.items()))

    def only(self, keys: Iterable[str]) -> "PlayerSpec":
        """The same player with those of its parameters alone."""
        kept = tuple(keys)
        return replace(self, parameters=tuple(pair for pair in self.parameters if pair[0] in kept))

    def without(self, keys: Iterable[str]) -> "PlayerSpec":
        dropped = tuple(keys)
        return replace(self, parameters=tuple(pair for pair in self.parameters if pair[0] not in dropped))


def player(name: str, /, **parameters: object) -> PlayerSpec:
    return PlayerSpec(name, tuple(_texts(parameters).items()))


def _texts(parameters: dict[str, object]) -> dict[str, str]:
    return {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in parameters.items()}


def _written(value: str) -> str:
    """A value as a text holds it: in quotes where a comma, or a quote or space at its end, would be misread."""
    if "," not in value and not value.startswith('"') and value == value.strip():
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _pieces(text: str) -> list[str]:
    """What stands between the commas; those in a value in quotes part nothing."""
    found, begin, at = [], 0, 0
    while at < len(text):
        if text[at] == '"' and _BEFORE_VALUE.fullmatch(text, begin, at) and (quoted := _QUOTED.match(text, at)):
            at = quoted.end()
            continue
        if text[at] == ",":
            found.append(text[begin:at])
            begin = at + 1
        at += 1
    return [*found, text[begin:]]


@functools.lru_cache(maxsize=1024)
def _parse(text: str) -> PlayerSpec:
    name, _, rest = text.partition(":")
    if not name.strip():
        raise AgentError("a name is missing", player=text)
    parameters: dict[str, str] = {}
    for part in _pieces(rest) if rest.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key:
            raise AgentError(f"{part.strip()!r} is not of the form parameter=value", player=text)
        if key in parameters:
            raise AgentError(f"parameter {key} stands twice", player=text)
        parameters[key] = re.sub(r"\\(.)", r"\1", value[1:-1]) if _QUOTED.fullmatch(value) else value
    return PlayerSpec(name.strip(), tuple(parameters.items()))


def split_players(text: str) -> list[str]:
    """`random,mcts:simulations=100,seed=2` is two players: what has a value but no name belongs to the one before."""
    found: list[str] = []
    for piece in _pieces(text):
        head, equals, _ = piece.partition("=")
        if equals and ":" not in head and found:
            found[-1] += f",{piece.strip()}"
        else:
            found.append(piece.strip())
    return [one for one in found if one]


@dataclass(frozen=True)
class Player(Allowed):
    """A registered player, or one by its import path, with parameters that it has."""

    seat: bool = False
    """Whether a person may sit there; and what a player lacks is then told inside the window."""

    def __str__(self) -> str:
        seat = "human, or " if self.seat else ""
        return f"{seat}a player such as minimax:depth=4 (docs/reference/players.md lists them)"

    def fault(self, value: Any) -> str:
        if not isinstance(value, str):
            return f"expected {self}"
        if self.seat and value == HUMAN:
            return ""
        try:
            importlib.import_module(_REGISTRY).check_player(PlayerSpec.parse(value))
        except UnavailableError as error:
            return "" if self.seat else error.reason
        except AgentError as error:
            # The value that is shown with it names the network already.
            return error.reason.removeprefix(f"checkpoint={PlayerSpec.of_seat(value).get('checkpoint')}: ")
        return ""


A_PLAYER: Final = Player()
A_SEAT: Final = Player(seat=True)
PLAYERS: Final = Each(A_PLAYER)
