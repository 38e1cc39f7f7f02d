from pathlib import Path

import pytest

from alphadiamond.files import replacing, write_json, write_text


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_text(path, "one")
    write_text(path, "two")
    assert path.read_text() == "two"
    assert list(path.parent.iterdir()) == [path]


def _write_and_fail(path: Path) -> None:
    with replacing(path) as file:
        file.write(b"half")
        raise OSError("disk full")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_text(path, "old")
    with pytest.raises(OSError, match="disk full"):
        _write_and_fail(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_json_is_indented_and_ends_its_last_line(tmp_path: Path) -> None:
    write_json(tmp_path / "figures.json", {"games": [1]})
    assert (tmp_path / "figures.json").read_text() == '{\n  "games": [\n    1\n  ]\n}\n'
