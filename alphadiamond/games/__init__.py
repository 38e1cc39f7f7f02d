"""The games, one folder each; `load` gives one by its name."""

import difflib
import functools
import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from alphadiamond.errors import AlphaDiamondError

if TYPE_CHECKING:  # names are asked for without numpy, by `--help` say
    from alphadiamond.base.game import Game, Solution

GAMES: Final = {
    "diamond_chase": "alphadiamond.games.diamond_chase.game:GAME",
    "connect_four": "alphadiamond.games.connect_four.game:GAME",
    "dame": "alphadiamond.games.dame.game:GAME",
    "labyrinth": "alphadiamond.games.labyrinth.game:GAME",
}
"""Name: module and object, or class, imported only when the game is asked for."""

UNNAMED: Final = "diamond_chase"
"""The game of files and messages that name none: at first there was one game, and nothing said so. This is a fact about
formats and no default: nobody who plays or learns may fall back on it."""


class GameError(AlphaDiamondError, ValueError):
    """A game that is not here."""


@functools.cache
def load(name: str) -> "Game":
    """The game of this name; the same object each time."""
    if name not in GAMES:
        near = difflib.get_close_matches(name, GAMES, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise GameError(f"no game is called {name!r}: {hint}there are {', '.join(GAMES)}")
    module, _, attribute = GAMES[name].partition(":")
    found = getattr(importlib.import_module(module), attribute)
    game: Game = found() if isinstance(found, type) else found
    return game


def solution_of(game: "Game", directory: str | None = None) -> "Solution":
    """The exact values of a game, from a directory if one is named; `GameError` says how to get them."""
    found = game.solution() if directory is None else game.solution_in(Path(directory))
    if found is None:
        advice = f": {game.solving}" if game.solving else ""
        raise GameError(f"{game.title} is not solved here{advice}")
    return found


def register(name: str, place: str) -> None:
    """Add a game that lives elsewhere: `register("tic_tac_toe", "mypackage.tic_tac_toe:TicTacToe")`."""
    GAMES[name] = place
    load.cache_clear()


__all__ = ["GAMES", "UNNAMED", "GameError", "load", "register", "solution_of"]
