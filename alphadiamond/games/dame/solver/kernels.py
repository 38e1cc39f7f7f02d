"""Solving, proving and counting the table, row by row; solving level by level, since every move leads lower.

An entry is a result for the side to move: 100 less the plies to the end in a won position, the negative of that in a
lost one, the winner as fast and the loser as slow as possible. So the better result is the greater number.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.base.results import LOSS, ONGOING, WIN
from alphadiamond.games.dame import kernels
from alphadiamond.games.dame.board import ACTIONS, FAR_RANK, FIRST_RANK, MEN, SQUARES
from alphadiamond.games.dame.solver.index_kernels import BASES, MASKS, index_of, is_indexed, opponent_at

Table: TypeAlias = npt.NDArray[np.int8]
"""[ENTRIES] the results."""

DECIDED: Final = 100
"""A won game that is over; its negative a lost one."""
UNKNOWN: Final = 0
LEVELS: Final = 55
"""All men have 54 ranks before them at the most, and every ply takes one at least."""
WHITE: Final = 1
BLACK: Final = 2
"""Who is to move in the games from the start that come to an entry."""


@njit
def parent_result(result: int) -> int:
    """What a position's result is worth to the side that has just moved into it."""
    return -1 - result if result < 0 else 1 - result


@njit
def result_of(table: Table, own: int, opp: int) -> int:
    """The result of any position: looked up, or plain where men or the far rank have ended the game."""
    if is_indexed(own, opp):
        return table[index_of(own, opp)]
    return DECIDED if kernels.status(own, opp) == WIN else -DECIDED


@njit
def fill_levels(levels: npt.NDArray[np.uint8], first: int, last: int) -> None:
    """Fill in how many ranks the men of each entry of these rows have before them: its level."""
    for row in range(first, last):
        for number in range(BASES[row + 1] - BASES[row]):
            own = MASKS[row]
            levels[BASES[row] + number] = kernels.left_to_go(own, opponent_at(own, number))


@njit
def solve_rows(table: Table, levels: npt.NDArray[np.uint8], level: int, first: int, last: int) -> int:
    """Fill the entries of one level in these rows; those of all lower levels are there. Returns how many it filled."""
    moves = np.empty(kernels.MAX_MOVES, dtype=np.int16)
    filled = 0
    for row in range(first, last):
        for number in range(BASES[row + 1] - BASES[row]):
            if levels[BASES[row] + number] != level:
                continue
            own, opp = MASKS[row], opponent_at(MASKS[row], number)
            best = -DECIDED
            for i in range(kernels.list_moves(own, opp, moves)):
                after_own, after_opp = kernels.apply(own, opp, moves[i])
                best = max(best, parent_result(result_of(table, after_own, after_opp)))
            table[BASES[row] + number] = best
            filled += 1
    return filled


@njit
def first_disagreement(table: Table, first: int, last: int) -> int:
    """The first entry of these rows that does not follow from its successors, or -1.

    What follows is said here once more, as a person would: a position is won where some move leaves the other side
    lost, in one ply more than the fastest of these, and else lost, in one ply more than the slowest.
    """
    moves = np.empty(kernels.MAX_MOVES, dtype=np.int16)
    for row in range(first, last):
        for number in range(BASES[row + 1] - BASES[row]):
            index = BASES[row] + number
            own, opp = MASKS[row], opponent_at(MASKS[row], number)
            fastest, slowest = LEVELS, -1
            for i in range(kernels.list_moves(own, opp, moves)):
                after_own, after_opp = kernels.apply(own, opp, moves[i])
                result = result_of(table, after_own, after_opp)
                if result == UNKNOWN:
                    return index
                if result < 0:
                    fastest = min(fastest, DECIDED + result)
                else:
                    slowest = max(slowest, DECIDED - result)
            won = fastest < LEVELS
            plies = 1 + (fastest if won else slowest)
            if (table[index] > 0) != won or abs(table[index]) != DECIDED - plies or index_of(own, opp) != index:
                return index
    return -1


@njit
def mark_reachable(own: int, opp: int, seen: npt.NDArray[np.uint8]) -> None:
    """Mark each entry that games from a position, with white to move there, come to, by who is to move."""
    owns = np.empty(LEVELS * kernels.MAX_MOVES, dtype=np.int64)
    opps = np.empty_like(owns)
    sides = np.empty_like(owns)
    moves = np.empty(kernels.MAX_MOVES, dtype=np.int16)
    owns[0], opps[0], sides[0] = own, opp, WHITE
    waiting = 1
    while waiting:
        waiting -= 1
        own, opp, side = owns[waiting], opps[waiting], sides[waiting]
        index = index_of(own, opp)
        if seen[index] & side:
            continue
        seen[index] |= side
        for i in range(kernels.list_moves(own, opp, moves)):
            after_own, after_opp = kernels.apply(own, opp, moves[i])
            if is_indexed(after_own, after_opp):
                owns[waiting], opps[waiting], sides[waiting] = after_own, after_opp, WHITE + BLACK - side
                waiting += 1


