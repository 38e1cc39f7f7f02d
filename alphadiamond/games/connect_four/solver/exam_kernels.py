"""Who wins after every move of a position."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.games.connect_four.board import BOARD, COLUMNS
from alphadiamond.games.connect_four.kernels import column_mask, has_four, playable
from alphadiamond.games.connect_four.solver.kernels import UNKNOWN, Stack, Table, sign_of


@njit
def move_signs(own: int, opp: int, signs: npt.NDArray[np.int8], stack: Stack, table: Table) -> None:
    """[7] 1, 0 or -1 for the side that plays each column, UNKNOWN where it is full."""
    for column in range(COLUMNS):
        disc = playable(own | opp) & column_mask(column)
        if disc == 0:
            signs[column] = UNKNOWN
        elif has_four(own | disc):
            signs[column] = 1
        elif own | opp | disc == BOARD:
            signs[column] = 0
        else:
            signs[column] = -sign_of(opp, own | opp | disc, stack, table)
