"""From a configuration to a model."""

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


def build_model(config: ModelConfig) -> Model:
    """A model with new weights, drawn from torch's generator."""
    config.check()
    model = _MODELS[config.kind](config)
    model.config = config
    return model
