"""The tablebase as everything that plays and measures asks it: by states."""

import functools
from pathlib import Path

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import ILLEGAL, States
from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase
from alphadiamond.games.diamond_chase.solver.tablebase import default_directory


class TablebaseSolution:
    """Values of positions without history: the draw rules stand outside."""

    def __init__(self, tablebase: Tablebase) -> None:
        self.tablebase = tablebase

    def values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        values, distances = self.tablebase.probe_batch(*_masks(states))
        return values, distances.astype(np.int16)

    def action_values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        values, distances = self.tablebase.probe_actions(*_masks(states))
        legal = np.abs(values) <= 1
        return np.where(legal, values, ILLEGAL).astype(np.int8), distances.astype(np.int16)


def _masks(states: States) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    return np.ascontiguousarray(states[:, 0]), np.ascontiguousarray(states[:, 1])


def is_whole(directory: Path) -> bool:
    return all(layer.path(directory).is_file() for layer in LAYERS)


def load(directory: Path) -> TablebaseSolution:
    return TablebaseSolution(_load(directory))


@functools.cache
def _load(directory: Path) -> Tablebase:
    """One mapping of each directory, checked once, for everybody in a process."""
    return Tablebase.load(directory)


def find() -> TablebaseSolution | None:
    """The one in the user's data directory; None where it is not whole. Damaged files are an error."""
    directory = default_directory()
    return load(directory) if is_whole(directory) else None
