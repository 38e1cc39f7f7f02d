"""The search, compiled: select leaves, place them in the tree, expand and back up, for all games in one call each.

Two rules choose edges. PUCT takes Q + c P sqrt(N) / (1 + n). Gumbel search (Danihelka et al., 2022) halves a set of
root candidates drawn without replacement and, below the root, follows the policy improved by completed Q-values.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.game.compiling import njit
from alphadiamond.game.kernels import random_unit
from alphadiamond.search.trees import OPEN, PENDING, TERMINAL, UNKNOWN, Trees

LOSS, DRAW, WIN = -1, 0, 1


class Rules(NamedTuple):
    """The numbers of a search, for compiled code; `SearchSettings` documents them."""

    gumbel: bool
    c_init: float
    c_base: float
    fpu_reduction: float
    root_fpu_reduction: float
    c_visit: float
    c_scale: float
    prove: bool
    repetition_limit: int
    leaves: int


# Choosing edges


@njit
def edge_q(trees: Trees, g: int, node: int, edge: int) -> float:
    """The mean value of a visited edge, exact where it is proven."""
    child = trees.child[g, node, edge]
    if child >= 0 and trees.result[g, child] != UNKNOWN:
        return -float(trees.result[g, child])
    return trees.edge_value[g, node, edge] / trees.edge_visits[g, node, edge]


@njit
def puct_edge(trees: Trees, g: int, node: int, rules: Rules) -> int:
    """The edge that PUCT takes. Simulations under way count as losses, so that leaves of one game spread."""
    total = trees.visits[g, node]
    explored = 0.0
    for e in range(trees.moves[g, node]):
        total += trees.waiting[g, node, e]
        if trees.edge_visits[g, node, e] > 0:
            explored += trees.prior[g, node, e]
    c = rules.c_init + np.log((total + rules.c_base + 1) / rules.c_base)
    reduction = rules.root_fpu_reduction if node == 0 else rules.fpu_reduction
    mean = trees.value_sum[g, node] / trees.visits[g, node]
    unvisited = mean - reduction * np.sqrt(explored)
    scale = c * np.sqrt(total)
    best, best_score = 0, -np.inf
    for e in range(trees.moves[g, node]):
        child = trees.child[g, node, e]
        if rules.prove and child >= 0:
            if trees.result[g, child] == LOSS:
                return e
            if trees.result[g, child] == WIN:
                if best_score == -np.inf:
                    best = e
                continue
        visits, waiting = trees.edge_visits[g, node, e], trees.waiting[g, node, e]
        if visits + waiting == 0:
            q = unvisited
        else:
            q = (trees.edge_value[g, node, e] - waiting) / (visits + waiting)
        score = q + scale * trees.prior[g, node, e] / (1 + visits + waiting)
        if score > best_score:
            best, best_score = e, score
    return best


@njit
def improved_logits(trees: Trees, g: int, node: int, rules: Rules, logits: npt.NDArray[np.float64]) -> int:
    """Write log prior + sigma(completed Q) of each edge; how many visits the edges have in all.

    Unvisited edges are completed with a mix of the evaluator's value and the visited edges' values.
    """
    count = trees.moves[g, node]
    most, visited_prior, weighted, visited = 0, 0.0, 0.0, 0
    for e in range(count):
        n = trees.edge_visits[g, node, e]
        if n > 0:
            q = edge_q(trees, g, node, e)
            logits[e] = q
            most = max(most, n)
            visited += n
            visited_prior += trees.prior[g, node, e]
            weighted += trees.prior[g, node, e] * q
    mixed = float(trees.judged[g, node])
    if visited > 0:
        mixed = (mixed + visited * weighted / max(visited_prior, 1e-12)) / (1 + visited)
    # Values lie in [-1, 1]; sigma is meant for [0, 1].
    scale = (rules.c_visit + most) * rules.c_scale * 0.5
    for e in range(count):
        q = logits[e] if trees.edge_visits[g, node, e] > 0 else mixed
        logits[e] = trees.log_prior[g, node, e] + scale * q
    return visited


@njit
def softmax(values: npt.NDArray[np.float64], count: int) -> None:
    """In place, over the first `count` entries."""
    top = values[:count].max()
    total = 0.0
    for e in range(count):
        values[e] = np.exp(values[e] - top)
        total += values[e]
    for e in range(count):
        values[e] /= total


@njit
def gumbel_root_edge(
    trees: Trees, g: int, rules: Rules, schedule: npt.NDArray[np.int32], logits: npt.NDArray[np.float64]
) -> int:
    """The best root candidate among those that sequential halving wants visited next."""
    count = trees.moves[g, 0]
    improved_logits(trees, g, 0, rules, logits)
    wanted = schedule[count, min(trees.done[g], schedule.shape[1] - 1)]
    best, best_score = -1, -np.inf
    fallback, fallback_score = 0, -np.inf
    for e in range(count):
        score = logits[e] + trees.gumbel[g, e]
        visits = trees.edge_visits[g, 0, e] + trees.waiting[g, 0, e]
        if visits == wanted and score > best_score:
            best, best_score = e, score
        if score > fallback_score:
            fallback, fallback_score = e, score
    return best if best >= 0 else fallback


@njit
def gumbel_inner_edge(trees: Trees, g: int, node: int, rules: Rules, logits: npt.NDArray[np.float64]) -> int:
    """The edge that is furthest behind its share of the improved policy."""
    count = trees.moves[g, node]
    best, best_score = 0, -np.inf
    if trees.visits[g, node] == 1 and rules.leaves == 1:  # nothing to improve on yet
        for e in range(count):
            if trees.prior[g, node, e] > best_score:
                best, best_score = e, trees.prior[g, node, e]
        return best
    total = improved_logits(trees, g, node, rules, logits)
    softmax(logits, count)
    if rules.leaves > 1:
        for e in range(count):
            total += trees.waiting[g, node, e]
    share = 1.0 / (1.0 + total)
    for e in range(count):
        score = logits[e] - (trees.edge_visits[g, node, e] + trees.waiting[g, node, e]) * share
        child = trees.child[g, node, e]
        if rules.prove and child >= 0:
            if trees.result[g, child] == LOSS:
                return e
            if trees.result[g, child] == WIN:
                score -= 10.0
        if score > best_score:
            best, best_score = e, score
    return best


# Walking the tree


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


# Roots


@njit
def plant(
    trees: Trees,
    waiting: npt.NDArray[np.int32],
    games: npt.NDArray[np.int32],
    states: npt.NDArray[np.int32],
    keys: npt.NDArray[np.int64],
    fresh: npt.NDArray[np.bool_],
    legal: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int16],
    history: npt.NDArray[np.int64],
    known: npt.NDArray[np.int32],
) -> None:
    """Begin new trees whose roots wait for evaluation."""
    for i in range(len(games)):
        g = games[i]
        trees.used[g] = 0
        new_node(trees, g, -1, -1)
        trees.state[g, 0] = states[i]
        trees.key[g, 0] = keys[i]
        trees.fresh[g, 0] = fresh[i]
        trees.moves[g, 0] = counts[i]
        for e in range(counts[i]):
            trees.action[g, 0, e] = legal[i, e]
            trees.child[g, 0, e] = -1
            trees.edge_visits[g, 0, e] = 0
            trees.edge_value[g, 0, e] = 0.0
            trees.waiting[g, 0, e] = 0
        trees.known[g] = known[i]
        trees.history[g, : known[i]] = history[i, : known[i]]
        waiting[g] = 1


@njit
def record_moves(
    history: npt.NDArray[np.int64],
    known: npt.NDArray[np.int32],
    states: npt.NDArray[np.int32],
    keys: npt.NDArray[np.int64],
    fresh: npt.NDArray[np.bool_],
    statuses: npt.NDArray[np.int8],
    repetition_limit: int,
) -> None:
    """After a move in each game: lengthen the histories, count occurrences in `states`, and end repeated games."""
    last = states.shape[1] - 1
    for g in range(len(known)):
        if fresh[g]:
            known[g] = 0
        seen = 1
        for i in range(known[g] - 2, -1, -2):
            if history[g, i] == keys[g]:
                seen += 1
        history[g, known[g]] = keys[g]
        known[g] += 1
        states[g, last] = min(seen, repetition_limit)
        if seen >= repetition_limit and statuses[g] == UNKNOWN:
            statuses[g] = DRAW


@njit
def draw_gumbels(trees: Trees, g: int) -> None:
    for e in range(trees.moves[g, 0]):
        trees.gumbel[g, e] = -np.log(-np.log(max(random_unit(trees.stream[g]), 1e-300)))


@njit
def random_normal(stream: npt.NDArray[np.uint64]) -> float:
    radius = np.sqrt(-2.0 * np.log(1.0 - random_unit(stream)))
    return radius * np.cos(2.0 * np.pi * random_unit(stream))


@njit
def random_gamma(stream: npt.NDArray[np.uint64], shape: float) -> float:
    """Marsaglia and Tsang's method, with its lift for shapes below 1."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_unit(stream)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        x = random_normal(stream)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and np.log(1.0 - random_unit(stream)) < 0.5 * x * x + d - d * v + d * np.log(v):
            return boost * d * v


