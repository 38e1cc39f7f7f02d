"""Looking many positions up at once."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.games.diamond_chase.board import ACTION_IDS
from alphadiamond.games.diamond_chase.kernels import MIN_BEADS, Ints, apply, count_moves, image_of, moves_of
from alphadiamond.games.diamond_chase.solver.index_kernels import CLASS_KEPT, FIRST_CLASS, class_index, position_at
from alphadiamond.games.diamond_chase.solver.kernels import DRAWN, LOST, UNSTABLE


@njit
def gather(
    entries: npt.NDArray[np.uint8],
    layers: npt.NDArray[np.int8],
    indices: npt.NDArray[np.int64],
    number: int,
    codes: npt.NDArray[np.uint8],
) -> None:
    """Fill in the codes of the positions in one layer."""
    for i in range(len(layers)):
        if layers[i] == number:
            codes[i] = entries[indices[i]]


@njit
def results(
    own: Ints, opp: Ints, codes: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16], int]:
    """(values, distances, the first index that is no position or -1)."""
    values = np.zeros(len(codes), dtype=np.int8)
    distances = np.zeros(len(codes), dtype=np.int16)
    wrong = -1
    for i in range(len(codes)):
        mine, theirs = np.int64(own[i]), np.int64(opp[i])
        code = np.int64(codes[i])
        if popcount(mine) < MIN_BEADS:  # the player who has just moved took them, and captures count first
            values[i] = -1
        elif popcount(theirs) < MIN_BEADS:
            values[i] = 1
        elif code == UNSTABLE:
            if wrong < 0:
                wrong = i
        elif code > LOST:
            values[i] = -1
            distances[i] = code - LOST
        elif code != DRAWN:
            values[i] = 1
            distances[i] = code
    return values, distances, wrong


@njit
def successors(
    own: Ints, opp: Ints
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """(row, action, own, opp), each [M], of all legal moves of all rows; masks from the side that is then to move."""
    total = 0
    for i in range(len(own)):
        total += count_moves(np.int64(own[i]), np.int64(opp[i]))
    rows = np.empty(total, dtype=np.int64)
    actions = np.empty(total, dtype=np.int64)
    next_own = np.empty(total, dtype=np.int32)
    next_opp = np.empty(total, dtype=np.int32)
    count = 0
    for i in range(len(own)):
        mine, theirs = np.int64(own[i]), np.int64(opp[i])
        for source, target in moves_of(mine, theirs):
            moved, other, _, _ = apply(mine, theirs, source, target)
            rows[count] = i
            actions[count] = ACTION_IDS[source, target]
            next_own[count] = other
            next_opp[count] = moved
            count += 1
    return rows, actions, next_own, next_opp


@njit
def positions_between(codes: npt.NDArray[np.uint8], a: int, b: int, start: int, stop: int) -> npt.NDArray[np.int64]:
    """[B, 2] (own, opp) of the entries of one layer from `start` to `stop` that are positions; of those that are images
    of each other, which only a class that is its own image holds, the one with the least mask."""
    found = np.empty((stop - start, 2), dtype=np.int64)
    count = 0
    for index in range(start, stop):
        if codes[index] == UNSTABLE:
            continue
        own, opp = position_at(a, b, index)
        kept = np.int64(CLASS_KEPT[FIRST_CLASS[a - MIN_BEADS] + class_index(own)[0]])
        least = True
        for symmetry in range(1, 8):
            if kept >> symmetry & 1 and image_of(opp, symmetry) < opp:
                least = False
        if least:
            found[count, 0], found[count, 1] = own, opp
            count += 1
    return found[:count]
