"""The network: what it sees, its models, the evaluator that search calls, and checkpoints.

Names are imported when they are first asked for, so that what a checkpoint says of itself can be read without torch.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from alphadiamond.network.cache import CacheStats, EvaluationCache
    from alphadiamond.network.checkpoints import Checkpoint, load_checkpoint, save_checkpoint
    from alphadiamond.network.config import ModelConfig, ModelError
    from alphadiamond.network.devices import DeviceError, find_device
    from alphadiamond.network.encoding import encode, encode_inputs, legal_actions, log_policy
    from alphadiamond.network.evaluator import Evaluator
    from alphadiamond.network.export import export_onnx
    from alphadiamond.network.factory import build_model
    from alphadiamond.network.headers import CheckpointError, Metadata, find_checkpoint, read_metadata
    from alphadiamond.network.model import Model, Outputs

_HOMES: Final = {
    "factory": ("build_model",),
    "cache": ("CacheStats", "EvaluationCache"),
    "checkpoints": ("Checkpoint", "load_checkpoint", "save_checkpoint"),
    "config": ("ModelConfig", "ModelError"),
    "encoding": ("encode", "encode_inputs", "legal_actions", "log_policy"),
    "devices": ("DeviceError", "find_device"),
    "evaluator": ("Evaluator",),
    "export": ("export_onnx",),
    "headers": ("CheckpointError", "Metadata", "find_checkpoint", "read_metadata"),
    "model": ("Model", "Outputs"),
}

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
    "find_checkpoint",
    "find_device",
    "legal_actions",
    "load_checkpoint",
    "log_policy",
    "read_metadata",
    "save_checkpoint",
]


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
