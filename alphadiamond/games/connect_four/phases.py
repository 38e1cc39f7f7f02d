"""The phases of a game, by which results of an exam are told apart."""

from typing import Final

import numpy as np
import numpy.typing as npt

FIRST: Final = (0, 8, 12, 16, 20, 24, 28, 32)
"""The number of discs with which each phase begins."""
NAMES: Final = tuple(f"{first} to {after - 1} discs" for first, after in zip(FIRST, (*FIRST[1:], 42), strict=True))


def phases_of(states: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
    """[B] the phase of each state, and the names of all."""
    discs = np.bitwise_count(states[:, 0] | states[:, 1])
    return (np.searchsorted(FIRST, discs, side="right") - 1).astype(np.uint8), NAMES
