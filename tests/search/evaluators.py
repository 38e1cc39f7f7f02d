"""Judges that are no networks, for testing the search alone."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.random_kernels import random_stream
from alphadiamond.games.diamond_chase import Position, kernels
from alphadiamond.games.diamond_chase.game import OPP, OWN, DiamondChase, States, histories_of, states_of

Judgement = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]

GAME = DiamondChase()


def as_wdl(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """[B, 3] chances without draws whose expectation is the value."""
    return np.stack([(1 + values) / 2, np.zeros_like(values), (1 - values) / 2], axis=1).astype(np.float32)


def uniform_policy(states: States) -> npt.NDArray[np.float32]:
    legal = kernels.legal_masks(states[:, OWN], states[:, OPP]).astype(np.float32)
    return legal / legal.sum(axis=1, keepdims=True)


def uniform(states: States) -> Judgement:
    """Knows nothing: every move alike, every position even."""
    return uniform_policy(states), np.tile(np.array([[0.25, 0.5, 0.25]], dtype=np.float32), (len(states), 1))


def scrambled(states: States) -> Judgement:
    """Opinions without sense that depend on the position alone, and turn with the board."""
    mixed = _scramble(_canonical(states))
    values = (mixed % np.uint64(2001)).astype(np.float64) / 1000 - 1
    policy = uniform_policy(states)
    rows, actions = np.nonzero(policy)
    after = GAME.expand(states[rows], actions.astype(np.int16))[0]
    policy[rows, actions] = 0.05 + (_scramble(_canonical(after)) % np.uint64(1000)).astype(np.float64) / 1000
    return policy / policy.sum(axis=1, keepdims=True), as_wdl(values)


def _canonical(states: States) -> npt.NDArray[np.uint64]:
    """[B] the least of the keys of the eight images."""
    own, opp = (_images(states[:, side]) for side in (OWN, OPP))
    least: npt.NDArray[np.uint64] = (own | opp << 21).min(axis=0).astype(np.uint64)
    return least


def _images(masks: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """[8, B] of masks of nodes; seven nodes at a time are looked up."""
    low, middle, high = (masks >> shift & 127 for shift in (0, 7, 14))
    return _IMAGES[0][:, low] | _IMAGES[1][:, middle] | _IMAGES[2][:, high]


_IMAGES = [
    np.array([[int(kernels.image_of(part << shift, k)) for part in range(128)] for k in range(8)])
    for shift in (0, 7, 14)
]


def _scramble(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        mixed = (keys ^ keys >> np.uint64(31)) * np.uint64(0xBF58476D1CE4E5B9)
        return mixed ^ mixed >> np.uint64(29)


class Rollouts:
    """Plays one random game from each position."""

    def __init__(self, seed: int) -> None:
        self._stream = random_stream(np.random.default_rng(seed))

    def __call__(self, states: States) -> Judgement:
        values, _, _ = kernels.random_playouts(states[:, OWN], states[:, OPP], states[:, 2], self._stream)
        return uniform_policy(states), np.eye(3, dtype=np.float32)[1 - values.astype(np.int64)]


def roots_of(positions: list[Position]) -> tuple[States, npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """States, histories and their lengths, as `TreeSearch.set_roots` takes them."""
    return states_of(positions), *histories_of(positions)
