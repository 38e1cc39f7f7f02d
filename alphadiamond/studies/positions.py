"""Positions to measure speed with."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game, Purpose
from alphadiamond.base.results import ONGOING

_PLIES = 40


def random_states(count: int, seed: int, game: Game) -> npt.NDArray[np.int64]:
    """[B, S] positions of random play, as the network sees them."""
    rng = np.random.default_rng(seed)
    start = game.states_of([game.drawn_start(rng, Purpose.EXAM) for _ in range(count)])
    states, none = start.copy(), np.full(count, -1, dtype=np.int16)
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
