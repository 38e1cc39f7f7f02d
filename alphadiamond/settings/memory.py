"""How much memory settings ask for, and how much there is.

The figures are those of the arrays themselves (a test compares them); what small objects take besides is left out. This
is to notice sizes that cannot work, not to say how close one may go.
"""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from alphadiamond.settings.model import ModelConfig

NODES: Final = 21
TREE_NODE: Final = 64 + 24 * (24 + 4 + 2)  # its record, and an edge record, a prior and an action for each move
GAME: Final = 40_000  # a game of self-play remembers its plies, some sixty of them
SAMPLE: Final = 4 * 4 + 72 * 2 + 3 * 4 + 1 + 2 + 4 + 4  # see `training.samples.Samples`
CACHE_ENTRY: Final = 8 + 8 + 24 * 4 + 3 * 4
_FLOAT: Final = 4
TRAINING_COPIES: Final = 6  # weights, gradients, two moments, the averaged twin, and its copy for the workers


@dataclass(frozen=True)
class Need:
    """Memory that settings ask for."""

    key: str
    """The setting to lower."""
    what: str
    size: int
    """Bytes."""


def trees(games: int, simulations: int) -> int:
    return games * (simulations + 2) * TREE_NODE


def cache(positions: int) -> int:
    """Slots are a power of two."""
    return (1 << max(0, positions - 1).bit_length()) * CACHE_ENTRY if positions else 0


def units(model: ModelConfig) -> int:
    """Of a hidden layer."""
    return model.width * (1 if model.kind == "mlp" else NODES)


def weights(model: ModelConfig) -> int:
    """As they play: a layer of the orbit network is laid out as one matrix."""
    width = model.width * NODES if model.kind == "orbit" else model.width
    return _FLOAT * (2 * model.blocks * width**2 + units(model) * model.value_width)


def step(model: ModelConfig, batch: int) -> int:
    """What a batch leaves behind for the gradient: two arrays a layer."""
    return batch * _FLOAT * units(model) * (4 * model.blocks + 4)


def too_much(needs: list[Need]) -> tuple[str, str] | None:
    """(the setting to lower, why) where the needs together are more than the machine has."""
    have = machine()
    total = sum(need.size for need in needs)
    if have is None or total <= have:
        return None
    largest = max(needs, key=lambda need: need.size)
    rest = "" if largest.size > have else f", {amount(total)} with everything else,"
    return largest.key, f"{largest.what} would take {amount(largest.size)}{rest} and this machine has {amount(have)}"


def machine() -> int | None:
    """Bytes of memory that this process may have in all; None where nobody can say."""
    found = []
    with contextlib.suppress(AttributeError, ValueError, OSError):  # Windows has no sysconf
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            found.append(int(Path(limit).read_text()))
        except (OSError, ValueError):  # no such limit
            continue
    return min(found) if found else None


def amount(size: float) -> str:
    """`3.5 GB`."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.0f} PB"
