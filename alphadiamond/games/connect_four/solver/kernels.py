"""Proving bounds on the score of a position by alpha-beta search, on masks.

A score counts how early the game is won: 22 less the number of discs that the winner needs in all, so 18 for a four
made of the first four discs, 1 for the last own disc of all; 0 for a draw; negative for a loss. It is from the side to
move.

Every search asks one question: is the score at least so and so much? That makes its window one point wide everywhere,
and the whole search a loop over a stack. What saves work, in the order in which a node tries it:

- Cells where a side would complete a four are found at once for all columns. Whoever can win does; a move after which
  the opponent wins at once is never looked at; two such cells of the opponent end the search.
- The number of discs bounds the score from both sides.
- Whoever moves second can always answer in the same column, which leaves the first player the odd rows and gives the
  second the even ones (claimeven). Where the first player has no four in the odd rows even with all of them, he cannot
  win; where the second has one in the even rows as well, he wins.
- A table of bounds, keyed by the position or, early in the game, by whichever of it and its mirror image comes first;
  early in the game also the successors' entries, before one of them is searched.
- Moves that make the most cells for a four come first, those nearer to the middle first among them.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.games.connect_four.board import BOARD, BOTTOM, COLUMNS, NODES, STRIDE
from alphadiamond.games.connect_four.kernels import column_mask, has_four, mirrored, playable

HIGHEST: Final = 18
"""No score is higher, or lower than its negative."""
UNKNOWN: Final = 127
"""In place of a score: the search was given up."""
ENDLESS: Final = 1 << 62
"""A limit of nodes that no search reaches."""

ODD_ROWS: Final = BOTTOM | BOTTOM << 2 | BOTTOM << 4
EVEN_ROWS: Final = ODD_ROWS << 1

MIRRORED_UNTIL: Final = 22
"""Positions with fewer discs are looked up together with their mirror images; later the two hardly ever meet."""
PEEKED_UNTIL: Final = 20
"""With fewer discs it pays to look every successor up before any is searched."""
KEPT_UNTIL: Final = 33
"""Positions with so many discs and more are not in the table: they are solved again sooner than memory answers, and
would take the places of others."""
CENTRE_FIRST: Final = (3, 2, 4, 1, 5, 0, 6)

BOUND_BITS: Final = 6
_BOUND: Final = (1 << BOUND_BITS) - 1
_OFFSET: Final = 32

Table: TypeAlias = npt.NDArray[np.uint64]
"""[2 ** n] pairs of entries: of each pair the first is kept for the position with fewer discs, the second is whatever
came last. An entry is key, lowest and highest score; 0 is empty."""
Stack: TypeAlias = npt.NDArray[np.int64]
"""[43, 16] a row for each ply of a search."""

_OWN, _MASK, _KEY, _BEST, _COUNT, _NEXT, _HIGH, _PLY, _MOVES = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Its columns: own and all discs, the table key, the best score so far, how many moves there are, the next of them, an
upper bound, where a search was given up (in the first row), and the moves."""
STACK_SHAPE: Final = (NODES + 1, 16)


@njit
def winning_cells(own: int, mask: int) -> int:
    """The empty cells, whether they can be reached or not, where a side's disc would complete a four."""
    cells = (own << 1) & (own << 2) & (own << 3)
    for step in (STRIDE, STRIDE - 1, STRIDE + 1):
        pair = (own << step) & (own << 2 * step)
        cells |= pair & (own << 3 * step)
        cells |= pair & (own >> step)
        pair = (own >> step) & (own >> 2 * step)
        cells |= pair & (own << step)
        cells |= pair & (own >> 3 * step)
    return cells & (BOARD ^ mask)


@njit
def safe_moves(own: int, mask: int) -> int:
    """The cells a disc can fall to after which the opponent does not win at once; the side to move has no win."""
    free = playable(mask)
    theirs = winning_cells(mask ^ own, mask)
    forced = free & theirs
    if forced:
        if forced & (forced - 1):
            return np.int64(0)
        free = forced
    return free & ~(theirs >> 1)


