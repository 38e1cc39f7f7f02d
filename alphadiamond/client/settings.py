"""What a person has chosen, kept as JSON in their configuration directory."""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from alphadiamond.client.texts import LANGUAGES
from alphadiamond.client.theme import PALETTES, TEXT_SIZES, THEMES
from alphadiamond.files import config_directory, set_aside, write_json
from alphadiamond.games import GAMES
from alphadiamond.settings.games import DEFAULT_GAME

DEVICES: Final = ("auto", "cpu", "cuda")
SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
CLOCKS: Final = ("", "60+1", "180+2", "300+3", "900+10")
"""Seconds for the whole game and for every move."""


@dataclass
class Settings:
    """Every field has a safe default, and what a file says is believed only if it could have been chosen."""

    language: str = ""
    """en or de; empty: that of the system."""
    theme: str = "midnight"
    palette: str = "classic"
    marks: bool = False
    text_size: str = "normal"
    reduced_motion: bool = False
    sound: bool = True
    volume: float = 0.6
    names: bool = True
    """The names of squares, rows and columns on the board."""
    confirm: bool = True
    """Ask before resigning or leaving a running game."""
    device: str = "auto"
    checkpoint: str = ""
    """The network's file; empty is the shipped one."""
    opponent: str = ""
    """The opponent last chosen."""
    colour: str = ""
    """The side last chosen, by name; none: the one that moves first."""
    clock: str = ""
    """The time for a game played here, such as 180+2; empty for none."""
    fog: bool = False
    """Where pieces look for their way: whether the person sees only what is near."""
    speed: float = 1.0
    size: tuple[int, int] = (1280, 800)
    full_screen: bool = False
    tutorial_done: bool = False
    server: str = "127.0.0.1:8765"
    """Where games are played over the network."""
    online_name: str = ""
    """The name there; empty to watch only."""
    adaptive_strength: float = 1.0
    """Where the adaptive opponent stands, 0 to 4."""
    game: str = DEFAULT_GAME
    """The game last chosen; network, opponent, side, lessons and the adaptive opponent above are this game's."""
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The same of the other games, by name."""

    def choose_game(self, name: str) -> None:
        """Go over to another game, with what was chosen for it the last time."""
        if name == self.game:
            return
        self.kept[self.game] = {key: getattr(self, key) for key in _BY_GAME}
        self.game = name
        there = self.kept.pop(name, {})
        for key in _BY_GAME:
            value, usual = there.get(key), _default(key)
            setattr(self, key, value if type(value) is type(usual) else usual)

    def adapt(self, result: str) -> None:
        """Move the adaptive opponent half a level after a game that was won, drawn or lost."""
        step = {"won": 0.5, "lost": -0.5}.get(result, 0.0)
        self.adaptive_strength = min(4.0, max(0.0, self.adaptive_strength + step))

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                setattr(self, name, _default(name))
        self.volume = min(1.0, max(0.0, float(self.volume)))
        self.adaptive_strength = min(4.0, max(0.0, float(self.adaptive_strength)))


_BY_GAME: Final = ("checkpoint", "opponent", "colour", "tutorial_done", "adaptive_strength")
_CHOICES: Final[dict[str, Any]] = {
    "language": ("", *LANGUAGES),
    "theme": THEMES,
    "palette": PALETTES,
    "text_size": TEXT_SIZES,
    "device": DEVICES,
    "game": GAMES,
    "speed": SPEEDS,
    "clock": CLOCKS,
}


def _default(name: str) -> Any:
    return next(field.default for field in dataclasses.fields(Settings) if field.name == name)


def settings_path() -> Path:
    return config_directory() / "window.json"


def load_settings(path: Path | None = None) -> tuple[Settings, str]:
    """The settings and, where a damaged file had to be set aside, a line that says so."""
    path = path or settings_path()
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(data, dict):
            raise ValueError("not an object")
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, ValueError):
        return Settings(), set_aside(path, "settings")
    values = {}
    for one in dataclasses.fields(Settings):
        value = data.get(one.name, one.default)
        if one.name == "size":
            good = isinstance(value, list | tuple) and len(value) == 2 and all(type(part) is int for part in value)
            value = (max(960, value[0]), max(600, value[1])) if good else one.default
        elif one.name == "kept":
            good = isinstance(value, dict) and all(isinstance(kept, dict) for kept in value.values())
            value = value if good else {}  # also of games that are not here today
        elif type(one.default) is float:
            value = float(value) if type(value) in (int, float) else one.default
        elif type(value) is not type(one.default):
            value = one.default
        values[one.name] = value
    return Settings(**values), ""


def last_game(path: Path | None = None) -> str:
    """The name of the game last chosen; a damaged file is left for `load_settings`, which says so."""
    try:
        return str(json.loads((path or settings_path()).read_text(encoding="utf-8"))["game"])
    except (OSError, ValueError, TypeError, KeyError):
        return DEFAULT_GAME


def save_settings(settings: Settings, path: Path | None = None) -> None:
    write_json(path or settings_path(), dataclasses.asdict(settings))
