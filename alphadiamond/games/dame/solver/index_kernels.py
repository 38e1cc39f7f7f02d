"""A number for every position in which both sides have men and none stands on its far rank.

The men of the side to move are one of 9,948 rows: 1 to 6 men on the 15 squares below its far rank. In a row come the
placements of the opponent's 1 to 6 men on the squares of its own 15 that are left, in the order of their masks once the
taken squares are cut out. Masks are as the side to move sees the board, so that white's and black's turns share an
entry.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.games.dame.board import A_RANK, FAR_RANK, FIRST_RANK, MEN, SQUARES

_PLACES: Final = SQUARES - A_RANK
_MEN: Final = np.bitwise_count(np.arange(1 << _PLACES))

MASKS: Final[npt.NDArray[np.int64]] = np.flatnonzero((_MEN >= 1) & (_MEN <= MEN))
"""[R] 1 to 6 men on 15 squares, in order: the rows; and below 2**n those that fit n squares."""
ROWS: Final = len(MASKS)

_RANKS: Final[npt.NDArray[np.int64]] = np.cumsum((_MEN >= 1) & (_MEN <= MEN)) - 1
"""[2**15] the number of a mask among MASKS."""
_FREE: Final[npt.NDArray[np.int64]] = _PLACES - np.bitwise_count(MASKS & ~FIRST_RANK).astype(np.int64)
"""[R] how many of the opponent's squares the row leaves."""
SIZES: Final[npt.NDArray[np.int64]] = np.searchsorted(MASKS, 1 << _FREE)
"""[R] the entries of each row."""
BASES: Final[npt.NDArray[np.int64]] = np.concatenate([[0], np.cumsum(SIZES)])
"""[R + 1] where each row begins."""
ENTRIES: Final = int(BASES[-1])


@njit
def is_indexed(own: int, opp: int) -> bool:
    """Whether a position has an entry: it has not ended by men or by the far rank."""
    return own != 0 and opp != 0 and (own & FAR_RANK) == 0 and (opp & FIRST_RANK) == 0


@njit
def index_of(own: int, opp: int) -> int:
    """The entry of a position that has one."""
    placed = opp >> A_RANK
    taken = own >> A_RANK
    cut = 0
    for square in range(SQUARES - 2 * A_RANK):  # no own man stands higher
        if taken >> square & 1:
            low = (1 << square - cut) - 1
            placed = placed & low | placed >> 1 & ~low
            cut += 1
    index: int = BASES[_RANKS[own]] + _RANKS[placed]
    return index


@njit
def opponent_at(own: int, number: int) -> int:
    """The opponent's men of an entry of the row of `own`."""
    placed: int = MASKS[number]
    taken = own >> A_RANK
    for square in range(SQUARES - 2 * A_RANK):
        if taken >> square & 1:
            low = (1 << square) - 1
            placed = placed & low | (placed & ~low) << 1
    return placed << A_RANK
