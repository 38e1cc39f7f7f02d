"""The search, compiled: select leaves, place them in the tree, expand and back up, for all games in one call each."""

from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.search.edge_kernels import (
    DRAW,
    LOSS,
    WIN,
    Rules,
    gumbel_inner_edge,
    gumbel_root_edge,
    puct_edge,
    recorded,
)
from alphadiamond.search.trees import OPEN, PENDING, TERMINAL, UNKNOWN, Trees


@njit
def release(trees: Trees, g: int, n: int) -> None:
    """Take back the marks of a simulation from a node up to the root."""
    node = trees.node[g, n]
    while node.parent >= 0:
        trees.edge[g, node.parent, node.parent_edge].waiting -= 1
        node = trees.node[g, node.parent]


@njit
def back_up(trees: Trees, g: int, leaf: int, value: float, draw: float, rules: Rules) -> None:
    """Add a leaf's value to its ancestors, sign by sign, and pass on what it proves."""
    node = trees.node[g, leaf]
    while True:
        node.visits += 1
        node.value_sum += value
        node.draw_sum += draw
        parent = node.parent
        if parent < 0:
            break
        value = -value
        edge = trees.edge[g, parent, node.parent_edge]
        edge.visits += 1
        edge.value_sum += value
        edge.waiting -= 1
        result = node.result
        if result != UNKNOWN:
            edge.result = result
        node = trees.node[g, parent]
        if rules.prove and (abs(result) == 1 or (rules.draws and result == DRAW)):
            prove(trees, g, parent, rules.draws)
            if node.result != UNKNOWN:
                value, draw = float(node.result), 1.0 if node.result == DRAW else 0.0
    trees.game[g].done += 1


@njit
def prove(trees: Trees, g: int, n: int, draws: bool) -> None:
    """A move to a lost position wins; if every move leads to a won position, it is lost; with `draws`, if every move
    leads to a won or drawn one, and some to a drawn one, it is drawn. Else draws prove nothing."""
    node = trees.node[g, n]
    count = recorded(trees, g, n)
    best, worst = 32767, 0
    known, drawn = count == node.moves, False
    for e in range(count):
        edge = trees.edge[g, n, e]
        if edge.result == LOSS:
            best = min(best, trees.node[g, edge.child].distance + 1)
        elif edge.result == WIN:
            worst = max(worst, trees.node[g, edge.child].distance + 1)
        elif draws and edge.result == DRAW:
            drawn = True
        else:
            known = False
    if best < 32767:
        node.result = WIN
        node.distance = best
    elif known and drawn:
        node.result = DRAW
    elif known:
        node.result = LOSS
        node.distance = worst


@njit
def clear_edge(edge: Any) -> None:
    edge.value_sum = 0.0
    edge.visits = 0
    edge.child = -1
    edge.waiting = 0
    edge.result = UNKNOWN


@njit
def new_node(trees: Trees, g: int, parent: int, edge: int) -> int:
    n = trees.game[g].used
    trees.game[g].used += 1
    node = trees.node[g, n]
    node.parent = parent
    node.parent_edge = edge
    node.kind = PENDING
    node.result = UNKNOWN
    node.distance = 0
    node.cycle = 0
    node.visits = 0
    node.value_sum = 0.0
    node.draw_sum = 0.0
    node.moves = 0
    node.opened = 0
    if parent >= 0:
        trees.edge[g, parent, edge].child = n
    return n


