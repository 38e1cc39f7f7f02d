"""The games, one folder each; `load` gives one by its name, and games of one's own are found beside them.

A game that lives elsewhere is named by its place, `package.module:GAME`: as an entry point of the group
`alphadiamond.games`, in the environment variable ALPHADIAMOND_GAMES, as `game=package.module:GAME` on a command line,
or by `register`. Processes that this one starts find it through that variable.
"""

import contextlib
import difflib
import functools
import importlib
import importlib.metadata
import os
import re
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from alphadiamond.errors import AlphaDiamondError

if TYPE_CHECKING:  # names are asked for without numpy, by `--help` say
    from alphadiamond.base.game import Game, Solution

VARIABLE: Final = "ALPHADIAMOND_GAMES"
"""`NAME=package.module:GAME`, several with commas between them; `@DIRECTORY` behind one says where its package lies."""
GROUP: Final = "alphadiamond.games"
"""The entry points of installed packages with games."""

BUILT_IN: Final = {
    "diamond_chase": "alphadiamond.games.diamond_chase.game:GAME",
    "connect_four": "alphadiamond.games.connect_four.game:GAME",
    "dame": "alphadiamond.games.dame.game:GAME",
    "labyrinth": "alphadiamond.games.labyrinth.game:GAME",
}
"""The games of this package."""
GAMES: Final = dict(BUILT_IN)
"""Every game that is known, by its name: module and object, or class, imported only when the game is asked for."""

