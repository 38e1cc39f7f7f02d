"""Positions in one maze as numbers: what can change there fits into 64 bits.

bits  0 to  6   the cell of runner a
bits  7 to 13   the cell of runner b
bits 14 to 19   the plies left
bits 20 to 31   what a has paid, plus 256 (power-ups pay back)
bits 32 to 43   what b has paid, plus 256
bits 44 and up  which of the maze's power-ups are still there
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.labyrinth.board import LOW
from alphadiamond.games.labyrinth.rules import PLIES_LEFT, POWER, RUNNERS, TOTALS

_OPEN: Final = slice(0, 4)  # open cells and traps, which stay
_PAID: Final = 256
_FIELDS: Final = ((RUNNERS, 0, 7, 0), (RUNNERS + 1, 7, 7, 0), (PLIES_LEFT, 14, 6, 0))
_TOTAL_FIELDS: Final = ((TOTALS, 20, 12, _PAID), (TOTALS + 1, 32, 12, _PAID))
_FIRST_POWER_UP: Final = 44
_MOST_POWER_UPS: Final = 20


def pack(states: npt.NDArray[np.int64], board: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """[B] states of games that go on in the maze of a state, or began there, as numbers."""
    if (states[:, _OPEN] != board[_OPEN]).any():
        raise AlphaDiamondError("positions in another maze: one set of positions is of one maze")
    numbers = np.zeros(len(states), dtype=np.int64)
    for column, shift, bits, offset in _FIELDS + _TOTAL_FIELDS:
        value = states[:, column] + offset
        if ((value < 0) | (value >= 1 << bits)).any():
            raise AlphaDiamondError("a position of the Labyrinth does not fit into a number of 64 bits")
        numbers |= value << shift
    for place, (column, bit) in enumerate(_power_ups(board)):
        numbers |= (states[:, column] >> bit & 1) << (_FIRST_POWER_UP + place)
    return numbers.view(np.uint64)


def unpack(numbers: npt.NDArray[np.uint64], board: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[B, S]"""
    packed = numbers.view(np.int64)
    states = np.tile(board, (len(packed), 1))
    for column, shift, bits, offset in _FIELDS + _TOTAL_FIELDS:
        states[:, column] = (packed >> shift & ((1 << bits) - 1)) - offset
    states[:, POWER : POWER + 2] = 0
    for place, (column, bit) in enumerate(_power_ups(board)):
        states[:, column] |= (packed >> (_FIRST_POWER_UP + place) & 1) << bit
    states[:, -1] = 1
    return states


def _power_ups(board: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """The column and bit of each power-up of a maze."""
    found = [(POWER + part, bit) for part in (0, 1) for bit in range(LOW) if int(board[POWER + part]) >> bit & 1]
    if len(found) > _MOST_POWER_UPS:
        raise AlphaDiamondError(f"{len(found)} power-ups: positions are numbered in mazes of up to {_MOST_POWER_UPS}")
    return found