@njit
def select(
    trees: Trees,
    rules: Rules,
    schedule: npt.NDArray[np.int32],
    waiting: npt.NDArray[np.int32],
    leaf_game: npt.NDArray[np.int32],
    leaf_node: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int16]]:
    """Walk down every game that has simulations to make until each has `rules.leaves` new leaves.

    `waiting` [G] counts the leaves a game already has under way; `leaf_game` and `leaf_node` receive the new ones.
    Returns the states [L, S] of their parents and the actions [L] that lead to them. A walk that ends in a finished
    position is backed up at once and costs no evaluation.
    """
    states = np.empty((len(leaf_game), trees.state.shape[2]), dtype=np.int64)
    actions = np.empty(len(leaf_game), dtype=np.int16)
    games, capacity = trees.node.shape
    scratch = np.empty(trees.action.shape[2], dtype=np.float64)
    found = 0
    for g in range(games):
        game = trees.game[g]
        while (
            waiting[g] < rules.leaves
            and game.done + waiting[g] < game.limit
            and game.used < capacity
            and not (rules.prove and trees.node[g, 0].result != UNKNOWN)
        ):
            n = 0
            while trees.node[g, n].kind == OPEN:
                if not rules.gumbel:
                    e = puct_edge(trees, g, n, rules)
                elif n == 0:
                    e = gumbel_root_edge(trees, g, rules, schedule, scratch)
                else:
                    e = gumbel_inner_edge(trees, g, n, rules, scratch)
                edge = trees.edge[g, n, e]
                if n > 0 and e == trees.node[g, n].opened:
                    clear_edge(edge)
                    trees.node[g, n].opened += 1
                edge.waiting += 1
                if edge.child < 0:
                    leaf_game[found], leaf_node[found] = g, new_node(trees, g, n, e)
                    for i in range(states.shape[1]):
                        states[found, i] = trees.state[g, n, i]
                    actions[found] = trees.action[g, n, e]
                    found += 1
                    waiting[g] += 1
                    n = -1
                    break
                n = edge.child
                if rules.prove and trees.node[g, n].result != UNKNOWN:
                    break
            if n < 0:
                continue
            node = trees.node[g, n]
            if node.kind == PENDING:  # another walk of this game is waiting here
                release(trees, g, n)
                break
            back_up(trees, g, n, float(node.result), 1.0 if node.result == DRAW else 0.0, rules)
    return states[:found], actions[:found]


@njit
def occurrences(trees: Trees, g: int, n: int, key: int, plies: int) -> tuple[int, int]:
    """How often the position with a key, so many plies below a node, has occurred, this time included, and how many
    plies ago inside the tree (0: not there)."""
    count, cycle = 1, 0
    node = trees.node[g, n]
    while not node.fresh and node.parent >= 0:
        node = trees.node[g, node.parent]
        plies += 1
        if plies % 2 == 0 and node.key == key:
            count += 1
            if cycle == 0:
                cycle = plies
    if node.parent < 0 and not node.fresh:
        # The root is the last entry of the history; every second one has the same side to move.
        for i in range(trees.game[g].known - 3 + plies % 2, -1, -2):
            if trees.history[g, i] == key:
                count += 1
    return count, cycle


@njit
def place(
    trees: Trees,
    rules: Rules,
    waiting: npt.NDArray[np.int32],
    leaf_game: npt.NDArray[np.int32],
    leaf_node: npt.NDArray[np.int32],
    leaf_state: npt.NDArray[np.int64],
    leaf_legal: npt.NDArray[np.int16],
    states: npt.NDArray[np.int64],
    keys: npt.NDArray[np.int64],
    fresh: npt.NDArray[np.bool_],
    statuses: npt.NDArray[np.int8],
    legal: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int16],
) -> int:
    """Fill new leaves with what the game says of them; finished ones are backed up, the rest move to the front, with
    their states and legal actions beside them.

    A third occurrence is a draw; a second one counts as a draw if the first is in this tree, since whoever wants to
    deviate can do so there (lc0's rule). Returns how many leaves are left to evaluate.
    """
    kept = 0
    last = trees.state.shape[2] - 1
    for i in range(len(states)):
        g, n = leaf_game[i], leaf_node[i]
        node = trees.node[g, n]
        for j in range(last + 1):
            trees.state[g, n, j] = states[i, j]
        node.key = keys[i]
        node.fresh = fresh[i]
        result, cycle = np.int64(statuses[i]), 0
        if result == UNKNOWN and not fresh[i] and rules.repetition_limit > 0:
            seen, cycle = occurrences(trees, g, n, node.key, 0)
            trees.state[g, n, last] = min(seen, rules.repetition_limit)
            if seen >= rules.repetition_limit:
                result, cycle = DRAW, 0
            elif cycle > 0:
                result = DRAW
        if result != UNKNOWN:
            node.kind = TERMINAL
            node.result = result
            node.cycle = cycle
            waiting[g] -= 1
            back_up(trees, g, n, float(result), 1.0 if result == DRAW else 0.0, rules)
            continue
        node.moves = counts[i]
        leaf_game[kept], leaf_node[kept] = g, n
        for j in range(last + 1):
            leaf_state[kept, j] = trees.state[g, n, j]
        for j in range(counts[i]):
            leaf_legal[kept, j] = legal[i, j]
        kept += 1
    return kept


