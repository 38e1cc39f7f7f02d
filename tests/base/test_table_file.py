"""Tables on disk: bytes as they have always been, and faults in one line."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.base.solver.table_file import TablebaseError, TableFormat
from alphadiamond.games.dame.solver import table_file as dame
from alphadiamond.games.dame.solver.index_kernels import ENTRIES
from alphadiamond.games.diamond_chase.solver import Layer
from alphadiamond.games.diamond_chase.solver.layer_file import map_layer, write_layer

PLAIN = TableFormat("plain table", b"PLAIN\n", "I", lambda head: b"", np.uint8, "make plain")


def layer_bytes(layer: Layer, entries: bytes) -> bytes:
    """A layer as the first version of the solver wrote it."""
    beads = (layer.own, layer.opp, layer.classes, layer.placements)
    return struct.pack("<8sIIIIIII24x", b"ADLAYER\n", 1, 1, *beads, zlib.crc32(entries)) + entries


def dame_bytes(entries: bytes) -> bytes:
    """The solution of Dame as the first version of its solver wrote it."""
    fields = (b"ADDAME1\n", 1, 1, 15_527_717, zlib.crc32(entries))
    return struct.pack("<8sIIQII", *fields, zlib.crc32(repr(fields).encode())) + entries


def test_a_layer_of_the_first_version_is_read_and_written_to_the_byte(tmp_path: Path) -> None:
    layer = Layer(4, 4)
    entries = np.random.default_rng(1).integers(256, size=layer.entries, dtype=np.uint8)
    layer.path(tmp_path).write_bytes(layer_bytes(layer, entries.tobytes()))
    assert (map_layer(tmp_path, layer) == entries).all()
    write_layer(tmp_path, layer, entries)
    assert layer.path(tmp_path).read_bytes() == layer_bytes(layer, entries.tobytes())


def test_a_solution_of_dame_of_the_first_version_is_read_and_written_to_the_byte(tmp_path: Path) -> None:
    table = np.zeros(ENTRIES, dtype=np.int8)
    table[::1000] = -77
    path = tmp_path / dame.NAME
    path.write_bytes(dame_bytes(table.tobytes()))
    found = dame.map_table(path)
    assert found.dtype == np.int8
    assert (found == table).all()
    dame.write_table(path, table)
    assert path.read_bytes() == dame_bytes(table.tobytes())


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "missing"),
        (b"PLAIN\n", "no plain table"),
        (struct.pack("<6sII", b"plain\n", 3, zlib.crc32(b"abcd")) + b"abcd", "no plain table"),
        (struct.pack("<6sII", b"PLAIN\n", 4, zlib.crc32(b"abcd")) + b"abcd", "format 4, expected 3"),
        (struct.pack("<6sII", b"PLAIN\n", 3, zlib.crc32(b"abcd")) + b"abc", "17 bytes, expected 18"),
        (struct.pack("<6sII", b"PLAIN\n", 3, zlib.crc32(b"abcd")) + b"abcx", "damaged, its checksum does not agree"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_what_to_do(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "table"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TablebaseError) as caught:
        PLAIN.map(path, {"format": 3}, 4)
    assert caught.value.reason == f"{path}: {reason}"
    assert str(caught.value).startswith(f"{path}: {reason}; `make plain` makes it")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(TablebaseError, match=r"table: cannot be written \("):
        PLAIN.write(tmp_path / "file" / "table", {"format": 3}, np.zeros(4, dtype=np.uint8))
