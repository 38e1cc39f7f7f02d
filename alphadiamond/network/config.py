"""The sizes of a model; they are settings, and live with those."""

from alphadiamond.settings.model import KINDS, ModelConfig, ModelError

__all__ = ["KINDS", "ModelConfig", "ModelError"]
