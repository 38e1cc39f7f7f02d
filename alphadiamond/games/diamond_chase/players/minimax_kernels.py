"""Alpha-beta on an explicit stack: it can be left and taken up again, so that the clock is read between slices."""

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.minimax_kernels import EXACT, INFINITE, LOWER, UNKNOWN, UPPER, WON, from_node, from_root
from alphadiamond.base.compilation import lowest_bit, njit, popcount
from alphadiamond.base.results import ONGOING
from alphadiamond.games.diamond_chase.board import ACTION_IDS, ACTIONS, ADJACENT, ALL_NODES, NODES, SOURCES, TARGETS
from alphadiamond.games.diamond_chase.heuristic_kernels import evaluate
from alphadiamond.games.diamond_chase.kernels import MIN_BEADS, QUIET_LIMIT, apply, position_key, status
from alphadiamond.games.diamond_chase.players.minimax_table_kernels import (
    ALPHA,
    BEST,
    BEST_ACTION,
    BETA,
    CONTEXT,
    COUNT,
    FIRST,
    FLOOR,
    GENERATION,
    INDEX,
    LAST,
    NODE_COUNT,
    OPP,
    OWN,
    PLY,
    QUIET,
    REPEATED,
    T_INFO,
    T_SCORE,
    Ints64,
    context_of,
    filter_cell,
    find_row,
    is_third,
    store,
)


@njit
def quiesce(own: int, opp: int, ply: int, alpha: int, beta: int, weight: int) -> int:
    """The best of standing still and of captures, to the end of the exchange; nobody has lost yet.

    A bead is taken by filling its last empty neighbour from a node that is not its neighbour.
    """
    best = evaluate(own, opp, weight)
    if best >= beta:
        return best
    alpha = max(alpha, best)
    empty = ALL_NODES & ~(own | opp)
    beads = opp
    while beads:
        bead = lowest_bit(beads)
        beads &= beads - 1
        free = ADJACENT[bead] & empty
        if free == 0 or free & (free - 1) != 0:
            continue
        target = lowest_bit(free)
        sources = own & ADJACENT[target] & ~ADJACENT[bead]
        while sources:
            source = lowest_bit(sources)
            sources &= sources - 1
            moved, other, _, _ = apply(own, opp, source, target)
            if popcount(other) < MIN_BEADS:
                score = WON - ply - 1
            elif popcount(moved) < MIN_BEADS:
                score = ply + 1 - WON
            else:
                score = -quiesce(other, moved, ply + 1, -beta, -alpha, weight)
            if score > best:
                best = score
                if best >= beta:
                    return best
                alpha = max(alpha, best)
    return best


@njit
def last_ply(
    frame: Ints64,
    ply: int,
    weight: int,
    quiescence: bool,
    keys: Ints64,
    seen: npt.NDArray[np.uint8],
    repeated: int,
    killers: Ints64,
) -> tuple[int, int]:
    """The score and the best action of a node with one ply left, within its window.

    Most nodes are of this kind, so they get neither a frame of moves nor a place in the table.
    """
    own, opp = frame[OWN], frame[OPP]
    alpha, beta = frame[ALPHA], frame[BETA]
    empty = ALL_NODES & ~(own | opp)
    too_quiet = frame[QUIET] + 1 >= QUIET_LIMIT
    side = (keys[frame[LAST]] >> (2 * NODES)) ^ 1
    best = -INFINITE
    best_action = -1
    first_source = -1
    first_target = -1
    beads = own
    targets = 0
    source = 0
    tried = False
    while True:
        if not tried:
            # A killer goes first where it is legal.
            tried = True
            if killers[0] < 0:
                continue
            source, target = SOURCES[killers[0]], TARGETS[killers[0]]
            if own >> source & 1 == 0 or empty >> target & 1 == 0:
                continue
            first_source, first_target = source, target
        else:
            while targets == 0 and beads != 0:
                source = lowest_bit(beads)
                beads &= beads - 1
                targets = ADJACENT[source] & empty
            if targets == 0:
                return best, best_action
            target = lowest_bit(targets)
            targets &= targets - 1
            if source == first_source and target == first_target:
                continue
        moved, other, captured, lost = apply(own, opp, source, target)
        removed = captured | lost != 0
        if popcount(other) < MIN_BEADS:
            score = WON - ply - 1
        elif popcount(moved) < MIN_BEADS:
            score = ply + 1 - WON
        elif not removed and (
            too_quiet or (repeated > 0 and is_third(position_key(other, moved, side), frame, keys, seen))
        ):
            score = 0
        elif quiescence:
            score = -quiesce(other, moved, ply + 1, -beta, -alpha, weight)
        else:
            score = evaluate(moved, other, weight)
        if score > best:
            best = score
            best_action = ACTION_IDS[source, target]
            alpha = max(alpha, best)
            if best >= beta:
                if not removed and killers[0] != best_action:
                    killers[1] = killers[0]
                    killers[0] = best_action
                return best, best_action


