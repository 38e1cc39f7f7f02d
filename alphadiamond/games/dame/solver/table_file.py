"""The table on disk: a header of 32 bytes, then a byte for each entry, mapped into memory rather than read."""

import struct
import zlib
from pathlib import Path
from typing import Final

import numpy as np

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.games.dame.kernels import RULES_VERSION
from alphadiamond.games.dame.solver.index_kernels import ENTRIES
from alphadiamond.games.dame.solver.kernels import Table

FORMAT: Final = 1
NAME: Final = "solution.table"
AGAIN: Final = '`make solve ARGS="game=dame resume=false"` makes it anew in seconds'
_MAGIC: Final = b"ADDAME1\n"
_HEADER: Final = struct.Struct("<8sIIQII")  # magic, format, rules, entries, checksum, checksum of what is before it


class SolutionError(AlphaDiamondError):
    """A solution that is damaged or asked for what is no position."""

    @property
    def reason(self) -> str:
        """Without what to do about it, for whoever does that already."""
        return str(self).removesuffix(f"; {AGAIN}")


def write_table(path: Path, table: Table) -> None:
    """Write the table whole or not at all."""
    fields = (_MAGIC, FORMAT, RULES_VERSION, ENTRIES, zlib.crc32(table.data))
    try:
        with replacing(path) as file:
            file.write(_HEADER.pack(*fields, _checksum(*fields)))
            file.write(table.data)
    except OSError as error:
        raise SolutionError(f"{path}: cannot be written ({error.strerror})") from None


def map_table(path: Path) -> Table:
    """[ENTRIES] the table, mapped; its header, length and checksum are checked."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
        if len(header) < _HEADER.size or header[: len(_MAGIC)] != _MAGIC:
            raise SolutionError(f"{path}: no solution of Dame; {AGAIN}")
        *fields, checksum, own_checksum = _HEADER.unpack(header)
        if _checksum(*fields, checksum) != own_checksum:
            raise SolutionError(f"{path}: damaged, its header does not agree with itself; {AGAIN}")
        expected = (FORMAT, RULES_VERSION, ENTRIES)
        for name, found, value in zip(("format", "rules version", "entries"), fields[1:], expected, strict=True):
            if found != value:
                raise SolutionError(f"{path}: {name} {found}, expected {value}; {AGAIN}")
        size = path.stat().st_size
        if size != _HEADER.size + ENTRIES:
            raise SolutionError(f"{path}: {size} bytes, expected {_HEADER.size + ENTRIES}; {AGAIN}")
        table = np.asarray(np.memmap(path, dtype=np.int8, mode="r", offset=_HEADER.size))
    except OSError as error:
        raise SolutionError(f"{path}: cannot be read ({error.strerror}); {AGAIN}") from None
    if zlib.crc32(table.data) != checksum:
        raise SolutionError(f"{path}: damaged, its checksum does not agree; {AGAIN}")
    return table


def _checksum(*fields: int | bytes) -> int:
    return zlib.crc32(repr(fields).encode())
