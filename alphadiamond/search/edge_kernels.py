"""Which edge a walk takes next, compiled.

Two rules choose. PUCT takes Q + c P sqrt(N) / (1 + n). Gumbel search (Danihelka et al., 2022) halves a set of root
candidates drawn without replacement and, below the root, follows the policy improved by completed Q-values.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.game.compiling import njit
from alphadiamond.search.trees import UNKNOWN, Trees

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
