"""Proving a tablebase: every entry agrees with those it can move to.

That is a proof and no sample. By induction over the distance every win and loss is right with its distance; and in a
drawn entry the side to move always has a move to a drawn entry and none to a loss of the opponent, so neither side can
be beaten from there.
"""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.solver.table_file import TablebaseError
from alphadiamond.base.threads import ThreadPool
from alphadiamond.games.diamond_chase.solver import kernels
from alphadiamond.games.diamond_chase.solver.index_kernels import position_at
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, Layer
from alphadiamond.games.diamond_chase.solver.retrograde import chunks_of


def prove(table: npt.NDArray[np.uint8], layers: tuple[Layer, ...] = LAYERS, *, threads: int = 0) -> int:
    """Check every entry of these layers, and return how many there are; the first that is wrong is an error."""

    def check(*chunk: int) -> int:
        return kernels.first_disagreement(table, *chunk)

    with ThreadPool(threads) as pool:
        for layer in layers:
            for _, wrong in pool.run(check, chunks_of([layer]), title=f"proving layer {layer.name}"):
                if wrong >= 0:
                    own, opp = position_at(layer.own, layer.opp, wrong)
                    raise TablebaseError(
                        f"layer {layer.name}, entry {wrong} (own {own}, opp {opp}): "
                        f"{table[layer.base + wrong]} does not agree with its successors",
                        "solve it again with resume=false",
                    )
    return sum(layer.entries for layer in layers)
