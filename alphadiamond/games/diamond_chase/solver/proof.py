"""Proving a tablebase: every entry agrees with those it can move to.

That is a proof and no sample. By induction over the distance every win and loss is right with its distance; and in a
drawn entry the side to move always has a move to a drawn entry and none to a loss of the opponent, so neither side can
be beaten from there.
"""

import numpy as np
import numpy.typing as npt

from alphadiamond.console import progress
from alphadiamond.games.diamond_chase.solver import kernels
from alphadiamond.games.diamond_chase.solver.index_kernels import position_at
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, Layer, TablebaseError
from alphadiamond.games.diamond_chase.solver.retrograde import chunks_of, workers


def prove(table: npt.NDArray[np.uint8], layers: tuple[Layer, ...] = LAYERS, *, threads: int = 0) -> int:
    """Check every entry of these layers, and return how many there are; the first that is wrong is an error."""
    checked = 0

    def check(*chunk: int) -> int:
        return kernels.first_disagreement(table, *chunk)

    with workers(threads) as team:
        for layer in layers:
            done = 0
            with progress(f"proving layer {layer.name}", layer.entries) as update:
                for chunk, wrong in team.run(check, chunks_of([layer])):
                    if wrong >= 0:
                        own, opp = position_at(layer.own, layer.opp, wrong)
                        raise TablebaseError(
                            f"layer {layer.name}, entry {wrong} (own {own}, opp {opp}): "
                            f"{table[layer.base + wrong]} does not agree with its successors; solve it again"
                        )
                    done += chunk[3] - chunk[2]
                    update(done, "")
            checked += layer.entries
    return checked