@njit
def open_frame(
    frame: Ints64,
    actions: Ints64,
    order: Ints64,
    after: Ints64,
    history: Ints64,
    killers: Ints64,
    first_action: int,
) -> None:
    """List a node's moves, what they lead to, and how promising they look."""
    own, opp = frame[OWN], frame[OPP]
    empty = ALL_NODES & ~(own | opp)
    count = 0
    beads = own
    while beads:
        source = lowest_bit(beads)
        beads &= beads - 1
        targets = ADJACENT[source] & empty
        while targets:
            target = lowest_bit(targets)
            targets &= targets - 1
            action = ACTION_IDS[source, target]
            moved, other, captured, lost = apply(own, opp, source, target)
            actions[count] = action
            # The board after the move from the opponent's view, and whether beads came off.
            after[count] = other | moved << NODES | np.int64((captured | lost) != 0) << (2 * NODES)
            if action == first_action:
                order[count] = 1 << 40
            elif captured | lost:
                order[count] = (2 * popcount(captured) - 2 * popcount(lost) + 1) << 30
            elif action == killers[0] or action == killers[1]:
                order[count] = 1 << 29
            else:
                order[count] = history[action]
            count += 1
    frame[COUNT] = count
    frame[INDEX] = 0
    frame[BEST] = -INFINITE
    frame[BEST_ACTION] = -1


@njit
def begin(
    own: int,
    opp: int,
    quiet: int,
    past: Ints64,
    root_order: Ints64,
    frames: Ints64,
    actions: Ints64,
    order: Ints64,
    after: Ints64,
    keys: Ints64,
    seen: npt.NDArray[np.uint8],
    history: Ints64,
    killers: Ints64,
    root_scores: Ints64,
    counters: Ints64,
) -> None:
    """Set the root up for one more depth; `root_order` [72] says which of its moves to search first."""
    seen[:] = 0
    counters[REPEATED] = 0
    counters[PLY] = 0
    for i in range(len(past)):
        keys[i] = past[i]
        cell = filter_cell(past[i])
        seen[cell] += 1
        counters[REPEATED] += seen[cell] > 1
    frame = frames[0]
    frame[OWN] = own
    frame[OPP] = opp
    frame[QUIET] = quiet
    frame[FIRST] = 0
    frame[LAST] = len(past) - 1
    frame[ALPHA] = frame[FLOOR] = -INFINITE
    frame[BETA] = INFINITE
    open_frame(frame, actions[0], order[0], after[0], history, killers[0], -1)
    for i in range(frame[COUNT]):
        order[0, i] = root_order[actions[0, i]]
    for action in range(ACTIONS):
        root_scores[action] = UNKNOWN


