"""Principal variations, compiled: the lines that a search expects, read while its trees grow."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.search.trees import Trees


@njit
def variation(trees: Trees, g: int, edge: int, actions: npt.NDArray[np.int16]) -> int:
    """Put the most visited line that begins with a root edge into `actions`, as far as they go; returns its length."""
    actions[0] = trees.action[g, 0, edge]
    length = 1
    n = trees.edge[g, 0, edge].child
    while n >= 0 and length < len(actions):
        best, most = -1, 0
        for e in range(trees.node[g, n].opened):
            visits = trees.edge[g, n, e].visits
            if visits > most:
                best, most = e, visits
        if best < 0:
            break
        actions[length] = trees.action[g, n, best]
        length += 1
        n = trees.edge[g, n, best].child
    return length


@njit
def variations(
    trees: Trees, games: npt.NDArray[np.int32], limit: int
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
    """[B, M, limit] the line behind every root edge, and [B, M] how long it is; 0 where there is no such edge."""
    moves = trees.logit.shape[1]
    actions = np.zeros((len(games), moves, limit), dtype=np.int16)
    lengths = np.zeros((len(games), moves), dtype=np.int32)
    for i in range(len(games)):
        for e in range(trees.node[games[i], 0].moves):
            lengths[i, e] = variation(trees, games[i], e, actions[i, e])
    return actions, lengths
