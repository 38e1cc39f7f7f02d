"""Every command of README and docs runs as it is written, in a copy of what git keeps.

Long ones are shortened by the marks in `commands.py`. `make test` checks that there is every command that a page
names, and that it takes the settings that stand there, and runs the first command of each page; `make test-all` runs
all of them page by page, as a reader follows them.
"""

import contextlib
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

import pytest

from alphadiamond import games
from alphadiamond.agents import make_agent
from alphadiamond.arena.play import play_game
from alphadiamond.base.record import write_records
from alphadiamond.command import COMMANDS, TOOLS
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.resources import CHECKPOINTS
from alphadiamond.settings.composition import register
from alphadiamond.settings.games import with_game_names
from alphadiamond.settings.overrides import checked_arguments
from tests.commands import scripts
from tests.docs.commands import (
    ACCEPTED,
    MARKS,
    PAGES,
    ROOT,
    SMALL_RUN,
    Command,
    Mark,
    commands_of,
    marks_of,
    mentions_of,
    shortened,
)
from tests.solutions import made_once, shared_directory

LEFT_OUT = (".*", "build", "dist", "*.egg-info", "/runs", "/results", "node_modules", "__pycache__")
RUNS = {
    "docs/guides/training.md": ("other", "one", "two"),
    "docs/lab/2026-11-labyrinth-mazes.md": ("boards-0", "boards-1", "boards-8", "boards-64", "boards-512"),
    "docs/lab/2026-11-connect-four-network.md": ("mine", "conv_medium", "conv_small", "mlp_medium"),
}
"""Runs that the reader of a page has already, where it is not these."""
USUAL_RUNS = ("mine", "other", "one", "two", "narrow", "broad", "champion", "laptop")
MAKES_ITS_OWN = ("README.md", "docs/tutorial.md", "docs/guides/training.md", "docs/lab/2026-11-scaling.md")
"""Pages whose runs are made by their own commands."""
NAMES_FIRST = ("analyse", "show", "simulate")
"""Commands whose first argument may go without its name."""
RECORDS = {"docs/guides/labyrinth.md": "labyrinth"}
"""The game of `my.game`, where it is not Diamond Chase."""


LONGEST = 500.0
"""Seconds after which a command is one that was to be shortened, on any machine."""


class Clone:
    """A copy of the project with an environment that lends the libraries of ours, as set-up leaves them."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.project = place / "alphadiamond"
        binaries = self.project / ".venv" / "bin"
        home = {f"XDG_{kind}_HOME": str(place / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")}
        self.environment = {
            **{key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")},
            **home,
            "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
        }

    def make(self) -> None:
        left_out = shutil.ignore_patterns(*LEFT_OUT)
        shutil.copytree(ROOT, self.project, ignore=lambda at, names: left_out(at, names) - {".github"})
        environment = self.project / ".venv"
        venv.create(environment, with_pip=False)
        lent = self.place / "lent"
        lent.mkdir()
        for entry in Path(sysconfig.get_path("purelib")).iterdir():
            if "alphadiamond" not in entry.name:
                (lent / entry.name).symlink_to(entry)
        (site,) = environment.glob("lib/python*/site-packages")
        (site / "lent.pth").write_text(f"{lent}\n{self.project}\n")
        for tool in ("tensorboard", "ruff", "mypy", "ray", "zensical"):
            if (found := Path(sys.executable).parent / tool).exists():
                (environment / "bin" / tool).symlink_to(found)
        command = environment / "bin" / "alphadiamond"
        command.write_text(f"#!{environment}/bin/python\nfrom alphadiamond.command import main\n\nmain()\n")
        command.chmod(0o755)
        for stamp in ("run", "dev", "docs"):
            (environment / f".installed-{stamp}").touch()

    def run(self, command: Command, *, quick: bool = False) -> str:
        """What went wrong; empty for nothing."""
        marks = marks_of(command)
        line = shortened(command, quick=quick)
        code = max((mark.code for mark in marks), default=0)
        until = next((mark.until for mark in marks if mark.until), "")
        typed = next((mark.typed for mark in marks if mark.typed is not None), "")
        log = self.place / "output"
        with (
            log.open("w") as output,
            subprocess.Popen(
                ["bash", "-c", line],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
                cwd=self.project,
                env=self.environment,
                start_new_session=True,
            ) as process,
        ):
            assert process.stdin is not None
            try:
                process.stdin.write(typed)
                process.stdin.close()
            except BrokenPipeError:
                pass
            if until:
                while process.poll() is None and until not in log.read_text():
                    time.sleep(0.2)
                for stop in (signal.SIGINT, signal.SIGTERM):  # the first is lost where this runs in the background
                    with contextlib.suppress(subprocess.TimeoutExpired, ProcessLookupError):
                        os.killpg(process.pid, stop)
                        process.wait(timeout=60)
                        break
            try:
                found = process.wait(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return f"{command}\n  run as: {line}\n  takes too long"
        said = log.read_text()
        if until:
            return "" if until in said else f"{command}\n  ended with {found} and said\n{said[-2000:]}"
        if found != code or (code == 2 and "error: " not in said) or "Traceback" in said:
            return f"{command}\n  run as: {line}\n  ended with {found} and said\n{said[-2000:]}"
        return ""


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run as a reader has it by the time a page speaks of it."""

    def make(place: Path) -> None:
        line = [sys.executable, "-m", "alphadiamond.command", "train", "snapshot_every=1", f"run={place}.part"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run([*line, *SMALL_RUN.split()], check=True, env=environment, stdout=subprocess.DEVNULL)
        Path(f"{place}.part").rename(place)

    return made_once(shared_directory(tmp_path_factory) / "small_run", make)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    made = Clone(tmp_path_factory.mktemp("clone"))
    made.make()
    return made


def furnish(clone: Clone, page: str, run: Path | None) -> None:
    """Put there what the reader of a page has."""
    for name in ("runs", "results"):
        shutil.rmtree(clone.project / name, ignore_errors=True)
    if run is not None:
        runs = RUNS.get(page, () if page in MAKES_ITS_OWN else USUAL_RUNS)
        for name in runs:
            shutil.copytree(run, clone.project / "runs" / name)
    game = load(RECORDS.get(page, "diamond_chase"))
    players = [make_agent("random", game=game, seed=seed) for seed in (1, 2)]
    records = [play_game(*players, game.start(seed), game=game).record for seed in range(3)]
    write_records(clone.project / "my.game", records[:1])
    write_records(clone.project / "games.txt", records)


def runnable(page: str) -> list[Command]:
    return [one for one in commands_of(page) if not any(mark.left_out for mark in marks_of(one))]


WITH_COMMANDS = [page for page in PAGES if runnable(page)]


def kind_of(line: str) -> str:
    """The line; of one that only has its settings read, the command, since a test reads those of all the pages."""
    return " ".join(line.split()[:2]) if ACCEPTED in line else line


FIRST = {kind_of(shortened(one, quick=True)): one for page in reversed(WITH_COMMANDS) for one in runnable(page)[:1]}
"""The first command of each page, each kind once."""


def test_the_commands_of_the_pages_are_found() -> None:
    assert sum(len(commands_of(page)) for page in PAGES) > 150
    assert len(FIRST) > 20


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark.which)
def test_every_mark_is_for_a_command_of_a_page(mark: Mark) -> None:
    assert any(mark in marks_of(one) for page in PAGES for one in commands_of(page))


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_commands_and_targets_that_there_are(page: str) -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    there = {"alphadiamond": [*COMMANDS, *TOOLS, "completion"], "make": targets}
    for one in [*commands_of(page), *mentions_of(page)]:
        program, _, rest = one.text.partition(" ")
        if program in there and not re.match(r"(SUB)?COMMAND\b|--", rest):
            assert rest.split()[0].replace("-", "_") in [name.replace("-", "_") for name in there[program]], str(one)


