"""Plain UCT on flat arrays: select by UCB1, expand one random move, roll out, back up.

The tree holds one node for each simulation at most. A node's children are a linked list, and the moves not yet tried
are a mask over the node's legal moves in order. Results are counted from 0 (lost) to 1 (won) for the player who moved
into the node. A node stands for the path that leads to it, so the draw rules are settled once, when it is made: the
third occurrence in the game and the tree, or the second when the first is in the tree below the root, is a draw.
"""

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.mcts_kernels import select_child
from alphadiamond.base.compilation import lowest_bit, njit, popcount
from alphadiamond.base.random_kernels import random_below, random_unit
from alphadiamond.base.results import DRAW, ONGOING, WIN
from alphadiamond.games.diamond_chase.board import ACTION_IDS, ADJACENT, ALL_NODES, NODES, SOURCES, TARGETS
from alphadiamond.games.diamond_chase.heuristic_kernels import judge
from alphadiamond.games.diamond_chase.kernels import (
    MIN_BEADS,
    REPETITION_LIMIT,
    apply,
    count_moves,
    list_moves,
    position_key,
    random_move,
    status,
)

Ints64: TypeAlias = npt.NDArray[np.int64]
Stream: TypeAlias = npt.NDArray[np.uint64]

ROLLOUT_PLIES: Final = 80
RANDOM_SHARE: Final = 0.7

NODE: Final = np.dtype(
    [
        ("own", np.int32),
        ("opp", np.int32),
        ("untried", np.int32),
        ("child", np.int32),
        ("sibling", np.int32),
        ("visits", np.int32),
        ("result", np.float64),
        ("action", np.int8),
        ("quiet", np.int8),
        ("status", np.int8),
        ("removed", np.bool_),
    ]
)
"""One node of the tree; `child` and `sibling` are -1 where there is none, `result` is the mover's sum."""

Nodes: TypeAlias = npt.NDArray[Any]


@njit
def best_move(own: int, opp: int, stream: Stream) -> int:
    """The move after which the mover is judged best, a win before all; equals by chance."""
    empty = ALL_NODES & ~(own | opp)
    best = -2.0
    chosen = -1
    equals = 0
    beads = own
    while beads:
        source = lowest_bit(beads)
        beads &= beads - 1
        targets = ADJACENT[source] & empty
        while targets:
            target = lowest_bit(targets)
            targets &= targets - 1
            moved, other, _, _ = apply(own, opp, source, target)
            if popcount(other) < MIN_BEADS:
                return ACTION_IDS[source, target]
            score = -1.0 if popcount(moved) < MIN_BEADS else judge(moved, other)
            if score > best:
                best = score
                chosen = ACTION_IDS[source, target]
                equals = 1
            elif score == best:
                equals += 1
                if random_below(stream, equals) == 0:
                    chosen = ACTION_IDS[source, target]
    return chosen


@njit
def rollout(own: int, opp: int, quiet: int, keys: Ints64, known: int, stream: Stream) -> float:
    """Play on for at most 80 plies: the result, from 0 to 1, for the side to move at the start.

    `keys` holds the positions since the last capture in its first `known` entries, this one last, and has room for
    128.
    """
    side = keys[known - 1] >> (2 * NODES)
    occurrences = 1
    plies = 0
    while True:
        outcome = status(own, opp, quiet, occurrences)
        if outcome != ONGOING or plies == ROLLOUT_PLIES:
            result = judge(own, opp) if outcome == ONGOING else 0.5 + 0.5 * outcome
            return 1.0 - result if plies & 1 else result
        if random_unit(stream) < RANDOM_SHARE:
            action = random_move(own, opp, stream)
        else:
            action = best_move(own, opp, stream)
        moved, other, captured, lost = apply(own, opp, SOURCES[action], TARGETS[action])
        own, opp = other, moved
        plies += 1
        if captured | lost:
            quiet = 0
            known = 0
        else:
            quiet += 1
        key = position_key(own, opp, side ^ (plies & 1))
        keys[known] = key
        known += 1
        occurrences = 1
        for i in range(known - 3, -1, -2):
            if keys[i] == key:
                occurrences += 1


