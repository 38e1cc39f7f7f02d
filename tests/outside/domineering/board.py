"""Cells are bits by rows from the top left:

     0  1  2  3  4
     5  6  7  8  9
    10 11 12 13 14
    15 16 17 18 19
    20 21 22 23 24

A domino covers two: the first half of the actions stand upright, by their upper cell, the second half lie, by their
left cell.
"""

from typing import Final

import numpy as np

from .size import SIZE

CELLS: Final = SIZE * SIZE
UPRIGHT: Final = [(cell, cell + SIZE) for cell in range(CELLS - SIZE)]
LYING: Final = [(cell, cell + 1) for cell in range(CELLS) if cell % SIZE < SIZE - 1]
DOMINOES: Final = np.array(UPRIGHT + LYING)
"""[A, 2] the cells that each action covers."""
HALF: Final = len(UPRIGHT)
MASKS: Final = (1 << DOMINOES).sum(axis=1)
"""[A] the same as bits."""
NAMES: Final = tuple(f"{'abcdefgh'[cell % SIZE]}{SIZE - cell // SIZE}" for cell in range(CELLS))


def _flips() -> np.ndarray:
    cells = np.arange(CELLS).reshape(SIZE, SIZE)
    return np.array([flipped.ravel() for flipped in (cells, cells[:, ::-1], cells[::-1], cells[::-1, ::-1])])


SYMMETRIES: Final = _flips()
"""[4, cells] an upright domino stays upright, so the board is flipped and never turned by a quarter."""
_NUMBER: Final = {tuple(cells): action for action, cells in enumerate(DOMINOES.tolist())}
ACTION_SYMMETRIES: Final = np.array([[_NUMBER[tuple(sorted(flip[d]))] for d in DOMINOES] for flip in SYMMETRIES])
"""[4, actions]."""
EDGES: Final = DOMINOES
