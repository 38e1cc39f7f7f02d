"""The rules as compiled functions of integers and flat arrays. Everything that plays or searches goes through these.

A board is two masks of 21 bits, `own` (the side to move) and `opp`. `quiet` counts the plies since the last move that
removed a bead. Values are always from the side to move: WIN means that the player whose turn it is has won.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from alphadiamond.base.compilation import lowest_bit, njit, popcount
from alphadiamond.base.random_kernels import random_below
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.games.diamond_chase.board import (
    ACTION_IDS,
    ACTIONS,
    ADJACENT,
    ALL_NODES,
    NODES,
    SOURCES,
    SYMMETRIES,
    TARGETS,
)

Ints: TypeAlias = npt.NDArray[np.integer[Any]]

RULES_VERSION: Final = 1  # raised when a rule changes: what was learnt or solved under another is refused

MIN_BEADS: Final = 4  # with fewer a player has lost
MAX_BEADS: Final = 6
MAX_MOVES: Final = 24  # six beads with four neighbours each; more than any position has
QUIET_LIMIT: Final = 100  # plies without a capture that make a draw
REPETITION_LIMIT: Final = 3  # occurrences of a position that make a draw

BEADS: Final = 0
REPETITION: Final = 1
NO_CAPTURE: Final = 2

_CHUNK: Final = 7  # a mask is turned seven bits at a time


def _chunk_images() -> npt.NDArray[np.int64]:
    images = np.zeros((len(SYMMETRIES), NODES // _CHUNK, 1 << _CHUNK), dtype=np.int64)
    for symmetry, nodes in enumerate(SYMMETRIES):
        for chunk in range(NODES // _CHUNK):
            for bits in range(1 << _CHUNK):
                images[symmetry, chunk, bits] = sum(
                    1 << int(nodes[chunk * _CHUNK + bit]) for bit in range(_CHUNK) if bits >> bit & 1
                )
    return images


_IMAGES: Final = _chunk_images()  # [8, 3, 128]


# One position


@njit
def position_key(own: int, opp: int, side: int) -> int:
    """What repetition compares: the beads and the side to move (0 or 1)."""
    return np.int64(own) | np.int64(opp) << 21 | np.int64(side) << 42


@njit
def image_of(mask: int, symmetry: int) -> int:
    return (
        _IMAGES[symmetry, 0, mask & 127]
        | _IMAGES[symmetry, 1, mask >> 7 & 127]
        | _IMAGES[symmetry, 2, mask >> 14 & 127]
    )


@njit
def trapped(own: int, opp: int) -> int:
    """The mask of own beads with no empty neighbour and at least one opposing neighbour."""
    full = own | opp
    result = 0
    beads = own
    while beads:
        node = lowest_bit(beads)
        beads &= beads - 1
        around = ADJACENT[node]
        if around & ~full == 0 and around & opp != 0:
            result |= 1 << node
    return result


@njit
def apply(own: int, opp: int, source: int, target: int) -> tuple[int, int, int, int]:
    """Move a bead and resolve traps: (own, opp, captured, lost), all still from the mover's view.

    The opponent's trapped beads come off first, then the mover's on the board that leaves. In a stable position only
    beads next to the target can be affected; the moved bead itself cannot, since the node it came from is now empty.
    """
    own ^= (1 << source) | (1 << target)
    near = ADJACENT[target]
    captured = 0
    beads = opp & near
    full = own | opp
    while beads:
        node = lowest_bit(beads)
        beads &= beads - 1
        if ADJACENT[node] & ~full == 0:
            captured |= 1 << node
    opp ^= captured
    full ^= captured
    lost = 0
    beads = own & near
    while beads:
        node = lowest_bit(beads)
        beads &= beads - 1
        if ADJACENT[node] & ~full == 0 and ADJACENT[node] & opp != 0:
            lost |= 1 << node
    return own ^ lost, opp, captured, lost


@njit
def status(own: int, opp: int, quiet: int, occurrences: int) -> int:
    """WIN, DRAW, LOSS or ONGOING for the side to move.

    The opponent has just moved, and a mover's captures count first: so too few own beads are looked at before too few
    of the opponent's.
    """
    if popcount(own) < MIN_BEADS:
        return LOSS
    if popcount(opp) < MIN_BEADS:
        return WIN
    if occurrences >= REPETITION_LIMIT or quiet >= QUIET_LIMIT:
        return DRAW
    return ONGOING


@register_jitable  # no kernel of its own: numba cannot compile what calls a generator that came from the cache
def moves_of(own: int, opp: int) -> Iterator[tuple[int, int]]:
    """Source and target of each legal move, in order of action; for compiled code, and as fast as its loops written out
    where they are needed."""
    empty = ALL_NODES & ~(own | opp)
    beads = own
    while beads:
        source = lowest_bit(beads)
        beads &= beads - 1
        targets = ADJACENT[source] & empty
        while targets:
            yield source, lowest_bit(targets)
            targets &= targets - 1


@njit
def count_moves(own: int, opp: int) -> int:
    empty = ALL_NODES & ~(own | opp)
    total = 0
    while own:
        total += popcount(ADJACENT[lowest_bit(own)] & empty)
        own &= own - 1
    return total


@njit
def list_moves(own: int, opp: int, actions: Ints) -> int:
    """Write the legal actions, in order, into `actions` and return how many there are."""
    empty = ALL_NODES & ~(own | opp)
    count = 0
    while own:
        source = lowest_bit(own)
        own &= own - 1
        targets = ADJACENT[source] & empty
        while targets:
            actions[count] = ACTION_IDS[source, lowest_bit(targets)]
            targets &= targets - 1
            count += 1
    return count


@njit
def random_move(own: int, opp: int, stream: npt.NDArray[np.uint64]) -> int:
    """A legal action, each with the same chance; there must be one."""
    empty = ALL_NODES & ~(own | opp)
    skip = random_below(stream, count_moves(own, opp))
    while True:
        source = lowest_bit(own)
        own &= own - 1
        targets = ADJACENT[source] & empty
        here = popcount(targets)
        if skip < here:
            for _ in range(skip):
                targets &= targets - 1
            return ACTION_IDS[source, lowest_bit(targets)]
        skip -= here


@njit
def occurrences_of(key: int, keys: npt.NDArray[np.int64], count: int) -> int:
    """How often `key` is among the first `count` of `keys`."""
    found = 0
    for i in range(count):
        if keys[i] == key:
            found += 1
    return found


@njit
def random_playout(
    own: int, opp: int, quiet: int, keys: npt.NDArray[np.int64], known: int, stream: npt.NDArray[np.uint64]
) -> tuple[int, int, int]:
    """Play random moves to the end: (value for the side to move at the start, plies, reason).

    `keys` has room for 128 entries, the first `known` of which are the positions since the last capture, this one
    included.
    """
    plies = 0
    side = keys[known - 1] >> 42
    occurrences = occurrences_of(keys[known - 1], keys, known)
    while True:
        result = status(own, opp, quiet, occurrences)
        if result != ONGOING:
            value = -result if plies & 1 else result
            reason = BEADS if result != DRAW else (REPETITION if occurrences >= REPETITION_LIMIT else NO_CAPTURE)
            return value, plies, reason
        action = random_move(own, opp, stream)
        moved, other, captured, lost = apply(own, opp, SOURCES[action], TARGETS[action])
        own, opp = other, moved
        plies += 1
        if captured | lost:
            quiet = 0
            known = 0
        else:
            quiet += 1
        key = position_key(own, opp, side ^ (plies & 1))
        keys[known] = key
        known += 1
        # The side to move alternates, so only every second entry can be the same position.
        occurrences = 1
        for i in range(known - 3, -1, -2):
            if keys[i] == key:
                occurrences += 1


@njit
def count_sequences(own: int, opp: int, depth: int) -> int:
    """Move sequences of this length, none beyond a finished game; the draw rules are ignored."""
    if depth == 0:
        return 1
    if popcount(own) < MIN_BEADS or popcount(opp) < MIN_BEADS:
        return 0
    if depth == 1:
        return count_moves(own, opp)
    total = 0
    for source, target in moves_of(own, opp):
        moved, other, _, _ = apply(own, opp, source, target)
        total += count_sequences(other, moved, depth - 1)
    return total


# Many positions at once: `own`, `opp` and the like are integer arrays [B].


@njit
def legal_masks(own: Ints, opp: Ints) -> npt.NDArray[np.bool_]:
    """[B, 72] which actions each side to move may play."""
    legal = np.empty((len(own), ACTIONS), dtype=np.bool_)
    for b in range(len(own)):
        mine = np.int64(own[b])
        empty = ALL_NODES & ~(mine | np.int64(opp[b]))
        for action in range(ACTIONS):
            legal[b, action] = (mine >> SOURCES[action] & empty >> TARGETS[action] & 1) != 0
    return legal


@njit
def apply_batch(
    own: Ints, opp: Ints, actions: Ints
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """`apply` for each position: (own, opp, captured, lost), each [B], from the mover's view."""
    results = np.empty((4, len(own)), dtype=np.int32)
    for b in range(len(own)):
        action = actions[b]
        after = apply(np.int64(own[b]), np.int64(opp[b]), SOURCES[action], TARGETS[action])
        for field in range(4):
            results[field, b] = after[field]
    return results[0], results[1], results[2], results[3]


