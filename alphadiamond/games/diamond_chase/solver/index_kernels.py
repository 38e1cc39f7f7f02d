"""Where a position stands in the tables: every placement has a number, which it shares with its turned and mirrored
images.

There is one layer for each count of own and opposing beads. In it the own mask comes first: only the smallest of its 8
images is kept, its class. Under each class come all placements of the opponent's beads on the nodes that are left,
numbered in order of their masks. So a layer is an array [classes, placements], and nearly an eighth of the size it
would have without symmetry: only a class that is its own image under some symmetry holds placements that are images of
each other, and those entries are equal.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.games.diamond_chase.board import ALL_NODES, NODES, SYMMETRIES
from alphadiamond.games.diamond_chase.kernels import MAX_BEADS, MIN_BEADS, Ints, image_of

COUNTS: Final = range(MIN_BEADS, MAX_BEADS + 1)

# The number of a mask among all masks with as many bits, smallest first, is the sum of choose(node, bits up to it). It
# is looked up in two parts, the high one by how many bits the low one has.
_LOW_BITS: Final = 11
_LOW: Final = (1 << _LOW_BITS) - 1


def _rank_tables() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    low = np.zeros(1 << _LOW_BITS, dtype=np.int32)
    high = np.zeros((_LOW_BITS + 1, 1 << NODES - _LOW_BITS), dtype=np.int32)
    for bits in range(len(low)):
        nodes = [node for node in range(_LOW_BITS) if bits >> node & 1]
        low[bits] = sum(math.comb(node, k + 1) for k, node in enumerate(nodes))
    for bits in range(high.shape[1]):
        nodes = [node + _LOW_BITS for node in range(NODES - _LOW_BITS) if bits >> node & 1]
        for before in range(len(high)):
            high[before, bits] = sum(math.comb(node, k + 1 + before) for k, node in enumerate(nodes))
    return low, high


_LOW_RANK, _HIGH_RANK = _rank_tables()


@njit
def rank_of(mask: int) -> int:
    """The number of a mask among those with as many bits, in order."""
    low = mask & _LOW
    return np.int64(_LOW_RANK[low]) + np.int64(_HIGH_RANK[popcount(low), mask >> _LOW_BITS])


# Squeezing a mask onto the nodes that another leaves free, and back, seven nodes at a time.


def _squeeze_tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    squeezed = np.zeros((128, 128), dtype=np.uint8)
    spread = np.zeros((128, 128), dtype=np.uint8)
    for taken in range(128):
        free = [node for node in range(7) if not taken >> node & 1]
        for bits in range(1 << len(free)):
            mask = sum(1 << node for k, node in enumerate(free) if bits >> k & 1)
            squeezed[taken, mask] = bits
            spread[taken, bits] = mask
    return squeezed, spread


_SQUEEZED, _SPREAD = _squeeze_tables()


@njit
def squeeze(mask: int, taken: int) -> int:
    """The bits of `mask` as if the nodes of `taken`, none of them its own, did not exist."""
    first, second = 7 - popcount(taken & 127), 7 - popcount(taken >> 7 & 127)
    return (
        np.int64(_SQUEEZED[taken & 127, mask & 127])
        | np.int64(_SQUEEZED[taken >> 7 & 127, mask >> 7 & 127]) << first
        | np.int64(_SQUEEZED[taken >> 14, mask >> 14]) << (first + second)
    )


@njit
def spread(bits: int, taken: int) -> int:
    """The mask that `squeeze` makes into `bits`."""
    first, second = 7 - popcount(taken & 127), 7 - popcount(taken >> 7 & 127)
    return (
        np.int64(_SPREAD[taken & 127, bits & ((1 << first) - 1)])
        | np.int64(_SPREAD[taken >> 7 & 127, bits >> first & ((1 << second) - 1)]) << 7
        | np.int64(_SPREAD[taken >> 14, bits >> (first + second)]) << 14
    )


# Classes of own masks


def _masks() -> npt.NDArray[np.int32]:
    every = np.arange(1 << NODES, dtype=np.int32)
    bits = np.bitwise_count(every)
    return np.concatenate([every[bits == count] for count in COUNTS])


MASKS: Final = _masks()
"""All masks of 4 beads in order, then those of 5, then those of 6."""
_FIRST_MASK: Final = np.cumsum([0, *(math.comb(NODES, count) for count in COUNTS)])[:-1]


def _smallest_images() -> tuple[npt.NDArray[np.int32], ...]:
    """For each of MASKS its smallest image, a symmetry that leads there, and those that keep the mask, as bits."""
    images = np.zeros((len(SYMMETRIES), len(MASKS)), dtype=np.int32)
    for node in range(NODES):
        bit = MASKS >> node & 1
        images |= bit << SYMMETRIES[:, node, None].astype(np.int32)
    symmetry = images.argmin(axis=0).astype(np.int32)
    kept = ((images == MASKS) << np.arange(len(SYMMETRIES), dtype=np.int32)[:, None]).sum(axis=0, dtype=np.int32)
    return images.min(axis=0), symmetry, kept


def _classes() -> tuple[npt.NDArray[np.int32], ...]:
    smallest, symmetry, kept = _smallest_images()
    representative = smallest == MASKS
    number = np.cumsum(representative, dtype=np.int32) - 1  # over all bead counts; made to start at 0 in each below
    first = np.zeros(len(COUNTS) + 1, dtype=np.int32)
    class_of = np.empty(len(MASKS), dtype=np.int32)
    bounds = [*_FIRST_MASK, len(MASKS)]
    for k in range(len(COUNTS)):
        here = slice(bounds[k], bounds[k + 1])
        first[k + 1] = first[k] + representative[here].sum()
        place = np.searchsorted(MASKS[here], smallest[here])
        class_of[here] = number[here][place] - first[k]
    return class_of * 8 + symmetry, MASKS[representative], kept[representative], first


_CLASS_OF, CLASS_MASKS, CLASS_KEPT, FIRST_CLASS = _classes()
"""For each mask, in the order of MASKS, its class times 8 plus a symmetry that leads there; for each class, by bead
count, its mask and the symmetries that keep it, as bits; and where the classes of each bead count begin."""


def classes(beads: int) -> int:
    """How many classes of own masks there are."""
    return int(FIRST_CLASS[beads - MIN_BEADS + 1] - FIRST_CLASS[beads - MIN_BEADS])


def placements(own: int, opp: int) -> int:
    """How many placements of the opponent's beads there are beside each own mask."""
    return math.comb(NODES - own, opp)


