"""Alpha-beta for any game, on an explicit stack: it can be left and taken up again, so that the clock is read between
slices, and compiled code that takes rules must not call itself.

Scores are exact: `minimax_table_kernels` says why the table changes none. A game helps by hooks of its rules: which
moves to try first, which exchanges to play out, and what a position's near future can depend on.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.minimax_table_kernels import (
    EXACT,
    LOWER,
    T_INFO,
    T_SCORE,
    UPPER,
    Counts,
    Ints64,
    Path,
    context_of,
    filter_cell,
    find_row,
    from_node,
    from_root,
    is_repetition,
    remember,
    store,
)
from alphadiamond.base.compilation import borrowed, njit
from alphadiamond.base.results import DRAW, LOSS, ONGOING, PROVEN, WON
from alphadiamond.base.rules import (
    Actions,
    Rules,
    State,
    is_irreversible,
    is_legal,
    list_moves,
    move_promise,
    play,
    position_key,
    quiescence,
    score,
    status,
)

Moves: TypeAlias = npt.NDArray[np.int16]

INFINITE: Final = 2_000_000
MAX_DEPTH: Final = 60
UNKNOWN: Final = -INFINITE - 1  # a root move that was not searched

# Fields of a frame, one frame a ply
SLOT: Final = 0  # which of the moves of the node above leads here
FIRST: Final = 1  # where in `keys` the positions that can recur begin
LAST: Final = 2  # where in `keys` this position stands
ALPHA: Final = 3
BETA: Final = 4
FLOOR: Final = 5  # alpha as it was on entry
BEST: Final = 6
BEST_ACTION: Final = 7
COUNT: Final = 8
INDEX: Final = 9
CONTEXT: Final = 10
FIELDS: Final = 11

# Fields of the counters
PLY: Final = 0
NODE_COUNT: Final = 1
REPEATED: Final = 2  # positions on the path that share their cell of the filter
GENERATION: Final = 3
DEPTH: Final = 4  # what is being searched
REACHED: Final = 5  # what is finished
COUNTERS: Final = 6

# The order of a node's moves: what is known of a move, and below it the complement of its slot, so that equals go first
# come, first served
SLOT_BITS: Final = 16
SLOT_MASK: Final = (1 << SLOT_BITS) - 1
TABLE_MOVE: Final = 1 << 42
PROMISE: Final = 1 << 30  # of one step
KILLER: Final = 1 << 29
MOST_HISTORY: Final = 1 << 28


class Stack(NamedTuple):
    """The memory of a search; P is the plies it may go, M the most moves of a state."""

    states: Ints64
    """[P, M, S] what each move of the node above leads to; the root is the first of the first row."""
    frames: Ints64
    """[P, FIELDS] the nodes from the root to where the search is."""
    actions: Moves
    """[P, M] the moves of each node as the rules list them."""
    order: Ints64
    """[P, M] the same as slots, with how promising they are."""
    keys: Ints64
    """[history and P] the positions that can recur, of the game and then of the path."""
    seen: Counts
    """[2^FILTER_BITS] how many of them fall into each cell of a filter."""
    history: Ints64
    """[A] how well each action has refuted positions."""
    killers: Ints64
    """[P, 2] the last actions that refuted a position of this ply."""
    root_scores: Ints64
    """[A] of the depth that is being searched."""
    found: Ints64
    """[A] the same of the last depth that is finished, by which the root's moves are ordered."""
    counters: Ints64
    """[COUNTERS]"""
    packed: State
    """[S] room for a packed state."""


@njit
def static_score(rules: Rules, state: State) -> int:
    """The game's own score, kept apart from proven results."""
    return max(-PROVEN, min(PROVEN, score(rules, state)))


@njit
def ended(result: int, ply: int) -> int:
    """The score of a move after which the game has ended, `ply` plies from the root."""
    if result == DRAW:
        return 0
    return WON - ply if result == LOSS else ply - WON


@njit
def quiesced(rules: Rules, state: State, ply: int, alpha: int, beta: int) -> int:
    """The score, within the window, when the exchanges at hand are played out."""
    return from_root(quiescence(rules, state, from_node(alpha, ply), from_node(beta, ply)), ply)


