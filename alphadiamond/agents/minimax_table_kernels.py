"""What minimax remembers in any game: the positions on its path, what repetition can make of them, and the table.

The value of a node is a function of what its state says for the plies left (`pack_state`), of the plies left, and of
what repetition can still do within them. The last part is the node's context: the earlier positions that can come back
often enough to make a draw. The table compares all three in full, so an entry is as good as the search it stands for,
and alpha-beta with the table equals plain minimax without it, draws by repetition included. Wins and losses within the
plies left do not depend on the depth, and are used at any.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import borrowed, njit
from alphadiamond.base.random_kernels import splitmix
from alphadiamond.base.results import PROVEN, WON
from alphadiamond.base.rules import Rules, State, cycle_plies, pack_state, return_plies

Ints64: TypeAlias = npt.NDArray[np.int64]
Counts: TypeAlias = npt.NDArray[np.int32]

FILTER_BITS: Final = 12
BUCKET: Final = 4

EXACT: Final = 1
LOWER: Final = 2
UPPER: Final = 3

# Fields of a table row; the packed state follows
T_CONTEXT: Final = 0
T_SCORE: Final = 1
T_INFO: Final = 2  # plies left, the kind of bound, the action plus one, and the search that wrote it
T_FIELDS: Final = 3


@njit
def mix(value: int) -> int:
    return np.int64(splitmix(np.uint64(value)))


@njit
def filter_cell(key: int) -> int:
    """Where a position is counted in a filter, together with others now and then."""
    return np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - FILTER_BITS))


class Path(NamedTuple):
    """The positions up to a node that can recur."""

    keys: Ints64
    first: int
    """Where in `keys` they begin."""
    last: int
    """Where in `keys` the node's own stands."""
    seen: Counts
    """[2^FILTER_BITS] how many of them fall into each cell of the filter."""


@njit
def remember(past: Ints64, keys: Ints64, seen: Counts) -> int:
    """Set the path to the positions of the game that can recur; returns how many share their cell of the filter."""
    seen[:] = 0
    repeated = 0
    for i in range(len(past)):
        keys[i] = past[i]
        cell = filter_cell(past[i])
        seen[cell] += 1
        repeated += seen[cell] > 1
    return repeated


@njit
def is_repetition(rules: Rules, key: int, path: Path) -> bool:
    """Whether a move from the end of a path to the position of `key` makes a draw; every other key is of its side."""
    if path.seen[filter_cell(key)] < rules.repetition_limit - 1:
        return False
    found = 1
    for i in range(path.last - 1, path.first - 1, -2):
        found += path.keys[i] == key
    return found >= rules.repetition_limit


@njit
def context_of(rules: Rules, state: State, left: int, path: Path, repeated: int) -> int:
    """What repetition can still do within the plies left, as a number; 0 is nothing.

    A position has to come back until it makes a draw, the first time from here and then from itself. The filter can
    only overstate how often it was seen, and then the context says more than it needs to.
    """
    limit = rules.repetition_limit
    context = np.int64(0)
    if limit == 0 or (repeated == 0 and 1 + (limit - 2) * cycle_plies(rules) > left):
        return context
    for i in range(path.first, path.last + 1):
        key = path.keys[i]
        needed = max(limit - 1 - path.seen[filter_cell(key)], 0) * cycle_plies(rules)
        if needed + 1 > left:
            continue
        other_side = (path.last - i) & 1
        if needed + return_plies(rules, state, key, other_side == 0) <= left:
            context += mix(key ^ -other_side)  # no key is negative, so each stands for one side
    return context


@njit
def bucket_of(table: Ints64, packed: State) -> int:
    """The first row of the four in which a state may stand."""
    found = mix(packed[0])
    for column in range(1, table.shape[1] - T_FIELDS):
        found = mix(found ^ packed[column])
    return (found & (len(table) // BUCKET - 1)) * BUCKET


@njit
def stands_at(table: Ints64, row: int, packed: State) -> bool:
    columns = table.shape[1] - T_FIELDS
    column = 0
    while column < columns and table[row, T_FIELDS + column] == packed[column]:
        column += 1
    return column == columns


@njit
def find_row(rules: Rules, table: Ints64, state: State, context: int, left: int, packed: State) -> tuple[int, int]:
    """(the row of exactly this search or one that proved a result within it, an action to try first), -1 for none."""
    table, state, packed = borrowed(table), borrowed(state), borrowed(packed)
    pack_state(rules, state, left, packed)
    action = -1
    deepest = -1
    first = bucket_of(table, packed)
    for row in range(first, first + BUCKET):
        if not stands_at(table, row, packed):
            continue
        info = table[row, T_INFO]
        depth = info & 255
        if table[row, T_CONTEXT] == context:
            if depth == left:
                return row, (info >> 10 & 0xFFFF) - 1
            if info >> 8 & 3 == EXACT and WON - abs(table[row, T_SCORE]) <= min(depth, left):
                return row, (info >> 10 & 0xFFFF) - 1
        if depth > deepest:
            deepest = depth
            action = (info >> 10 & 0xFFFF) - 1
    return -1, action


@njit
def store(
    rules: Rules,
    table: Ints64,
    state: State,
    context: int,
    left: int,
    value: int,
    flag: int,
    action: int,
    generation: int,
    packed: State,
) -> None:
    """Overwrite the same search, else the row of the bucket that is oldest, then shallowest."""
    table, state, packed = borrowed(table), borrowed(state), borrowed(packed)
    pack_state(rules, state, left, packed)
    first = bucket_of(table, packed)
    worst = first
    least = np.int64(1) << 40
    for row in range(first, first + BUCKET):
        info = table[row, T_INFO]
        if info & 255 == left and table[row, T_CONTEXT] == context and stands_at(table, row, packed):
            worst = row
            break
        worth = (info & 255) + (256 if info >> 26 == generation else 0)
        if worth < least:
            least = worth
            worst = row
    table[worst, T_CONTEXT] = context
    table[worst, T_SCORE] = value
    table[worst, T_INFO] = left | flag << 8 | np.int64(action + 1) << 10 | np.int64(generation) << 26
    table[worst, T_FIELDS] = packed[0]
    for column in range(1, table.shape[1] - T_FIELDS):
        table[worst, T_FIELDS + column] = packed[column]


@njit
def from_root(value: int, ply: int) -> int:
    """A score counted from a node at this ply, counted from the root: a win is further off by the plies between."""
    if value > PROVEN:
        return value - ply
    return value + ply if value < -PROVEN else value


@njit
def from_node(value: int, ply: int) -> int:
    if value > PROVEN:
        return value + ply
    return value - ply if value < -PROVEN else value
