"""The scripts as a person runs them."""

import importlib.util
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from alphadiamond import cli

ROOT = Path(__file__).parents[1]


def script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_help_documents_every_setting() -> None:
    done = script("benchmark.py", "--help")
    assert done.returncode == 0
    assert "usage: alphadiamond benchmark [key=value ...]" in done.stdout
    assert "repeats=5\n      Timed turns of each side; the table shows medians. [1 to 10,000]" in done.stdout


@pytest.mark.parametrize("path", sorted((ROOT / "scripts").glob("*.py")), ids=lambda path: path.stem)
def test_help_waits_for_no_library_of_numbers(path: Path) -> None:
    code = (
        "import runpy, sys; sys.argv = [sys.argv[1], '--help']; runpy.run_path(sys.argv[0], run_name='__main__'); "
        "print([name for name in ('torch', 'numba', 'numpy', 'pygame') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert f"usage: alphadiamond {path.stem.replace('_', '-')} [key=value ...]" in done.stdout
    assert done.stdout.endswith("[]\n")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("repeat=3", "error: no setting is called 'repeat'; did you mean 'repeats'?"),
        ("+repeat=3", "error: no setting is called 'repeat'; did you mean 'repeats'?"),
        ("zzz=3", "error: no setting is called 'zzz'; --help lists them all"),
        ("repeats=many", "error: repeats=many: expected a whole number, 1 to 10,000"),
        ("repeats", "error: 'repeats': settings are given as key=value, and --help lists them"),
        ("sections=[nothing]", "error: sections=[nothing]: nothing: expected game, players, "),
        ("sections=[]", "error: sections=[]: nothing to measure: name some of game, players, "),
    ],
)
def test_a_wrong_setting_gets_one_line(argument: str, message: str) -> None:
    done = script("benchmark.py", argument)
    assert done.returncode == 2
    assert done.stderr.strip().startswith(message)
    assert len(done.stderr.strip().split("\n")) == 1
    assert done.stdout == ""


@pytest.mark.skipif(
    all(importlib.util.find_spec(name) for name in ("jax", "mctx", "pgx", "pyspiel")), reason="the peers are installed"
)
def test_peers_that_are_not_installed_get_one_line_before_anything_is_measured(tmp_path: Path) -> None:
    output = tmp_path / "figures.json"
    done = script("benchmark.py", "peers=true", f"output={output}")
    assert done.returncode == 2
    assert done.stderr.startswith("error: peers=true needs ")
    assert done.stderr.endswith(": pip install --editable '.[peers]'\n")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not output.exists()


def test_a_section_is_measured_by_its_former_name_too() -> None:
    assert script("benchmark.py", "sections=[phantoms]", "--cfg", "job").returncode == 0
    module = runpy.run_path(str(ROOT / "scripts" / "benchmark.py"))
    assert module["FORMERLY"]["phantoms"] in module["SECTIONS"]
    assert all((ROOT / "scripts" / "benchmarks" / f"{name}.py").exists() for name in module["SECTIONS"])


def test_the_benchmark_prints_a_table_and_writes_json(tmp_path: Path) -> None:
    output = tmp_path / "figures.json"
    done = script("benchmark.py", "sections=[game]", "repeats=1", f"output={output}")
    assert done.returncode == 0, done.stderr
    assert "random plies" in done.stdout
    rows = json.loads(output.read_text())["sections"]["game"]
    for row in rows:
        assert row["ratio"] == pytest.approx(row["value"] / row["reference"])


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (["my.game", "judge=random"], ["path='my.game'", "judge=random"]),
        (["judge=random", "my.game"], ["judge=random", "path='my.game'"]),
        (["r/rr/r g=0"], ["path='r/rr/r g=0'"]),
        (["--cfg", "job"], ["--cfg", "job"]),
        (["path=my.game", "--cfg", "job"], ["path=my.game", "--cfg", "job"]),
    ],
)
def test_what_a_command_is_about_may_go_without_its_name_wherever_it_stands(
    line: list[str], meant: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["show", *line])
    cli.name_bare("path")
    assert sys.argv[1:] == meant
