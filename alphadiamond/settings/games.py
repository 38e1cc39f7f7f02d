"""Settings that name a game; whether there is such a one is known to `alphadiamond.games`, which is asked when a
setting is checked."""

import importlib
from typing import Any, Final

from alphadiamond.settings.ranges import Allowed, near


class GameName(Allowed):
    """The name of a game that is here."""

    def __str__(self) -> str:
        return f"one of {', '.join(_names())}"

    def fault(self, value: Any) -> str:
        names = _names()
        return "" if value in names else f"expected {self}{near(str(value), names)}"


def _names() -> list[str]:
    return list(importlib.import_module("alphadiamond.games").GAMES)


DEFAULT_GAME: Final = "diamond_chase"
A_GAME: Final = GameName()
