"""What a person at a terminal is told."""

import sys

import pytest

from alphadiamond.console import print_written, result_console


def test_results_that_go_to_a_file_are_of_one_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "33")
    assert result_console().width == 120
    assert result_console(width=140).width == 140
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert result_console(width=140).width == 33, "a terminal says how wide it is"


def test_where_results_are_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_written("results/a.json")
    print_written("results", "a.json", "b.png")
    print_written("results", note="3 MB")
    assert capsys.readouterr().out.splitlines() == [
        "written to results/a.json",
        "written to results: a.json, b.png",
        "written to results, 3 MB",
    ]
    print_written("a.onnx", file=sys.stderr)
    assert capsys.readouterr() == ("", "written to a.onnx\n")
