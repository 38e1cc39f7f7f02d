"""The whole orbit network in compiled code: a tile of positions at a time, from states to probabilities.

A tile is one or two machine vectors wide, so that what is worked out for it stays in the nearest cache.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.rules import Rules, encode
from alphadiamond.network.kernels import OUTCOMES, Floats, States, read_outcome, read_policy
from alphadiamond.network.orbit_basis.kernels import NODES, Plan, from_nodes, multiply, normalise, rectify
from alphadiamond.network.orbit_basis.vector_intrinsics import LANES


class Network(NamedTuple):
    """A network in the basis, packed for compiled code."""

    plan: Plan
    """Its layers: the one that enters, two for each block, the heads, and the value's last as the first kind."""
    weights: Floats
    """All blocks, packed as the plan says."""
    biases: Floats
    """[blocks, C, 5] of the rectifiers."""
    channels: int
    planes: int
    """Features that differ from node to node."""
    hidden: int
    """The row of the heads where the value's hidden layer begins: after the even functions of the actions."""
    value_bias: Floats
    """[V] of the value's hidden layer."""
    outcome_bias: Floats
    """[3] of the value's logits."""
    action_bias: Floats
    """[A]"""
    action_rows: npt.NDArray[np.int64]
    """[A, 8] which rows of the heads, with `action_factors`, sum to an action's logit."""
    action_factors: Floats
    """[A, 8]"""
    order: npt.NDArray[np.int64]
    """[21] the nodes, orbit by orbit."""


@njit
def _encode(rules: Rules, network: Network, states: States, x: Floats, nodes: Floats, row: int) -> None:
    """What the network sees of up to `row` states: a row for each feature of the whole position and one of 1 for the
    bias, then the planes in the basis."""
    planes, order = network.planes, network.order
    whole = rules.inputs - planes * NODES
    seen = np.empty(rules.inputs, dtype=np.float32)
    for b in range(row):
        if b >= len(states):  # the rest of the tile is of no interest, but must be numbers
            for k in range(whole + 1):
                x[k * row + b] = 0.0
            for k in range(NODES * planes):
                nodes[k * row + b] = 0.0
            continue
        encode(rules, states[b], seen)
        for p in range(planes):
            for k in range(NODES):
                nodes[(planes * k + p) * row + b] = seen[p * NODES + order[k]]
        for k in range(whole):
            x[k * row + b] = seen[planes * NODES + k]
        x[whole * row + b] = 1.0
    from_nodes(x, (whole + 1) * row, nodes, planes, row)


@njit
def _heads(
    rules: Rules, network: Network, states: States, x: Floats, h: Floats, out: Floats, zeros: Floats, row: int
) -> None:
    """The logits of a tile: rows of `h` for the actions, and after them three for the value."""
    plan, channels, actions = network.plan, network.channels, rules.actions
    encode_to, nodes = out, h
    _encode(rules, network, states, encode_to, nodes, row)
    multiply(x, encode_to, network.weights, plan[0], row, row, False)
    blocks = len(network.biases) // (5 * channels)
    for k in range(blocks):
        multiply(h, x, network.weights, plan[1 + 2 * k], row, row, False)
        rectify(h, h, network.biases, 5 * channels * k, channels, row, row)
        multiply(x, h, network.weights, plan[2 + 2 * k], row, row, True)
    scale = np.empty(row, dtype=np.float32)
    normalise(x, channels, row, row, scale)
    rectify(x, x, zeros, 0, channels, row, row)
    multiply(out, x, network.weights, plan[1 + 2 * blocks], row, row, False)
    for k in range(actions + len(network.value_bias)):
        for b in range(row):
            out[k * row + b] *= scale[b]  # the heads are linear and the rectifier keeps a factor
    hidden = network.hidden * row
    for k in range(len(network.value_bias)):
        bias = network.value_bias[k]
        for b in range(row):
            value = out[hidden + k * row + b] + bias
            out[hidden + k * row + b] = value if not value <= 0 else np.float32(0.0)
    multiply(h, out, network.weights, plan[2 + 2 * blocks], row, row, False)
    for k in range(OUTCOMES):
        for b in range(row):
            h[(actions + k) * row + b] += network.outcome_bias[k]
    for e in range(actions):
        place = e * row
        bias = network.action_bias[e]
        for b in range(row):
            h[place + b] = bias
        for t in range(0, 8, 4):
            f0, f1, f2, f3 = network.action_factors[e, t : t + 4]
            if f0 == 0.0:
                break
            r0, r1, r2, r3 = network.action_rows[e, t : t + 4]
            for b in range(row):
                h[place + b] += (
                    f0 * out[r0 * row + b] + f1 * out[r1 * row + b] + f2 * out[r2 * row + b] + f3 * out[r3 * row + b]
                )


@njit
def logits(rules: Rules, network: Network, states: States, scratch: Floats, zeros: Floats) -> tuple[Floats, Floats]:
    """(policy [B, A], value [B, 3]) as the network says them."""
    actions = rules.actions
    policy = np.empty((len(states), actions), dtype=np.float32)
    value = np.empty((len(states), OUTCOMES), dtype=np.float32)
    start = 0
    while start < len(states):
        row, x, h, out = _tile(network, actions, len(states) - start, scratch)
        part = states[start : start + row]
        _heads(rules, network, part, x, h, out, zeros, row)
        for b in range(len(part)):
            for e in range(actions):
                policy[start + b, e] = h[e * row + b]
            for k in range(OUTCOMES):
                value[start + b, k] = h[(actions + k) * row + b]
        start += row
    return policy, value


@njit
def evaluate(rules: Rules, network: Network, states: States, scratch: Floats, zeros: Floats) -> tuple[Floats, Floats]:
    """(policy [B, A], wdl [B, 3]): chances of the legal moves, and of win, draw, loss for the side to move."""
    actions = rules.actions
    policy = np.empty((len(states), actions), dtype=np.float32)
    wdl = np.empty((len(states), OUTCOMES), dtype=np.float32)
    said = np.empty(actions + OUTCOMES, dtype=np.float32)
    moves = np.empty(rules.max_moves, dtype=np.int16)
    start = 0
    while start < len(states):
        row, x, h, out = _tile(network, actions, len(states) - start, scratch)
        part = states[start : start + row]
        _heads(rules, network, part, x, h, out, zeros, row)
        for b in range(len(part)):
            for e in range(actions + OUTCOMES):
                said[e] = h[e * row + b]
            read_policy(rules, part[b], said, moves, policy[start + b])
            read_outcome(said[actions:], wdl[start + b])
        start += row
    return policy, wdl


@njit
def _tile(network: Network, actions: int, left: int, scratch: Floats) -> tuple[int, Floats, Floats, Floats]:
    """How many of the positions that are left to do at once, and where: the trunk, its layers, the heads."""
    row = LANES if left <= LANES else 2 * LANES
    size = scratch_rows(network.channels, len(network.value_bias), actions) * row
    units = max(NODES * network.channels, actions + OUTCOMES) * row
    return row, scratch[:units], scratch[units : 2 * units], scratch[2 * units : size]


@njit
def scratch_rows(channels: int, hidden: int, actions: int) -> int:
    """Rows of working memory that a tile needs."""
    return 2 * max(NODES * channels, actions + OUTCOMES) + actions + hidden
