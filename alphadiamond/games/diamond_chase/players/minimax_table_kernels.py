"""What minimax remembers: the positions on its path, what the draw rules can make of them, and the table.

The value of a node is a function of the board, the plies left, and what the draw rules can still do within those
plies. The last part is the node's context: the no-capture count where the limit can be reached, and the earlier
positions that can come back for the third time. The table compares board, context and plies left in full, so an entry
is as good as the search it stands for, and alpha-beta with the table equals plain minimax without it, draws by
repetition included. Wins and losses within the plies left do not depend on the depth, and are used at any.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.minimax_kernels import EXACT, WON, mix
from alphadiamond.base.compilation import njit, popcount
from alphadiamond.games.diamond_chase.board import NODES
from alphadiamond.games.diamond_chase.kernels import QUIET_LIMIT, REPETITION_LIMIT

Ints64: TypeAlias = npt.NDArray[np.int64]

MAX_MOVES: Final = 24

FILTER_BITS: Final = 12
BUCKET: Final = 4

# Fields of a frame, one frame a ply
OWN: Final = 0
OPP: Final = 1
QUIET: Final = 2
FIRST: Final = 3  # where in `keys` the positions since the last capture begin
LAST: Final = 4  # where in `keys` this position stands
ALPHA: Final = 5
BETA: Final = 6
FLOOR: Final = 7  # alpha as it was on entry
BEST: Final = 8
BEST_ACTION: Final = 9
COUNT: Final = 10
INDEX: Final = 11
CONTEXT: Final = 12
FIELDS: Final = 13

# Fields of the counters
PLY: Final = 0
NODE_COUNT: Final = 1
REPEATED: Final = 2  # positions on the path whose filter cell holds two or more
GENERATION: Final = 3
COUNTERS: Final = 4

# Fields of a table row
T_BOARD: Final = 0
T_CONTEXT: Final = 1
T_SCORE: Final = 2
T_INFO: Final = 3
T_FIELDS: Final = 4


@njit
def filter_cell(key: int) -> int:
    return np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - FILTER_BITS))


@njit
def return_distance(own: int, opp: int, key: int, same_side: bool) -> int:
    """At least this many plies pass before the position of `key` can be on the board again."""
    mask = (1 << NODES) - 1
    if same_side:
        mine, theirs = key & mask, key >> NODES & mask
    else:
        mine, theirs = key >> NODES & mask, key & mask
    moves, replies = popcount(own & ~mine), popcount(opp & ~theirs)
    if moves + replies == 0 and same_side:
        return 4  # each side leaves and comes back
    plies = max(2 * moves - 1, 2 * replies, 1)
    return plies + ((plies & 1) == same_side)


@njit
def context_of(frame: Ints64, left: int, keys: Ints64, seen: npt.NDArray[np.uint8], repeated: int) -> int:
    """What the draw rules can still do within the plies left, as a number; 0 is nothing.

    A position seen once has to come back twice, which takes four plies more than coming back. The filter can only
    overstate how often it was seen, and then the context says more than it needs to.
    """
    context = np.int64(0)
    if frame[QUIET] + left >= QUIET_LIMIT:
        context = mix(frame[QUIET] + 1)
    if left >= 5 or repeated > 0:
        for i in range(frame[FIRST], frame[LAST] + 1):
            needed = 0 if seen[filter_cell(keys[i])] > 1 else 4
            if needed + 1 > left:
                continue
            needed += return_distance(frame[OWN], frame[OPP], keys[i], (frame[LAST] - i) & 1 == 0)
            if needed <= left:
                context += mix(keys[i])
    return context


@njit
def is_third(key: int, frame: Ints64, keys: Ints64, seen: npt.NDArray[np.uint8]) -> bool:
    """Whether a quiet move from the frame's position to that of `key` makes its third occurrence."""
    if seen[filter_cell(key)] < REPETITION_LIMIT - 1:
        return False
    found = 0
    for i in range(frame[LAST] - 1, frame[FIRST] - 1, -2):
        if keys[i] == key:
            found += 1
    return found >= REPETITION_LIMIT - 1


@njit
def find_row(table: Ints64, board: int, context: int, left: int) -> tuple[int, int]:
    """(the row of exactly this search or one that proved a result within it, an action to try first), -1 for none."""
    first = (mix(board) & (len(table) // BUCKET - 1)) * BUCKET
    action = -1
    deepest = -1
    for row in range(first, first + BUCKET):
        if table[row, T_BOARD] != board:
            continue
        info = table[row, T_INFO]
        depth = info & 255
        if table[row, T_CONTEXT] == context:
            if depth == left:
                return row, (info >> 10 & 127) - 1
            if info >> 8 & 3 == EXACT and WON - abs(table[row, T_SCORE]) <= min(depth, left):
                return row, (info >> 10 & 127) - 1
        if depth > deepest:
            deepest = depth
            action = (info >> 10 & 127) - 1
    return -1, action


@njit
def store(
    table: Ints64, board: int, context: int, left: int, score: int, flag: int, action: int, generation: int
) -> None:
    """Overwrite the same search, else the row of the bucket that is oldest, then shallowest."""
    first = (mix(board) & (len(table) // BUCKET - 1)) * BUCKET
    worst = first
    least = np.int64(1) << 40
    for row in range(first, first + BUCKET):
        info = table[row, T_INFO]
        if table[row, T_BOARD] == board and table[row, T_CONTEXT] == context and info & 255 == left:
            worst = row
            break
        worth = (info & 255) + (256 if info >> 20 == generation else 0)
        if worth < least:
            least = worth
            worst = row
    table[worst, T_BOARD] = board
    table[worst, T_CONTEXT] = context
    table[worst, T_SCORE] = score
    table[worst, T_INFO] = left | flag << 8 | (action + 1) << 10 | generation << 20
