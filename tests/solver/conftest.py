"""The small layers, solved once for the whole run."""

import numpy as np
import numpy.typing as npt
import pytest

from tests import solutions


@pytest.fixture(scope="session")
def small_table() -> npt.NDArray[np.uint8]:
    """The array of all layers with those of 8 and 9 beads solved; it cannot be written to."""
    return solutions.small_table()
