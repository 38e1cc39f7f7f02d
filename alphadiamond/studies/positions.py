"""Positions to measure speed with."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game
from alphadiamond.base.results import ONGOING
from alphadiamond.games import load

_PLIES = 40


def random_states(count: int, seed: int, game: Game | None = None) -> npt.NDArray[np.int64]:
    """[B, S] positions of random play, as the network sees them."""
    game = game or load()
    rng = np.random.default_rng(seed)
    start = game.states_of([game.start()])
    states, none = np.repeat(start, count, axis=0), np.full(count, -1, dtype=np.int16)
    plies = rng.integers(0, min(_PLIES, game.longest), count)
    for ply in range(int(plies.max(initial=0))):
        _, _, _, _, legal, counts = game.expand(states, none)
        drawn = rng.integers(counts)
        actions = np.where(ply < plies, legal[np.arange(count), drawn], -1).astype(np.int16)
        after, _, _, statuses, _, _ = game.expand(states, actions)
        states = np.where((statuses != ONGOING)[:, None], start, after)
    if game.repetition_limit:
        states[:, -1] = rng.integers(1, 3, count)
    return states