@njit
def search(
    depth: int,
    weight: int,
    quiescence: bool,
    every_move: bool,
    budget: int,
    frames: Ints64,
    actions: Ints64,
    order: Ints64,
    after: Ints64,
    keys: Ints64,
    seen: npt.NDArray[np.uint8],
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
    mask = (1 << NODES) - 1
    ply = counters[PLY]
    while True:
        if counters[NODE_COUNT] >= limit:
            counters[PLY] = ply
            return False
        frame = frames[ply]
        left = depth - ply - 1  # after one of this node's moves
        pushed = False
        i = frame[INDEX]
        while i < frame[COUNT]:
            pick = i
            for j in range(i + 1, frame[COUNT]):
                if order[ply, j] > order[ply, pick]:
                    pick = j
            if pick != i:
                order[ply, pick], order[ply, i] = order[ply, i], order[ply, pick]
                actions[ply, pick], actions[ply, i] = actions[ply, i], actions[ply, pick]
                after[ply, pick], after[ply, i] = after[ply, i], after[ply, pick]
            frame[INDEX] = i + 1
            counters[NODE_COUNT] += 1
            own, opp = after[ply, i] & mask, after[ply, i] >> NODES & mask
            removed = after[ply, i] >> (2 * NODES) != 0
            quiet = 0 if removed else frame[QUIET] + 1
            last = frame[LAST] + 1
            first = last if removed else frame[FIRST]
            key = position_key(own, opp, (keys[frame[LAST]] >> (2 * NODES)) ^ 1)
            if popcount(own) < MIN_BEADS:
                score = WON - ply - 1
            elif popcount(opp) < MIN_BEADS:
                score = ply + 1 - WON
            elif quiet >= QUIET_LIMIT or (counters[REPEATED] > 0 and not removed and is_third(key, frame, keys, seen)):
                score = 0
            elif left == 0:  # only at a root of depth 1
                if quiescence:
                    score = -quiesce(own, opp, ply + 1, -frame[BETA], -frame[ALPHA], weight)
                else:
                    score = -evaluate(own, opp, weight)
            else:
                child = frames[ply + 1]
                child[OWN] = own
                child[OPP] = opp
                child[QUIET] = quiet
                child[FIRST] = first
                child[LAST] = last
                child[ALPHA] = child[FLOOR] = -frame[BETA]
                child[BETA] = -frame[ALPHA]
                keys[last] = key
                cell = filter_cell(key)
                seen[cell] += 1
                counters[REPEATED] += seen[cell] > 1
                if left == 1:
                    score, action = last_ply(
                        child, ply + 1, weight, quiescence, keys, seen, counters[REPEATED], killers[ply + 1]
                    )
                else:
                    child[CONTEXT] = context_of(child, left, keys, seen, counters[REPEATED])
                    row, action = find_row(table, own | opp << NODES, child[CONTEXT], left)
                    known = False
                    score = 0
                    if row >= 0:
                        score = from_root(table[row, T_SCORE], ply + 1)
                        flag = table[row, T_INFO] >> 8 & 3
                        known = (
                            flag == EXACT
                            or (flag == LOWER and score >= child[BETA])
                            or (flag == UPPER and score <= child[ALPHA])
                        )
                    if not known:
                        open_frame(
                            child, actions[ply + 1], order[ply + 1], after[ply + 1], history, killers[ply + 1], action
                        )
                        ply += 1
                        pushed = True
                        break
                counters[REPEATED] -= seen[cell] > 1
                seen[cell] -= 1
                score = -score
            if take(frame, score, actions[ply, i], ply, every_move, root_scores):
                reward(actions[ply, i], left + 1, removed, history, killers[ply])
                break
            i += 1
        if pushed:
            continue
        # The node at `ply` is done: keep it, and hand its score to the node above.
        while True:
            frame = frames[ply]
            if ply == 0:
                counters[PLY] = 0
                return True
            best = frame[BEST]
            flag = EXACT
            if best >= frame[BETA]:
                flag = LOWER
            elif best <= frame[FLOOR]:
                flag = UPPER
            store(
                table,
                frame[OWN] | frame[OPP] << NODES,
                frame[CONTEXT],
                depth - ply,
                from_node(best, ply),
                flag,
                frame[BEST_ACTION],
                counters[GENERATION],
            )
            cell = filter_cell(keys[frame[LAST]])
            counters[REPEATED] -= seen[cell] > 1
            seen[cell] -= 1
            ply -= 1
            above = frames[ply]
            i = above[INDEX] - 1
            if not take(above, -best, actions[ply, i], ply, every_move, root_scores):
                break
            reward(actions[ply, i], depth - ply, after[ply, i] >> (2 * NODES) != 0, history, killers[ply])


@njit
def take(frame: Ints64, score: int, action: int, ply: int, every_move: bool, root_scores: Ints64) -> bool:
    """Count a move's score towards its node: True when the opponent would not let it come to this node."""
    if score > frame[BEST]:
        frame[BEST] = score
        frame[BEST_ACTION] = action
    if ply == 0:
        root_scores[action] = score
        if not every_move:
            frame[ALPHA] = frame[BEST] - 1  # one below, so that equals are found
        return False
    frame[ALPHA] = max(frame[ALPHA], score)
    return score >= frame[BETA]


@njit
def reward(action: int, left: int, removed: bool, history: Ints64, killers: Ints64) -> None:
    """Remember a quiet move that refuted its position."""
    if removed:
        return
    history[action] += left * left
    if history[action] > 1 << 28:
        for i in range(ACTIONS):
            history[i] >>= 1
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action


@njit
def principal_variation(
    own: int,
    opp: int,
    quiet: int,
    past: Ints64,
    depth: int,
    keys: Ints64,
    seen: npt.NDArray[np.uint8],
    table: Ints64,
    frame: Ints64,
    killers: Ints64,
    weight: int,
    quiescence: bool,
    line: Ints64,
) -> int:
    """Follow the best moves from a position that was searched to `depth`: how many were written to `line`."""
    seen[:] = 0
    repeated = 0
    for i in range(len(past)):
        keys[i] = past[i]
        cell = filter_cell(past[i])
        seen[cell] += 1
        repeated += seen[cell] > 1
    last = len(past) - 1
    first = 0
    length = 0
    while depth > length:
        times = 0
        for i in range(first, last + 1):
            times += keys[i] == keys[last]
        if status(own, opp, quiet, times) != ONGOING:
            break
        frame[OWN] = own
        frame[OPP] = opp
        frame[QUIET] = quiet
        frame[FIRST] = first
        frame[LAST] = last
        if depth - length == 1:
            frame[ALPHA] = -INFINITE
            frame[BETA] = INFINITE
            _, action = last_ply(frame, length, weight, quiescence, keys, seen, repeated, killers)
        else:
            context = context_of(frame, depth - length, keys, seen, repeated)
            row, action = find_row(table, own | opp << NODES, context, depth - length)
            if row < 0 or table[row, T_INFO] >> 8 & 3 != EXACT or action < 0:
                break
        line[length] = action
        length += 1
        own, opp, quiet, removed = step(own, opp, quiet, action)
        key = position_key(own, opp, (keys[last] >> (2 * NODES)) ^ 1)
        last += 1
        keys[last] = key
        if removed:
            first = last
        cell = filter_cell(key)
        seen[cell] += 1
        repeated += seen[cell] > 1
    return length


@njit
def step(own: int, opp: int, quiet: int, action: int) -> tuple[int, int, int, bool]:
    """The position after an action, from the view of the side that is then to move."""
    moved, other, captured, lost = apply(own, opp, SOURCES[action], TARGETS[action])
    removed = captured | lost != 0
    return other, moved, 0 if removed else quiet + 1, removed
