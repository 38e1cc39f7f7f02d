"""Alpha-beta for any game, on an explicit stack: it can be left and taken up again, so that the clock is read between
slices, and compiled code that takes rules must not call itself.

The value of a node is a function of its state, the plies left and, where positions can recur, of those that the game
has seen since nothing earlier could come back: that is the node's context. The table compares all three in full, so an
entry is as good as the search it stands for, and alpha-beta with the table equals plain minimax without it. Wins and
losses within the plies left do not depend on the depth, and are used at any.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.results import DRAW, LOSS, ONGOING
from alphadiamond.base.rules import (
    Actions,
    Rules,
    State,
    is_irreversible,
    list_moves,
    play,
    position_key,
    score,
    status,
)

Ints64: TypeAlias = npt.NDArray[np.int64]
Moves: TypeAlias = npt.NDArray[np.int16]

WON: Final = 1_000_000  # less one for each ply to the win
PROVEN: Final = 900_000  # scores beyond are won or lost positions, all others are judgements
INFINITE: Final = 2_000_000
MAX_DEPTH: Final = 60
UNKNOWN: Final = -INFINITE - 1  # a root move that was not searched

BUCKET: Final = 4
EXACT: Final = 1
LOWER: Final = 2
UPPER: Final = 3

# Fields of a frame, one frame a ply
FIRST: Final = 0  # where in `keys` the positions that can recur begin
LAST: Final = 1  # where in `keys` this position stands
ALPHA: Final = 2
BETA: Final = 3
FLOOR: Final = 4  # alpha as it was on entry
BEST: Final = 5
BEST_ACTION: Final = 6
COUNT: Final = 7
INDEX: Final = 8
CONTEXT: Final = 9
FIELDS: Final = 10

# Fields of the counters
PLY: Final = 0
NODE_COUNT: Final = 1
GENERATION: Final = 2
COUNTERS: Final = 3

# A table row is the state without its count of occurrences, then these
R_CONTEXT: Final = 0
R_SCORE: Final = 1
R_INFO: Final = 2  # plies left, the kind of bound, the action plus one, and the search that wrote it
R_FIELDS: Final = 3


@njit
def mix(value: int) -> int:
    z = np.uint64(value) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(z ^ (z >> np.uint64(31)))


@njit
def bucket_of(table: Ints64, state: State) -> int:
    """The first row of the four in which a state may stand."""
    found = np.int64(0)
    for column in range(len(state) - 1):
        found = mix(found ^ state[column])
    return (found & (len(table) // BUCKET - 1)) * BUCKET


@njit
def stands_at(table: Ints64, row: int, state: State) -> bool:
    same = True
    for column in range(len(state) - 1):
        same &= table[row, column] == state[column]
    return same


@njit
def find_row(table: Ints64, state: State, context: int, left: int) -> tuple[int, int]:
    """(the row of exactly this search or one that proved a result within it, an action to try first), -1 for none."""
    own = len(state) - 1
    action = -1
    deepest = -1
    first = bucket_of(table, state)
    for row in range(first, first + BUCKET):
        info = table[row, own + R_INFO]
        if info == 0 or not stands_at(table, row, state):
            continue
        depth = info & 255
        if table[row, own + R_CONTEXT] == context:
            if depth == left:
                return row, (info >> 10 & 0xFFFF) - 1
            if info >> 8 & 3 == EXACT and WON - abs(table[row, own + R_SCORE]) <= min(depth, left):
                return row, (info >> 10 & 0xFFFF) - 1
        if depth > deepest:
            deepest = depth
            action = (info >> 10 & 0xFFFF) - 1
    return -1, action


@njit
def store(
    table: Ints64, state: State, context: int, left: int, value: int, flag: int, action: int, generation: int
) -> None:
    """Overwrite the same search, else the row of the bucket that is oldest, then shallowest."""
    own = len(state) - 1
    first = bucket_of(table, state)
    worst = first
    least = np.int64(1) << 40
    for row in range(first, first + BUCKET):
        info = table[row, own + R_INFO]
        if info & 255 == left and table[row, own + R_CONTEXT] == context and stands_at(table, row, state):
            worst = row
            break
        worth = (info & 255) + (256 if info >> 26 == generation else 0)
        if worth < least:
            least = worth
            worst = row
    for column in range(own):
        table[worst, column] = state[column]
    table[worst, own + R_CONTEXT] = context
    table[worst, own + R_SCORE] = value
    table[worst, own + R_INFO] = left | flag << 8 | np.int64(action + 1) << 10 | np.int64(generation) << 26


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


@njit
def occurrences(keys: Ints64, first: int, last: int) -> int:
    """How often the position at `last` has stood, this time included; every other key is of the other side."""
    found = 1
    for i in range(last - 2, first - 1, -2):
        found += keys[i] == keys[last]
    return found


@njit
def context_of(keys: Ints64, first: int, last: int) -> int:
    """The earlier positions that can come back, as a number; 0 is none."""
    context = np.int64(0)
    for i in range(first, last):
        context += mix(mix(keys[i]) + ((last - i) & 1))
    return context


@njit
def result_of(rules: Rules, state: State, keys: Ints64, first: int, last: int) -> int:
    """WIN, DRAW, LOSS or ONGOING for the side to move, repetition included."""
    result = status(rules, state)
    if result != ONGOING or rules.repetition_limit == 0:
        return result
    return DRAW if occurrences(keys, first, last) >= rules.repetition_limit else ONGOING


@njit
def judged(rules: Rules, state: State) -> int:
    """The game's own score, kept apart from proven results."""
    return max(-PROVEN, min(PROVEN, score(rules, state)))


