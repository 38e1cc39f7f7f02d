"""The whole orbit network in compiled code: a tile of positions at a time, from states to probabilities.

A tile is one or two machine vectors wide, so that what is worked out for it stays in the nearest cache.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compiling import njit, popcount
from alphadiamond.games.diamond_chase.board import ACTIONS, NODES
from alphadiamond.network.basis_kernels import Plan, from_nodes, multiply, normalise, rectify
from alphadiamond.network.kernels import (
    GLOBALS,
    OUTCOMES,
    PLANES,
    QUIET_LEVELS,
    Floats,
    States,
    quiet_level,
    read_outcome,
    read_policy,
)
from alphadiamond.network.vector_kernels import LANES

_HIDDEN: Final = 12  # the row of the heads where the value's hidden layer begins: after the edges' even functions
EXTRAS: Final = GLOBALS + 1
"""Rows before those of the beads: the features of the whole position, and 1 for the bias."""


class Network(NamedTuple):
    """A network in the basis, packed for compiled code."""

    plan: Plan
    """Its layers: the one that enters, two for each block, the heads, and the value's last as the first kind."""
    weights: Floats
    """All blocks, packed as the plan says."""
    biases: Floats
    """[blocks, C, 5] of the rectifiers."""
    channels: int
    value_bias: Floats
    """[V] of the value's hidden layer."""
    outcome_bias: Floats
    """[3] of the value's logits."""
    edge_bias: Floats
    """[72]"""
    edge_rows: npt.NDArray[np.int64]
    """[72, 8] which rows of the heads, with `edge_factors`, sum to an edge's logit."""
    edge_factors: Floats
    """[72, 8]"""
    order: npt.NDArray[np.int64]
    """[21] the nodes, orbit by orbit."""


@njit
def _encode(states: States, order: npt.NDArray[np.int64], x: Floats, nodes: Floats, row: int) -> None:
    """What the network sees of up to `row` states: `EXTRAS` rows, then the planes in the basis."""
    for b in range(row):
        if b >= len(states):  # the rest of the tile is of no interest, but must be numbers
            for k in range(EXTRAS):
                x[k * row + b] = 0.0
            for k in range(NODES * PLANES):
                nodes[k * row + b] = 0.0
            continue
        own, opp = np.int64(states[b, 0]), np.int64(states[b, 1])
        for k in range(NODES):
            nodes[PLANES * k * row + b] = own >> order[k] & 1
            nodes[(PLANES * k + 1) * row + b] = opp >> order[k] & 1
        own_beads, opp_beads = popcount(own), popcount(opp)
        x[b] = quiet_level(np.int64(states[b, 2])) / QUIET_LEVELS
        x[row + b] = states[b, 3] >= 2
        x[2 * row + b] = own_beads <= 4
        x[3 * row + b] = own_beads == 5
        x[4 * row + b] = opp_beads <= 4
        x[5 * row + b] = opp_beads == 5
        x[6 * row + b] = 1.0
    from_nodes(x, EXTRAS * row, nodes, PLANES, row)


@njit
def _heads(network: Network, states: States, x: Floats, h: Floats, out: Floats, zeros: Floats, row: int) -> None:
    """The logits of a tile: rows of `h` for the 72 edges, and after them three for the value."""
    plan, channels = network.plan, network.channels
    encode_to, nodes = out, h
    _encode(states, network.order, encode_to, nodes, row)
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
    for k in range(ACTIONS + len(network.value_bias)):
        for b in range(row):
            out[k * row + b] *= scale[b]  # the heads are linear and the rectifier keeps a factor
    hidden = _HIDDEN * row
    for k in range(len(network.value_bias)):
        bias = network.value_bias[k]
        for b in range(row):
            value = out[hidden + k * row + b] + bias
            out[hidden + k * row + b] = value if not value <= 0 else np.float32(0.0)
    multiply(h, out, network.weights, plan[2 + 2 * blocks], row, row, False)
    for k in range(OUTCOMES):
        for b in range(row):
            h[(ACTIONS + k) * row + b] += network.outcome_bias[k]
    for e in range(ACTIONS):
        place = e * row
        bias = network.edge_bias[e]
        for b in range(row):
            h[place + b] = bias
        for t in range(0, 8, 4):
            f0, f1, f2, f3 = network.edge_factors[e, t : t + 4]
            if f0 == 0.0:
                break
            r0, r1, r2, r3 = network.edge_rows[e, t : t + 4]
            for b in range(row):
                h[place + b] += (
                    f0 * out[r0 * row + b] + f1 * out[r1 * row + b] + f2 * out[r2 * row + b] + f3 * out[r3 * row + b]
                )


@njit
def logits(network: Network, states: States, scratch: Floats, zeros: Floats) -> tuple[Floats, Floats]:
    """(policy [B, 72], value [B, 3]) as the network says them."""
    policy = np.empty((len(states), ACTIONS), dtype=np.float32)
    value = np.empty((len(states), OUTCOMES), dtype=np.float32)
    start = 0
    while start < len(states):
        row, x, h, out = _tile(network, len(states) - start, scratch)
        part = states[start : start + row]
        _heads(network, part, x, h, out, zeros, row)
        for b in range(len(part)):
            for e in range(ACTIONS):
                policy[start + b, e] = h[e * row + b]
            for k in range(OUTCOMES):
                value[start + b, k] = h[(ACTIONS + k) * row + b]
        start += row
    return policy, value


@njit
def evaluate(network: Network, states: States, scratch: Floats, zeros: Floats) -> tuple[Floats, Floats]:
    """(policy [B, 72], wdl [B, 3]): chances of the legal moves, and of win, draw, loss for the side to move."""
    policy = np.empty((len(states), ACTIONS), dtype=np.float32)
    wdl = np.empty((len(states), OUTCOMES), dtype=np.float32)
    said = np.empty(ACTIONS + OUTCOMES, dtype=np.float32)
    start = 0
    while start < len(states):
        row, x, h, out = _tile(network, len(states) - start, scratch)
        part = states[start : start + row]
        _heads(network, part, x, h, out, zeros, row)
        for b in range(len(part)):
            for e in range(ACTIONS + OUTCOMES):
                said[e] = h[e * row + b]
            read_policy(np.int64(part[b, 0]), np.int64(part[b, 1]), said, policy[start + b])
            read_outcome(said[ACTIONS:], wdl[start + b])
        start += row
    return policy, wdl


@njit
def _tile(network: Network, left: int, scratch: Floats) -> tuple[int, Floats, Floats, Floats]:
    """How many of the positions that are left to do at once, and where: the trunk, its layers, the heads."""
    row = LANES if left <= LANES else 2 * LANES
    size = scratch_rows(network.channels, len(network.value_bias)) * row
    units = max(NODES * network.channels, ACTIONS + OUTCOMES) * row
    return row, scratch[:units], scratch[units : 2 * units], scratch[2 * units : size]


@njit
def scratch_rows(channels: int, hidden: int) -> int:
    """Rows of working memory that a tile needs."""
    return 2 * max(NODES * channels, ACTIONS + OUTCOMES) + ACTIONS + hidden
