"""The sizes of a model, as Hydra's group `model` and a checkpoint's metadata state them."""

from dataclasses import dataclass
from typing import Final

from alphadiamond.errors import AlphaDiamondError

KINDS: Final = ("orbit", "graph", "mlp")


class ModelError(AlphaDiamondError, ValueError):
    """A model that cannot be built like this."""


@dataclass  # not frozen: Hydra's groups and overrides set fields one by one
class ModelConfig:
    kind: str = "orbit"
    """orbit (weights tied by the board's symmetries), graph (messages along the edges) or mlp."""
    width: int = 12
    """Channels of each of the 21 nodes; for mlp, units of a layer."""
    blocks: int = 4
    """Residual blocks of two layers each."""
    value_width: int = 32
    """Units of the value head's hidden layer."""
    reply: bool = False
    """Whether training also predicts the opponent's reply."""
    survival: bool = False
    """Whether training also predicts which beads survive."""

    def check(self) -> None:
        if self.kind not in KINDS:
            raise ModelError(f"no model is of kind {self.kind!r}: there are {', '.join(KINDS)}")
        for name in ("width", "blocks", "value_width"):
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= 4096:
                raise ModelError(f"model {self.kind}: {name} is a whole number from 1 to 4096, not {value!r}")
        for name in ("reply", "survival"):
            if type(getattr(self, name)) is not bool:
                raise ModelError(f"model {self.kind}: {name} is true or false, not {getattr(self, name)!r}")
