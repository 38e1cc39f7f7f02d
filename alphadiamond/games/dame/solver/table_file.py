"""The table on disk: a header of 32 bytes, then a byte for each entry."""

import struct
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from alphadiamond.base.solver.table_file import TableFormat
from alphadiamond.games.dame.kernels import RULES_VERSION
from alphadiamond.games.dame.solver.index_kernels import ENTRIES
from alphadiamond.games.dame.solver.kernels import Table

FORMAT: Final = 1
NAME: Final = "solution.table"


def _header_checksum(head: tuple[Any, ...]) -> bytes:
    return struct.pack("<I", zlib.crc32(repr(head).encode()))


_FORMAT: Final = TableFormat(
    title="solution of Dame",
    magic=b"ADDAME1\n",
    codes="IIQ",
    tail=_header_checksum,
    dtype=np.int8,
    command='make solve ARGS="game=dame"',
)
_FIELDS: Final = {"format": FORMAT, "rules version": RULES_VERSION, "entries": ENTRIES}


def write_table(path: Path, table: Table) -> None:
    """Write the table whole or not at all."""
    _FORMAT.write(path, _FIELDS, table)


def map_table(path: Path) -> Table:
    """[ENTRIES] the table, mapped and checked."""
    return _FORMAT.map(path, _FIELDS, ENTRIES)
