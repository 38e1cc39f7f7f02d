"""A table of exact results on disk: a header, then a byte for each entry, mapped into memory rather than read.

The header is magic bytes, the fields by which a table of another kind, format or rules is told, the CRC-32 of the
entries, and a tail that each format chooses. Formats are on people's disks: what is written once is read for ever.
"""

import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing


class TablebaseError(AlphaDiamondError):
    """A tablebase that is missing, damaged or asked for what it does not have; it names the file."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(f"{reason}; {remedy}" if remedy else reason)
        self.reason = reason
        """Without what to do about it, for whoever does that already."""


@dataclass(frozen=True)
class TableFormat:
    """One kind of table, as its files are laid out."""

    title: str
    """As errors say it: `no layer of a tablebase`."""
    magic: bytes
    codes: str
    """Of the fields, as `struct` has them."""
    tail: Callable[[tuple[Any, ...]], bytes]
    """The end of the header by all that is before it, the magic bytes and the checksum included."""
    dtype: type[np.uint8] | type[np.int8]
    command: str
    """What makes a file that is missing or damaged."""

    @property
    def _head(self) -> struct.Struct:
        return struct.Struct(f"<{len(self.magic)}s{self.codes}I")

    def write(self, path: Path, fields: Mapping[str, int], entries: npt.NDArray[Any]) -> None:
        """Write a table whole or not at all."""
        head = (self.magic, *fields.values(), zlib.crc32(entries.data))
        try:
            with replacing(path) as file:
                file.write(self._head.pack(*head) + self.tail(head))
                file.write(entries.data)
        except OSError as error:
            raise TablebaseError(f"{path}: cannot be written ({error.strerror})") from None

    def map(self, path: Path, fields: Mapping[str, int], entries: int) -> npt.NDArray[Any]:
        """[entries] the table, mapped; its header, length and checksum are checked."""
        size = self._head.size + len(self.tail((self.magic, *fields.values(), 0)))
        try:
            with path.open("rb") as file:
                header = file.read(size)
            if len(header) < size or not header.startswith(self.magic):
                raise self._damaged(path, f"no {self.title}")
            head = self._head.unpack_from(header)
            if header[self._head.size :] != self.tail(head):
                raise self._damaged(path, "damaged, its header does not agree with itself")
            for (name, expected), found in zip(fields.items(), head[1:-1], strict=True):
                if found != expected:
                    raise self._damaged(path, f"{name} {found}, expected {expected}")
            length = path.stat().st_size
            if length != size + entries:
                raise self._damaged(path, f"{length} bytes, expected {size + entries}")
            table = np.asarray(np.memmap(path, dtype=self.dtype, mode="r", offset=size))
        except FileNotFoundError:
            raise TablebaseError(f"{path}: missing", f"`{self.command}` makes it") from None
        except OSError as error:
            raise self._damaged(path, f"cannot be read ({error.strerror})") from None
        if zlib.crc32(table.data) != head[-1]:
            raise self._damaged(path, "damaged, its checksum does not agree")
        return table

    def _damaged(self, path: Path, reason: str) -> TablebaseError:
        return TablebaseError(f"{path}: {reason}", f"`{self.command}` makes it anew")
