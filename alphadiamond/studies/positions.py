"""Positions to measure speed with."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.results import ONGOING
from alphadiamond.games.diamond_chase import kernels as rules
from alphadiamond.games.diamond_chase.board import START_GREEN, START_RED

_PLIES = 40


def random_states(count: int, seed: int) -> npt.NDArray[np.int64]:
    """[B, 4] positions of random play, as the network sees them."""
    rng = np.random.default_rng(seed)
    stream = random_stream(rng)
    own, opp = (np.full(count, mask, dtype=np.int32) for mask in (START_GREEN, START_RED))
    for _ in range(_PLIES):
        actions = np.array([rules.random_move(int(a), int(b), stream) for a, b in zip(own, opp, strict=True)])
        moved, other, _, _ = rules.apply_batch(own, opp, actions)
        over = rules.status_batch(other, moved, np.zeros_like(own), np.ones_like(own)) != ONGOING
        own, opp = np.where(over, START_GREEN, other), np.where(over, START_RED, moved)
    return np.stack([own, opp, rng.integers(0, 100, count), rng.integers(1, 3, count)], axis=1).astype(np.int64)
