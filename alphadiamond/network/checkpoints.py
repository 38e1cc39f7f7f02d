"""Weights on disk: safetensors with what one must know to use them, checked in full before they are used.

The file holds numbers and text alone, and nothing in it is ever executed. Metadata are strings, as safetensors has it:
`format`, `rules`, `encoding` (versions), `model` (configuration as JSON), `step`, `sha256` (of the weights), `extra`
(JSON).
"""

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.game.kernels import RULES_VERSION
from alphadiamond.network.building import build_model
from alphadiamond.network.config import ModelConfig, ModelError
from alphadiamond.network.encoding import ENCODING_VERSION
from alphadiamond.network.model import Model

FORMAT: Final = "alphadiamond-checkpoint-1"

_LENGTH_BYTES: Final = 8  # a safetensors file is the header's length, the header as JSON, the data
_MAX_HEADER: Final = 16 << 20


class CheckpointError(AlphaDiamondError):
    """A checkpoint that cannot be used; it says which and why."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a checkpoint says of itself."""

    config: ModelConfig
    step: int
    """Training steps made."""
    sha256: str
    """Of the weights: names, shapes and values."""
    extra: dict[str, Any]
    """Whatever the writer added."""


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
    metadata = Metadata(model.config, step, weights_digest(tensors), dict(extra or {}))
    text = {
        "format": FORMAT,
        "rules": str(RULES_VERSION),
        "encoding": str(ENCODING_VERSION),
        "model": json.dumps(dataclasses.asdict(metadata.config)),
        "step": str(metadata.step),
        "sha256": metadata.sha256,
        "extra": json.dumps(metadata.extra),
    }
    with replacing(Path(path)) as file:
        file.write(safetensors.torch.save(tensors, metadata=text))
    return metadata


def read_metadata(path: str | os.PathLike[str]) -> Metadata:
    """What the checkpoint says of itself; its weights are neither read nor checked."""
    return _metadata(Path(path), _header(Path(path)))


def load_checkpoint(path: str | os.PathLike[str], *, device: str | torch.device = "cpu") -> Checkpoint:
    """The model, every part of the file checked; it is read on the CPU and moved to the device after that."""
    path = Path(path)
    metadata = read_metadata(path)
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
    model = build_model(config, seed=0)
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


def _header(path: Path) -> dict[str, Any]:
    """The header of a safetensors file, whose tensors fill the rest of it exactly."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
            if size < _LENGTH_BYTES:
                raise CheckpointError(f"{path}: cut short, {size} bytes are no checkpoint")
            if length > _MAX_HEADER:
                raise CheckpointError(f"{path}: no safetensors file")
            text = file.read(length)
    except FileNotFoundError:
        raise CheckpointError(f"{path}: no such checkpoint") from None
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read ({error.strerror})") from None
    if text[:1] not in (b"{", b""):
        raise CheckpointError(f"{path}: no safetensors file")
    if len(text) < length:
        raise CheckpointError(f"{path}: cut short, the header has {length} bytes and {len(text)} are there")
    try:
        header = json.loads(text)
        ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
        expected = _LENGTH_BYTES + length + max(ends, default=0)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise CheckpointError(f"{path}: no safetensors file, or its header is damaged") from None
    if size < expected:
        raise CheckpointError(f"{path}: cut short, {expected} bytes were written and {size} are there")
    if size > expected:
        raise CheckpointError(f"{path}: damaged, {size - expected} bytes follow the end of the weights")
    assert isinstance(header, dict)
    return header


def _metadata(path: Path, header: dict[str, Any]) -> Metadata:
    text = header.get("__metadata__")
    if not isinstance(text, dict) or text.get("format") != FORMAT:
        found = text.get("format") if isinstance(text, dict) else None
        raise CheckpointError(f"{path}: no AlphaDiamond checkpoint, its format is {found!r} and not {FORMAT!r}")
    _version(path, "rules", text.get("rules"), RULES_VERSION)
    _version(path, "encoding", text.get("encoding"), ENCODING_VERSION)
    config = _config(path, text.get("model"))
    try:
        step, sha256, extra = int(text["step"]), str(text["sha256"]), json.loads(text["extra"])
        if not isinstance(extra, dict):
            raise TypeError
    except (KeyError, ValueError, TypeError, RecursionError):
        raise CheckpointError(f"{path}: damaged, step, sha256 or extra is missing or cannot be read") from None
    return Metadata(config, step, sha256, extra)


def _version(path: Path, what: str, found: Any, ours: int) -> None:
    if found != str(ours):
        raise CheckpointError(f"{path}: made for version {found} of the {what}, and this is version {ours}")


def _config(path: Path, text: Any) -> ModelConfig:
    try:
        fields = json.loads(text)
        if not isinstance(fields, dict):
            raise ValueError
    except (ValueError, TypeError, RecursionError):
        raise CheckpointError(f"{path}: damaged, the model's configuration cannot be read") from None
    if unknown := sorted(set(fields) - {field.name for field in dataclasses.fields(ModelConfig)}):
        raise CheckpointError(f"{path}: the model's configuration has unknown keys: {', '.join(unknown)}")
    try:
        config = ModelConfig(**fields)
        config.check()
    except ModelError as error:
        raise CheckpointError(f"{path}: {error}") from None
    return config


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
