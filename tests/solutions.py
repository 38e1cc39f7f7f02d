"""The solution for tests: the small layers, solved on the spot, or the whole, if the user has it."""

import functools
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.solver import LAYERS, Layer, Tablebase
from alphadiamond.solver.retrograde import empty_table, pairs, solve_pair, workers

SMALL = (Layer(4, 4), Layer(5, 4), Layer(4, 5))
"""No move leads out of these but into the end of the game."""

_REASON = "there is no tablebase in the data directory; `make solve` makes one"


@functools.cache
def small_table() -> npt.NDArray[np.uint8]:
    """The array of all layers with the small ones solved, and the others as if they held no position."""
    table = empty_table()
    with workers() as team:
        for pair in pairs()[:2]:
            assert set(pair) <= set(SMALL)
            solve_pair(table, pair, team, lambda done, note: None)
    for layer in set(LAYERS) - set(SMALL):
        table[layer.slice] = 255
    table.flags.writeable = False
    return table


def small_tablebase() -> Tablebase:
    """Knows positions of 8 and 9 beads only."""
    return Tablebase(Path("nowhere"), [small_table()[layer.slice] for layer in LAYERS])


@functools.cache
def _find() -> Tablebase | None:
    return Tablebase.find()


def require_tablebase() -> Tablebase:
    """The tablebase in the user's data directory; the test is skipped where there is none."""
    tablebase = _find()
    if tablebase is None:
        pytest.skip(_REASON)
    return tablebase