@njit
def status_batch(own: Ints, opp: Ints, quiet: Ints, occurrences: Ints) -> npt.NDArray[np.int8]:
    """`status` for each position, [B]."""
    result = np.empty(len(own), dtype=np.int8)
    for b in range(len(own)):
        result[b] = status(np.int64(own[b]), np.int64(opp[b]), quiet[b], occurrences[b])
    return result


@njit
def random_playouts(
    own: Ints, opp: Ints, quiet: Ints, stream: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32], npt.NDArray[np.int8]]:
    """`random_playout` from each position, without earlier history: (values, plies, reasons), each [B]."""
    values = np.empty(len(own), dtype=np.int8)
    plies = np.empty(len(own), dtype=np.int32)
    reasons = np.empty(len(own), dtype=np.int8)
    keys = np.empty(128, dtype=np.int64)
    for b in range(len(own)):
        keys[0] = position_key(own[b], opp[b], 0)
        result = random_playout(np.int64(own[b]), np.int64(opp[b]), np.int64(quiet[b]), keys, 1, stream)
        values[b], plies[b], reasons[b] = result
    return values, plies, reasons


@njit
def turn_states(states: npt.NDArray[np.int64], symmetries: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[B, 4] the same positions on a turned or mirrored board."""
    turned = states.copy()
    for b in range(len(states)):
        turned[b, 0] = image_of(np.int64(states[b, 0]), symmetries[b])
        turned[b, 1] = image_of(np.int64(states[b, 1]), symmetries[b])
    return turned