@njit
def first_player_bound(first: int, second: int) -> int:
    """A bound on the score of the first player, who is to move, if the second answers each move in its column; HIGHEST
    where that says nothing.

    Columns with an odd number of discs are left as they are until the first player opens one; then the second opens
    another. So the first gets some of the cells that come next in these, here taken as all, and the second none.
    """
    mask = first | second
    empty = BOARD ^ mask
    contested = playable(mask) & EVEN_ROWS
    if contested and contested & (contested - 1) & ((contested & (contested - 1)) - 1) == 0:
        # Two: the first player gets one of them.
        one = contested & -contested
        odd = first | empty & ODD_ROWS
        if has_four(odd | one) or has_four(odd | contested ^ one):
            return HIGHEST
    elif has_four(first | empty & ODD_ROWS | contested):
        return HIGHEST
    return -1 if has_four(second | empty & EVEN_ROWS & ~contested) else 0


@njit
def table_key(own: int, mask: int, discs: int) -> int:
    key = own + mask
    if discs < MIRRORED_UNTIL:
        image = mirrored(own) + mirrored(mask)
        return min(key, image)
    return key


@njit
def _slot(key: int, table: Table) -> int:
    """The index of a key's pair in the table."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(20)) & np.uint64(len(table) // 2 - 1)) * 2


@njit
def look_up(key: int, table: Table) -> tuple[int, int]:
    """What is known of a position: its lowest and highest score."""
    slot = _slot(key, table)
    for entry in (table[slot], table[slot + 1]):
        if entry != 0 and entry >> np.uint64(2 * BOUND_BITS) == np.uint64(key):  # the empty board's key is 0
            bounds = np.int64(entry & np.uint64((1 << 2 * BOUND_BITS) - 1))
            return (bounds >> BOUND_BITS) - _OFFSET, (bounds & _BOUND) - _OFFSET
    return -HIGHEST, HIGHEST


@njit
def _discs_of_key(key: int) -> int:
    """How many discs a table key's position has: in each column the highest bit of its part + 1 tells the height."""
    filled = key + BOTTOM
    filled |= filled >> 1 & 0x3F * BOTTOM
    filled |= filled >> 2 & 0x1F * BOTTOM
    filled |= filled >> 4 & 0x07 * BOTTOM
    return popcount(filled) - COLUMNS


@njit
def keep(key: int, discs: int, low: int, high: int, table: Table) -> None:
    if discs >= KEPT_UNTIL:
        return
    slot = _slot(key, table)
    entry = np.uint64(key << 2 * BOUND_BITS | (low + _OFFSET) << BOUND_BITS | (high + _OFFSET))
    first = table[slot]
    known = np.int64(first >> np.uint64(2 * BOUND_BITS))
    if first == 0 or known == key or _discs_of_key(known) >= discs:
        if known != key:
            table[slot + 1] = first
        table[slot] = entry
    else:
        table[slot + 1] = entry


@njit
def is_at_least(
    own: int, mask: int, threshold: int, stack: Stack, table: Table, limit: int, resume: bool = False
) -> tuple[int, int]:
    """A bound on the score of a position in which the side to move cannot win at once: if it is `threshold` or more,
    the score is no lower, otherwise no higher. Also the nodes visited; beyond `limit` the bound is UNKNOWN, and the
    same call with the same stack and `resume` goes on from there."""
    nodes = 0
    ply = np.int64(0)
    first_discs = popcount(mask)
    if resume:
        ply = stack[0, _PLY]
    else:
        stack[0, _OWN], stack[0, _MASK] = own, mask
    entering = True
    value = 0
    while True:
        discs = first_discs + ply
        goal = threshold if ply & 1 == 0 else 1 - threshold
        frame = stack[ply]
        if entering:
            nodes += 1
            if nodes > limit:
                stack[0, _PLY] = ply
                return UNKNOWN, nodes
            entering = False
            value = _enter(frame, discs, goal, table)
            if value == UNKNOWN:  # it has moves to look at
                continue
        else:
            index = frame[_NEXT]
            if index < frame[_COUNT]:
                move = frame[_MOVES + index]
                frame[_NEXT] = index + 1
                stack[ply + 1, _OWN] = frame[_OWN] ^ frame[_MASK]
                stack[ply + 1, _MASK] = frame[_MASK] | move
                ply += 1
                entering = True
                continue
            value = frame[_BEST]
            keep(frame[_KEY], discs, -HIGHEST, min(value, frame[_HIGH]), table)
        # The value of this node is known: hand it up until somebody has moves left to try.
        while True:
            if ply == 0:
                return value, nodes
            ply -= 1
            frame = stack[ply]
            value = -value
            goal = threshold if ply & 1 == 0 else 1 - threshold
            if value >= goal:
                keep(frame[_KEY], first_discs + ply, value, frame[_HIGH], table)
                continue
            frame[_BEST] = max(frame[_BEST], value)
            break


