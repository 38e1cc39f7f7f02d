"""The settings of a plain training run, as `python scripts/train.py profile=NAME` has them."""

import functools
from typing import Any

from alphadiamond.settings.groups import composed, with_suited
from alphadiamond.training.settings import TrainSettings


def plain(profile: str, **changes: Any) -> TrainSettings:
    """A profile with what suits Diamond Chase, on the CPU, and with changes to its outermost settings."""
    settings = TrainSettings(device="cpu", plot=False)
    chosen = dict(argument.split("=") for argument in with_suited("train", [f"profile={profile}"]))
    for key, value in {**composed("train", chosen), **changes}.items():
        *path, name = key.split(".")
        setattr(functools.reduce(getattr, path, settings), name, value)
    return settings
