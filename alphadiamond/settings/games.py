"""Settings that name a game; whether there is such a one is known to `alphadiamond.games`, which is asked when a
setting is checked."""

import dataclasses
import importlib
from typing import Any, Final

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.ranges import Allowed, near


class GameName(Allowed):
    """The name of a game that is here, or the place of one's own."""

    def __str__(self) -> str:
        return f"one of {', '.join(_games().GAMES)}, or package.module:GAME of your own"

    def fault(self, value: Any) -> str:
        games = _games()
        if ":" not in str(value):
            return "" if value in games.GAMES else f"expected {self}{near(str(value), list(games.GAMES))}"
        try:
            games.load(str(value))
        except AlphaDiamondError as error:
            return str(error)
        return ""


def with_game_names(arguments: list[str], settings: type) -> list[str]:
    """The arguments of a command with `game=NAME` in place of `game=package.module:GAME`, which is loaded and known
    from now on; a command that has no such setting knows the game all the same."""
    known = {field.name for field in dataclasses.fields(settings)}
    found = []
    for argument in arguments:
        key, _, value = argument.partition("=")
        place = value.strip("'\"")
        if key != "game" or ":" not in place or "," in place:
            found.append(argument)
            continue
        name = _games().load(place).name
        if "game" in known:
            found.append(f"game={name}")
    return found


def _games() -> Any:
    return importlib.import_module("alphadiamond.games")


DEFAULT_GAME: Final = "diamond_chase"
A_GAME: Final = GameName()