@njit
def add_dirichlet(trees: Trees, g: int, total: float, weight: float) -> None:
    """Mix Dirichlet noise into the root's priors; `total` is the sum of its parameters."""
    count = trees.moves[g, 0]
    noise = np.empty(count, dtype=np.float64)
    for e in range(count):
        noise[e] = random_gamma(trees.stream[g], total / count) + 1e-12
    share = noise / noise.sum()
    for e in range(count):
        trees.prior[g, 0, e] = (1.0 - weight) * trees.prior[g, 0, e] + weight * share[e]
        trees.log_prior[g, 0, e] = np.log(trees.prior[g, 0, e])


@njit
def begin(trees: Trees, games: npt.NDArray[np.int32], rules: Rules, noise: bool, total: float, weight: float) -> None:
    """Count simulations from here, with fresh noise at the roots or none."""
    for g in games:
        trees.done[g] = 0
        trees.gumbel[g] = 0.0
        if noise and rules.gumbel:
            draw_gumbels(trees, g)
        elif noise:
            add_dirichlet(trees, g, total, weight)


@njit
def reroot(trees: Trees, g: int, edge: int, room: int) -> bool:
    """Make the child behind a root edge the root, keeping its subtree; False if there is none worth keeping.

    A draw by second occurrence whose first is no longer in the tree is cut off, to be judged anew. At most
    capacity - `room` nodes are kept, so that there is room for the next search; a larger subtree is given up.
    """
    start = trees.child[g, 0, edge]
    if start < 0 or trees.kind[g, start] != OPEN:
        return False
    used = trees.used[g]
    order = np.empty(used, dtype=np.int32)
    depth = np.empty(used, dtype=np.int32)
    place_of = np.full(used, -1, dtype=np.int32)
    order[0], depth[0], place_of[start] = start, 0, 0
    count, at = 1, 0
    while at < count:
        node = order[at]
        if trees.kind[g, node] == OPEN:
            for e in range(trees.moves[g, node]):
                child = trees.child[g, node, e]
                if child < 0:
                    continue
                if trees.kind[g, child] == PENDING or trees.cycle[g, child] > depth[at] + 1:
                    trees.child[g, node, e] = -1
                    continue
                order[count], depth[count], place_of[child] = child, depth[at] + 1, count
                count += 1
        at += 1
    if count > trees.parent.shape[1] - room:
        return False
    # Nodes are numbered in the order they were made, so parents come before children, and sorting the kept ones lets
    # every node move down in place.
    kept = np.sort(order[:count])
    for i in range(count):
        place_of[kept[i]] = i
    for i in range(count):
        node = kept[i]
        parent = trees.parent[g, node]
        trees.parent[g, i] = -1 if node == start else place_of[parent]
        trees.parent_edge[g, i] = -1 if node == start else trees.parent_edge[g, node]
        trees.state[g, i] = trees.state[g, node]
        trees.key[g, i] = trees.key[g, node]
        trees.fresh[g, i] = trees.fresh[g, node]
        trees.kind[g, i] = trees.kind[g, node]
        trees.result[g, i] = trees.result[g, node]
        trees.distance[g, i] = trees.distance[g, node]
        trees.cycle[g, i] = trees.cycle[g, node]
        trees.visits[g, i] = trees.visits[g, node]
        trees.value_sum[g, i] = trees.value_sum[g, node]
        trees.draw_sum[g, i] = trees.draw_sum[g, node]
        trees.judged[g, i] = trees.judged[g, node]
        moves = trees.moves[g, node]
        trees.moves[g, i] = moves
        for e in range(moves):
            child = trees.child[g, node, e]
            trees.child[g, i, e] = place_of[child] if child >= 0 else -1
            trees.action[g, i, e] = trees.action[g, node, e]
            trees.prior[g, i, e] = trees.prior[g, node, e]
            trees.log_prior[g, i, e] = trees.log_prior[g, node, e]
            trees.edge_visits[g, i, e] = trees.edge_visits[g, node, e]
            trees.edge_value[g, i, e] = trees.edge_value[g, node, e]
            trees.waiting[g, i, e] = 0
    trees.used[g] = count
    return True