def settings_of(command: Command) -> tuple[str, list[str]]:
    """(script, arguments) of a command that takes settings; ("", []) of any other."""
    text = command.text
    for old, new in (pair for mark in marks_of(command) for pair in mark.put):
        text = text.replace(old, new)
    words = shlex.split(text)
    program, *rest = itertools.takewhile(lambda word: word not in ("|", "&&", ">", "<", "&"), words)
    target = rest.pop(0).replace("-", "_") if program in ("alphadiamond", "make") and rest else ""
    if program == "make":
        target = re.sub(r"^pictures$", "screenshots", target)
        rest = [word for part in rest for word in shlex.split(part.removeprefix("ARGS="))]
    return (target, rest) if target in (*COMMANDS, *TOOLS) else ("", [])


@pytest.mark.usefixtures("registered")
def test_the_settings_of_every_command_are_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(games, "GAMES", dict(games.GAMES))  # some commands register one
    monkeypatch.syspath_prepend(str(ROOT))
    known = scripts()
    for name in ("laptop", *USUAL_RUNS, *(name for names in RUNS.values() for name in names)):
        (tmp_path / "runs" / name).mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKPOINTS / "diamond_chase" / "champion.safetensors", tmp_path / "runs" / name)
    refused = []
    for page in PAGES:
        for command in commands_of(page):
            script, arguments = settings_of(command)
            if script in NAMES_FIRST and arguments and not re.match(r"\w+=", arguments[0]):
                arguments = arguments[1:]
            if script == "play":
                arguments = sys.modules["script_play"].name_seats(arguments)
            if script and not any(mark.code for mark in marks_of(command)) and "--help" not in arguments:
                settings = known[script].settings
                register(script, settings)
                try:
                    checked_arguments(settings, script, with_game_names(arguments, settings))
                except AlphaDiamondError as error:
                    if not re.search(r"no (file|directory) is there|no such checkpoint", str(error)):  # made by others
                        refused.append(f"{command}: {error}")
    assert refused == [], "\n".join(refused)


@pytest.mark.parametrize("command", FIRST.values(), ids=lambda command: command.page)
def test_the_first_command_of_a_page_runs(command: Command, clone: Clone) -> None:
    furnish(clone, command.page, None)
    (clone.project / "runs" / "mine").mkdir(parents=True)  # as much of a run as a first command looks at
    shutil.copy(CHECKPOINTS / "diamond_chase" / "champion.safetensors", clone.project / "runs" / "mine")
    assert clone.run(command, quick=True) == ""


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_every_command_of_a_page_runs_in_turn(page: str, clone: Clone, small_run: Path) -> None:
    furnish(clone, page, small_run)
    wrong = [found for one in runnable(page) if (found := clone.run(one))]
    assert wrong == [], "\n\n".join(wrong)
