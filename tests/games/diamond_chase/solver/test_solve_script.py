"""scripts/solve.py as a person runs it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "scripts" / "solve.py"), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    )


@pytest.mark.parametrize("mode", ["verify=true", "report=true"])
def test_what_is_not_there_is_named_in_one_line(tmp_path: Path, mode: str) -> None:
    process = start(mode, f"output={tmp_path}")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert out == ""
    assert err.splitlines()[-1].startswith(f"error: {tmp_path / '4v4.layer'}: missing")
    assert "Traceback" not in err


def test_settings_that_cannot_work_are_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for arguments, message in (
        ((f"output={tmp_path / 'file'}",), "file: a file is there, and a directory is wanted"),
        ((f"output={tmp_path}", "threads=-1"), "threads=-1: expected 0"),
    ):
        process = start(*arguments)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out) == (2, "")
        assert err.splitlines()[-1].startswith("error: ")
        assert message in err.splitlines()[-1]
        assert "Traceback" not in err


def test_an_interrupted_run_leaves_whole_layers_only(tmp_path: Path) -> None:
    process = start(f"output={tmp_path}")
    deadline = time.monotonic() + 240
    while not (tmp_path / "4v4.layer").exists():
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "error: interrupted"
    left = {path.name for path in tmp_path.iterdir()}
    assert "4v4.layer" in left
    assert "summary.json" not in left
    assert all(name.endswith(".layer") for name in left)
