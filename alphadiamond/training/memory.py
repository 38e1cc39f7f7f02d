"""How much memory a training run asks for.

The figures are those of the arrays themselves (a test compares them); what small objects take besides is left out. This
is to notice sizes that cannot work, not to say how close one may go.
"""

from dataclasses import dataclass
from typing import Final

from alphadiamond.settings.model import ModelConfig

GAME: Final = 40_000  # a game of self-play remembers its plies, some sixty of them
_FLOAT: Final = 4
TRAINING_COPIES: Final = 6  # weights, gradients, two moments, the averaged twin, and its copy for the workers


@dataclass(frozen=True)
class Sizes:
    """What of a game decides how much memory things take."""

    nodes: int
    actions: int
    moves: int
    """The most that any position has."""
    columns: int
    """Of a state."""

    @property
    def tree_node(self) -> int:
        """Its record, and an edge record, a prior and an action for each move."""
        return 48 + 8 * self.columns + self.moves * (24 + 4 + 2)

    @property
    def sample(self) -> int:
        """See `training.samples.Samples`."""
        return 8 * self.columns + 2 * self.actions + 3 * _FLOAT + 1 + 2 + 4 + 4

    @property
    def cache_entry(self) -> int:
        return 8 + 8 + (self.moves + 3) * _FLOAT


def trees(games: int, simulations: int, sizes: Sizes) -> int:
    return games * (simulations + 2) * sizes.tree_node


def cache(positions: int, sizes: Sizes) -> int:
    """Slots are a power of two."""
    return (1 << max(0, positions - 1).bit_length()) * sizes.cache_entry if positions else 0


def units(model: ModelConfig, sizes: Sizes) -> int:
    """Of a hidden layer."""
    return model.width * (1 if model.kind == "mlp" else sizes.nodes)


def weights(model: ModelConfig, sizes: Sizes) -> int:
    """As they play: a layer of the orbit network is laid out as one matrix."""
    width = model.width * sizes.nodes if model.kind == "orbit" else model.width
    return _FLOAT * (2 * model.blocks * width**2 + units(model, sizes) * model.value_width)


def step(model: ModelConfig, batch: int, sizes: Sizes) -> int:
    """What a batch leaves behind for the gradient: two arrays a layer."""
    return batch * _FLOAT * units(model, sizes) * (4 * model.blocks * model.repeats + 4)
