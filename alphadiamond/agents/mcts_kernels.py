"""Plain UCT for any game on flat arrays: select by UCB1, expand one random move, roll out, back up.

The tree holds one node for each simulation at most. A node's children are a linked list, and the moves not yet tried
are those that no child stands for. Results are counted from 0 (lost) to 1 (won) for the player who moved into the node.
A node stands for the path that leads to it, so repetition is settled once, when it is made: an occurrence that makes a
draw in the game and the tree, or the second when the first is in the tree below the root, is a draw.
"""

import math
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import borrowed, njit
from alphadiamond.base.random_kernels import random_below, random_unit
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.base.rules import (
    Actions,
    Rules,
    State,
    heuristic_value,
    is_irreversible,
    list_moves,
    play,
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
        ("result", np.float64),
        ("child", np.int32),
        ("sibling", np.int32),
        ("visits", np.int32),
        ("action", np.int16),
        ("slot", np.int16),
        ("untried", np.int16),
        ("status", np.int8),
        ("fresh", np.bool_),
    ]
)
"""One node of the tree; `child` and `sibling` are -1 where there is none, `result` is the mover's sum, `slot` the
place of the action among the moves of the node above, `untried` how many moves no child stands for."""

Nodes: TypeAlias = npt.NDArray[Any]
Flags: TypeAlias = npt.NDArray[np.bool_]


@njit
def best_move(rules: Rules, state: State, actions: Actions, after: State, stream: Stream) -> int:
    """The move after which the opponent is judged worst, a win before all; equals by chance."""
    state, actions, after, stream = borrowed(state), borrowed(actions), borrowed(after), borrowed(stream)
    least = 3.0
    chosen = -1
    equals = 0
    for i in range(list_moves(rules, state, actions)):
        action = np.int64(actions[i])
        play(rules, state, action, after)
        result = status(rules, after)
        if result == LOSS:
            return action
        worth = heuristic_value(rules, after) if result == ONGOING else (0.5 if result == DRAW else 2.0)
        if worth < least:
            least = worth
            chosen = action
            equals = 1
        elif worth == least:
            equals += 1
            if random_below(stream, equals) == 0:
                chosen = action
    return chosen


@njit
def rollout(rules: Rules, room: Ints64, actions: Actions, keys: Ints64, known: int, stream: Stream) -> float:
    """Play on from the first state of `room`, which has place for two, for at most 80 plies: the result, from 0 to 1,
    for the side to move at the start.

    `keys` holds what can recur in its first `known` entries, this position last.
    """
    room, actions, keys, stream = borrowed(room), borrowed(actions), borrowed(keys), borrowed(stream)
    state = room[0]
    plies = 0
    repeated = False
    while True:
        outcome = status(rules, state)
        if outcome == ONGOING and repeated:
            outcome = DRAW
        if outcome != ONGOING or plies == ROLLOUT_PLIES:
            result = heuristic_value(rules, state) if outcome == ONGOING else 0.5 + 0.5 * outcome
            return 1.0 - result if plies & 1 else result
        if random_unit(stream) < RANDOM_SHARE:
            action = random_move(rules, state, actions, stream)
        else:
            action = best_move(rules, state, actions, room[1], stream)
        play(rules, state, action, state)
        plies += 1
        if rules.repetition_limit > 0:
            if is_irreversible(rules, state):
                known = 0
            keys[known] = position_key(rules, state)
            known += 1
            seen = 1
            for i in range(known - 3, -1, -2):
                seen += keys[i] == keys[known - 1]
            repeated = seen >= rules.repetition_limit


@njit
def make_node(
    rules: Rules, nodes: Nodes, states: Ints64, index: int, action: int, outcome: int, actions: Actions
) -> None:
    """Set up the node of a state that stands in `states` already."""
    nodes, states = borrowed(nodes), borrowed(states)
    node = nodes[index]
    node.action = action
    node.status = outcome
    node.untried = list_moves(rules, states[index], actions) if outcome == ONGOING else 0
    node.child = -1
    node.sibling = -1
    node.visits = 0
    node.result = 0.0
    node.fresh = is_irreversible(rules, states[index])


@njit
def untried_slot(nodes: Nodes, parent: int, choice: int, tried: Flags) -> int:
    """Where in the list of moves number `choice` of those stands that no child of the node stands for; `tried` is room
    for a flag for each move."""
    tried[:] = False
    child = nodes[parent].child
    while child >= 0:
        tried[nodes[child].slot] = True
        child = nodes[child].sibling
    slot = 0
    while tried[slot] or choice > 0:
        choice -= not tried[slot]
        slot += 1
    return slot


