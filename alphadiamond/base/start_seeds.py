"""Seeds of games whose board is drawn anew: each purpose draws from a range of its own.

What a network has trained on is never what it is measured by: the ranges do not overlap, so that no board of a match or
of an exam can have been seen in self-play.
"""

import enum
import secrets
from typing import Final

import numpy as np

SEEDS_EACH: Final = 1 << 40
"""Seeds of one purpose."""


class Purpose(enum.IntEnum):
    """What a game is begun for; its number is the place of its range."""

    TRAINING = 0
    """Self-play."""
    MATCH = 1
    """Matches, gates and ratings."""
    EXAM = 2
    """Positions whose answers are known."""
    PLAY = 3
    """People, and whoever else names no seed."""

    @property
    def seeds(self) -> range:
        return range(self * SEEDS_EACH, (self + 1) * SEEDS_EACH)

    def draw(self, rng: np.random.Generator, boards: int = 0) -> int:
        """A seed of this purpose: one of so many, or with 0 any."""
        return self.seeds[int(rng.integers(boards or SEEDS_EACH))]


def any_seed() -> int:
    """A seed that nobody chose, for `Game.start()` of a game that has to draw its board."""
    return Purpose.PLAY.seeds[secrets.randbelow(SEEDS_EACH)]
