"""Roots, compiled: begin trees, add noise, follow a move, and read off what a search has found."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.game_kernels import lookahead_room, wins_at_once
from alphadiamond.base.random_kernels import random_unit
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.base.rules import Rules, is_irreversible, list_moves, position_key, status
from alphadiamond.search.base import SearchParams
from alphadiamond.search.edge_kernels import edge_q, improved_policy, root_logits
from alphadiamond.search.kernels import clear_edge, is_exhausted, new_node
from alphadiamond.search.trees import OPEN, PENDING, UNKNOWN, Leaves, Trees


@njit
def plant(
    rules: Rules,
    trees: Trees,
    params: SearchParams,
    leaves: Leaves,
    games: npt.NDArray[np.int32],
    states: npt.NDArray[np.int64],
    history: npt.NDArray[np.int64],
    known: npt.NDArray[np.int32],
) -> int:
    """Begin new trees whose roots are the leaves to evaluate; where a game is over, returns which, and begins none."""
    for i in range(len(games)):
        if status(rules, states[i]) != ONGOING:
            return games[i]
    room = lookahead_room(rules)
    for i in range(len(games)):
        g = games[i]
        game = trees.game[g]
        game.used = 0
        game.known = known[i]
        game.waiting = 1
        root = trees.node[g, new_node(trees, g, -1, -1)]
        trees.state[g, 0] = states[i]
        root.key = position_key(rules, states[i])
        root.irreversible = is_irreversible(rules, states[i])
        root.moves = list_moves(rules, states[i], room.moves)
        trees.action[g, 0] = room.moves
        # Who wins at once is to do so, and not to be content with the proof of a longer win.
        game.wins_at_once = params.lookahead and wins_at_once(rules, states[i], room.moves, root.moves, room.after)
        trees.history[g, : known[i]] = history[i, : known[i]]
        leaves.game[i], leaves.node[i] = g, 0
    return -1


@njit
def record_moves(
    history: npt.NDArray[np.int64],
    known: npt.NDArray[np.int32],
    states: npt.NDArray[np.int64],
    keys: npt.NDArray[np.int64],
    irreversible: npt.NDArray[np.bool_],
    statuses: npt.NDArray[np.int8],
    repetition_limit: int,
) -> None:
    """After a move in each game: lengthen the histories, count occurrences in `states`, and end repeated games."""
    last = states.shape[1] - 1
    for g in range(len(known)):
        if irreversible[g]:
            known[g] = 0
        seen = 1
        for i in range(known[g] - 2, -1, -2):
            if history[g, i] == keys[g]:
                seen += 1
        history[g, known[g]] = keys[g]
        known[g] += 1
        if repetition_limit == 0:  # nothing recurs, and the count is 1
            continue
        states[g, last] = min(seen, repetition_limit)
        if seen >= repetition_limit and statuses[g] == UNKNOWN:
            statuses[g] = DRAW


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
    count = trees.node[g, 0].moves
    noise = np.empty(count, dtype=np.float64)
    for e in range(count):
        noise[e] = random_gamma(trees.stream[g], total / count) + 1e-12
    share = noise / noise.sum()
    for e in range(count):
        trees.prior[g, 0, e] = (1.0 - weight) * trees.prior[g, 0, e] + weight * share[e]


@njit
def begin(
    trees: Trees, games: npt.NDArray[np.int32], params: SearchParams, noise: bool, total: float, weight: float
) -> None:
    """Count simulations from here, with fresh noise at the roots or none."""
    for g in games:
        trees.game[g].done = 0
        if noise and not params.gumbel:
            add_dirichlet(trees, g, total, weight)
        for e in range(trees.node[g, 0].moves):
            trees.logit[g, e] = np.log(max(trees.prior[g, 0, e], 1e-12))
            if noise and params.gumbel:
                trees.logit[g, e] -= np.log(-np.log(max(random_unit(trees.stream[g]), 1e-300)))


@njit
def reroot(trees: Trees, g: int, edge: int, room: int) -> bool:
    """Make the child behind a root edge the root, keeping its subtree; False if there is none worth keeping.

    A draw by second occurrence whose first is no longer in the tree is cut off, to be judged anew. At most
    capacity - `room` nodes are kept, so that there is room for the next search; a larger subtree is given up.
    """
    start = trees.edge[g, 0, edge].child
    if start < 0 or trees.node[g, start].kind != OPEN:
        return False
    used = trees.game[g].used
    order = np.empty(used, dtype=np.int32)
    depth = np.empty(used, dtype=np.int32)
    place_of = np.full(used, -1, dtype=np.int32)
    order[0], depth[0], place_of[start] = start, 0, 0
    count, at = 1, 0
    while at < count:
        n = order[at]
        if trees.node[g, n].kind == OPEN:
            for e in range(trees.node[g, n].opened):
                child = trees.edge[g, n, e].child
                if child < 0:
                    continue
                if trees.node[g, child].kind == PENDING or trees.node[g, child].cycle > depth[at] + 1:
                    trees.edge[g, n, e].child = -1
                    trees.edge[g, n, e].result = UNKNOWN
                    continue
                order[count], depth[count], place_of[child] = child, depth[at] + 1, count
                count += 1
        at += 1
    if count > trees.node.shape[1] - room:
        return False
    # Nodes are numbered in the order they were made, so parents come before children, and sorting the kept ones lets
    # every node move down in place.
    kept = np.sort(order[:count])
    for i in range(count):
        place_of[kept[i]] = i
    for i in range(count):
        n = kept[i]
        trees.node[g, i] = trees.node[g, n]
        trees.state[g, i] = trees.state[g, n]
        node = trees.node[g, i]
        node.parent = -1 if n == start else place_of[node.parent]
        for e in range(node.moves):
            trees.prior[g, i, e] = trees.prior[g, n, e]
            trees.action[g, i, e] = trees.action[g, n, e]
        for e in range(node.opened):
            trees.edge[g, i, e] = trees.edge[g, n, e]
            child = trees.edge[g, i, e].child
            trees.edge[g, i, e].child = place_of[child] if child >= 0 else -1
            trees.edge[g, i, e].waiting = 0
    trees.node[g, 0].parent_edge = -1
    for e in range(trees.node[g, 0].opened, trees.node[g, 0].moves):
        clear_edge(trees.edge[g, 0, e])
    trees.game[g].used = count
    return True


@njit
def root_summary(
    trees: Trees, params: SearchParams
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int32]]:
    """Per game: the values of the root edges [G, M], the policy that the search recommends [G, M], the edge to play.

    The recommended policy is the improved one for Gumbel search and the share of visits for PUCT. The edge to play
    wins as fast as it can where a win is proven and loses as late as it can where a loss is.
    """
    games, moves = trees.logit.shape
    values = np.zeros((games, moves), dtype=np.float64)
    policy = np.zeros((games, moves), dtype=np.float64)
    choice = np.zeros(games, dtype=np.int32)
    scores = np.empty(moves, dtype=np.float64)
    for g in range(games):
        root = trees.node[g, 0]
        count = root.moves
        if trees.game[g].used == 0 or count == 0:
            choice[g] = -1
            continue
        most, total = 0, 0
        for e in range(count):
            edge = trees.edge[g, 0, e]
            most, total = max(most, edge.visits), total + edge.visits
            values[g, e] = edge_q(edge) if edge.visits > 0 else root.raw_value
        if params.gumbel:
            improved_policy(trees, g, 0, params, policy[g])
            root_logits(trees, g, params, scores)
        else:
            for e in range(count):
                policy[g, e] = trees.edge[g, 0, e].visits / total if total > 0 else trees.prior[g, 0, e]
        best_score = -np.inf
        for e in range(count):
            edge = trees.edge[g, 0, e]
            if not params.gumbel:
                # Ties in visits are broken by value.
                score = edge.visits + 1e-3 * values[g, e] + 1e-6 * trees.prior[g, 0, e]
            else:
                score = scores[e] if edge.visits == most else scores[e] - 1e6
            if params.prove and edge.result == LOSS:
                score = 1e12 - trees.node[g, edge.child].distance
            elif params.prove and edge.result == WIN:
                score = -1e12 + trees.node[g, edge.child].distance
            if score > best_score:
                choice[g], best_score = e, score
    return values, policy, choice


@njit
def prospects(trees: Trees, policy: npt.NDArray[np.float64], prove: bool) -> npt.NDArray[np.float64]:
    """[G, 3] win, draw, loss at the root if `policy` [G, M] is played: its visited moves, each by its own simulations.

    Unlike the mean over all simulations this is not pulled down by moves that were only tried.
    """
    games = len(trees.game)
    found = np.zeros((games, 3), dtype=np.float64)
    for g in range(games):
        root = trees.node[g, 0]
        value, draw, weight = 0.0, 0.0, 0.0
        for e in range(root.moves):
            edge = trees.edge[g, 0, e]
            if edge.child < 0 or edge.visits == 0:
                continue
            child = trees.node[g, edge.child]
            weight += policy[g, e]
            value += policy[g, e] * edge_q(edge)
            if child.result == UNKNOWN:
                draw += policy[g, e] * child.draw_sum / child.visits
            elif child.result == DRAW:
                draw += policy[g, e]
        if prove and root.result != UNKNOWN:
            value, draw, weight = float(root.result), 1.0 if root.result == DRAW else 0.0, 1.0
        elif weight < 1e-6:
            value, draw, weight = root.value_sum, root.draw_sum, max(root.visits, 1)
        value, draw = value / weight, draw / weight
        found[g, 0] = min(max((1.0 - draw + value) / 2.0, 0.0), 1.0)
        found[g, 1] = draw
        found[g, 2] = min(max((1.0 - draw - value) / 2.0, 0.0), 1.0)
    return found


@njit
def finished(trees: Trees, games: npt.NDArray[np.int32], simulations: int, prove: bool) -> npt.NDArray[np.bool_]:
    """[B] whether another round would add nothing: the same conditions under which the search passes a game by."""
    found = np.empty(len(games), dtype=np.bool_)
    for i in range(len(games)):
        found[i] = trees.game[games[i]].done >= simulations or is_exhausted(trees, games[i], prove)
    return found
