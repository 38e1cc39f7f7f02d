"""Roots, compiled: begin trees, add noise, follow a move, and read off what a search has found."""

import numpy as np
import numpy.typing as npt

from alphadiamond.game.compiling import njit
from alphadiamond.game.kernels import random_unit
from alphadiamond.search.edge_kernels import DRAW, LOSS, WIN, Rules, edge_q, improved_logits, softmax
from alphadiamond.search.kernels import new_node
from alphadiamond.search.trees import OPEN, PENDING, UNKNOWN, Trees


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
            trees.edge_result[g, 0, e] = UNKNOWN
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
                    trees.edge_result[g, node, e] = UNKNOWN
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
            trees.edge_result[g, i, e] = trees.edge_result[g, node, e]
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
    scores = np.empty(moves, dtype=np.float64)
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
        improved_logits(trees, g, 0, rules, scores)
        best_score = -np.inf
        for e in range(count):
            score = scores[e] + trees.gumbel[g, e]
            if not rules.gumbel:
                # Ties in visits are broken by value.
                score = trees.edge_visits[g, 0, e] + 1e-3 * values[g, e] + 1e-6 * trees.prior[g, 0, e]
            elif trees.edge_visits[g, 0, e] < most:
                score -= 1e6
            result = trees.edge_result[g, 0, e]
            if rules.prove and result == LOSS:
                score = 1e12 - trees.distance[g, trees.child[g, 0, e]]
            elif rules.prove and result == WIN:
                score = -1e12 + trees.distance[g, trees.child[g, 0, e]]
            if score > best_score:
                choice[g], best_score = e, score
        if rules.gumbel:
            softmax(scores, count)
            policy[g, :count] = scores[:count]
        else:
            for e in range(count):
                policy[g, e] = trees.edge_visits[g, 0, e] / total if total > 0 else trees.prior[g, 0, e]
    return values, policy, choice


@njit
def prospects(trees: Trees, policy: npt.NDArray[np.float64], prove: bool) -> npt.NDArray[np.float64]:
    """[G, 3] win, draw, loss at the root if `policy` [G, M] is played: its visited moves, each by its own simulations.

    Unlike the mean over all simulations this is not pulled down by moves that were only tried.
    """
    games = len(trees.used)
    found = np.zeros((games, 3), dtype=np.float64)
    for g in range(games):
        value, draw, weight = 0.0, 0.0, 0.0
        for e in range(trees.moves[g, 0]):
            child = trees.child[g, 0, e]
            if child < 0 or trees.edge_visits[g, 0, e] == 0:
                continue
            value += policy[g, e] * edge_q(trees, g, 0, e)
            result = trees.result[g, child]
            if result == UNKNOWN:
                draw += policy[g, e] * trees.draw_sum[g, child] / trees.visits[g, child]
            elif result == DRAW:
                draw += policy[g, e]
            weight += policy[g, e]
        if prove and trees.result[g, 0] != UNKNOWN:
            value, draw, weight = float(trees.result[g, 0]), 0.0, 1.0
        elif weight < 1e-6:
            visits = max(trees.visits[g, 0], 1)
            value, draw, weight = trees.value_sum[g, 0] / visits, trees.draw_sum[g, 0] / visits, 1.0
        value, draw = value / weight, draw / weight
        found[g, 0] = min(max((1.0 - draw + value) / 2.0, 0.0), 1.0)
        found[g, 1] = draw
        found[g, 2] = min(max((1.0 - draw - value) / 2.0, 0.0), 1.0)
    return found