@njit
def expand(
    rules: Rules,
    nodes: Nodes,
    states: Ints64,
    parent: int,
    size: int,
    actions: Actions,
    keys: Ints64,
    known: int,
    below: int,
    tried: Flags,
    stream: Stream,
) -> int:
    """Add the child of a random untried move as node `size`; `keys[:known]` as in `rollout`, `tried` as in
    `untried_slot`.

    The last `below` of those keys are positions in the tree below the root. Returns how many keys are known at the
    child.
    """
    nodes, states, keys = borrowed(nodes), borrowed(states), borrowed(keys)
    list_moves(rules, states[parent], actions)
    slot = untried_slot(nodes, parent, random_below(stream, np.int64(nodes[parent].untried)), tried)
    action = np.int64(actions[slot])
    nodes[parent].untried -= 1
    state = states[size]
    play(rules, states[parent], action, state)
    outcome = status(rules, state)
    if rules.repetition_limit > 0:
        key = position_key(rules, state)
        occurrences = 1
        if is_irreversible(rules, state):
            known = 0
        for i in range(known - 2, -1, -2):
            if keys[i] == key:
                # Once in the tree is as good as twice: who can come back once can do so again.
                occurrences += rules.repetition_limit - 1 if i >= known - below else 1
        keys[known] = key
        known += 1
        if outcome == ONGOING and occurrences >= rules.repetition_limit:
            outcome = DRAW
    make_node(rules, nodes, states, size, action, outcome, actions)
    nodes[size].slot = slot
    nodes[size].sibling = nodes[parent].child
    nodes[parent].child = size
    return known


@njit
def select_child(nodes: Nodes, parent: int, exploration: float) -> int:
    """The child with the highest upper confidence bound."""
    nodes = borrowed(nodes)
    log_visits = math.log(nodes[parent].visits)
    best = -1.0
    chosen = -1
    child = nodes[parent].child
    while child >= 0:
        visits = nodes[child].visits
        bound = nodes[child].result / visits + exploration * math.sqrt(log_visits / visits)
        if bound > best:
            best = bound
            chosen = child
        child = nodes[child].sibling
    return chosen


@njit
def simulate(
    rules: Rules,
    nodes: Nodes,
    states: Ints64,
    size: int,
    count: int,
    past: Ints64,
    keys: Ints64,
    path: Ints64,
    exploration: float,
    stream: Stream,
) -> int:
    """Make `count` simulations from node 0 and return how many nodes there are then.

    `past` are the keys of what can recur, the root last; `keys` has room for as many as a game can have of them, `path`
    for as many nodes as the tree is deep. A tree that fills `nodes` grows no further and is sampled on.
    """
    nodes, states, keys, path = borrowed(nodes), borrowed(states), borrowed(keys), borrowed(path)
    actions = np.empty(rules.max_moves, dtype=np.int16)
    tried = np.empty(rules.max_moves, dtype=np.bool_)
    room = np.empty((2, rules.state_size), dtype=np.int64)
    for _ in range(count):
        known = len(past)
        keys[:known] = past
        index = 0
        depth = 0
        below = 0  # keys of positions in the tree below the root
        path[0] = 0
        while nodes[index].status == ONGOING and nodes[index].untried == 0:
            index = select_child(nodes, index, exploration)
            depth += 1
            path[depth] = index
            if rules.repetition_limit > 0:
                if nodes[index].fresh:
                    known = 0
                    below = 0
                keys[known] = position_key(rules, states[index])
                known += 1
                below += 1
        if nodes[index].status == ONGOING and size < len(nodes):
            known = expand(rules, nodes, states, index, size, actions, keys, known, below, tried, stream)
            index = size
            size += 1
            depth += 1
            path[depth] = index
        outcome = nodes[index].status
        if outcome == ONGOING:
            room[0] = states[index]
            result = rollout(rules, room, actions, keys, known, stream)
        elif outcome == DRAW:
            result = 0.5
        else:
            result = 1.0 if outcome == WIN else 0.0
        # `result` is for the side to move at the last node, and each node counts for the player who moved into it.
        for ply in range(depth, -1, -1):
            result = 1.0 - result
            nodes[path[ply]].visits += 1
            nodes[path[ply]].result += result
    return size
