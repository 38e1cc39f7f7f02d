"""The document's minimax: alpha-beta to a fixed depth, its leaves scored by windows of four."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import lowest_bit, njit, popcount
from alphadiamond.base.random_kernels import random_below, random_unit
from alphadiamond.games.connect_four.board import BOARD, COLUMNS
from alphadiamond.games.connect_four.kernels import column_mask, has_four, playable, window_score

WON: Final = 1_000_000
"""The score of a win at the horizon; each ply earlier adds one."""
BEYOND: Final = 1 << 40
"""More than any score."""
NOT_LEGAL: Final = -BEYOND


@njit
def _leaf(own: int, opp: int, depth: int, searcher_moves: bool) -> int:
    """The score where the search ends, for the side to move; BEYOND where it goes on.

    Windows are those of the searching side, which counts threes of its own for more than those against it.
    """
    if has_four(opp):
        return -(WON + depth)
    if own | opp == BOARD:
        return 0
    if depth == 0:
        return window_score(own, opp) if searcher_moves else -window_score(opp, own)
    return BEYOND


@njit
def _search(own: int, opp: int, depth: int, searcher_moves: bool) -> int:
    """The score for the side to move; a loop over a stack, since a function that calls itself cannot be kept on disk
    (loaded from there it crashes)."""
    score = _leaf(own, opp, depth, searcher_moves)
    if score != BEYOND:
        return score
    stack = np.empty((depth + 1, 6), dtype=np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4], stack[0, 5] = own, opp, -BEYOND, BEYOND, -BEYOND, 0
    ply = 0
    while True:
        own, opp, alpha, beta, best, turn = stack[ply]
        if turn < COLUMNS and best < beta:
            stack[ply, 5] = turn + 1
            column = COLUMNS // 2 + (turn + 1) // 2 * (1 if turn & 1 else -1)  # the middle first
            disc = playable(own | opp) & column_mask(column)
            if disc == 0:
                continue
            searching = searcher_moves == (ply & 1 == 1)
            score = _leaf(opp, own | disc, depth - ply - 1, searching)
            if score != BEYOND:
                stack[ply, 4] = max(best, -score)
                continue
            ply += 1
            stack[ply, 0], stack[ply, 1], stack[ply, 2], stack[ply, 3] = opp, own | disc, -beta, -max(alpha, best)
            stack[ply, 4], stack[ply, 5] = -BEYOND, 0
            continue
        if ply == 0:
            return int(best)
        ply -= 1
        stack[ply, 4] = max(stack[ply, 4], -best)


@njit
def action_scores(own: int, opp: int, depth: int, scores: npt.NDArray[np.int64]) -> None:
    """[7] what looking `depth` plies ahead makes of each column, NOT_LEGAL where it is full."""
    for column in range(COLUMNS):
        disc = playable(own | opp) & column_mask(column)
        scores[column] = NOT_LEGAL
        if disc:
            scores[column] = -_search(opp, own | disc, depth - 1, False)


@njit
def best_action(own: int, opp: int, depth: int, scores: npt.NDArray[np.int64], stream: npt.NDArray[np.uint64]) -> int:
    """A column of the highest score, any of them with the same chance."""
    action_scores(own, opp, depth, scores)
    best, count, chosen = scores.max(), 0, 0
    for column in range(COLUMNS):
        if scores[column] == best:
            count += 1
            if random_below(stream, count) == 0:
                chosen = column
    return chosen


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
    scores = np.empty(COLUMNS, dtype=np.int64)
    ply = 0
    while not has_four(opp) and own | opp != BOARD:
        positions[ply, 0], positions[ply, 1] = own, opp
        depth = depths[ply & 1]
        if ply < opening or depth < 0 or random_unit(stream) < noise:
            column = random_column(own, opp, stream)
        elif depth == 0:
            column = careful_column(own, opp, stream)
        else:
            column = best_action(own, opp, depth, scores, stream)
        own, opp = opp, own | playable(own | opp) & column_mask(column)
        ply += 1
    return ply