WIDTH: Final = np.array([[placements(own, opp) for opp in COUNTS] for own in COUNTS])
"""[3, 3] entries under a class, by own and opposing beads."""


def _bases() -> npt.NDArray[np.int64]:
    bases = np.zeros((len(COUNTS), len(COUNTS)), dtype=np.int64)
    total = 0
    for own in COUNTS:
        for opp in COUNTS:
            bases[own - MIN_BEADS, opp - MIN_BEADS] = total
            total += -(-classes(own) * placements(own, opp) // 8) * 8
    return bases


BASE: Final = _bases()
"""[3, 3] where each layer begins when all stand in one array; each begins at a multiple of 8, for reading by words."""
ENTRIES: Final = int(BASE[-1, -1]) + classes(MAX_BEADS) * placements(MAX_BEADS, MAX_BEADS)
TOTAL: Final = -(-ENTRIES // 8) * 8
"""How long the array of all layers is."""


@njit
def class_index(own: int) -> tuple[int, int]:
    """The class of an own mask, counted from 0 in each bead count, and a symmetry that leads to its mask."""
    found = _CLASS_OF[_FIRST_MASK[popcount(own) - MIN_BEADS] + rank_of(own)]
    return np.int64(found) >> 3, np.int64(found) & 7


@njit
def index_in_layer(own: int, opp: int) -> int:
    """The number of a position in the layer of its bead counts."""
    a, b = popcount(own) - MIN_BEADS, popcount(opp) - MIN_BEADS
    number, symmetry = class_index(own)
    mask = np.int64(CLASS_MASKS[FIRST_CLASS[a] + number])
    return number * WIDTH[a, b] + rank_of(squeeze(image_of(opp, symmetry), mask))


@njit
def index_of(own: int, opp: int) -> int:
    """The number of a position in the array of all layers."""
    return BASE[popcount(own) - MIN_BEADS, popcount(opp) - MIN_BEADS] + index_in_layer(own, opp)


@njit
def position_at(a: int, b: int, index: int) -> tuple[int, int]:
    """(own, opp) for a number in the layer of `a` own and `b` opposing beads."""
    width = WIDTH[a - MIN_BEADS, b - MIN_BEADS]
    own = np.int64(CLASS_MASKS[FIRST_CLASS[a - MIN_BEADS] + index // width])
    bits = np.int64(MASKS[_FIRST_MASK[b - MIN_BEADS] + index % width])
    return own, spread(bits, own)


# Many positions at once


@njit
def indices_in_layers(own: Ints, opp: Ints) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """For each position its layer, 3 * (own - 4) + opp - 4, and its number there; layer -1 where there is none."""
    layer = np.empty(len(own), dtype=np.int8)
    index = np.zeros(len(own), dtype=np.int64)
    for i in range(len(own)):
        mine, theirs = np.int64(own[i]), np.int64(opp[i])
        a, b = popcount(mine) - MIN_BEADS, popcount(theirs) - MIN_BEADS
        if a < 0 or b < 0 or a > 2 or b > 2 or mine & theirs or (mine | theirs) & ~ALL_NODES:
            layer[i] = -1
            continue
        layer[i] = 3 * a + b
        index[i] = index_in_layer(mine, theirs)
    return layer, index


@njit
def positions_in_layer(a: int, b: int, indices: Ints) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """(own, opp), each [B], for numbers in one layer."""
    own = np.empty(len(indices), dtype=np.int32)
    opp = np.empty(len(indices), dtype=np.int32)
    for i in range(len(indices)):
        own[i], opp[i] = position_at(a, b, indices[i])
    return own, opp
