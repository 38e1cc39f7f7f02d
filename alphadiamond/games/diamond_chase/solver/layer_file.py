"""One layer on disk: a header of 60 bytes, then a byte for each entry, mapped into memory rather than read.

A byte is the least that can be addressed, and it holds the result with the exact distance; packing bits closer would
save a tenth or so, and compression would end the mapping. Symmetry has already taken out seven entries of eight.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.solver.table_file import TableFormat
from alphadiamond.games.diamond_chase.kernels import RULES_VERSION
from alphadiamond.games.diamond_chase.solver.index_kernels import BASE, COUNTS, classes, placements

FORMAT: Final = 1
_FORMAT: Final = TableFormat(
    title="layer of a tablebase",
    magic=b"ADLAYER\n",
    codes="IIIIII",
    tail=lambda head: bytes(24),
    dtype=np.uint8,
    command="make solve",
)


@dataclass(frozen=True, order=True)
class Layer:
    """All positions with these bead counts, seen from the side to move."""

    own: int
    opp: int

    @property
    def name(self) -> str:
        return f"{self.own}v{self.opp}"

    @property
    def mirror(self) -> "Layer":
        """The same beads with the other side to move."""
        return Layer(self.opp, self.own)

    @property
    def classes(self) -> int:
        return classes(self.own)

    @property
    def placements(self) -> int:
        return placements(self.own, self.opp)

    @property
    def entries(self) -> int:
        return self.classes * self.placements

    @property
    def base(self) -> int:
        """Where it begins in the array of all layers."""
        return int(BASE[self.own - COUNTS[0], self.opp - COUNTS[0]])

    @property
    def slice(self) -> slice:
        """Where it is in the array of all layers."""
        return slice(self.base, self.base + self.entries)

    def path(self, directory: Path) -> Path:
        return directory / f"{self.name}.layer"


LAYERS: Final = tuple(Layer(own, opp) for own in COUNTS for opp in COUNTS)
"""In the order of the array of all layers."""


def write_layer(directory: Path, layer: Layer, entries: npt.NDArray[np.uint8]) -> None:
    """Write a layer whole or not at all."""
    _FORMAT.write(layer.path(directory), _fields(layer), entries)


def map_layer(directory: Path, layer: Layer) -> npt.NDArray[np.uint8]:
    """[entries] the layer, mapped and checked."""
    return _FORMAT.map(layer.path(directory), _fields(layer), layer.entries)


def _fields(layer: Layer) -> dict[str, int]:
    return {
        "format": FORMAT,
        "rules version": RULES_VERSION,
        "own beads": layer.own,
        "opposing beads": layer.opp,
        "classes": layer.classes,
        "placements": layer.placements,
    }
