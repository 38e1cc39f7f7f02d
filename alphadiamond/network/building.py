"""From a configuration to a model."""

import torch

from alphadiamond.network.config import ModelConfig
from alphadiamond.network.graph import GraphModel
from alphadiamond.network.mlp import MlpModel
from alphadiamond.network.model import Model
from alphadiamond.network.orbit import OrbitModel

_MODELS: dict[str, type[OrbitModel] | type[GraphModel] | type[MlpModel]] = {
    "orbit": OrbitModel,
    "graph": GraphModel,
    "mlp": MlpModel,
}


def build_model(config: ModelConfig, *, seed: int | None = None) -> Model:
    """A model with new weights on the CPU: drawn from a seed, which leaves torch's generator alone, or from that."""
    config.check()
    with torch.random.fork_rng(devices=[], enabled=seed is not None):
        if seed is not None:
            torch.manual_seed(seed)
        model = _MODELS[config.kind](config)
    model.config = config
    return model
