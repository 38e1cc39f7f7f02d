"""Scores of many states, by the book where it has them and by search where it does not; and what a score means."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.games.connect_four.board import BOARD, COLUMNS, NODES
from alphadiamond.games.connect_four.kernels import column_mask, has_four, mirrored, playable
from alphadiamond.games.connect_four.solver.kernels import ENDLESS, HIGHEST, UNKNOWN, Stack, Table, solve

Keys: TypeAlias = npt.NDArray[np.int64]
Scores: TypeAlias = npt.NDArray[np.int8]


@njit
def book_key(own: int, mask: int) -> int:
    """Of a position and its mirror image the lower key."""
    return min(own + mask, mirrored(own) + mirrored(mask))


@njit
def book_score(own: int, mask: int, keys: Keys, scores: Scores, deepest: int) -> int:
    """What the book says, or UNKNOWN."""
    if popcount(mask) <= deepest:
        key = book_key(own, mask)
        at = np.searchsorted(keys, key)
        if at < len(keys) and keys[at] == key:
            return int(scores[at])
    return UNKNOWN


@njit
def score_of(own: int, mask: int, keys: Keys, scores: Scores, deepest: int, stack: Stack, table: Table) -> int:
    """The score of a position of a game that goes on; the book knows none with more than `deepest` discs."""
    known = book_score(own, mask, keys, scores, deepest)
    if known != UNKNOWN:
        return known
    return solve(own, mask, -HIGHEST, HIGHEST, stack, table, ENDLESS)[0]


@njit
def result_of(score: int, own: int, mask: int) -> tuple[int, int]:
    """(1, 0 or -1, plies to the end) by a score of the side to move."""
    if score > 0:
        return 1, 2 * (NODES // 2 + 1 - score - popcount(own)) - 1
    if score < 0:
        return -1, 2 * (NODES // 2 + 1 + score - popcount(own ^ mask))
    return 0, 0


@njit
def state_results(
    states: npt.NDArray[np.int64], keys: Keys, scores: Scores, deepest: int, stack: Stack, table: Table
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
    """(value [B], plies to the end [B]); a game that is over has 0 of them."""
    values = np.zeros(len(states), dtype=np.int8)
    distances = np.zeros(len(states), dtype=np.int16)
    for b in range(len(states)):
        own, mask = states[b, 0], states[b, 0] | states[b, 1]
        if has_four(states[b, 1]):
            values[b] = -1
        elif mask != BOARD:
            score = score_of(own, mask, keys, scores, deepest, stack, table)
            values[b], distances[b] = result_of(score, own, mask)
    return values, distances


@njit
def action_results(
    states: npt.NDArray[np.int64], illegal: int, keys: Keys, scores: Scores, deepest: int, stack: Stack, table: Table
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
    """The same after every action, for the side that plays it, [B, 7]; `illegal` where it cannot be played."""
    values = np.full((len(states), COLUMNS), illegal, dtype=np.int8)
    distances = np.zeros((len(states), COLUMNS), dtype=np.int16)
    for b in range(len(states)):
        own, opp = states[b, 0], states[b, 1]
        if has_four(opp):
            continue
        for column in range(COLUMNS):
            disc = playable(own | opp) & column_mask(column)
            if disc == 0:
                continue
            mask = own | opp | disc
            value, distance = 0, 0
            if has_four(own | disc):
                value = -1
            elif mask != BOARD:
                score = score_of(opp, mask, keys, scores, deepest, stack, table)
                value, distance = result_of(score, opp, mask)
            values[b, column] = -value
            distances[b, column] = distance + 1 if value else 0
    return values, distances
