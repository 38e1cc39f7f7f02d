"""The search, compiled: select leaves, place them in the tree, expand and back up, for all games in one call each."""

import numpy as np
import numpy.typing as npt

from alphadiamond.game.compiling import njit
from alphadiamond.search.edge_kernels import (
    DRAW,
    LOSS,
    WIN,
    Rules,
    gumbel_inner_edge,
    gumbel_root_edge,
    puct_edge,
)
from alphadiamond.search.trees import OPEN, PENDING, TERMINAL, UNKNOWN, Trees


@njit
def release(trees: Trees, g: int, node: int) -> None:
    """Take back the marks of a simulation from a node up to the root."""
    while trees.parent[g, node] >= 0:
        edge = trees.parent_edge[g, node]
        node = trees.parent[g, node]
        trees.waiting[g, node, edge] -= 1


@njit
def back_up(trees: Trees, g: int, leaf: int, value: float, draw: float, rules: Rules) -> None:
    """Add a leaf's value to its ancestors, sign by sign, and pass on what it proves."""
    node = leaf
    while True:
        trees.visits[g, node] += 1
        trees.value_sum[g, node] += value
        trees.draw_sum[g, node] += draw
        parent = trees.parent[g, node]
        if parent < 0:
            break
        edge = trees.parent_edge[g, node]
        value = -value
        trees.edge_visits[g, parent, edge] += 1
        trees.edge_value[g, parent, edge] += value
        trees.waiting[g, parent, edge] -= 1
        if rules.prove and abs(trees.result[g, node]) == 1:
            prove(trees, g, parent)
            if trees.result[g, parent] != UNKNOWN:
                value, draw = float(trees.result[g, parent]), 0.0
        node = parent
    trees.done[g] += 1


@njit
def prove(trees: Trees, g: int, node: int) -> None:
    """A move to a lost position wins; if every move leads to a won position, it is lost. Draws prove nothing."""
    best, worst = 32767, 0
    lost = True
    for e in range(trees.moves[g, node]):
        child = trees.child[g, node, e]
        result = trees.result[g, child] if child >= 0 else UNKNOWN
        if result == LOSS:
            best = min(best, trees.distance[g, child] + 1)
        elif result == WIN:
            worst = max(worst, trees.distance[g, child] + 1)
        else:
            lost = False
    if best < 32767:
        trees.result[g, node] = WIN
        trees.distance[g, node] = best
    elif lost:
        trees.result[g, node] = LOSS
        trees.distance[g, node] = worst


@njit
def new_node(trees: Trees, g: int, parent: int, edge: int) -> int:
    node = trees.used[g]
    trees.used[g] += 1
    trees.parent[g, node] = parent
    trees.parent_edge[g, node] = edge
    trees.kind[g, node] = PENDING
    trees.result[g, node] = UNKNOWN
    trees.distance[g, node] = 0
    trees.cycle[g, node] = 0
    trees.visits[g, node] = 0
    trees.value_sum[g, node] = 0.0
    trees.draw_sum[g, node] = 0.0
    trees.moves[g, node] = 0
    if parent >= 0:
        trees.child[g, parent, edge] = node
    return node


@njit
def select(
    trees: Trees,
    rules: Rules,
    schedule: npt.NDArray[np.int32],
    waiting: npt.NDArray[np.int32],
    leaf_game: npt.NDArray[np.int32],
    leaf_node: npt.NDArray[np.int32],
) -> int:
    """Walk down every game that has simulations to make until each has `rules.leaves` new leaves; how many in all.

    `waiting` [G] counts the leaves a game already has under way; `leaf_game` and `leaf_node` receive the new ones. A
    walk that ends in a finished position is backed up at once and costs no evaluation.
    """
    capacity = trees.parent.shape[1]
    logits = np.empty(trees.action.shape[2], dtype=np.float64)
    found = 0
    for g in range(len(trees.used)):
        while (
            waiting[g] < rules.leaves
            and trees.done[g] + waiting[g] < trees.limit[g]
            and trees.used[g] < capacity
            and not (rules.prove and trees.result[g, 0] != UNKNOWN)
        ):
            node = 0
            while trees.kind[g, node] == OPEN:
                if not rules.gumbel:
                    edge = puct_edge(trees, g, node, rules)
                elif node == 0:
                    edge = gumbel_root_edge(trees, g, rules, schedule, logits)
                else:
                    edge = gumbel_inner_edge(trees, g, node, rules, logits)
                trees.waiting[g, node, edge] += 1
                child = trees.child[g, node, edge]
                if child < 0:
                    child = new_node(trees, g, node, edge)
                    leaf_game[found], leaf_node[found] = g, child
                    found += 1
                    waiting[g] += 1
                    node = -1
                    break
                node = child
                if rules.prove and trees.result[g, node] != UNKNOWN:
                    break
            if node < 0:
                continue
            if trees.kind[g, node] == PENDING:  # another walk of this game is waiting here
                release(trees, g, node)
                break
            draw = 1.0 if trees.result[g, node] == DRAW else 0.0
            back_up(trees, g, node, float(trees.result[g, node]), draw, rules)
    return found


