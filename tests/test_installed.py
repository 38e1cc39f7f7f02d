"""An installed copy, away from the clone: the command, the configurations and the shipped network come with it."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import alphadiamond
from alphadiamond.command import COMMANDS, TOOLS
from alphadiamond.resources import CHECKPOINTS, CONFIGS, SCRIPTS

ROOT = Path(__file__).parents[1]
LEFT_OUT = (".*", "build", "*.egg-info", "runs", "results", "docs", "tests", "__pycache__")


def test_a_clone_finds_what_stands_at_its_top() -> None:
    assert (CONFIGS / "train.yaml").is_file()
    assert (CHECKPOINTS / "diamond_chase" / "champion.safetensors").is_file()
    assert (SCRIPTS / "train.py").is_file()


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-m", "alphadiamond.command", *arguments]
    return subprocess.run(line, capture_output=True, text=True, env=environment)


def test_the_command_lists_its_subcommands_and_refuses_others_in_one_line() -> None:
    listed = command("--help").stdout
    assert all(f"  {name.replace('_', '-')} " in listed for name in (*COMMANDS, *TOOLS))
    done = command("trian", "profile=smoke")
    assert (done.returncode, done.stderr) == (2, "error: no command 'trian': did you mean train?\n")
    done = command("zzz")
    assert (done.returncode, done.stderr) == (2, "error: no command 'zzz': alphadiamond --help lists them all\n")


def test_every_script_is_a_subcommand_and_the_other_way_round() -> None:
    assert {path.stem for path in SCRIPTS.glob("*.py")} == {*COMMANDS, *TOOLS}


def test_the_command_says_its_version() -> None:
    assert command("--version").stdout == f"alphadiamond {alphadiamond.__version__}\n"
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == alphadiamond.__version__


def test_a_subcommand_of_two_words_takes_a_hyphen_or_an_underscore() -> None:
    for name in ("make-exam", "make_exam"):
        assert "usage: alphadiamond make-exam [key=value ...]" in command(name, "--help").stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("alphadiamond eval", ["evaluate"]),
        ("alphadiamond train profile=lap", ["laptop"]),
        ("alphadiamond train selfplay.sim", ["selfplay.simulations="]),
        ("alphadiamond completion f", ["fish"]),
    ],
)
def test_bash_completes_commands_options_and_settings(typed: str, completed: list[str], tmp_path: Path) -> None:
    program = tmp_path / "alphadiamond"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m alphadiamond.command "$@"\n')
    program.chmod(0o755)
    words = re.split(r" |(=)", typed)  # as bash splits a line
    code = (
        f"eval \"$(alphadiamond completion bash)\"; COMP_LINE='{typed}'; COMP_POINT=${{#COMP_LINE}}; "
        f"COMP_WORDS=({' '.join(word for word in words if word)}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
        'COMP_WORDBREAKS=" ="; _alphadiamond; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == completed, done.stderr


def test_a_subcommand_is_its_script() -> None:
    done = command("evaluate", "--help")
    assert done.returncode == 0
    assert "usage: alphadiamond evaluate [key=value ...]" in done.stdout
    done = command("evaluate", "games=7")
    assert (done.returncode, done.stderr) == (2, "error: games=7: expected an even number, 2 to 1,000,000\n")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing is left in the clone and nothing of an earlier build gets in."""
    source = tmp_path_factory.mktemp("source") / "alphadiamond"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*LEFT_OUT))
    output = tmp_path_factory.mktemp("wheel")
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(output), str(source)]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True)
    (found,) = output.glob("*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_holds_configurations_network_and_scripts(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    scripts = list((ROOT / "scripts").rglob("*.py"))
    for path in [*(ROOT / "configs").rglob("*.yaml"), *CHECKPOINTS.rglob("*.safetensors"), *scripts]:
        if path.is_file():
            assert f"alphadiamond/{path.relative_to(ROOT).as_posix()}" in names
    for path in (ROOT / "alphadiamond").rglob("*.py"):
        assert path.relative_to(ROOT).as_posix() in names
    assert not any(name.startswith(("tests/", "configs/", "scripts/")) for name in names)


@pytest.mark.slow
def test_an_installed_copy_trains_evaluates_shows_and_analyses_away_from_the_clone(wheel: Path, tmp_path: Path) -> None:
    """The environment is new and holds this wheel alone; the libraries it needs are lent by the one we run in, since
    fetching them anew would take minutes and the network."""
    place = tmp_path / "environment"
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    install = ["--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)
    script = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.run([python, "-c", script], capture_output=True, text=True, check=True).stdout.strip())
    lent = tmp_path / "lent"
    lent.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if "alphadiamond" not in entry.name:  # not even as an editable copy
            (lent / entry.name).symlink_to(entry)
    (site / "lent.pth").write_text(f"{lent}\n")

    work = tmp_path / "work"
    work.mkdir()
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [place / "bin" / "alphadiamond", *arguments], capture_output=True, text=True, cwd=work, env=environment
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = "import alphadiamond; print(alphadiamond.__file__)"
    found = subprocess.run([python, "-c", where], capture_output=True, text=True, cwd=work, env=environment).stdout
    assert Path(found.strip()).is_relative_to(site)

    run("train", "profile=smoke", "iterations=1", "workers=1", "run=mine")
    assert (work / "mine" / "champion.safetensors").is_file()
    players = ["random", "neural:simulations=4", "neural:checkpoint=mine,simulations=4"]
    run("evaluate", f"players={','.join(players)}", "games=2", "workers=1", "output=rated")
    ratings = json.loads((work / "rated" / "evaluation.json").read_text())["ratings"]
    assert {rating["player"] for rating in ratings} == set(players)
    assert "mine" in run("show", "mine")
    if (SCRIPTS / "analyse.py").is_file():
        run("analyse", "players=minimax:depth=2,neural:simulations=8", "output=analysed")
        assert (work / "analysed" / "analysis.json").is_file()
