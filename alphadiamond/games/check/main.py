"""What searches, networks, players and windows expect of a game, tried out on positions of random games.

As `api_test` of pgx and `test_game` of AlphaZero.jl: for authors of games, and for our own. `check` stops at the first
thing that is wrong, with one sentence that says what to mend; what it looks at depends on the seed alone.
"""

import contextlib
import hashlib
import inspect
import sys
from collections.abc import Hashable
from pathlib import Path
from typing import cast

import numpy as np

from alphadiamond.base.compilation import digest_of_rules
from alphadiamond.base.game import Game
from alphadiamond.base.processes import told
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import cache_directory, write_text
from alphadiamond.games import GameError
from alphadiamond.games.check import facts, inputs, positions
from alphadiamond.games.check.sample import take_sample
from alphadiamond.sources import PACKAGE, digest_of


def check(game: Game, *, seed: int = 1) -> None:
    """Raise a `GameError` with what is wrong with a game, if anything is."""
    try:
        _look_at(game, seed)
    except AlphaDiamondError as error:
        raise GameError(f"{game.title}: {error}") from None
    except Exception as error:  # by code of the game, or by ours on what it gave
        raise GameError(f"{game.title}: {told(error)}") from error


def check_once(game: Game) -> None:
    """The same for a game from outside that has not passed with the sources it has; a line says so to whoever waits."""
    if type(game).__module__.startswith(f"{PACKAGE.name}."):
        return
    files = (Path(inspect.getfile(type(game))).resolve(), Path(__file__))
    digests = "-".join((*map(digest_of, files), digest_of_rules(cast(Hashable, type(game.rules)))))
    passed = cache_directory() / "checked" / f"{game.name}-{hashlib.sha256(digests.encode()).hexdigest()[:16]}"
    if passed.exists():
        return
    print(f"checking the rules of {game.title}, once for each change of them", file=sys.stderr, flush=True)
    check(game)
    with contextlib.suppress(OSError):
        write_text(passed, "")


def _look_at(game: Game, seed: int) -> None:
    facts.check_facts(game)
    facts.check_shape(game)
    facts.check_bodies(game)
    rng = np.random.default_rng(seed)
    facts.check_starts(game, seed)
    facts.check_bounds(game, rng)
    sample = take_sample(game, rng)
    positions.check_texts(sample)
    positions.check_kernels(sample)
    inputs.check_inputs(sample)
    inputs.check_keys(sample)
    inputs.check_opinions(sample)
    inputs.check_symmetries(sample)
    positions.check_drawing(sample)
    positions.check_processes(sample)
