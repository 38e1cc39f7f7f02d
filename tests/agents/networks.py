"""A network that has learnt nothing, as a file, for tests that need some network."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from alphadiamond.games import load
from alphadiamond.network import ModelConfig, build_model, save_checkpoint


@functools.cache
def untrained_checkpoint(game: str = "diamond_chase") -> Path:
    directory = Path(tempfile.mkdtemp(prefix="alphadiamond-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    path = directory / "untrained.safetensors"
    kind = "orbit" if len(load(game).shape.symmetries) > 1 else "mlp"
    config = ModelConfig(kind=kind, width=4, blocks=1)
    save_checkpoint(path, build_model(config, load(game), seed=1), step=0)
    return path