@njit
def last_ply(
    rules: Rules,
    state: State,
    after: State,
    actions: Actions,
    ply: int,
    alpha: int,
    beta: int,
    quiesce: bool,
    path: Path,
    repeats: bool,
    killers: Ints64,
) -> tuple[int, int]:
    """The score and the best action of a node with one ply left, within its window; `after` is room for a state.

    Most nodes are of this kind, so they get neither a frame of moves nor a place in the table. `repeats` says whether a
    draw by repetition is possible at all.
    """
    state, after, actions = borrowed(state), borrowed(after), borrowed(actions)
    path, killers = borrowed(path), borrowed(killers)
    best = -INFINITE
    best_action = -1
    killer = killers[0]
    if killer >= 0 and not is_legal(rules, state, killer, actions):
        killer = -1
    count = -1
    i = -1 if killer >= 0 else 0  # a killer goes first
    while True:
        if i < 0:
            action = killer
        else:
            if count < 0:
                count = list_moves(rules, state, actions)
            if i == count:
                return best, best_action
            action = np.int64(actions[i])
            if action == killer:
                i += 1
                continue
        i += 1
        play(rules, state, action, after)
        result = status(rules, after)
        if result != ONGOING:
            value = ended(result, ply + 1)
        elif repeats and not is_irreversible(rules, after) and is_repetition(rules, position_key(rules, after), path):
            value = 0
        elif quiesce:
            value = -quiesced(rules, after, ply + 1, -beta, -alpha)
        else:
            value = -static_score(rules, after)
        if value > best:
            best = value
            best_action = action
            alpha = max(alpha, best)
            if best >= beta:
                if killers[0] != action and move_promise(rules, state, after) == 0:
                    killers[1] = killers[0]
                    killers[0] = action
                return best, best_action


@njit
def list_children(
    rules: Rules,
    state: State,
    children: Ints64,
    frame: Ints64,
    actions: Actions,
    order: Ints64,
    history: Ints64,
    killers: Ints64,
    first_action: int,
) -> None:
    """List a node's moves, what they lead to, and how promising they look."""
    count = list_moves(rules, state, actions)
    for i in range(count):
        action = np.int64(actions[i])
        play(rules, state, action, children[i])
        promise = move_promise(rules, state, children[i])
        if action == first_action:
            promise = TABLE_MOVE
        elif promise != 0:
            promise *= PROMISE
        elif action == killers[0] or action == killers[1]:
            promise = KILLER
        else:
            promise = history[action]
        order[i] = promise << SLOT_BITS | (SLOT_MASK - i)
    frame[COUNT] = count
    frame[INDEX] = 0
    frame[BEST] = -INFINITE
    frame[BEST_ACTION] = -1


@njit
def next_slot(order: Ints64, i: int, count: int) -> int:
    """Bring the most promising of the moves that are left to the front of them, and take it."""
    pick, chosen = i, order[i]
    for j in range(i + 1, count):
        if order[j] > chosen:
            pick, chosen = j, order[j]
    order[pick] = order[i]
    order[i] = chosen
    return SLOT_MASK - (chosen & SLOT_MASK)


@njit
def begin(rules: Rules, root: State, past: Ints64, stack: Stack) -> None:
    """Forget the search before, but for its table, and set up a new one; `past` are the positions of the game that can
    recur, the root last."""
    counters, frame = stack.counters, stack.frames[0]
    counters[GENERATION] = (counters[GENERATION] + 1) % 1024
    counters[NODE_COUNT] = 0
    counters[REPEATED] = remember(past, stack.keys, stack.seen)
    counters[DEPTH] = 1
    counters[REACHED] = 0
    stack.history[:] = 0
    stack.killers[:] = -1
    stack.found[:] = 0
    stack.states[0, 0] = root
    frame[SLOT] = 0
    frame[FIRST] = 0
    frame[LAST] = len(past) - 1
    open_root(rules, stack)


@njit
def open_root(rules: Rules, stack: Stack) -> None:
    """Set the root up for one more depth."""
    frame, order, actions = stack.frames[0], stack.order[0], stack.actions[0]
    frame[ALPHA] = frame[FLOOR] = -INFINITE
    frame[BETA] = INFINITE
    list_children(
        rules, stack.states[0, 0], stack.states[1], frame, actions, order, stack.history, stack.killers[0], -1
    )
    for i in range(frame[COUNT]):
        order[i] = stack.found[actions[i]] << SLOT_BITS | (SLOT_MASK - i)
    stack.root_scores[:] = UNKNOWN
    stack.counters[PLY] = 0


