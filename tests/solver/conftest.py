"""The small layers, solved once for the whole run."""

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.solver.layer_file import LAYERS, Layer
from alphadiamond.solver.retrograde import empty_table, pairs, solve_pair, workers

SMALL: tuple[Layer, ...] = (Layer(4, 4), Layer(5, 4), Layer(4, 5))


@pytest.fixture(scope="session")
def small_table() -> npt.NDArray[np.uint8]:
    """The array of all layers with those of 8 and 9 beads solved; it cannot be written to."""
    table = empty_table()
    with workers() as team:
        for pair in pairs()[:2]:
            solve_pair(table, pair, team, lambda done, note: None)
    table.flags.writeable = False
    assert {layer for pair in pairs()[:2] for layer in pair} == set(SMALL) < set(LAYERS)
    return table