@njit
def _enter(frame: npt.NDArray[np.int64], discs: int, goal: int, table: Table) -> int:
    """Begin with a node: a bound that settles its question, or UNKNOWN with its moves listed."""
    own, mask = frame[_OWN], frame[_MASK]
    moves = safe_moves(own, mask)
    if moves == 0:
        return -((NODES - discs) // 2)
    if discs >= NODES - 2:
        return 0
    low = -((NODES - 2 - discs) // 2)
    if low >= goal:
        return low
    high = (NODES - 1 - discs) // 2
    if high < goal:
        return high
    if discs & 1 == 0 and goal >= 0:
        bound = first_player_bound(own, mask ^ own)
        if bound < goal:
            return bound
    key = table_key(own, mask, discs)
    if discs < KEPT_UNTIL:
        known_low, known_high = look_up(key, table)
        if known_low >= goal:
            return known_low
        high = min(high, known_high)
    if high < goal:
        return high
    theirs = mask ^ own
    count = 0
    for column in CENTRE_FIRST:
        move = moves & column_mask(column)
        if move == 0:
            continue
        if discs & 1 and goal <= 1:
            bound = first_player_bound(theirs, own | move)
            if -bound >= goal:
                return -bound
        if discs < PEEKED_UNTIL:
            _, child_high = look_up(table_key(theirs, mask | move, discs + 1), table)
            if -child_high >= goal:
                return -child_high
        weight = popcount(winning_cells(own | move, mask | move))
        at = count
        while at > 0 and frame[_MOVES + at - 1] >> 50 < weight:
            frame[_MOVES + at] = frame[_MOVES + at - 1]
            at -= 1
        frame[_MOVES + at] = move | weight << 50
        count += 1
    for i in range(count):
        frame[_MOVES + i] &= (np.int64(1) << 49) - 1
    frame[_KEY] = key
    frame[_COUNT] = count
    frame[_NEXT] = 0
    frame[_BEST] = -HIGHEST
    frame[_HIGH] = high
    return UNKNOWN


@njit
def can_win(own: int, mask: int) -> bool:
    """Whether the side to move can win at once."""
    return winning_cells(own, mask) & playable(mask) != 0


@njit
def next_question(low: int, high: int) -> int:
    """Whether the score is higher than which one to ask when it lies between these: who wins, then when."""
    if low <= 0 < high:
        return 0
    return -1 if high == 0 else (low + high) // 2


@njit
def solve(own: int, mask: int, low: int, high: int, stack: Stack, table: Table, limit: int) -> tuple[int, int]:
    """The score of a position of a game that goes on, and the nodes visited; UNKNOWN if that takes more than `limit`.

    The score is known to lie between `low` and `high`. Who wins is asked first: it is the quickest to answer, and what
    that leaves in the table helps to find out when.
    """
    discs = popcount(mask)
    if can_win(own, mask):
        return (NODES + 1 - discs) // 2, 0
    low = max(low, -((NODES - discs) // 2))
    high = min(high, (NODES - 1 - discs) // 2)
    nodes = 0
    while low < high:
        middle = next_question(low, high)
        value, more = is_at_least(own, mask, middle + 1, stack, table, limit - nodes)
        nodes += more
        if value == UNKNOWN:
            return UNKNOWN, nodes
        if value > middle:
            low = value
        else:
            high = value
    return low, nodes


@njit
def sign_of(own: int, mask: int, stack: Stack, table: Table) -> int:
    """1, 0 or -1: who wins a game that goes on, whenever that is; half the work of the score."""
    if can_win(own, mask):
        return 1
    if is_at_least(own, mask, 1, stack, table, ENDLESS)[0] >= 1:
        return 1
    return 0 if is_at_least(own, mask, 0, stack, table, ENDLESS)[0] >= 0 else -1
