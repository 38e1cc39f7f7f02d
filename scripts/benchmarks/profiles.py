"""The settings of a plain training run, as `python scripts/train.py profile=NAME` has them."""

import functools
from typing import Any

from alphadiamond.settings.groups import composed
from alphadiamond.training.settings import TrainSettings


def plain(profile: str, **changes: Any) -> TrainSettings:
    """A profile with what suits Diamond Chase, on the CPU, and with changes to its outermost settings."""
    settings = TrainSettings(device="cpu", plot=False)
    for key, value in {**composed("train", {"profile": profile}), **changes}.items():
        *path, name = key.split(".")
        setattr(functools.reduce(getattr, path, settings), name, value)
    return settings