@njit
def settle(
    trees: Trees,
    rules: Rules,
    foresees: npt.NDArray[np.bool_],
    waiting: npt.NDArray[np.int32],
    leaf_game: npt.NDArray[np.int32],
    leaf_node: npt.NDArray[np.int32],
    leaf_state: npt.NDArray[np.int64],
    leaf_legal: npt.NDArray[np.int16],
    results: npt.NDArray[np.int8],
    distances: npt.NDArray[np.int16],
    keys: npt.NDArray[np.int64],
) -> int:
    """Back up the leaves that two plies decide (`Game.foresee`), in games [G] that take notice; the rest move to the
    front. Returns how many they are.

    A loss from which a repetition might save is left to the evaluator.
    """
    kept = 0
    for i in range(len(results)):
        g, n = leaf_game[i], leaf_node[i]
        decided = foresees[g] and results[i] != UNKNOWN
        if decided and results[i] == LOSS and rules.repetition_limit > 0:
            for j in range(keys.shape[1]):
                if keys[i, j] >= 0 and occurrences(trees, g, n, keys[i, j], 1)[0] > 1:
                    decided = False
                    break
        if decided:
            node = trees.node[g, n]
            node.kind = TERMINAL
            node.result = results[i]
            node.distance = distances[i]
            waiting[g] -= 1
            back_up(trees, g, n, float(results[i]), 0.0, rules)
            continue
        if kept < i:
            leaf_game[kept], leaf_node[kept] = g, n
            for j in range(leaf_state.shape[1]):
                leaf_state[kept, j] = leaf_state[i, j]
            for j in range(trees.node[g, n].moves):
                leaf_legal[kept, j] = leaf_legal[i, j]
        kept += 1
    return kept


@njit
def expand(
    trees: Trees,
    rules: Rules,
    waiting: npt.NDArray[np.int32],
    leaf_game: npt.NDArray[np.int32],
    leaf_node: npt.NDArray[np.int32],
    leaf_legal: npt.NDArray[np.int16],
    policy: npt.NDArray[np.float32],
    wdl: npt.NDArray[np.float32],
) -> None:
    """Give the leaves that were evaluated their edges, sorted by prior, and back their values up."""
    for row in range(len(policy)):
        g, n = leaf_game[row], leaf_node[row]
        node = trees.node[g, n]
        moves = node.moves
        total = np.float32(0.0)
        for e in range(moves):
            action = leaf_legal[row, e]
            chance = policy[row, action]
            total += chance
            at = e
            while at > 0 and trees.prior[g, n, at - 1] < chance:
                trees.prior[g, n, at] = trees.prior[g, n, at - 1]
                trees.action[g, n, at] = trees.action[g, n, at - 1]
                at -= 1
            trees.prior[g, n, at] = chance
            trees.action[g, n, at] = action
        for e in range(moves):
            trees.prior[g, n, e] = trees.prior[g, n, e] / total if total > 0 else 1.0 / moves
        if n == 0:
            for e in range(moves):
                clear_edge(trees.edge[g, 0, e])
        value = float(wdl[row, 0]) - float(wdl[row, 2])
        node.judged = value
        node.kind = OPEN
        waiting[g] -= 1
        back_up(trees, g, n, value, float(wdl[row, 1]), rules)