@njit
def gather(
    trees: Trees, leaf_game: npt.NDArray[np.int32], leaf_node: npt.NDArray[np.int32], count: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int16]]:
    """The parents' states and the actions that lead to the leaves."""
    states = np.empty((count, trees.state.shape[2]), dtype=np.int32)
    actions = np.empty(count, dtype=np.int16)
    for i in range(count):
        g, node = leaf_game[i], leaf_node[i]
        parent = trees.parent[g, node]
        states[i] = trees.state[g, parent]
        actions[i] = trees.action[g, parent, trees.parent_edge[g, node]]
    return states, actions


@njit
def occurrences(trees: Trees, g: int, node: int) -> tuple[int, int]:
    """How often the position of a node has occurred, and how many plies ago inside the tree (0: not there)."""
    count, cycle, plies = 1, 0, 0
    key = trees.key[g, node]
    at = node
    while not trees.fresh[g, at] and trees.parent[g, at] >= 0:
        at = trees.parent[g, at]
        plies += 1
        if plies % 2 == 0 and trees.key[g, at] == key:
            count += 1
            if cycle == 0:
                cycle = plies
    if trees.parent[g, at] < 0 and not trees.fresh[g, at]:
        # The root is the last entry of the history; every second one has the same side to move.
        for i in range(trees.known[g] - 2, -1, -1):
            plies += 1
            if plies % 2 == 0 and trees.history[g, i] == key:
                count += 1
    return count, cycle


@njit
def place(
    trees: Trees,
    rules: Rules,
    waiting: npt.NDArray[np.int32],
    leaf_game: npt.NDArray[np.int32],
    leaf_node: npt.NDArray[np.int32],
    count: int,
    states: npt.NDArray[np.int32],
    keys: npt.NDArray[np.int64],
    fresh: npt.NDArray[np.bool_],
    statuses: npt.NDArray[np.int8],
    legal: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int16],
) -> int:
    """Fill new leaves with what the game says of them; finished ones are backed up, the rest move to the front.

    A third occurrence is a draw; a second one counts as a draw if the first is in this tree, since whoever wants to
    deviate can do so there (lc0's rule). Returns how many leaves are left to evaluate.
    """
    kept = 0
    last = trees.state.shape[2] - 1
    for i in range(count):
        g, node = leaf_game[i], leaf_node[i]
        trees.state[g, node] = states[i]
        trees.key[g, node] = keys[i]
        trees.fresh[g, node] = fresh[i]
        result, cycle = np.int64(statuses[i]), 0
        if result == UNKNOWN and not fresh[i]:
            seen, cycle = occurrences(trees, g, node)
            trees.state[g, node, last] = min(seen, rules.repetition_limit)
            if seen >= rules.repetition_limit:
                result, cycle = DRAW, 0
            elif cycle > 0:
                result = DRAW
        if result != UNKNOWN:
            trees.kind[g, node] = TERMINAL
            trees.result[g, node] = result
            trees.cycle[g, node] = cycle
            waiting[g] -= 1
            back_up(trees, g, node, float(result), 1.0 if result == DRAW else 0.0, rules)
            continue
        trees.moves[g, node] = counts[i]
        for e in range(counts[i]):
            trees.action[g, node, e] = legal[i, e]
            trees.child[g, node, e] = -1
            trees.edge_visits[g, node, e] = 0
            trees.edge_value[g, node, e] = 0.0
            trees.waiting[g, node, e] = 0
        leaf_game[kept], leaf_node[kept] = g, node
        kept += 1
    return kept


@njit
def leaf_states(
    trees: Trees, leaf_game: npt.NDArray[np.int32], leaf_node: npt.NDArray[np.int32], first: int, last: int
) -> npt.NDArray[np.int32]:
    states = np.empty((last - first, trees.state.shape[2]), dtype=np.int32)
    for i in range(first, last):
        states[i - first] = trees.state[leaf_game[i], leaf_node[i]]
    return states


@njit
def expand(
    trees: Trees,
    rules: Rules,
    waiting: npt.NDArray[np.int32],
    leaf_game: npt.NDArray[np.int32],
    leaf_node: npt.NDArray[np.int32],
    first: int,
    last: int,
    policy: npt.NDArray[np.float32],
    wdl: npt.NDArray[np.float32],
) -> None:
    """Give evaluated leaves `first` to `last` - 1 their priors and back their values up."""
    for i in range(first, last):
        g, node, row = leaf_game[i], leaf_node[i], i - first
        value = float(wdl[row, 0]) - float(wdl[row, 2])
        total = 0.0
        for e in range(trees.moves[g, node]):
            total += policy[row, trees.action[g, node, e]]
        for e in range(trees.moves[g, node]):
            share = policy[row, trees.action[g, node, e]] / total if total > 0 else 1.0 / trees.moves[g, node]
            trees.prior[g, node, e] = share
            trees.log_prior[g, node, e] = np.log(max(share, 1e-12))
        trees.judged[g, node] = value
        trees.kind[g, node] = OPEN
        waiting[g] -= 1
        back_up(trees, g, node, value, float(wdl[row, 1]), rules)
