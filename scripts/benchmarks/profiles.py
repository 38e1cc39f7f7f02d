"""The settings of a plain training run, as `python scripts/train.py profile=NAME` has them."""

from typing import Any

from alphadiamond.settings.composition import compose, register
from alphadiamond.settings.overrides import typed
from alphadiamond.training.settings import TrainSettings


def plain(profile: str, **changes: Any) -> TrainSettings:
    """A profile with what suits Diamond Chase, on the CPU, and with changes to its outermost settings."""
    register("train", TrainSettings)
    settings = typed(compose("train", [f"profile={profile}", "device=cpu", "plot=false"]), TrainSettings)
    for name, value in changes.items():
        setattr(settings, name, value)
    return settings
