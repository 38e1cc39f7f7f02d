"""Between positions and the network as compiled code: probabilities over the legal moves, and boards turned.

States are int64 arrays [B, S], as `alphadiamond.base.rules` has them.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.rules import Actions, Rules, State, list_moves

States: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float32]

OUTCOMES: Final = 3  # win, draw, loss for the side to move


@njit
def read_policy(rules: Rules, state: State, logits: Floats, moves: Actions, policy: Floats) -> int:
    """The softmax of `logits` over the legal moves into `policy`, zero elsewhere; returns how many there are.

    `moves` is room for them.
    """
    policy[:] = 0.0
    count = list_moves(rules, state, moves)
    largest = np.float32(-np.inf)
    for i in range(count):
        largest = max(largest, logits[moves[i]])
    total = np.float32(0.0)
    for i in range(count):
        weight = np.exp(logits[moves[i]] - largest)
        policy[moves[i]] = weight
        total += weight
    if count:
        scale = np.float32(1.0) / total
        for i in range(count):
            policy[moves[i]] *= scale
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
def read_outputs(rules: Rules, states: States, policy_logits: Floats, value_logits: Floats) -> tuple[Floats, Floats]:
    """(policy [B, A], wdl [B, 3]) from what the network says of each state."""
    policy = np.empty((len(states), rules.actions), dtype=np.float32)
    wdl = np.empty((len(states), OUTCOMES), dtype=np.float32)
    moves = np.empty(rules.max_moves, dtype=np.int16)
    for b in range(len(states)):
        read_policy(rules, states[b], policy_logits[b], moves, policy[b])
        read_outcome(value_logits[b], wdl[b])
    return policy, wdl


@njit
def turn(values: Floats, images: npt.NDArray[np.int64], symmetries: npt.NDArray[np.int64]) -> Floats:
    """[B, N] what stood at each node or action, at its image; `images` [K, N] are those of every symmetry, and
    `symmetries` [B] says which of them each row undergoes."""
    turned = np.empty_like(values)
    for b in range(len(values)):
        for place in range(values.shape[1]):
            turned[b, images[symmetries[b], place]] = values[b, place]
    return turned