@njit
def search(rules: Rules, depth: int, quiesce: bool, every_move: bool, budget: int, stack: Stack, table: Ints64) -> bool:
    """Go on, one depth after the other, for about `budget` nodes: True when the search of this depth is finished, or
    the game is decided within one before.

    With `every_move` each root move gets its exact score; without, only those that equal the best do, and the others
    a bound below it.
    """
    limit = stack.counters[NODE_COUNT] + budget
    while search_depth(rules, stack.counters[DEPTH], quiesce, every_move, limit, stack, table):
        reached, best = stack.counters[DEPTH], stack.frames[0, BEST]
        stack.found[:] = stack.root_scores
        stack.counters[REACHED] = reached
        stack.counters[DEPTH] = reached + 1
        open_root(rules, stack)
        if reached >= depth or WON - abs(best) <= reached:  # no deeper search could change the best move's score
            return True
    return False


@njit
def search_depth(
    rules: Rules, depth: int, quiesce: bool, every_move: bool, limit: int, stack: Stack, table: Ints64
) -> bool:
    """Go on with the search of one depth until there are about `limit` nodes: True when it is finished."""
    states, frames, actions = borrowed(stack.states), borrowed(stack.frames), borrowed(stack.actions)
    order, keys, seen = borrowed(stack.order), borrowed(stack.keys), borrowed(stack.seen)
    history, killers, root_scores = borrowed(stack.history), borrowed(stack.killers), borrowed(stack.root_scores)
    counters, packed, table = borrowed(stack.counters), borrowed(stack.packed), borrowed(table)
    recurs = rules.repetition_limit > 0
    at_once = rules.repetition_limit == 2  # where the first return makes a draw, nothing need have repeated
    ply = counters[PLY]
    while True:
        if counters[NODE_COUNT] >= limit:
            counters[PLY] = ply
            return False
        frame = frames[ply]
        state = states[ply, frame[SLOT]]
        left = depth - ply - 1  # after one of this node's moves
        pushed = False
        i = frame[INDEX]
        while i < frame[COUNT]:
            slot = next_slot(order[ply], i, frame[COUNT])
            i += 1
            frame[INDEX] = i
            counters[NODE_COUNT] += 1
            child = states[ply + 1, slot]
            first, last = frame[FIRST], frame[LAST] + 1
            key = np.int64(0)
            repeats = False
            if recurs:
                key = position_key(rules, child)
                if is_irreversible(rules, child):
                    first = last
                else:
                    repeats = at_once or counters[REPEATED] > 0
            result = status(rules, child)
            if result != ONGOING:
                value = ended(result, ply + 1)
            elif repeats and is_repetition(rules, key, Path(keys, first, last - 1, seen)):
                value = 0
            elif left == 0:  # only at a root of depth 1
                if quiesce:
                    value = -quiesced(rules, child, ply + 1, -frame[BETA], -frame[ALPHA])
                else:
                    value = -static_score(rules, child)
            else:
                cell = np.int64(0)
                if recurs:
                    keys[last] = key
                    cell = filter_cell(key)
                    seen[cell] += 1
                    counters[REPEATED] += seen[cell] > 1
                alpha, beta = -frame[BETA], -frame[ALPHA]
                path = Path(keys, first, last, seen)
                if left == 1:
                    value, _ = last_ply(
                        rules,
                        child,
                        states[ply + 2, 0],
                        actions[ply + 1],
                        ply + 1,
                        alpha,
                        beta,
                        quiesce,
                        path,
                        at_once or counters[REPEATED] > 0,
                        killers[ply + 1],
                    )
                else:
                    context = context_of(rules, child, left, path, counters[REPEATED])
                    row, action = find_row(rules, table, child, context, left, packed)
                    known = False
                    value = 0
                    if row >= 0:
                        value = from_root(table[row, T_SCORE], ply + 1)
                        flag = table[row, T_INFO] >> 8 & 3
                        known = flag == EXACT or (flag == LOWER and value >= beta) or (flag == UPPER and value <= alpha)
                    if not known:
                        ply += 1
                        below = frames[ply]
                        below[SLOT] = slot
                        below[FIRST] = first
                        below[LAST] = last
                        below[ALPHA] = below[FLOOR] = alpha
                        below[BETA] = beta
                        below[CONTEXT] = context
                        list_children(
                            rules,
                            child,
                            states[ply + 1],
                            below,
                            actions[ply],
                            order[ply],
                            history,
                            killers[ply],
                            action,
                        )
                        pushed = True
                        break
                if recurs:
                    counters[REPEATED] -= seen[cell] > 1
                    seen[cell] -= 1
                value = -value
            action = np.int64(actions[ply, slot])
            if take(frame, value, action, ply, every_move, root_scores):
                if move_promise(rules, state, child) == 0:
                    reward(action, left + 1, history, killers[ply])
                break
        if pushed:
            continue
        # The node at `ply` is done: keep it, and hand its score to the node above.
        while True:
            if ply == 0:
                counters[PLY] = 0
                return True
            frame = frames[ply]
            best = frame[BEST]
            flag = LOWER if best >= frame[BETA] else (UPPER if best <= frame[FLOOR] else EXACT)
            store(
                rules,
                table,
                states[ply, frame[SLOT]],
                frame[CONTEXT],
                depth - ply,
                from_node(best, ply),
                flag,
                frame[BEST_ACTION],
                counters[GENERATION],
                packed,
            )
            if recurs:
                cell = filter_cell(keys[frame[LAST]])
                counters[REPEATED] -= seen[cell] > 1
                seen[cell] -= 1
            slot = frame[SLOT]
            ply -= 1
            above = frames[ply]
            action = np.int64(actions[ply, slot])
            if not take(above, -best, action, ply, every_move, root_scores):
                break
            if move_promise(rules, states[ply, above[SLOT]], states[ply + 1, slot]) == 0:
                reward(action, depth - ply, history, killers[ply])


