"""Which edge a walk takes next, compiled.

Two rules choose. PUCT takes Q + c P sqrt(N) / (1 + n). Gumbel search (Danihelka et al., 2022) halves a set of root
candidates drawn without replacement and, below the root, follows the policy improved by completed Q-values.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit_inner
from alphadiamond.base.results import DRAW, LOSS, WIN
from alphadiamond.search.base import SearchParams
from alphadiamond.search.trees import UNKNOWN, Trees


@njit_inner
def edge_q(edge: Any) -> float:
    """The mean value of a visited edge, exact where it is proven."""
    if edge.result != UNKNOWN:
        return -float(edge.result)
    return edge.value_sum / edge.visits


@njit_inner
def recorded(trees: Trees, g: int, n: int) -> int:
    """How many edges of a node have a record: the others are unopened and all alike but for their priors."""
    return trees.node[g, n].moves if n == 0 else trees.node[g, n].opened


@njit_inner
def puct_edge(trees: Trees, g: int, n: int, params: SearchParams) -> int:
    """The edge that PUCT takes. Simulations under way count as losses, so that leaves of one game spread."""
    node = trees.node[g, n]
    count = recorded(trees, g, n)
    total = node.visits
    explored = 0.0
    for e in range(count):
        edge = trees.edge[g, n, e]
        total += edge.waiting
        if edge.visits > 0:
            explored += trees.prior[g, n, e]
    c = params.c_init + np.log((total + params.c_base + 1) / params.c_base)
    reduction = params.root_fpu_reduction if n == 0 else params.fpu_reduction
    unvisited = node.value_sum / node.visits - reduction * np.sqrt(explored)
    scale = c * np.sqrt(total)
    best, best_score = 0, -np.inf
    for e in range(count):
        edge = trees.edge[g, n, e]
        if params.prove and edge.result == LOSS:
            return e
        if params.prove and edge.result == WIN:
            continue
        tries = edge.visits + edge.waiting
        q = unvisited if tries == 0 else (edge.value_sum - edge.waiting) / tries
        if params.draws and edge.result == DRAW:
            q = 0.0
        score = q + scale * trees.prior[g, n, e] / (1 + tries)
        if score > best_score:
            best, best_score = e, score
    if count < node.moves and unvisited + scale * trees.prior[g, n, count] > best_score:
        best = count
    return best


@njit_inner
def complete(
    trees: Trees, g: int, n: int, params: SearchParams, values: npt.NDArray[np.float64]
) -> tuple[float, float, int]:
    """Write the completed Q-values of the recorded edges; the value of all others, sigma's scale, the visits in all.

    Unvisited edges are completed with a mix of the evaluator's value and the visited edges' values.
    """
    count = recorded(trees, g, n)
    most, visited, visited_prior, weighted = 0, 0, 0.0, 0.0
    for e in range(count):
        edge = trees.edge[g, n, e]
        if edge.visits > 0:
            values[e] = edge_q(edge)
            most = max(most, edge.visits)
            visited += edge.visits
            visited_prior += trees.prior[g, n, e]
            weighted += trees.prior[g, n, e] * values[e]
    mixed = float(trees.node[g, n].raw_value)
    if visited > 0:
        mixed = (mixed + visited * weighted / max(visited_prior, 1e-12)) / (1 + visited)
    for e in range(count):
        if trees.edge[g, n, e].visits == 0:
            values[e] = mixed
    # Values lie in [-1, 1]; sigma is meant for [0, 1].
    return mixed, (params.c_visit + most) * params.c_scale * 0.5, visited


@njit_inner
def improved_policy(trees: Trees, g: int, n: int, params: SearchParams, policy: npt.NDArray[np.float64]) -> int:
    """Write the policy improved by completed Q-values, prior * exp(sigma(Q)), for the recorded edges and one more; how
    many visits the edges have in all."""
    count, moves = recorded(trees, g, n), trees.node[g, n].moves
    mixed, scale, visited = complete(trees, g, n, params, policy)
    top = mixed
    for e in range(count):
        top = max(top, policy[e])
    total, rest = 0.0, 1.0
    for e in range(count):
        policy[e] = trees.prior[g, n, e] * np.exp(scale * (policy[e] - top))
        total += policy[e]
        rest -= trees.prior[g, n, e]
    if count < moves:
        unopened = np.exp(scale * (mixed - top))
        policy[count] = trees.prior[g, n, count] * unopened
        total += max(rest, float(trees.prior[g, n, count])) * unopened
        count += 1
    for e in range(count):
        policy[e] /= total
    return visited


@njit_inner
def root_logits(trees: Trees, g: int, params: SearchParams, logits: npt.NDArray[np.float64]) -> None:
    """Write log prior + Gumbel draw + sigma(completed Q) of each root edge."""
    _, scale, _ = complete(trees, g, 0, params, logits)
    for e in range(trees.node[g, 0].moves):
        logits[e] = trees.logit[g, e] + scale * logits[e]


@njit_inner
def gumbel_root_edge(
    trees: Trees, g: int, params: SearchParams, schedule: npt.NDArray[np.int32], logits: npt.NDArray[np.float64]
) -> int:
    """The best root candidate among those that sequential halving wants visited next."""
    count = trees.node[g, 0].moves
    root_logits(trees, g, params, logits)
    wanted = schedule[count, min(trees.game[g].done, schedule.shape[1] - 1)]
    best, best_score = -1, -np.inf
    fallback, fallback_score = 0, -np.inf
    for e in range(count):
        edge = trees.edge[g, 0, e]
        if edge.visits + edge.waiting == wanted and logits[e] > best_score:
            best, best_score = e, logits[e]
        if logits[e] > fallback_score:
            fallback, fallback_score = e, logits[e]
    return best if best >= 0 else fallback


@njit_inner
def gumbel_inner_edge(trees: Trees, g: int, n: int, params: SearchParams, policy: npt.NDArray[np.float64]) -> int:
    """The edge that is furthest behind its share of the improved policy, or a new one where too few are open."""
    node = trees.node[g, n]
    count = node.opened
    if count == 0:
        return 0
    total = improved_policy(trees, g, n, params, policy)
    if params.leaves > 1:
        for e in range(count):
            total += trees.edge[g, n, e].waiting
    share = 1.0 / (1.0 + total)
    best, best_score = 0, -np.inf
    for e in range(count):
        edge = trees.edge[g, n, e]
        score = policy[e] - (edge.visits + edge.waiting) * share
        if params.prove and edge.result == LOSS:
            return e
        if params.prove and edge.result == WIN:
            score -= 10.0
        if score > best_score:
            best, best_score = e, score
    if count < node.moves and (policy[count] > best_score or count < params.widening * np.sqrt(total)):
        best = count
    return best