@njit
def make_node(nodes: Nodes, index: int, own: int, opp: int, action: int, quiet: int, outcome: int) -> None:
    node = nodes[index]
    node.own = own
    node.opp = opp
    node.action = action
    node.quiet = quiet
    node.status = outcome
    node.untried = (1 << count_moves(own, opp)) - 1 if outcome == ONGOING else 0
    node.child = -1
    node.sibling = -1
    node.visits = 0
    node.result = 0.0
    node.removed = False


@njit
def expand(nodes: Nodes, parent: int, size: int, keys: Ints64, known: int, below: int, stream: Stream) -> int:
    """Add the child of a random untried move as node `size`; `keys[:known]` as in `rollout`, its room included.

    The last `below` of those keys are positions in the tree below the root. Returns how many keys are known at the
    child.
    """
    node = nodes[parent]
    actions = np.empty(24, dtype=np.int64)
    list_moves(np.int64(node.own), np.int64(node.opp), actions)
    untried = np.int64(node.untried)
    rest = untried
    for _ in range(random_below(stream, popcount(untried))):
        rest &= rest - 1
    choice = lowest_bit(rest)
    node.untried = untried & ~(1 << choice)
    action = actions[choice]
    moved, other, captured, lost = apply(np.int64(node.own), np.int64(node.opp), SOURCES[action], TARGETS[action])
    removed = captured | lost != 0
    quiet = 0 if removed else node.quiet + 1
    key = position_key(other, moved, (keys[known - 1] >> (2 * NODES)) ^ 1)
    occurrences = 1
    if removed:
        known = 0
    else:
        for i in range(known - 2, -1, -2):
            if keys[i] == key:
                # Once in the tree is as good as twice: who can come back once can do so again.
                occurrences += REPETITION_LIMIT - 1 if i >= known - below else 1
    keys[known] = key
    make_node(nodes, size, other, moved, action, quiet, status(other, moved, quiet, occurrences))
    nodes[size].removed = removed
    nodes[size].sibling = node.child
    node.child = size
    return known + 1


@njit
def simulate(
    nodes: Nodes, size: int, count: int, past: Ints64, keys: Ints64, path: Ints64, exploration: float, stream: Stream
) -> int:
    """Make `count` simulations from node 0 and return how many nodes there are then.

    `past` are the game's positions since its last capture, the root last; `keys` has room for 256 entries, `path`
    for as many nodes as the tree is deep. A tree that fills `nodes` grows no further and is sampled on.
    """
    for _ in range(count):
        known = len(past)
        keys[:known] = past
        index = 0
        depth = 0
        below = 0  # keys of positions in the tree below the root
        path[0] = 0
        side = past[-1] >> (2 * NODES)
        while nodes[index].status == ONGOING and nodes[index].untried == 0:
            index = select_child(nodes, index, exploration)
            depth += 1
            path[depth] = index
            if nodes[index].removed:
                known = 0
                below = 0
            keys[known] = position_key(np.int64(nodes[index].own), np.int64(nodes[index].opp), side ^ (depth & 1))
            known += 1
            below += 1
        if nodes[index].status == ONGOING and size < len(nodes):
            known = expand(nodes, index, size, keys, known, below, stream)
            index = size
            size += 1
            depth += 1
            path[depth] = index
        node = nodes[index]
        if node.status == ONGOING:
            own, opp = np.int64(node.own), np.int64(node.opp)
            result = rollout(own, opp, np.int64(node.quiet), keys, known, stream)
        elif node.status == DRAW:
            result = 0.5
        else:
            result = 1.0 if node.status == WIN else 0.0
        # `result` is for the side to move at the last node, and each node counts for the player who moved into it.
        for ply in range(depth, -1, -1):
            result = 1.0 - result
            nodes[path[ply]].visits += 1
            nodes[path[ply]].result += result
    return size


@njit
def winning_moves(own: int, opp: int, actions: Ints64) -> int:
    """Write the actions that win at once into `actions` and return how many there are."""
    count = list_moves(own, opp, actions)
    found = 0
    for i in range(count):
        action = actions[i]
        _, other, _, _ = apply(own, opp, SOURCES[action], TARGETS[action])
        if popcount(other) < MIN_BEADS:
            actions[found] = action
            found += 1
    return found
