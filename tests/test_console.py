"""What a person at a terminal is told."""

import contextlib
import sys

import pytest

from alphadiamond.console import print_written, progress, result_console


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


@pytest.mark.parametrize(("done", "stays"), [(3, True), (2, False)])
def test_a_bar_that_nothing_moves_any_more_is_taken_away(
    done: int, stays: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    with contextlib.suppress(KeyboardInterrupt), progress("games", 3) as update:
        update(done, "")
        if not stays:
            raise KeyboardInterrupt
    assert capsys.readouterr().err.endswith("\x1b[1A\x1b[2K") is not stays
