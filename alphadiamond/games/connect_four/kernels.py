"""The rules on masks, for compiled code: see `board` for the bits."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.base.random_kernels import random_below
from alphadiamond.games.connect_four.board import BOARD, BOTTOM, COLUMNS, ROWS, STRIDE

RULES_VERSION: Final = 1

FOUR: Final = 100
THREE: Final = 5
TWO: Final = 2
THEIR_THREE: Final = -4
"""What a window of four cells is worth: four own, three own and one empty, two own and two empty, three of the opponent
and one empty."""


@njit
def line_starts(mask: int, step: int) -> int:
    """The first cells of lines of four in one direction."""
    pairs = mask & mask >> step
    return pairs & pairs >> 2 * step


@njit
def has_four(mask: int) -> bool:
    return (
        line_starts(mask, 1) | line_starts(mask, STRIDE) | line_starts(mask, STRIDE - 1) | line_starts(mask, STRIDE + 1)
    ) != 0


@njit
def fours(mask: int) -> int:
    """Every cell of a mask that belongs to a line of four."""
    cells = np.int64(0)
    for step in (1, STRIDE, STRIDE - 1, STRIDE + 1):
        starts = line_starts(mask, step)
        cells |= starts | starts << step | starts << 2 * step | starts << 3 * step
    return cells


@njit
def playable(occupied: int) -> int:
    """The cells that a disc can fall to."""
    return (occupied + BOTTOM) & BOARD


@njit
def column_mask(column: int) -> int:
    return np.int64((1 << ROWS) - 1) << column * STRIDE


@njit
def winning_columns(own: int, opp: int) -> int:
    """The columns, a bit each, where a disc of the first side wins at once."""
    columns = 0
    for column in range(COLUMNS):
        disc = playable(own | opp) & column_mask(column)
        if disc and has_four(own | disc):
            columns |= 1 << column
    return columns


@njit
def mirrored(mask: int) -> int:
    """The mask seen from behind: column c becomes 8 - c."""
    image = np.int64(0)
    for column in range(COLUMNS):
        image |= (mask >> column * STRIDE & ((1 << STRIDE) - 1)) << (COLUMNS - 1 - column) * STRIDE
    return image


@njit
def line_score(own: int, opp: int, step: int) -> int:
    """The windows of one direction, all at once: bit by bit it is counted how many discs of each side a window has."""
    fits = line_starts(BOARD, step)
    total = 0
    for side in range(2):
        one, other = (own, opp) if side == 0 else (opp, own)
        pair, pair_both = one ^ one >> step, one & one >> step
        rest, rest_both = pair >> 2 * step, pair_both >> 2 * step
        odd, carry = pair ^ rest, pair & rest
        twos = pair_both ^ rest_both ^ carry
        blocked = other | other >> step
        free = fits & ~(blocked | blocked >> 2 * step)
        three = popcount(odd & twos & free)
        if side == 0:
            four = pair_both & rest_both & fits
            total += FOUR * popcount(four) + THREE * three + TWO * popcount(twos & ~odd & free)
        else:
            total += THEIR_THREE * three
    return total


@njit
def window_score(own: int, opp: int) -> int:
    """The sum over all 69 windows of four cells in rows, columns and diagonals."""
    return (
        line_score(own, opp, 1)
        + line_score(own, opp, STRIDE)
        + line_score(own, opp, STRIDE - 1)
        + line_score(own, opp, STRIDE + 1)
    )


@njit
def mirror_states(states: npt.NDArray[np.int64], symmetries: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[B, S] each state as it is (symmetry 0) or mirrored (1)."""
    images = states.copy()
    for b in range(len(states)):
        if symmetries[b]:
            images[b, 0], images[b, 1] = mirrored(states[b, 0]), mirrored(states[b, 1])
    return images


@njit
def states_of_keys(keys: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[B, 3] the states of position keys: a column of height h has a number from 2^h - 1 to 2^(h + 1) - 2."""
    states = np.empty((len(keys), 3), dtype=np.int64)
    for b in range(len(keys)):
        own = full = np.int64(0)
        for column in range(COLUMNS):
            number = (keys[b] >> column * STRIDE & ((1 << STRIDE) - 1)) + 1
            height = 0
            while number >> (height + 1):
                height += 1
            own |= (number - (1 << height)) << column * STRIDE
            full |= ((1 << height) - 1) << column * STRIDE
        states[b, 0], states[b, 1], states[b, 2] = own, full ^ own, 1
    return states


@njit
def random_walk(stream: npt.NDArray[np.uint64], plies: int) -> tuple[int, int, bool]:
    """Masks of both sides after random moves from the start, the side to move first, and whether the game goes on."""
    own = opp = np.int64(0)
    for _ in range(plies):
        free = playable(own | opp)
        if free == 0 or has_four(opp):
            return own, opp, False
        for _ in range(random_below(stream, popcount(free))):
            free &= free - 1
        own, opp = opp, own | free & -free
    return own, opp, not has_four(opp) and own | opp != BOARD
