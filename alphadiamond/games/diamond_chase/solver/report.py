"""What else the solution tells: how often a random move goes wrong."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.solver.report import Stakes
from alphadiamond.base.threads import ThreadPool
from alphadiamond.games.diamond_chase.solver import kernels
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, Layer


def stakes(
    table: npt.NDArray[np.uint8], layers: tuple[Layer, ...] = LAYERS, *, threads: int = 0
) -> dict[tuple[Layer, int], Stakes]:
    """By layer and value (1 won, 0 drawn), over all placements; in a lost position no move is wrong."""
    found = {}
    with ThreadPool(threads) as pool:
        for layer in layers:
            counts = _counts(table, layer, pool)
            for value in (1, 0):
                found[layer, value] = Stakes.of(*counts[value])
    return found


def _counts(table: npt.NDArray[np.uint8], layer: Layer, pool: ThreadPool) -> npt.NDArray[np.float64]:
    def count(*chunk: int) -> npt.NDArray[np.float64]:
        return kernels.count_stakes(table, *chunk)

    step = -(-layer.classes // 64)
    starts = range(0, layer.classes, step)
    chunks = [(layer.own, layer.opp, start, min(start + step, layer.classes)) for start in starts]
    counts = np.zeros((2, 4))
    for _, part in pool.run(count, chunks, title=f"stakes in {layer.name}"):
        counts += part
    return counts
