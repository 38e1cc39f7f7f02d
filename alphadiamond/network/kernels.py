"""Between positions and the network as compiled code: features in, probabilities over the legal moves out.

States are int64 arrays [B, 4] with the columns own, opp, quiet, occurrences; masks are from the side to move.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compiling import lowest_bit, njit, popcount
from alphadiamond.games.diamond_chase.board import (
    ACTION_IDS,
    ACTION_SYMMETRIES,
    ACTIONS,
    ADJACENT,
    ALL_NODES,
    NODES,
    SYMMETRIES,
)

States: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float32]

OUTCOMES: Final = 3  # win, draw, loss for the side to move
PLANES: Final = 2  # features that differ from node to node: own bead, opponent's bead
GLOBALS: Final = 6  # features of the whole position
INPUTS: Final = PLANES * NODES + GLOBALS

QUIET_FROM: Final = 50
QUIET_STEP: Final = 5
QUIET_LEVELS: Final = 10
"""The no-capture count is seen as max(0, quiet - 50) // 5, 0 to 9: in most of a game it is 0, so that a cached value is
found again whatever the count, and towards the limit the steps are fine enough to see the draw come."""


@njit
def quiet_level(quiet: int) -> int:
    return min(max(quiet - QUIET_FROM, 0) // QUIET_STEP, QUIET_LEVELS - 1)


@njit
def state_key(own: int, opp: int, quiet: int, occurrences: int) -> int:
    """Everything the network sees of a position, in 47 bits."""
    repeated = 1 if occurrences >= 2 else 0
    return np.int64(own) | np.int64(opp) << 21 | np.int64(quiet_level(quiet)) << 42 | np.int64(repeated) << 46


@njit
def encode_inputs(states: States) -> Floats:
    """[B, 48] own beads by node, the opponent's by node, then the features of the whole position."""
    inputs = np.empty((len(states), INPUTS), dtype=np.float32)
    for b in range(len(states)):
        own, opp = np.int64(states[b, 0]), np.int64(states[b, 1])
        row = inputs[b]
        for node in range(NODES):
            row[node] = own >> node & 1
            row[NODES + node] = opp >> node & 1
        own_beads, opp_beads = popcount(own), popcount(opp)
        row[PLANES * NODES + 0] = quiet_level(np.int64(states[b, 2])) / QUIET_LEVELS
        row[PLANES * NODES + 1] = states[b, 3] >= 2
        row[PLANES * NODES + 2] = own_beads <= 4
        row[PLANES * NODES + 3] = own_beads == 5
        row[PLANES * NODES + 4] = opp_beads <= 4
        row[PLANES * NODES + 5] = opp_beads == 5
    return inputs


@njit
def read_policy(own: int, opp: int, logits: Floats, policy: Floats) -> int:
    """The softmax of `logits` over the legal moves into `policy`, zero elsewhere; returns how many there are."""
    policy[:] = 0.0
    empty = ALL_NODES & ~(own | opp)
    largest = np.float32(-np.inf)
    count = 0
    beads = own
    while beads:
        source = lowest_bit(beads)
        beads &= beads - 1
        targets = ADJACENT[source] & empty
        while targets:
            action = ACTION_IDS[source, lowest_bit(targets)]
            targets &= targets - 1
            largest = max(largest, logits[action])
            count += 1
    total = np.float32(0.0)
    beads = own
    while beads:
        source = lowest_bit(beads)
        beads &= beads - 1
        targets = ADJACENT[source] & empty
        while targets:
            action = ACTION_IDS[source, lowest_bit(targets)]
            targets &= targets - 1
            weight = np.exp(logits[action] - largest)
            policy[action] = weight
            total += weight
    if count:
        scale = np.float32(1.0) / total
        for action in range(ACTIONS):
            policy[action] *= scale
    return count


@njit
def read_outcome(logits: Floats, wdl: Floats) -> None:
    """The softmax of the three value logits into `wdl`."""
    largest = max(logits[0], logits[1], logits[2])
    total = np.float32(0.0)
    for k in range(OUTCOMES):
        wdl[k] = np.exp(logits[k] - largest)
        total += wdl[k]
    for k in range(OUTCOMES):
        wdl[k] /= total


@njit
def read_outputs(states: States, policy_logits: Floats, value_logits: Floats) -> tuple[Floats, Floats]:
    """(policy [B, 72], wdl [B, 3]) from what the network says of each state."""
    policy = np.empty((len(states), ACTIONS), dtype=np.float32)
    wdl = np.empty((len(states), OUTCOMES), dtype=np.float32)
    for b in range(len(states)):
        read_policy(np.int64(states[b, 0]), np.int64(states[b, 1]), policy_logits[b], policy[b])
        read_outcome(value_logits[b], wdl[b])
    return policy, wdl


# The board turned and mirrored: `symmetries` [B] says which of the 8 maps each row undergoes.


@njit
def turn_actions(values: Floats, symmetries: npt.NDArray[np.int64]) -> Floats:
    """[B, 72] what stood at each action, at the action's image."""
    turned = np.empty_like(values)
    for b in range(len(values)):
        for action in range(ACTIONS):
            turned[b, ACTION_SYMMETRIES[symmetries[b], action]] = values[b, action]
    return turned


@njit
def turn_nodes(values: Floats, symmetries: npt.NDArray[np.int64]) -> Floats:
    """[B, 21] what stood at each node, at the node's image."""
    turned = np.empty_like(values)
    for b in range(len(values)):
        for node in range(NODES):
            turned[b, SYMMETRIES[symmetries[b], node]] = values[b, node]
    return turned
