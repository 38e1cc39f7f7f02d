"""How much memory settings ask for, and how much there is.

The figures are those of the arrays themselves (a test compares them); what small objects take besides is left out. This
is to notice sizes that cannot work, not to say how close one may go.
"""

from dataclasses import dataclass
from pathlib import Path
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


@dataclass(frozen=True)
class Need:
    """Memory that settings ask for."""

    key: str
    """The setting to lower."""
    what: str
    size: int
    """Bytes."""


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


def too_much(needs: list[Need]) -> tuple[str, str] | None:
    """(the setting to lower, why) where the needs together are more than the machine has."""
    have = machine()
    total = sum(need.size for need in needs)
    if total <= have:
        return None
    largest = max(needs, key=lambda need: need.size)
    rest = "" if largest.size > have else f", {amount(total)} with everything else,"
    return largest.key, f"{largest.what} would take {amount(largest.size)}{rest} and this machine has {amount(have)}"


def machine() -> int:
    """Bytes of memory that this process may have in all."""
    import psutil

    found = [int(psutil.virtual_memory().total)]
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            found.append(int(Path(limit).read_text(encoding="utf-8")))
        except (OSError, ValueError):  # no such limit
            continue
    return min(found)


def amount(size: float) -> str:
    """`3.5 GB`."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.0f} PB"
