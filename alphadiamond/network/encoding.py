"""What the network sees of a position: features by node, from the side to move.

The first `planes` features of the game's shape differ from node to node, the others are of the whole position and the
same on all nodes. Models that are one matrix product a layer take those once: `inputs` [B, I] are plane after plane by
node, followed by them.
"""

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from alphadiamond.base import game_kernels
from alphadiamond.base.game import Game, Shape


def as_states(states: npt.ArrayLike, game: Game) -> npt.NDArray[np.int64]:
    """[B, S] as the compiled code wants them."""
    columns = game.state_size
    array = np.ascontiguousarray(states, dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != columns:
        raise ValueError(f"states are [B, {columns}], not {list(array.shape)}")
    return array


def encode_inputs(states: npt.ArrayLike, game: Game) -> npt.NDArray[np.float32]:
    """[B, I] features of each state, those of the whole position once."""
    return game_kernels.encode_states(game.rules, as_states(states, game))


def encode(states: npt.ArrayLike, game: Game) -> npt.NDArray[np.float32]:
    """[B, nodes, features] features of each node of each state."""
    shape, inputs = game.shape, encode_inputs(states, game)
    planes, split = shape.planes, shape.planes * shape.nodes
    features = np.empty((len(inputs), shape.nodes, planes + shape.globals), dtype=np.float32)
    features[:, :, :planes] = inputs[:, :split].reshape(-1, planes, shape.nodes).transpose(0, 2, 1)
    features[:, :, planes:] = inputs[:, None, split:]
    return features


def inputs_of(features: Tensor, shape: Shape) -> Tensor:
    """[B, I] from features [B, nodes, features]."""
    planes = features[:, :, : shape.planes].transpose(1, 2).reshape(-1, shape.planes * shape.nodes)
    return torch.cat([planes, features[:, 0, shape.planes :]], dim=1)


def features_of(inputs: Tensor, shape: Shape) -> Tensor:
    """[B, nodes, features] from inputs [B, I]."""
    split = shape.planes * shape.nodes
    planes = inputs[:, :split].reshape(-1, shape.planes, shape.nodes).transpose(1, 2)
    return torch.cat([planes, inputs[:, None, split:].expand(-1, shape.nodes, -1)], dim=2)


def legal_actions(states: npt.ArrayLike, game: Game) -> npt.NDArray[np.bool_]:
    """[B, A] which actions the side to move may play."""
    return game.legal(as_states(states, game))


def log_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """[B, A] log-probabilities over the legal moves, 0 elsewhere: finite everywhere, in value and in gradient."""
    masked = torch.where(legal, logits.float(), torch.full_like(logits, -1e9, dtype=torch.float32))
    return torch.where(legal, masked.log_softmax(dim=1), torch.zeros_like(masked))


__all__ = ["as_states", "encode", "encode_inputs", "features_of", "inputs_of", "legal_actions", "log_policy"]
