"""What the network sees of a position: features by node, from the side to move.

| feature | is |
| --- | --- |
| 0, 1 | an own bead here, an opponent's bead here (an empty node is neither) |
| 2 | how near the no-capture limit is, in ten steps from 50 plies on |
| 3 | the position occurs for the second time |
| 4, 5 | the side to move has 4 beads left (one more lost loses the game), 5 |
| 6, 7 | the opponent has 4 beads left, 5 |

Features 2 to 7 are the same on all nodes. Models that are one matrix product a layer take them once: `inputs`
[B, 48] are the 2 x 21 bead features followed by those 6.
"""

from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from alphadiamond.games.diamond_chase.board import NODES
from alphadiamond.games.diamond_chase.kernels import legal_masks
from alphadiamond.network import kernels
from alphadiamond.network.headers import ENCODING_VERSION  # raised whenever a feature changes its meaning
from alphadiamond.network.kernels import GLOBALS, INPUTS, PLANES

FEATURES: Final = PLANES + GLOBALS


def as_states(states: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """[B, 4] own, opp, quiet, occurrences, as the compiled code wants them."""
    array = np.ascontiguousarray(states, dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 4:
        raise ValueError(f"states are [B, 4] (own, opp, quiet, occurrences), not {list(array.shape)}")
    return array


def encode_inputs(states: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """[B, 48] features of each state, those of the whole position once."""
    return kernels.encode_inputs(as_states(states))


def encode(states: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """[B, 21, 8] features of each node of each state."""
    inputs = encode_inputs(states)
    features = np.empty((len(inputs), NODES, FEATURES), dtype=np.float32)
    features[:, :, :PLANES] = inputs[:, : PLANES * NODES].reshape(-1, PLANES, NODES).transpose(0, 2, 1)
    features[:, :, PLANES:] = inputs[:, None, PLANES * NODES :]
    return features


def inputs_of(features: Tensor) -> Tensor:
    """[B, 48] from features [B, 21, 8]."""
    beads = features[:, :, :PLANES].transpose(1, 2).reshape(-1, PLANES * NODES)
    return torch.cat([beads, features[:, 0, PLANES:]], dim=1)


def features_of(inputs: Tensor) -> Tensor:
    """[B, 21, 8] from inputs [B, 48]."""
    beads = inputs[:, : PLANES * NODES].reshape(-1, PLANES, NODES).transpose(1, 2)
    return torch.cat([beads, inputs[:, None, PLANES * NODES :].expand(-1, NODES, -1)], dim=2)


def legal_actions(states: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """[B, 72] which actions the side to move may play."""
    array = as_states(states)
    return legal_masks(array[:, 0], array[:, 1])


def log_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """[B, 72] log-probabilities over the legal moves, 0 elsewhere: finite everywhere, in value and in gradient."""
    masked = torch.where(legal, logits.float(), torch.full_like(logits, -1e9, dtype=torch.float32))
    return torch.where(legal, masked.log_softmax(dim=1), torch.zeros_like(masked))


__all__ = [
    "ENCODING_VERSION",
    "FEATURES",
    "INPUTS",
    "as_states",
    "encode",
    "encode_inputs",
    "features_of",
    "inputs_of",
    "legal_actions",
    "log_policy",
]