@njit
def take(frame: Ints64, value: int, action: int, ply: int, every_move: bool, root_scores: Ints64) -> bool:
    """Count a move's score towards its node: True when the opponent would not let it come to this node."""
    if value > frame[BEST]:
        frame[BEST] = value
        frame[BEST_ACTION] = action
    if ply == 0:
        root_scores[action] = value
        if not every_move:
            frame[ALPHA] = frame[BEST] - 1  # one below, so that equals are found
        return False
    frame[ALPHA] = max(frame[ALPHA], value)
    return value >= frame[BETA]


@njit
def reward(action: int, left: int, history: Ints64, killers: Ints64) -> None:
    """Remember a move of no promise that refuted its position."""
    history[action] += left * left
    if history[action] > MOST_HISTORY:
        for i in range(len(history)):
            history[i] >>= 1
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action


@njit
def variations(
    rules: Rules, depth: int, quiesce: bool, stack: Stack, table: Ints64, lines: Moves, lengths: Ints64
) -> None:
    """Write the line that the search of `depth`, the last that is finished, expects after each of the root's moves, the
    move first: [M, depth] and how long each is [M], in the order of `stack.actions`."""
    frame = stack.frames[0]
    for i in range(frame[COUNT]):
        lines[i, 0] = stack.actions[0, i]
        lengths[i] = 1 + principal_variation(rules, stack.states[1, i], depth - 1, quiesce, stack, table, lines[i, 1:])


@njit
def principal_variation(
    rules: Rules, start: State, depth: int, quiesce: bool, stack: Stack, table: Ints64, line: Actions
) -> int:
    """Follow the best moves from a position after one of the root's moves, which was searched to `depth`: how many were
    written to `line`."""
    keys, seen, actions, killers = stack.keys, stack.seen, stack.actions[-1], stack.killers[-1]
    state, after = stack.states[-2, 0], stack.states[-1, 0]
    state[:] = start
    root = stack.frames[0, LAST]
    first, last, repeated = stack.frames[0, FIRST], root, stack.counters[REPEATED]
    length = 0
    while status(rules, state) == ONGOING:
        if rules.repetition_limit > 0:
            key = position_key(rules, state)
            if is_irreversible(rules, state):
                first = last + 1
            elif is_repetition(rules, key, Path(keys, first, last, seen)):
                break
            last += 1
            keys[last] = key
            cell = filter_cell(key)
            seen[cell] += 1
            repeated += seen[cell] > 1
        left = depth - length
        if left == 0:
            break
        if left == 1:
            repeats = rules.repetition_limit == 2 or repeated > 0
            _, action = last_ply(
                rules,
                state,
                after,
                actions,
                length,
                -INFINITE,
                INFINITE,
                quiesce,
                Path(keys, first, last, seen),
                repeats,
                killers,
            )
        else:
            context = context_of(rules, state, left, Path(keys, first, last, seen), repeated)
            row, action = find_row(rules, table, state, context, left, stack.packed)
            if row < 0 or table[row, T_INFO] >> 8 & 3 != EXACT or action < 0:
                break
        line[length] = action
        length += 1
        play(rules, state, action, state)
    for i in range(root + 1, last + 1):  # leave the path as it was
        seen[filter_cell(keys[i])] -= 1
    return length