UNNAMED: Final = "diamond_chase"
"""The game of files and messages that name none: at first there was one game, and nothing said so. This is a fact about
formats and no default: nobody who plays or learns may fall back on it."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_PLACE: Final = re.compile(r"[\w.]+:\w+(@.+)?")
_PARTS: Final = ("name", "title", "sides", "rules", "shape", "longest")
"""What every game has to say of itself."""


class GameError(AlphaDiamondError, ValueError):
    """A game that is not here, or that cannot be used."""


def load(name: str) -> "Game":
    """The game of this name, or at this place (`package.module:GAME`); the same object each time."""
    if ":" in name:
        game = _found_at(name)
        if GAMES.get(game.name, "").partition("@")[0] != name.partition("@")[0]:
            register(game.name, name)
        return _load(game.name)
    return _load(name)


@functools.cache
def _load(name: str) -> "Game":
    if name not in GAMES:
        near = difflib.get_close_matches(name, GAMES, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        own = "; one of your own goes by game=package.module:GAME"
        raise GameError(f"no game is called {name!r}: {hint}there are {', '.join(GAMES)}{own}")
    place = GAMES[name]
    game = _found_at(place)
    if game.name != name:
        raise GameError(f"{place}: this game calls itself {game.name!r}, so register it under that name, not {name!r}")
    if name not in BUILT_IN and "@" not in place and "," not in (directory := str(_directory_of(place))):
        GAMES[name] = f"{place}@{directory}"
        _tell_processes()
    return game


@functools.cache
def _found_at(place: str) -> "Game":
    """The game at a place; what is wrong with it is said in a sentence."""
    from alphadiamond.base.game import Game

    if not _PLACE.fullmatch(place):
        raise GameError(f"{place!r} is no place of a game: expected package.module:GAME, the module and the game in it")
    short, _, directory = place.partition("@")
    module, _, attribute = short.partition(":")
    code = _imported(module, short, directory)
    if not hasattr(code, attribute):
        near = difflib.get_close_matches(attribute, vars(code), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise GameError(f"{short}: the module {module} has no {attribute!r}{hint}")
    found = getattr(code, attribute)
    try:
        game: Any = found() if isinstance(found, type) else found
    except TypeError as error:  # a method is missing, and Python says which
        raise GameError(f"{short}: {error}") from None
    if not isinstance(game, Game):
        raise GameError(f"{short} is a {type(game).__name__}: expected an alphadiamond.base.game.Game, or its class")
    for part in _PARTS:
        if not hasattr(game, part):
            raise GameError(f"{short}: {type(game).__name__} has no {part!r}, which every game has to say")
    if not _NAME.fullmatch(str(game.name)):
        raise GameError(f"{short}: the name {game.name!r} has to be small letters, digits and _, since files go by it")
    return game


def _imported(module: str, place: str, directory: str) -> Any:
    """Import a module: of the installed ones, or else from the directory named, or else from the current one."""
    looked = directory or os.getcwd()
    for last in (False, True):
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):  # another one, which this one imports
                raise GameError(f"{place}: {module} imports {error.name!r}, which is not installed") from None
            if last or looked in sys.path:
                where = f"neither installed nor in {looked}"
                raise GameError(f"{place}: there is no module {error.name!r}, {where}") from None
            sys.path.append(looked)
            importlib.invalidate_caches()
        except AlphaDiamondError:
            raise
        except Exception as error:
            last_line = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{os.path.basename(last_line.filename)}:{last_line.lineno}"
            told = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
            raise GameError(f"{place}: importing {module} ends with {told} ({where})") from None
    raise AssertionError("unreachable")


def _directory_of(place: str) -> Path:
    """The directory that has to be on the path for a game that has been imported."""
    top = place.partition(":")[0].partition(".")[0]
    file = Path(sys.modules[top].__file__ or next(iter(sys.modules[top].__path__)) + "/__init__.py")
    return file.resolve().parents[1 if file.name == "__init__.py" else 0]


def all_games() -> tuple["Game", ...]:
    """Every game that can be loaded; one that cannot be is said on standard error, once, and hinders no other."""
    return tuple(game for name in tuple(GAMES) if (game := _loaded_or_told(name)) is not None)


def _loaded_or_told(name: str) -> "Game | None":
    try:
        return load(name)
    except GameError as error:
        if name in BUILT_IN:
            raise
        _say_once(f"the game {name} is left out: {error}")
        return None


@functools.cache
def _say_once(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def solution_of(game: "Game", directory: str | None = None) -> "Solution":
    """The exact values of a game, from a directory if one is named; `GameError` says how to get them."""
    found = game.solution() if directory is None else game.solution_in(Path(directory))
    if found is None:
        advice = f": {game.solving}" if game.solving else ""
        raise GameError(f"{game.title} is not solved here{advice}")
    return found


def register(name: str, place: str) -> None:
    """Add a game that lives elsewhere: `register("tic_tac_toe", "mypackage.tic_tac_toe:TicTacToe")`.

    This process and those that it starts know it from now on.
    """
    if not _PLACE.fullmatch(place):
        raise GameError(f"{place!r} is no place of a game: expected package.module:GAME, the module and the game in it")
    if not _NAME.fullmatch(name):
        raise GameError(f"{name!r} is no name of a game: expected small letters, digits and _")
    if name in BUILT_IN and place != BUILT_IN[name]:
        raise GameError(f"there is a game called {name} already: give yours another name")
    GAMES[name] = place
    _load.cache_clear()
    _tell_processes()


def unregister(name: str) -> None:
    """Forget a game that was registered."""
    if name in BUILT_IN:
        raise GameError(f"{name} is part of AlphaDiamond")
    GAMES.pop(name, None)
    _load.cache_clear()
    _tell_processes()


def outside_games() -> dict[str, str]:
    """The games that are no part of the package, each with its place."""
    return {name: place for name, place in GAMES.items() if name not in BUILT_IN}


def argument_of(name: str) -> str:
    """What `game=` is given for a game in a new process: its name, or its place where the name alone is not enough."""
    return name if name in _LASTING or name not in GAMES else GAMES[name].partition("@")[0]


def _tell_processes() -> None:
    """Write the games from elsewhere to the environment, which processes that are started inherit."""
    told = ",".join(f"{name}={place}" for name, place in outside_games().items())
    if told:
        os.environ[VARIABLE] = told
    else:
        os.environ.pop(VARIABLE, None)


def _find() -> None:
    """Add what the environment and installed packages name; what cannot be read is said and left out."""
    found = [(f"entry point {one.name}", one.name, one.value) for one in importlib.metadata.entry_points(group=GROUP)]
    for item in filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(","))):
        name, _, place = item.partition("=")
        found.append((VARIABLE, name.strip(), place.strip()))
    for source, name, place in found:
        if not (_NAME.fullmatch(name) and _PLACE.fullmatch(place)):
            _say_once(f"{source}: {name or place!r} is left out: expected NAME=package.module:GAME")
        elif name in BUILT_IN:
            _say_once(f"{source}: {name} is left out: there is a game of that name already")
        else:
            GAMES[name] = place


def check_game(game: "Game | str", *, seed: int = 1) -> None:
    """Hold a game to all that searches, networks and windows expect of it; `GameError` says in a sentence what to mend.

    For authors of games, and run before a training run of a game that has not passed it. The same seed looks at the
    same positions.
    """
    from alphadiamond.games.check.main import check

    check(load(game) if isinstance(game, str) else game, seed=seed)


def check_once(game: "Game") -> None:
    """Hold a game to the same, unless it is one of ours, which the tests do, or has passed as it is today."""
    from alphadiamond.games.check.main import check_once

    check_once(game)


_find()
_LASTING: Final = frozenset(GAMES)
"""The games that every new process finds by itself."""

__all__ = [
    "BUILT_IN",
    "GAMES",
    "UNNAMED",
    "VARIABLE",
    "GameError",
    "all_games",
    "argument_of",
    "check_game",
    "check_once",
    "load",
    "outside_games",
    "register",
    "solution_of",
    "unregister",
]
