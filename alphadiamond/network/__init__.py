"""The network: what it sees, its models, the evaluator that search calls, and checkpoints."""

from alphadiamond.network.building import build_model
from alphadiamond.network.cache import CacheStats, EvaluationCache
from alphadiamond.network.checkpoints import (
    Checkpoint,
    CheckpointError,
    Metadata,
    load_checkpoint,
    read_metadata,
    save_checkpoint,
)
from alphadiamond.network.config import ModelConfig, ModelError
from alphadiamond.network.encoding import encode, encode_inputs, legal_actions, log_policy
from alphadiamond.network.evaluator import DeviceError, Evaluator, find_device
from alphadiamond.network.export import export_onnx
from alphadiamond.network.model import Model, Outputs

__all__ = [
    "CacheStats",
    "Checkpoint",
    "CheckpointError",
    "DeviceError",
    "EvaluationCache",
    "Evaluator",
    "Metadata",
    "Model",
    "ModelConfig",
    "ModelError",
    "Outputs",
    "build_model",
    "encode",
    "encode_inputs",
    "export_onnx",
    "find_device",
    "legal_actions",
    "load_checkpoint",
    "log_policy",
    "read_metadata",
    "save_checkpoint",
]
