"""The solver of Connect Four: how long one position takes by search alone, with an empty table.

Positions come from random play. Times are of the processor, so that other work on the machine counts little.
"""

import time

import numpy as np
import numpy.typing as npt

from alphadiamond.games.connect_four.game import GAME
from alphadiamond.games.connect_four.solver import Book, Solver
from benchmarks.rates import Row

DISCS = range(13, 21)
_POSITIONS = 40
"""Positions of each number of discs in one repeat."""


def measure(*, repeats: int, seed: int) -> list[Row]:
    _milliseconds(34, 1, seed)  # compiles
    rows = []
    for discs in DISCS:
        took = _milliseconds(discs, repeats * _POSITIONS, seed)
        figures = {
            "median": np.median(took),
            "mean": took.mean(),
            "99th percentile": np.quantile(took, 0.99),
            "longest": took.max(),
        }
        rows += [Row(f"{discs} discs, {name} of {len(took)}", float(value), "ms") for name, value in figures.items()]
    return rows


def _milliseconds(discs: int, positions: int, seed: int) -> npt.NDArray[np.float64]:
    """What each position took."""
    rng = np.random.default_rng([seed, discs])
    solver = Solver(Book.empty())
    found = []
    for _ in range(positions):
        own, opp, _ = (int(part) for part in GAME.opening(rng, discs))
        solver.clear()
        started = time.process_time()
        solver.score(own, own | opp)
        found.append(1000 * (time.process_time() - started))
    return np.array(found)
