"""Games for the exam to take positions from: at random, by sides that win and block, or that look a few plies ahead."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import lowest_bit, njit, popcount
from alphadiamond.base.random_kernels import random_below, random_unit
from alphadiamond.base.results import WON
from alphadiamond.games.connect_four.board import BOARD, COLUMNS
from alphadiamond.games.connect_four.kernels import column_mask, has_four, playable, window_score, winning_columns


@njit
def look_ahead(own: int, opp: int, depth: int, mine: bool) -> int:
    """The score for the side to move of trying everything; windows are those of the side that looks ahead, which is to
    move if `mine`."""
    if has_four(opp):
        return -(WON + depth)
    if own | opp == BOARD:
        return 0
    if depth == 0:
        return window_score(own, opp) if mine else -window_score(opp, own)
    best = -2 * WON
    for column in range(COLUMNS):
        disc = playable(own | opp) & column_mask(column)
        if disc:
            best = max(best, -look_ahead(opp, own | disc, depth - 1, not mine))
    return best


@njit
def best_column(own: int, opp: int, depth: int, stream: npt.NDArray[np.uint64]) -> int:
    """A column of the highest score, any of them with the same chance."""
    none = depth < 0  # no constant: a second version would be compiled for its type, and two that call each other crash
    scores = np.full(COLUMNS, -2 * WON)
    for column in range(COLUMNS):
        disc = playable(own | opp) & column_mask(column)
        if disc:
            scores[column] = -look_ahead(opp, own | disc, depth - 1, none)
    best, count, chosen = scores.max(), 0, 0
    for column in range(COLUMNS):
        if scores[column] == best:
            count += 1
            if random_below(stream, count) == 0:
                chosen = column
    return chosen


@njit
def random_column(own: int, opp: int, stream: npt.NDArray[np.uint64]) -> int:
    free = playable(own | opp)
    pick = random_below(stream, popcount(free))
    for column in range(COLUMNS):
        if free & column_mask(column):
            if pick == 0:
                return column
            pick -= 1
    return -1


@njit
def careful_column(own: int, opp: int, stream: npt.NDArray[np.uint64]) -> int:
    """Wins at once if it can, else blocks a win at once, else any column."""
    columns = winning_columns(own, opp)
    if columns == 0:
        columns = winning_columns(opp, own)
    return lowest_bit(columns) if columns else random_column(own, opp, stream)


@njit
def play_game(
    depths: npt.NDArray[np.int64],
    noise: float,
    opening: int,
    stream: npt.NDArray[np.uint64],
    positions: npt.NDArray[np.int64],
) -> int:
    """Play a game and write own and opponent's discs before each move to `positions` [42, 2]; returns how many.

    Each side looks its depth ahead; 0 is one that wins and blocks at once, -1 plays at random. The first `opening`
    plies are random, and so is a share `noise` of all others.
    """
    own = opp = 0
    ply = 0
    while not has_four(opp) and own | opp != BOARD:
        positions[ply, 0], positions[ply, 1] = own, opp
        depth = depths[ply & 1]
        if ply < opening or depth < 0 or random_unit(stream) < noise:
            column = random_column(own, opp, stream)
        elif depth == 0:
            column = careful_column(own, opp, stream)
        else:
            column = best_column(own, opp, depth, stream)
        own, opp = opp, own | playable(own | opp) & column_mask(column)
        ply += 1
    return ply
