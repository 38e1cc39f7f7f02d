"""From a configuration to a model."""

from collections.abc import Callable

import torch

from alphadiamond.base.game import Game, Shape
from alphadiamond.network.config import ModelConfig, ModelError
from alphadiamond.network.conv import conv_model
from alphadiamond.network.graph import GraphModel
from alphadiamond.network.mlp import MlpModel
from alphadiamond.network.model import Model
from alphadiamond.network.orbit import OrbitModel

_MODELS: dict[str, Callable[[ModelConfig, Shape], Model]] = {
    "orbit": OrbitModel,
    "graph": GraphModel,
    "mlp": MlpModel,
    "conv": conv_model,
}


def build_model(config: ModelConfig, game: Game, *, seed: int | None = None) -> Model:
    """A model for a game, with new weights on the CPU: drawn from a seed, which leaves torch's generator alone, or from
    that."""
    config.check()
    if config.survival and not game.survival:
        raise ModelError(f"model: survival=True: in {game.title} no piece leaves the board, set it to false")
    with torch.random.fork_rng(devices=[], enabled=seed is not None):
        if seed is not None:
            torch.manual_seed(seed)
        model = _MODELS[config.kind](config, game.shape)
    model.game = game
    return model
