"""The games under test, each with its rules said plainly: what the compiled rules are compared with.

A game gives them in tests/games/NAME/reference.py: `start()`, `moves(state)` as texts, `play(state, move)`,
`outcome(state)` and `text(state)`. An outcome is None while the game goes on, `draw`, the letter of the side that has
won, or a pair of that letter and the reason.
"""

import functools
import importlib
import random
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from alphadiamond import games
from alphadiamond.base.game import Game

PLACE: Final = "examples.tic_tac_toe:TicTacToe"
games.register("tic_tac_toe", PLACE)
NAMES: Final = tuple(games.GAMES)


def reference_of(name: str) -> Any:
    return importlib.import_module(f"tests.games.{_PLACES.get(name, f'{name}.reference')}")


_PLACES: Final = {"tic_tac_toe": "tic_tac_toe_reference", "diamond_chase": "diamond_chase.plain_reference"}


def winner_of(outcome: Any) -> str | None:
    """The letter of the side that has won; None for a draw."""
    found = outcome[0] if isinstance(outcome, tuple) else outcome
    return None if found in (None, "draw") else str(found)


def letter_of(side: Any) -> str:
    return str(side.letter)


def random_game(game: Game, rng: random.Random, start: Any = None) -> Iterator[Any]:
    """Every position of a random game."""
    position = game.sample_start() if start is None else start
    yield position
    while moves := position.moves():
        position = position.play(rng.choice(moves))
        yield position


@functools.cache
def some_positions(name: str, count: int, seed: int = 1) -> tuple[Any, ...]:
    """Positions in which the game goes on, from all phases of random games."""
    game, rng = games.load(name), random.Random(seed)
    found = [game.sample_start()]
    while len(found) < count:
        going = [position for position in random_game(game, rng) if position.outcome is None]
        found += rng.sample(going[1:], min(3, len(going) - 1))
    return tuple(found[:count])


def no_action() -> Any:
    return np.full(1, -1, dtype=np.int16)