@njit
def root_summary(
    trees: Trees, rules: Rules
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int32]]:
    """Per game: the values of the root edges [G, M], the policy that the search recommends [G, M], the edge to play.

    The recommended policy is the improved one for Gumbel search and the share of visits for PUCT. The edge to play
    wins as fast as it can where a win is proven and loses as late as it can where a loss is.
    """
    games, moves = trees.gumbel.shape
    values = np.zeros((games, moves), dtype=np.float64)
    policy = np.zeros((games, moves), dtype=np.float64)
    choice = np.zeros(games, dtype=np.int32)
    logits = np.empty(moves, dtype=np.float64)
    for g in range(games):
        count = trees.moves[g, 0]
        if trees.used[g] == 0 or count == 0:
            choice[g] = -1
            continue
        most, total = 0, 0
        for e in range(count):
            visits = trees.edge_visits[g, 0, e]
            most, total = max(most, visits), total + visits
            values[g, e] = edge_q(trees, g, 0, e) if visits > 0 else trees.judged[g, 0]
        improved_logits(trees, g, 0, rules, logits)
        best_score = -np.inf
        for e in range(count):
            score = logits[e] + trees.gumbel[g, e]
            if not rules.gumbel:
                # Ties in visits are broken by value.
                score = trees.edge_visits[g, 0, e] + 1e-3 * values[g, e] + 1e-6 * trees.prior[g, 0, e]
            elif trees.edge_visits[g, 0, e] < most:
                score -= 1e6
            child = trees.child[g, 0, e]
            result = trees.result[g, child] if child >= 0 else UNKNOWN
            if rules.prove and result == LOSS:
                score = 1e12 - trees.distance[g, child]
            elif rules.prove and result == WIN:
                score = -1e12 + trees.distance[g, child]
            if score > best_score:
                choice[g], best_score = e, score
        if rules.gumbel:
            softmax(logits, count)
            for e in range(count):
                policy[g, e] = logits[e]
        else:
            for e in range(count):
                policy[g, e] = trees.edge_visits[g, 0, e] / total if total > 0 else trees.prior[g, 0, e]
    return values, policy, choice
