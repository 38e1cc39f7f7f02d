"""One layer on disk: a header of 60 bytes, then a byte for each entry, mapped into memory rather than read.

A byte is the least that can be addressed, and it holds the result with the exact distance; packing bits closer would
save a tenth or so, and compression would end the mapping. Symmetry has already taken out seven entries of eight.
"""

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.games.diamond_chase.kernels import RULES_VERSION
from alphadiamond.games.diamond_chase.solver.index_kernels import BASE, COUNTS, classes, placements

FORMAT: Final = 1
_MAGIC: Final = b"ADLAYER\n"
_RESERVED: Final = 24
_HEADER: Final = struct.Struct(
    f"<8sIIIIIII{_RESERVED}x"
)  # magic, format, rules, own, opp, classes, placements, checksum


class TablebaseError(AlphaDiamondError):
    """A tablebase that is missing, damaged or asked for what it does not have; it names the file."""


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
    header = _HEADER.pack(*_fields(layer), zlib.crc32(entries.data))
    path = layer.path(directory)
    try:
        with replacing(path) as file:
            file.write(header)
            file.write(entries.data)
    except OSError as error:
        raise TablebaseError(f"{path}: cannot be written ({error.strerror})") from None


def map_layer(directory: Path, layer: Layer) -> npt.NDArray[np.uint8]:
    """[entries] the layer, mapped; its header, length and checksum are checked."""
    path = layer.path(directory)
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
        size = path.stat().st_size
        if len(header) < _HEADER.size or header[: len(_MAGIC)] != _MAGIC:
            raise TablebaseError(f"{path}: no layer of a tablebase; solve it again with scripts/solve.py")
        *fields, checksum = _HEADER.unpack(header)
        for name, found, expected in zip(
            ("magic", "format", "rules version", "own beads", "opposing beads", "classes", "placements"),
            fields,
            _fields(layer),
            strict=True,
        ):
            if found != expected:
                raise TablebaseError(f"{path}: {name} {found}, expected {expected}; solve it again")
        if size != _HEADER.size + layer.entries:
            raise TablebaseError(f"{path}: {size} bytes, expected {_HEADER.size + layer.entries}; solve it again")
        mapped = np.memmap(path, dtype=np.uint8, mode="r", offset=_HEADER.size)
    except FileNotFoundError:
        raise TablebaseError(f"{path}: missing; scripts/solve.py makes it") from None
    except OSError as error:
        raise TablebaseError(f"{path}: cannot be read ({error.strerror})") from None
    if any(header[-_RESERVED:]) or zlib.crc32(mapped.data) != checksum:
        raise TablebaseError(f"{path}: altered, its checksum does not agree; solve it again")
    return np.asarray(mapped)


def _fields(layer: Layer) -> tuple[bytes, int, int, int, int, int, int]:
    return _MAGIC, FORMAT, RULES_VERSION, layer.own, layer.opp, layer.classes, layer.placements