@njit
def ends_after(seen: npt.NDArray[np.uint8], first: int, last: int, keys: npt.NDArray[np.int64]) -> int:
    """Write a key for each position without an entry that a marked entry of these rows leads to, side to move included,
    as often as it is led to; returns how many. Without room for keys it only counts."""
    moves = np.empty(kernels.MAX_MOVES, dtype=np.int16)
    count = 0
    for row in range(first, last):
        for number in range(BASES[row + 1] - BASES[row]):
            sides = seen[BASES[row] + number]
            if not sides:
                continue
            own, opp = MASKS[row], opponent_at(MASKS[row], number)
            for i in range(kernels.list_moves(own, opp, moves)):
                after_own, after_opp = kernels.apply(own, opp, moves[i])
                if is_indexed(after_own, after_opp):
                    continue
                for side in (WHITE, BLACK):
                    if sides & side:
                        if len(keys):
                            keys[count] = after_own | after_opp << SQUARES | np.int64(side == BLACK) << 2 * SQUARES
                        count += 1
    return count


@njit
def count_stakes(table: Table, seen: npt.NDArray[np.uint8], first: int, last: int) -> npt.NDArray[np.float64]:
    """[4] of the won entries of these rows that games from the start come to: how many there are, the sum of the
    chances that a random move throws the win away, in how many some move does, in how many all but one of several
    do."""
    moves = np.empty(kernels.MAX_MOVES, dtype=np.int16)
    counts = np.zeros(4)
    for row in range(first, last):
        for number in range(BASES[row + 1] - BASES[row]):
            index = BASES[row] + number
            if not seen[index] or table[index] < 0:
                continue
            own, opp = MASKS[row], opponent_at(MASKS[row], number)
            legal = kernels.list_moves(own, opp, moves)
            good = 0
            for i in range(legal):
                after_own, after_opp = kernels.apply(own, opp, moves[i])
                good += result_of(table, after_own, after_opp) < 0
            counts[0] += 1
            counts[1] += (legal - good) / legal
            counts[2] += good < legal
            counts[3] += good == 1 and legal > 1
    return counts


@njit
def fill_longest_games(lengths: Table, levels: npt.NDArray[np.uint8], level: int, first: int, last: int) -> int:
    """Like `solve_rows`, for how many plies the longest game from each entry has."""
    moves = np.empty(kernels.MAX_MOVES, dtype=np.int16)
    filled = 0
    for row in range(first, last):
        for number in range(BASES[row + 1] - BASES[row]):
            if levels[BASES[row] + number] != level:
                continue
            own, opp = MASKS[row], opponent_at(MASKS[row], number)
            longest = 0
            for i in range(kernels.list_moves(own, opp, moves)):
                after_own, after_opp = kernels.apply(own, opp, moves[i])
                indexed = is_indexed(after_own, after_opp)
                longest = max(longest, 1 + (lengths[index_of(after_own, after_opp)] if indexed else 0))
            lengths[BASES[row] + number] = longest
            filled += 1
    return filled


@njit
def is_position(own: int, opp: int) -> bool:
    """Whether masks are a position by the rules: see `alphadiamond.games.dame.Position`."""
    return (
        own >= 0
        and opp >= 0
        and (own | opp) >> SQUARES == 0
        and own & opp == 0
        and popcount(own) <= MEN
        and popcount(opp) <= MEN
        and own & FAR_RANK == 0
        and popcount(opp & FIRST_RANK) <= 1
    )


@njit
def look_up(table: Table, states: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16], int]:
    """(values, plies to the end, the first state that is no position or -1), the first two [B]."""
    values = np.empty(len(states), dtype=np.int8)
    plies = np.empty(len(states), dtype=np.int16)
    for b in range(len(states)):
        own, opp = states[b, 0], states[b, 1]
        if not is_position(own, opp):
            return values, plies, b
        result = result_of(table, own, opp)
        values[b] = WIN if result > 0 else LOSS
        plies[b] = DECIDED - abs(result)
    return values, plies, -1


@njit
def look_up_actions(
    table: Table, states: npt.NDArray[np.int64], illegal: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16], int]:
    """The same after each action, for the side that plays it, [B, A]; `illegal` where it cannot be played."""
    values = np.full((len(states), ACTIONS), illegal, dtype=np.int8)
    plies = np.zeros((len(states), ACTIONS), dtype=np.int16)
    moves = np.empty(kernels.MAX_MOVES, dtype=np.int16)
    for b in range(len(states)):
        own, opp = states[b, 0], states[b, 1]
        if not is_position(own, opp):
            return values, plies, b
        if kernels.status(own, opp) != ONGOING:
            continue
        for i in range(kernels.list_moves(own, opp, moves)):
            after_own, after_opp = kernels.apply(own, opp, moves[i])
            result = parent_result(result_of(table, after_own, after_opp))
            values[b, moves[i]] = WIN if result > 0 else LOSS
            plies[b, moves[i]] = DECIDED - abs(result)
    return values, plies, -1