@njit
def ended(result: int, ply: int) -> int:
    """The score of a move after which the game has ended, `ply` plies from the root."""
    if result == DRAW:
        return 0
    return WON - ply if result == LOSS else ply - WON


@njit
def open_frame(
    rules: Rules,
    state: State,
    frame: Ints64,
    actions: Actions,
    order: Ints64,
    history: Ints64,
    killers: Ints64,
    first_action: int,
) -> None:
    """List a node's moves, and how promising they look."""
    count = list_moves(rules, state, actions)
    for i in range(count):
        action = actions[i]
        if action == first_action:
            order[i] = 1 << 40
        elif action == killers[0] or action == killers[1]:
            order[i] = 1 << 29
        else:
            order[i] = history[action]
    frame[COUNT] = count
    frame[INDEX] = 0
    frame[BEST] = -INFINITE
    frame[BEST_ACTION] = -1


@njit
def begin(
    rules: Rules,
    root: State,
    past: Ints64,
    root_order: Ints64,
    states: Ints64,
    frames: Ints64,
    actions: Moves,
    order: Ints64,
    keys: Ints64,
    history: Ints64,
    killers: Ints64,
    root_scores: Ints64,
    counters: Ints64,
) -> None:
    """Set the root up for one more depth; `root_order` [A] says which of its moves to search first."""
    counters[PLY] = 0
    keys[: len(past)] = past
    states[0] = root
    frame = frames[0]
    frame[FIRST] = 0
    frame[LAST] = len(past) - 1
    frame[ALPHA] = frame[FLOOR] = -INFINITE
    frame[BETA] = INFINITE
    open_frame(rules, states[0], frame, actions[0], order[0], history, killers[0], -1)
    for i in range(frame[COUNT]):
        order[0, i] = root_order[actions[0, i]]
    root_scores[:] = UNKNOWN


@njit
def search(
    rules: Rules,
    depth: int,
    every_move: bool,
    budget: int,
    states: Ints64,
    frames: Ints64,
    actions: Moves,
    order: Ints64,
    keys: Ints64,
    history: Ints64,
    killers: Ints64,
    root_scores: Ints64,
    counters: Ints64,
    table: Ints64,
) -> bool:
    """Go on with a search of this depth for about `budget` nodes: True when it is finished.

    With `every_move` each root move gets its exact score; without, only those that equal the best do, and the others
    a bound below it.
    """
    limit = counters[NODE_COUNT] + budget
    ply = counters[PLY]
    while True:
        frame = frames[ply]
        if frame[INDEX] >= frame[COUNT]:
            # The node at `ply` is done: keep it, and hand its score to the node above.
            if ply == 0:
                counters[PLY] = 0
                return True
            best = frame[BEST]
            if depth - ply > 1:
                flag = LOWER if best >= frame[BETA] else (UPPER if best <= frame[FLOOR] else EXACT)
                value = from_node(best, ply)
                action = frame[BEST_ACTION]
                store(table, states[ply], frame[CONTEXT], depth - ply, value, flag, action, counters[GENERATION])
            ply -= 1
            move = actions[ply, frames[ply, INDEX] - 1]
            settle(frames[ply], -best, move, ply, depth - ply, every_move, root_scores, history, killers[ply])
            continue
        if counters[NODE_COUNT] >= limit:
            counters[PLY] = ply
            return False
        counters[NODE_COUNT] += 1
        i = next_move(frame, actions[ply], order[ply])
        move = actions[ply, i]
        child = states[ply + 1]
        play(rules, states[ply], move, child)
        first, last = frame[FIRST], frame[LAST]
        if rules.repetition_limit > 0:
            last += 1
            keys[last] = position_key(rules, child)
            if is_irreversible(rules, child):
                first = last
        result = result_of(rules, child, keys, first, last)
        left = depth - ply - 1
        if result != ONGOING:
            value = ended(result, ply + 1)
        elif left == 0:
            value = -judged(rules, child)
        else:
            below = frames[ply + 1]
            below[FIRST] = first
            below[LAST] = last
            below[ALPHA] = below[FLOOR] = -frame[BETA]
            below[BETA] = -frame[ALPHA]
            below[CONTEXT] = context_of(keys, first, last)
            known = False
            action = -1
            value = 0
            if left > 1:  # most nodes have one ply left, and searching them is cheaper than looking them up
                row, action = find_row(table, child, below[CONTEXT], left)
                if row >= 0:
                    value = from_root(table[row, len(child) - 1 + R_SCORE], ply + 1)
                    flag = table[row, len(child) - 1 + R_INFO] >> 8 & 3
                    known = (
                        flag == EXACT
                        or (flag == LOWER and value >= below[BETA])
                        or (flag == UPPER and value <= below[ALPHA])
                    )
            if not known:
                ply += 1
                open_frame(rules, child, below, actions[ply], order[ply], history, killers[ply], action)
                continue
            value = -value
        settle(frame, value, move, ply, depth - ply, every_move, root_scores, history, killers[ply])


