"""Weights on disk: safetensors with what one must know to use them, checked in full before they are used.

The file holds numbers and text alone, and nothing in it is ever executed. Metadata are strings, as safetensors has it:
`format`, `game`, its `rules` and `encoding` (versions), `model` (configuration as JSON), `step`, `sha256` (of the
weights), `extra` (JSON).
"""

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from alphadiamond.base.game import Game
from alphadiamond.files import replacing
from alphadiamond.games import load
from alphadiamond.network.factory import build_model
from alphadiamond.network.headers import (
    FORMAT,
    CheckpointError,
    Metadata,
    find_checkpoint,
    read_metadata,
)
from alphadiamond.network.model import Model


@dataclass(frozen=True, slots=True)
class Checkpoint:
    model: Model
    metadata: Metadata


def save_checkpoint(
    path: str | os.PathLike[str], model: Model, *, step: int = 0, extra: Mapping[str, Any] | None = None
) -> Metadata:
    """Write the weights, from whatever device they are on, whole or not at all."""
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
    if bad := _not_finite(tensors):
        raise CheckpointError(f"{path}: not written, {bad} holds values that are not finite")
    metadata = Metadata(model.game.name, model.config, step, weights_digest(tensors), dict(extra or {}))
    text = {
        "format": FORMAT,
        "game": model.game.name,
        "rules": str(model.game.rules_version),
        "encoding": str(model.game.encoding_version),
        "model": json.dumps(dataclasses.asdict(metadata.config)),
        "step": str(metadata.step),
        "sha256": metadata.sha256,
        "extra": json.dumps(metadata.extra),
    }
    with replacing(Path(path)) as file:
        file.write(safetensors.torch.save(tensors, metadata=text))
    return metadata


def load_checkpoint(
    path: str | os.PathLike[str], *, device: str | torch.device = "cpu", game: Game | None = None
) -> Checkpoint:
    """The model, every part of the file checked; it is read on the CPU and moved to the device after that.

    With `game` a checkpoint of any other is refused, unless that game's networks can play this one.
    """
    path = find_checkpoint(path)
    metadata = read_metadata(path, game=game)
    try:
        tensors = safetensors.torch.load(path.read_bytes())
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read ({error.strerror})") from None
    except (safetensors.SafetensorError, ValueError, KeyError) as error:
        raise CheckpointError(f"{path}: damaged, {' '.join(str(error).split())}") from None
    if weights_digest(tensors) != metadata.sha256:
        raise CheckpointError(f"{path}: damaged, the weights do not have the SHA-256 that was written with them")
    config = metadata.config
    if config.width * (config.blocks * config.width + config.value_width) > sum(t.numel() for t in tensors.values()):
        # Checked before the model is built: a small file must not be able to ask for all memory.
        raise CheckpointError(f"{path}: the weights are too few for the model's configuration")
    model = build_model(config, game or load(metadata.game), seed=0)
    _compare(path, model.state_dict(), tensors)
    if bad := _not_finite(tensors):
        raise CheckpointError(f"{path}: tensor {bad} holds values that are not finite")
    model.load_state_dict(tensors)
    return Checkpoint(model.to(device), metadata)


def weights_digest(tensors: Mapping[str, Tensor]) -> str:
    """SHA-256 of names, types, shapes and values, whatever the order and the device."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}\n".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _compare(path: Path, wanted: Mapping[str, Tensor], found: Mapping[str, Tensor]) -> None:
    if missing := sorted(set(wanted) - set(found)):
        raise CheckpointError(f"{path}: tensors of the model are missing: {_some(missing)}")
    if extra := sorted(set(found) - set(wanted)):
        raise CheckpointError(f"{path}: tensors unknown to the model: {_some(extra)}")
    for name, tensor in wanted.items():
        if found[name].shape != tensor.shape or found[name].dtype != tensor.dtype:
            raise CheckpointError(f"{path}: tensor {name} is {_kind(found[name])}, and the model's is {_kind(tensor)}")


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _kind(tensor: Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')} {list(tensor.shape)}"


def _not_finite(tensors: Mapping[str, Tensor]) -> str | None:
    return next((name for name, tensor in tensors.items() if not bool(torch.isfinite(tensor).all())), None)
