"""What a checkpoint says of itself, read without torch, so that it can be asked before anything is begun."""

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import UNNAMED, GameError, load
from alphadiamond.network.config import ModelConfig, ModelError
from alphadiamond.resources import champion_of
from alphadiamond.settings.players import CHAMPION

if TYPE_CHECKING:  # a header is read without numpy
    from alphadiamond.base.game import Game

FORMAT: Final = "alphadiamond-checkpoint-1"
LENGTH_BYTES: Final = 8  # a safetensors file is the header's length, the header as JSON, the data
_MAX_HEADER: Final = 16 << 20


class CheckpointError(AlphaDiamondError):
    """A checkpoint that cannot be used; it says which and why."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a checkpoint says of itself."""

    game: str
    """The name of the game it plays."""
    config: ModelConfig
    step: int
    """Training steps made."""
    sha256: str
    """Of the weights: names, shapes and values."""
    extra: dict[str, Any]
    """Whatever the writer added."""


def read_metadata(path: str | os.PathLike[str], *, game: "Game | None" = None) -> Metadata:
    """What the checkpoint says of itself; its weights are neither read nor checked. A run stands for its champion.

    With `game` a checkpoint of any other is refused, unless that game's networks can play this one.
    """
    path = find_checkpoint(path)
    metadata = _metadata(path, read_header(path))
    if game is not None and metadata.game not in (game.name, *game.networks_of):
        raise CheckpointError(f"{path}: plays {metadata.game}, not {game.name}: name a checkpoint of that game")
    return metadata


def find_checkpoint(path: str | os.PathLike[str]) -> Path:
    """The file that a checkpoint or the directory of a training run stands for: the run's champion."""
    path = Path(path)
    if not path.is_dir():
        moved = path.parent / UNNAMED / path.name  # the shipped network was one step nearer once
        return moved if path.name == CHAMPION and not path.exists() and moved.is_file() else path
    champion = path / CHAMPION
    if not champion.is_file():
        raise CheckpointError(f"{path}: no {CHAMPION} in this directory; name a checkpoint, or a run that has one")
    return champion


def shipped_checkpoint(game: "Game") -> Path:
    """The file of the network that is shipped for a game."""
    path = champion_of(game)
    if not path.exists():
        raise CheckpointError(
            f"no network for {game.title} is shipped here: "
            "train one with `alphadiamond train`, or name one with checkpoint=PATH"
        )
    return path


def read_header(path: Path) -> dict[str, Any]:
    """The header of a safetensors file, whose tensors fill the rest of it exactly."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            length = int.from_bytes(file.read(LENGTH_BYTES), "little")
            if size < LENGTH_BYTES:
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
        expected = LENGTH_BYTES + length + max(ends, default=0)
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
    name = text.get("game", UNNAMED)
    try:
        game = load(name)
    except GameError as error:
        raise CheckpointError(f"{path}: {error}") from None
    _version(path, "rules", text.get("rules"), game.rules_version)
    _version(path, "encoding", text.get("encoding"), game.encoding_version)
    config = _config(path, text.get("model"))
    try:
        step, sha256, extra = int(text["step"]), str(text["sha256"]), json.loads(text["extra"])
        if not isinstance(extra, dict):
            raise TypeError
    except (KeyError, ValueError, TypeError, RecursionError):
        raise CheckpointError(f"{path}: damaged, step, sha256 or extra is missing or cannot be read") from None
    return Metadata(name, config, step, sha256, extra)


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
