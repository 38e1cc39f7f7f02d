"""The sizes of a model, as Hydra's group `model` and a checkpoint's metadata state them."""

from dataclasses import dataclass
from typing import Final

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.ranges import between, one_of, setting
from alphadiamond.settings.validation import SettingError, check

KINDS: Final = ("orbit", "graph", "mlp", "conv")
HEADS: Final = ("board", "pieces")


class ModelError(AlphaDiamondError, ValueError):
    """A model that cannot be built like this."""


@dataclass  # not frozen: Hydra's groups and overrides set fields one by one
class ModelConfig:
    kind: str = setting("orbit", one_of(*KINDS))
    """orbit (weights tied by the board's symmetries), graph (messages along edges), conv (3 by 3, on a grid) or mlp."""
    width: int = setting(12, between(1, 4096))
    """Channels of each node; for mlp, units of a layer."""
    blocks: int = setting(4, between(1, 4096))
    """Residual blocks of two layers each."""
    value_width: int = setting(32, between(1, 4096))
    """Units of the value head's hidden layer."""
    reply: bool = False
    """Whether training also predicts the opponent's reply."""
    survival: bool = False
    """Whether training also predicts which pieces survive, in games where they can be lost."""
    repeats: int = setting(1, between(1, 64))
    """conv: how often the blocks are gone through; from 2 on each time the input is added again."""
    heads: str = setting("board", one_of(*HEADS))
    """conv: board (dense layers over all cells) or pieces (read where the pieces stand and from means over the board).
    pieces is for games of one piece a side, and its weights fit a board of any size."""
    worked_out: bool = True
    """conv: whether the network sees what the game works out from the rules beside the position, distances say."""

    def check(self) -> None:
        try:
            check(self)
        except SettingError as error:
            raise ModelError(f"model: {error}") from None
