"""What comes with the project beside its code: in a clone at its top, in an installed copy inside the package."""

from pathlib import Path
from typing import Final, Protocol

_PACKAGE: Final = Path(__file__).parent


def _place(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


CONFIGS: Final = _place("configs")
"""The files that Hydra composes."""
CHECKPOINTS: Final = _place("checkpoints")
"""The networks that are shipped, a directory for each game."""


class Named(Protocol):
    """A game, as far as it matters here."""

    @property
    def name(self) -> str: ...


def champion_of(game: Named) -> Path:
    """The network that is shipped for a game, if there is one."""
    return CHECKPOINTS / game.name / "champion.safetensors"


SCRIPTS: Final = _place("scripts")
