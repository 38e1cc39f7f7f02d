"""The solution for tests: solved once for the whole suite, whatever the person who runs it has on disk.

The small layers take seconds, and most tests make do with them: no move leads out of them but into the end of the game.
The whole takes a minute or two, and only slow tests ask for it. Test processes share what one of them has solved.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from filelock import FileLock

from alphadiamond.base.threads import ThreadPool
from alphadiamond.games.diamond_chase import Position, Side
from alphadiamond.games.diamond_chase.solver import LAYERS, Layer, Tablebase, index_kernels, kernels
from alphadiamond.games.diamond_chase.solver.retrograde import empty_table, pairs, solve, solve_pair
from tests.games.diamond_chase.samples import random_masks

Table = npt.NDArray[np.uint8]

SMALL = (Layer(4, 4), Layer(5, 4), Layer(4, 5))


def shared_directory(factory: pytest.TempPathFactory) -> Path:
    """One directory for all processes of a run of the suite."""
    own = factory.getbasetemp()
    return own.parent if own.name.startswith("popen-") else own  # under xdist each process has its own below it


def made_once(path: Path, make: Callable[[Path], object]) -> Path:
    """Let the first process that comes here make `path`; the others wait until it is there."""
    with FileLock(path.with_suffix(".lock")):
        if not path.exists():
            make(path)
    return path


def small_table() -> Table:
    """The small layers solved, in an array with room for all."""
    table = empty_table()
    with ThreadPool() as pool:
        for pair in pairs()[:2]:
            assert set(pair) <= set(SMALL)
            solve_pair(table, pair, pool, lambda done, note: None)
    return table


def solve_small(path: Path) -> None:
    table = small_table()
    part = path.with_suffix(".part.npz")
    np.savez(part, **{layer.name: table[layer.slice] for layer in SMALL})  # type: ignore[arg-type]
    part.rename(path)


def read_small(path: Path) -> Table:
    """The array of all layers with the small ones solved, and the others as if they held no position."""
    table = np.full(index_kernels.TOTAL, kernels.UNSTABLE, dtype=np.uint8)
    with np.load(path) as file:
        for layer in SMALL:
            table[layer.slice] = file[layer.name]
    table.flags.writeable = False
    return table


def tablebase_of(table: Table) -> Tablebase:
    return Tablebase(Path("nowhere"), [table[layer.slice] for layer in LAYERS])


def solve_whole(path: Path) -> None:
    part = path.with_suffix(".part")
    solve(part)
    part.rename(path)


def small_position(rng: np.random.Generator) -> Position:
    """A position of the small layers, each layer as often as the others."""
    layer = SMALL[rng.integers(len(SMALL))]
    return Position(*random_masks(rng, layer.own, layer.opp), Side(int(rng.integers(2))))
