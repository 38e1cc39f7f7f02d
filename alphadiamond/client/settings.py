"""What a person has chosen, kept as JSON in their configuration directory."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from alphadiamond.client.theme import PALETTES, TEXT_SIZES, THEMES
from alphadiamond.files import config_directory, write_text

DEVICES: Final = ("auto", "cpu", "cuda")
SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass
class Settings:
    """Every field has a safe default, and what a file says is believed only if it could have been chosen."""

    theme: str = "midnight"
    palette: str = "classic"
    marks: bool = False
    text_size: str = "normal"
    reduced_motion: bool = False
    sound: bool = True
    volume: float = 0.6
    names: bool = True
    """Node names beside the board's nodes."""
    confirm: bool = True
    """Ask before resigning or leaving a running game."""
    device: str = "auto"
    checkpoint: str = ""
    """The network's file; empty is the shipped one."""
    opponent: str = ""
    """The opponent last chosen."""
    colour: str = "green"
    speed: float = 1.0
    size: tuple[int, int] = (1280, 800)
    full_screen: bool = False
    tutorial_done: bool = False
    adaptive_strength: float = 1.0
    """Where the adaptive opponent stands, 0 to 4."""

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


_CHOICES: Final[dict[str, Any]] = {
    "theme": THEMES,
    "palette": PALETTES,
    "text_size": TEXT_SIZES,
    "device": DEVICES,
    "colour": ("green", "red"),
    "speed": SPEEDS,
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
    for field in dataclasses.fields(Settings):
        value = data.get(field.name, field.default)
        if field.name == "size":
            good = isinstance(value, list | tuple) and len(value) == 2 and all(type(part) is int for part in value)
            value = (max(960, value[0]), max(600, value[1])) if good else field.default
        elif type(field.default) is float:
            value = float(value) if type(value) in (int, float) else field.default
        elif type(value) is not type(field.default):
            value = field.default
        values[field.name] = value
    return Settings(**values), ""


def save_settings(settings: Settings, path: Path | None = None) -> None:
    write_text(path or settings_path(), json.dumps(dataclasses.asdict(settings), indent=2) + "\n")


def set_aside(path: Path, what: str) -> str:
    """Move a damaged file out of the way, keeping it, and say so."""
    aside = path.with_name(f"{path.name}.damaged")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    try:
        path.rename(aside)
    except OSError as error:
        return f"The {what} could not be read ({error.strerror or 'damaged'}); going on without them."
    return f"The {what} were damaged; they are set aside as {aside.name}."
