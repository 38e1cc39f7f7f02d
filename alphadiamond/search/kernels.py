"""A round of the search, compiled: walk every tree to leaves that need evaluation, then expand them and back up."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import borrowed, njit, njit_inner
from alphadiamond.base.game_kernels import Lookahead, lookahead_room, two_ply_lookahead
from alphadiamond.base.results import DRAW, LOSS, WIN
from alphadiamond.base.rules import Rules, is_irreversible, list_moves, play, position_key, status
from alphadiamond.search.base import SearchParams
from alphadiamond.search.edge_kernels import gumbel_inner_edge, gumbel_root_edge, puct_edge, recorded
from alphadiamond.search.trees import OPEN, PENDING, TERMINAL, UNKNOWN, Leaves, Trees

PASSES: Final = 4
"""Walks a round, so that games whose leaf needed no evaluation still fill the batch."""


@njit_inner
def release(trees: Trees, g: int, n: int) -> None:
    """Take back the marks of a simulation from a node up to the root."""
    node = trees.node[g, n]
    while node.parent >= 0:
        trees.edge[g, node.parent, node.parent_edge].waiting -= 1
        node = trees.node[g, node.parent]


@njit_inner
def back_up(trees: Trees, g: int, leaf: int, value: float, draw: float, params: SearchParams) -> None:
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
        if params.prove and (abs(result) == 1 or (params.draws and result == DRAW)):
            prove(trees, g, parent, params.draws)
            if node.result != UNKNOWN:
                value, draw = float(node.result), 1.0 if node.result == DRAW else 0.0
    trees.game[g].done += 1


@njit_inner
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


@njit_inner
def clear_edge(edge: Any) -> None:
    edge.value_sum = 0.0
    edge.visits = 0
    edge.child = -1
    edge.waiting = 0
    edge.result = UNKNOWN


@njit_inner
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


@njit_inner
def is_exhausted(trees: Trees, g: int, prove: bool) -> bool:
    """Whether no simulation can add to a tree: its root is proven, or there is no room left."""
    return trees.game[g].used >= trees.node.shape[1] or (prove and trees.node[g, 0].result != UNKNOWN)


@njit_inner
def select(
    trees: Trees,
    params: SearchParams,
    schedule: npt.NDArray[np.int32],
    g: int,
    nodes: npt.NDArray[np.int32],
    found: int,
    scratch: npt.NDArray[np.float64],
) -> int:
    """Walk down a tree until `params.leaves` of its leaves wait, or it has no simulations left to make.

    New leaves are put into `nodes` from `found` on; returns where they end. A walk that ends in a finished position is
    backed up at once and costs no evaluation.
    """
    game = trees.game[g]
    while (
        game.waiting < params.leaves
        and game.done + game.waiting < game.limit
        and not is_exhausted(trees, g, params.prove)
    ):
        n = 0
        while trees.node[g, n].kind == OPEN:
            if not params.gumbel:
                e = puct_edge(trees, g, n, params)
            elif n == 0:
                e = gumbel_root_edge(trees, g, params, schedule, scratch)
            else:
                e = gumbel_inner_edge(trees, g, n, params, scratch)
            edge = trees.edge[g, n, e]
            if n > 0 and e == trees.node[g, n].opened:
                clear_edge(edge)
                trees.node[g, n].opened += 1
            edge.waiting += 1
            if edge.child < 0:
                nodes[found] = new_node(trees, g, n, e)
                found += 1
                game.waiting += 1
                n = -1
                break
            n = edge.child
            if params.prove and trees.node[g, n].result != UNKNOWN:
                break
        if n < 0:
            continue
        node = trees.node[g, n]
        if node.kind == PENDING:  # another walk of this game is waiting here
            release(trees, g, n)
            break
        back_up(trees, g, n, float(node.result), 1.0 if node.result == DRAW else 0.0, params)
    return found


@njit_inner
def occurrences(trees: Trees, g: int, n: int, key: int, plies: int) -> tuple[int, int]:
    """How often the position with a key, so many plies below a node, has occurred, this time included, and how many
    plies ago inside the tree (0: not there)."""
    count, cycle = 1, 0
    node = trees.node[g, n]
    while not node.irreversible and node.parent >= 0:
        node = trees.node[g, node.parent]
        plies += 1
        if plies % 2 == 0 and node.key == key:
            count += 1
            if cycle == 0:
                cycle = plies
    if node.parent < 0 and not node.irreversible:
        # The root is the last entry of the history; every second one has the same side to move.
        for i in range(trees.game[g].known - 3 + plies % 2, -1, -2):
            if trees.history[g, i] == key:
                count += 1
    return count, cycle


@njit_inner
def close(trees: Trees, g: int, n: int, result: int, params: SearchParams) -> None:
    """Back up a new leaf whose result is known, so that it needs no evaluation."""
    node = trees.node[g, n]
    node.kind = TERMINAL
    node.result = result
    trees.game[g].waiting -= 1
    back_up(trees, g, n, float(result), 1.0 if result == DRAW else 0.0, params)


@njit_inner
def place(rules: Rules, trees: Trees, g: int, n: int, params: SearchParams, room: Lookahead) -> None:
    """Play the move to a new leaf and note what the rules say of it; a leaf where the game is over is closed.

    A third occurrence is a draw; a second one counts as a draw if the first is in this tree, since whoever wants to
    deviate can do so there (lc0's rule).
    """
    node, state = trees.node[g, n], room.state
    for i in range(rules.state_size):
        state[i] = trees.state[g, node.parent, i]
    play(rules, state, trees.action[g, node.parent, node.parent_edge], state)
    result = status(rules, state)
    node.key = position_key(rules, state)
    node.irreversible = is_irreversible(rules, state)
    if result == UNKNOWN and rules.repetition_limit > 0 and not node.irreversible:
        seen, cycle = occurrences(trees, g, n, node.key, 0)
        state[rules.state_size - 1] = min(seen, rules.repetition_limit)
        if seen >= rules.repetition_limit:
            result = DRAW
        elif cycle > 0:
            result, node.cycle = DRAW, cycle
    for i in range(rules.state_size):
        trees.state[g, n, i] = state[i]
    if result != UNKNOWN:
        close(trees, g, n, result, params)
        return
    node.moves = list_moves(rules, state, room.moves)
    for i in range(node.moves):
        trees.action[g, n, i] = room.moves[i]


@njit_inner
def look_ahead(rules: Rules, trees: Trees, g: int, n: int, params: SearchParams, room: Lookahead) -> None:
    """Close a new leaf that two plies decide; a loss from which a repetition might save is left to the evaluator."""
    node = trees.node[g, n]
    for i in range(rules.state_size):
        room.state[i] = trees.state[g, n, i]
    for i in range(node.moves):
        room.moves[i] = trees.action[g, n, i]
    result, distance = two_ply_lookahead(rules, node.moves, room)
    if result == UNKNOWN:
        return
    if result == LOSS and rules.repetition_limit > 0:
        for i in range(node.moves):
            if room.keys[i] >= 0 and occurrences(trees, g, n, room.keys[i], 1)[0] > 1:
                return
    node.distance = distance
    close(trees, g, n, result, params)


@njit
def find_leaves(
    rules: Rules, trees: Trees, params: SearchParams, schedule: npt.NDArray[np.int32], leaves: Leaves
) -> tuple[int, bool]:
    """Walk down every game that has simulations to make, and gather the leaves that need evaluation.

    Returns how many there are, and, where there are none, whether there is more to do.
    """
    scratch = np.empty(rules.max_moves, dtype=np.float64)
    return gather(rules, trees, params, schedule, leaves, scratch, lookahead_room(rules))


@njit
def gather(
    rules: Rules,
    trees: Trees,
    params: SearchParams,
    schedule: npt.NDArray[np.int32],
    leaves: Leaves,
    scratch: npt.NDArray[np.float64],
    room: Lookahead,
) -> tuple[int, bool]:
    """`find_leaves`, with room to work in."""
    trees, schedule, leaves = borrowed(trees), borrowed(schedule), borrowed(leaves)
    scratch, room = borrowed(scratch), borrowed(room)
    ready = 0
    for _ in range(PASSES):
        walked, before = 0, ready
        for g in range(len(trees.game)):
            found = select(trees, params, schedule, g, leaves.node, ready, scratch)
            walked += found - ready
            # First what ends the game, then what looking ahead decides: the order of sums decides their last bits.
            for i in range(ready, found):
                place(rules, trees, g, leaves.node[i], params, room)
            for i in range(ready, found):
                n = leaves.node[i]
                if params.lookahead and not trees.game[g].wins_at_once and trees.node[g, n].kind == PENDING:
                    look_ahead(rules, trees, g, n, params, room)
                if trees.node[g, n].kind == PENDING:
                    leaves.game[ready], leaves.node[ready] = g, n
                    for j in range(rules.state_size):
                        leaves.state[ready, j] = trees.state[g, n, j]
                    ready += 1
        if ready - before == walked:
            break
    return ready, walked > 0


@njit
def expand(
    trees: Trees,
    params: SearchParams,
    leaves: Leaves,
    policy: npt.NDArray[np.float32],
    wdl: npt.NDArray[np.float32],
) -> None:
    """Give the leaves that were evaluated priors, sort their edges by them, and back their values up."""
    trees, leaves, policy, wdl = borrowed(trees), borrowed(leaves), borrowed(policy), borrowed(wdl)
    for row in range(len(policy)):
        g, n = leaves.game[row], leaves.node[row]
        node = trees.node[g, n]
        moves = node.moves
        total = np.float32(0.0)
        for e in range(moves):
            action = trees.action[g, n, e]
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
        node.raw_value = value
        node.kind = OPEN
        trees.game[g].waiting -= 1
        back_up(trees, g, n, value, float(wdl[row, 1]), params)