@njit
def next_move(frame: Ints64, actions: Actions, order: Ints64) -> int:
    """Bring the most promising of the moves that are left to the front of them, and take it."""
    i = frame[INDEX]
    pick = i
    for j in range(i + 1, frame[COUNT]):
        if order[j] > order[pick]:
            pick = j
    if pick != i:
        order[pick], order[i] = order[i], order[pick]
        actions[pick], actions[i] = actions[i], actions[pick]
    frame[INDEX] = i + 1
    return i


@njit
def settle(
    frame: Ints64,
    value: int,
    action: int,
    ply: int,
    left: int,
    every_move: bool,
    root_scores: Ints64,
    history: Ints64,
    killers: Ints64,
) -> None:
    """Count a move's score towards its node, which is done when the opponent would not let it come to it."""
    if value > frame[BEST]:
        frame[BEST] = value
        frame[BEST_ACTION] = action
    if ply == 0:
        root_scores[action] = value
        if not every_move:
            frame[ALPHA] = frame[BEST] - 1  # one below, so that equals are found
        return
    frame[ALPHA] = max(frame[ALPHA], value)
    if value >= frame[BETA]:
        frame[COUNT] = frame[INDEX]
        reward(action, left, history, killers)


@njit
def reward(action: int, left: int, history: Ints64, killers: Ints64) -> None:
    """Remember a move that refuted its position."""
    history[action] += left * left
    if history[action] > 1 << 28:
        for i in range(len(history)):
            history[i] >>= 1
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action


@njit
def principal_variation(
    rules: Rules,
    root: State,
    past: Ints64,
    depth: int,
    states: Ints64,
    actions: Actions,
    keys: Ints64,
    table: Ints64,
    line: Ints64,
) -> int:
    """Follow the best moves from a position that was searched to `depth`: how many were written to `line`.

    `states` has room for two: the position on the line, and one that is tried.
    """
    state = states[0]
    state[:] = root
    keys[: len(past)] = past
    first, last = 0, len(past) - 1
    length = 0
    while length < depth and result_of(rules, state, keys, first, last) == ONGOING:
        action = -1
        if depth - length == 1:
            action = best_at_once(rules, state, states[1], actions, keys, first, last)
        else:
            row, action = find_row(table, state, context_of(keys, first, last), depth - length)
            if row < 0 or table[row, len(state) - 1 + R_INFO] >> 8 & 3 != EXACT or action < 0:
                break
        line[length] = action
        length += 1
        play(rules, state, action, state)
        if rules.repetition_limit > 0:
            last += 1
            keys[last] = position_key(rules, state)
            if is_irreversible(rules, state):
                first = last
    return length


@njit
def best_at_once(
    rules: Rules, state: State, after: State, actions: Actions, keys: Ints64, first: int, last: int
) -> int:
    """The action with the best score one ply ahead; `keys` has room for one more."""
    best = -INFINITE
    chosen = -1
    for i in range(list_moves(rules, state, actions)):
        play(rules, state, actions[i], after)
        begins = first
        if rules.repetition_limit > 0:
            keys[last + 1] = position_key(rules, after)
            if is_irreversible(rules, after):
                begins = last + 1
        result = result_of(rules, after, keys, begins, last + 1)
        value = -judged(rules, after) if result == ONGOING else ended(result, 1)
        if value > best:
            best = value
            chosen = np.int64(actions[i])
    return chosen
