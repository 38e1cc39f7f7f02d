"""The network: what it sees, its models, the evaluator that search calls, and checkpoints."""

from alphadiamond.network.building import build_model
from alphadiamond.network.cache import CacheStats, EvaluationCache
from alphadiamond.network.config import ModelConfig, ModelError
from alphadiamond.network.encoding import encode, encode_inputs, legal_actions, log_policy
from alphadiamond.network.evaluator import DeviceError, Evaluator, find_device
from alphadiamond.network.model import Model, Outputs

__all__ = [
    "CacheStats",
    "DeviceError",
    "EvaluationCache",
    "Evaluator",
    "Model",
    "ModelConfig",
    "ModelError",
    "Outputs",
    "build_model",
    "encode",
    "encode_inputs",
    "find_device",
    "legal_actions",
    "log_policy",
]
