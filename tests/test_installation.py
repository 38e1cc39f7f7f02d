"""What `make` shows of pip, and what it installs for what."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from alphadiamond import installation
from alphadiamond.installation import Progress, follow, stage_of

ROOT = Path(__file__).parents[1]

SAID = """\
Looking in links: /opt/wheels
Obtaining file:///home/somebody/alphadiamond
  Installing build dependencies: started
  Getting requirements to build editable: started
Collecting torch>=2.10 (from alphadiamond==0.1.0)
  Downloading https://files.example.org/packages/torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl (190.2 MB)
Collecting numpy>=2.0 (from alphadiamond==0.1.0)
  Using cached numpy-2.4.6-cp311-cp311-manylinux_2_17_x86_64.whl.metadata (62 kB)
Installing collected packages: antlr4-python3-runtime, torch, numpy, alphadiamond
Successfully installed alphadiamond-0.1.0 numpy-2.4.6 torch-2.13.0
""".splitlines(keepends=True)


@pytest.mark.parametrize(
    ("line", "stage"),
    [
        (SAID[0], ""),
        (SAID[3], "preparing"),
        (SAID[4], "looking for torch"),
        (SAID[5], "fetching torch, 190.2 MB"),
        (SAID[7], "fetching numpy, 62 kB"),
        (SAID[8], "installing 4 packages"),
        ("Processing /opt/files/torch-2.13.0+cpu-cp311-cp311-linux.whl (from x)", "reading torch"),
        (SAID[9], ""),
    ],
)
def test_a_line_of_pip_is_told_in_a_few_words(line: str, stage: str) -> None:
    assert stage_of(line) == stage


def shown(*, terminal: bool, seconds: float) -> str:
    said: list[str] = []
    times = iter(seconds * number for number in range(100))
    follow(SAID, Progress(said.append, terminal=terminal, clock=lambda: next(times)))
    return "".join(said)


def test_on_a_terminal_every_stage_is_written_over_the_one_before_and_none_is_left() -> None:
    text = shown(terminal=True, seconds=1.0)
    assert "fetching torch, 190.2 MB" in text
    assert "\n" not in text
    assert text.endswith(f"\r{'':<78}\r")


def test_elsewhere_a_line_is_written_every_ten_seconds_and_none_where_it_is_quick() -> None:
    assert shown(terminal=False, seconds=0.1) == ""
    lines = shown(terminal=False, seconds=6.0).splitlines()
    assert lines == ["   12 s  looking for torch", "   24 s  looking for numpy", "   36 s  installing 4 packages"]


def test_when_pip_fails_its_last_words_are_shown(capfd: pytest.CaptureFixture[str]) -> None:
    code = installation.install("no such extra,")
    assert code != 0
    assert "error: pip could not install" in capfd.readouterr().err


HIDING = """if True:
    import sys
    class Without:
        names = {"pytest", "hypothesis", "ray", "onnx", "onnxruntime", "onnxscript", "pyspiel", "pettingzoo",
                 "gymnasium", "playwright", "scipy", "mypy", "ruff", "execnet", "requests", "jsonschema"}
        def __init__(self, finder):
            self.finder = finder
        def __getattr__(self, name):
            return getattr(self.finder, name)
        def find_spec(self, name, path=None, target=None):
            return None if name.partition(".")[0] in self.names else self.finder.find_spec(name, path, target)
    sys.meta_path = [Without(finder) for finder in sys.meta_path]
"""


def test_what_a_run_needs_is_not_what_tests_need(tmp_path: Path) -> None:
    """A run in one process, with its gate, its exam, its reports and its curves."""
    code = (
        HIDING
        + """
    from alphadiamond.training import display, engines, plots, precompile, run
    precompile.iteration("dame")
    from pathlib import Path
    plots.write_curves([{"iteration": 1}], Path(sys.argv[1]))
    """
    )
    command = [sys.executable, "-c", code, str(tmp_path / "curves.png")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "curves.png").exists()


@pytest.mark.parametrize("target", ["train", "play", "serve", "evaluate", "solve"])
def test_make_installs_and_compiles_nothing_for_a_command_that_it_can_do_without(target: str) -> None:
    said = subprocess.run(["make", "--dry-run", "--always-make", target], capture_output=True, text=True, cwd=ROOT)
    assert "installation server" in said.stdout, said.stderr
    assert "installation dev" not in said.stdout
    assert "alphadiamond.precompile" not in said.stdout


def test_make_test_adds_what_tests_need_and_make_setup_compiles_everything() -> None:
    def said(target: str) -> str:
        return subprocess.run(
            ["make", "--dry-run", "--always-make", target], capture_output=True, text=True, cwd=ROOT
        ).stdout

    assert "installation dev" in said("test")
    assert "alphadiamond.precompile" in said("test")
    assert "alphadiamond.precompile" in said("setup")
    assert "installation dev" not in said("setup")
    assert "installation docs" in said("docs")
    assert not any("installation docs" in said(target) for target in ("test", "setup", "train"))


def test_without_npm_the_javascript_is_passed_over_in_one_line() -> None:
    make = shutil.which("make")
    assert make
    done = subprocess.run([make, "lint-js"], capture_output=True, text=True, cwd=ROOT, env={"PATH": ""})
    assert (done.returncode, done.stdout) == (0, "JavaScript is not checked: npm is not installed\n"), done.stderr
