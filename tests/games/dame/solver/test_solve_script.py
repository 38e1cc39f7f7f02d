"""scripts/solve.py as a person runs it for Dame."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from alphadiamond.games.dame.solver.table_file import NAME

ROOT = Path(__file__).parents[4]


def solve(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "solve.py"), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=600)


def test_what_cannot_be_done_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"ADDAME1\n")
    for arguments, complaint in (
        (("game=dama",), "game=dama: expected one of"),
        (("game=connect_four",), "Connect Four is not solved ahead: its solver searches when it is asked"),
        (("game=dame", "verify=true", f"output={tmp_path / 'none'}"), "missing; `make solve"),
        (("game=dame", "verify=true", f"output={tmp_path}"), "no solution of Dame; `make solve"),
    ):
        done = solve(*arguments)
        assert done.returncode == 2
        assert complaint in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_damaged_solution_is_made_anew_and_proven(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"ADDAME1\n")
    done = solve("game=dame", f"output={tmp_path}")
    assert done.returncode == 0
    assert "so it is made anew now" in done.stderr
    assert "white wins from the start, in 23 plies" in done.stdout
    assert "proved: all 15,527,717 entries" in solve("game=dame", "verify=true", f"output={tmp_path}").stdout
    assert "is there and whole" in solve("game=dame", f"output={tmp_path}").stdout
