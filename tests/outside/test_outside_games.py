"""A game that is no part of the package: found by every command and every process, compiled anew when it changes."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from alphadiamond import games, sources
from alphadiamond.base.compilation import cache_root
from alphadiamond.games import VARIABLE, GameError

ROOT = Path(__file__).parents[2]
PLACE = "domineering.game:GAME"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory of somebody else's with Domineering in it."""
    shutil.copytree(Path(__file__).parent / "domineering", tmp_path / "mine" / "domineering")
    return tmp_path / "mine"


@pytest.fixture
def run(directory: Path, tmp_path: Path) -> Run:
    """Run Python there, knowing our package and nothing of theirs."""

    def run(*arguments: str, input: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        own = {name: str(tmp_path / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")}
        known = {name: value for name, value in os.environ.items() if name != VARIABLE}
        known |= {"PYTHONPATH": str(ROOT), **own, **environment}
        return subprocess.run(
            [sys.executable, *arguments],
            input=input,
            capture_output=True,
            text=True,
            cwd=directory,
            env=known,
            timeout=600,
        )

    return run


# Where a game is found

SAY = "import sys; from alphadiamond import games; g = games.load(sys.argv[1]); print(g.title, g.perft(2))"


def test_a_game_is_found_by_its_place_in_the_current_directory(run: Run) -> None:
    assert run("-c", SAY, PLACE).stdout == "Domineering 336\n"


def test_a_game_is_found_by_the_environment(run: Run, directory: Path) -> None:
    assert run("-c", SAY, "domineering", **{VARIABLE: f" domineering={PLACE}, "}).stdout == "Domineering 336\n"
    away = directory.rename(directory.with_name("elsewhere"))
    directory.mkdir()
    assert run("-c", SAY, "domineering", **{VARIABLE: f"domineering={PLACE}@{away}"}).stdout == "Domineering 336\n"


def test_a_game_is_found_by_the_entry_point_of_a_package(run: Run, directory: Path) -> None:
    facts = directory / "domineering-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: domineering\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[alphadiamond.games]\ndomineering = {PLACE}\n")
    found = run("-c", SAY, "domineering", PYTHONPATH=os.pathsep.join([str(ROOT), str(directory)]))
    assert found.stdout == "Domineering 336\n"


def test_what_cannot_be_read_or_loaded_is_said_once_and_hinders_no_other_game(run: Run) -> None:
    code = "from alphadiamond import games; print([g.name for _ in '12' for g in games.all_games()])"
    bad = f"no place,far=away:GAME,dame={PLACE},domineering={PLACE}"
    done = run("-c", code, **{VARIABLE: bad})
    assert done.stdout.count("domineering") == done.stdout.count("dame") == 2
    lines = done.stderr.splitlines()
    assert len(lines) == 3, done.stderr
    assert "'no place' is left out: expected NAME=package.module:GAME" in done.stderr
    assert "dame is left out: there is a game of that name already" in done.stderr
    assert "the game far is left out: away:GAME: there is no module 'away'" in done.stderr


# What is wrong with a place


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("source", "place", "expected"),
    [
        ("", "own_a", "'own_a' is no place of a game: expected package.module:GAME"),
        ("", "own_nowhere:GAME", "there is no module 'own_nowhere', neither installed nor in"),
        ("import own_missing_too\n", "own_c:GAME", "own_c imports 'own_missing_too', which is not installed"),
        ("1 / 0\n", "own_d:GAME", "importing own_d ends with ZeroDivisionError: division by zero (own_d.py:1)"),
        ("GAMES = 1\n", "own_e:GAME", "the module own_e has no 'GAME'; did you mean GAMES?"),
        ("GAME = 1\n", "own_f:GAME", "own_f:GAME is a int: expected an alphadiamond.base.game.Game"),
        (
            "from alphadiamond.base.game import Game\nclass GAME(Game):\n    name = 'own_g'\n",
            "own_g:GAME",
            "Can't instantiate abstract class GAME",
        ),
        (
            "from examples.tic_tac_toe import TicTacToe\nclass GAME(TicTacToe):\n    name = 'Own H'\n",
            "own_h:GAME",
            "the name 'Own H' has to be small letters, digits and _",
        ),
        (
            "from examples.tic_tac_toe import TicTacToe\nclass GAME(TicTacToe):\n    name = 'dame'\n",
            "own_i:GAME",
            "there is a game called dame already: give yours another name",
        ),
    ],
)
def test_a_wrong_place_is_answered_with_one_sentence(
    source: str, place: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if source:
        (tmp_path / f"{place.partition(':')[0]}.py").write_text(source)
    with pytest.raises(GameError) as error:
        games.load(place) if ":" in place else games.register("own", place)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("registered")
def test_a_game_goes_by_the_name_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_LASTING", set(games.BUILT_IN))  # whatever the environment of this run has named
    games.register("noughts", "examples.tic_tac_toe:TicTacToe")
    with pytest.raises(GameError, match="calls itself 'tic_tac_toe', so register it under that name, not 'noughts'"):
        games.load("noughts")
    games.unregister("noughts")
    found = games.load("examples.tic_tac_toe:TicTacToe")
    assert games.load("tic_tac_toe") is found is games.load("examples.tic_tac_toe:TicTacToe")
    assert games.argument_of("tic_tac_toe") == "examples.tic_tac_toe:TicTacToe"
    assert games.argument_of("dame") == "dame"


# Commands and processes


def command(name: str) -> str:
    return str(ROOT / "scripts" / f"{name}.py")


def test_a_command_names_what_is_wrong_with_a_place(run: Run) -> None:
    done = run(command("evaluate"), "game=domineering.gam:GAME")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: domineering.gam:GAME: there is no module 'domineering.gam', ")
    done = run(command("train"), "game=domineerin")
    names = ", ".join(games.BUILT_IN)
    assert f"expected one of {names}, or package.module:GAME of your own" in done.stderr


def test_matches_are_played_by_processes_that_know_the_game(run: Run) -> None:
    setup = ("player=greedy", "baselines=random", "games=4", "workers=2")
    done = run(command("evaluate"), f"game={PLACE}", *setup)
    assert done.returncode == 0, done.stderr
    assert "random" in done.stdout
    shown = run(command("show"), "results/evaluation/games.txt")
    assert shown.stderr.endswith("one of your own goes by game=package.module:GAME\n")
    shown = run(command("show"), f"game={PLACE}", "results/evaluation/games.txt")
    assert "no room" in shown.stdout, shown.stderr


def test_a_game_of_it_is_reviewed_although_no_network_is_shipped(run: Run) -> None:
    code = f"""if True:
        from alphadiamond.games import load
        game = load({PLACE!r})
        print(game.record(game.start(), [game.parse_move("a5a4")], players=("x", "y"), result="*", ending="unfinished"))
    """
    done = run(command("analyse"), "-", f"game={PLACE}", input=run("-c", code).stdout)
    assert done.returncode == 0, done.stderr
    assert "the game is not solved here" in done.stdout


def test_a_person_plays_it_in_the_terminal(run: Run) -> None:
    talk = "import io, runpy, sys; sys.argv = sys.argv[1:]; sys.stdin = io.StringIO('a5a4\\nquit\\n'); "
    talk += "runpy.run_path(sys.argv[0], run_name='__main__')"
    seats = ("terminal=true", "vertical=human", "horizontal=greedy")
    done = run("-c", talk, command("play"), f"game={PLACE}", *seats)
    assert done.returncode == 0, done.stderr
    assert "   5 (v)  .   . " in done.stdout
    assert "(vertical)   [horizontal]" in done.stdout


WINDOW = f"""
import time
from alphadiamond.client.player_process import PlayerProcess
from alphadiamond.games import load

if __name__ == "__main__":
    game = load("{PLACE}")
    process = PlayerProcess(process=True)
    process.move("greedy", game.start(), game=game)
    found, end = [], time.monotonic() + 300
    while not any(answer.kind == "done" for answer in found) and time.monotonic() < end:
        found += process.answers()
        time.sleep(0.01)
    process.close()
    print([(answer.kind, str(answer.move), answer.text) for answer in found])
"""


def test_the_window_s_player_process_plays_it(run: Run, directory: Path) -> None:
    (directory / "window.py").write_text(WINDOW)
    done = run("window.py")
    assert done.stdout.startswith("[('move', "), done.stdout + done.stderr


def test_the_server_s_bots_play_it(run: Run) -> None:
    """As the server starts them: without a word about the game but the environment."""
    code = f"""if True:
        import asyncio, os
        from alphadiamond.games import load
        from tests.server.thoughts import thought_of
        import msgspec
        game = load({PLACE!r})
        os.chdir("/")
        thought = asyncio.run(thought_of("domineering", "greedy", str(game.start()), ["a5a4"], opinion=True))
        print(msgspec.json.encode(thought).decode())
    """
    thought = json.loads(run("-c", code).stdout)
    assert not thought.get("fault")
    assert len(thought["moves"]) > 10
    assert len(thought["moves"][0]["path"]) == 2


def test_the_engine_is_asked_about_it_without_naming_it_again(run: Run) -> None:
    done = run(command("engine"), f"game={PLACE}", "player=random", input='{"id": 1}\n')
    answer = json.loads(done.stdout)
    assert answer["player"] == "random", done.stderr
    assert (answer["position"], answer["side"]) == ("...../...../...../...../..... v", "vertical")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["processes", "ray"])
def test_it_is_learnt_by_workers_and_checked_before(run: Run, engine: str, tmp_path: Path) -> None:
    if engine == "ray":
        pytest.importorskip("ray", reason="pip install '.[ray]'")
    where = tmp_path / "run"
    own = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    settings = ("profile=smoke", "iterations=1", "workers=2", f"run={where}", "plot=false")
    done = run(command("train"), f"game={PLACE}", *settings, f"engine={engine}", **own)
    assert done.returncode == 0, done.stderr
    assert "checking the rules of Domineering" in done.stderr
    assert f"game={PLACE} resume=" in done.stdout
    again = run(command("train"), f"resume={where}", **own)
    assert "expected one of" in again.stderr
    shown = run(command("show"), str(where), **own)
    assert "one of your own goes by game=package.module:GAME" in shown.stderr, "and not that its champion is damaged"
    again = run(command("train"), f"resume={where}", **own, **{VARIABLE: f"domineering={PLACE}"})
    assert again.returncode == 0, again.stderr
    assert "checking" not in again.stderr


def test_a_run_of_a_game_that_does_not_pass_is_not_begun(run: Run, directory: Path, tmp_path: Path) -> None:
    file = directory / "domineering" / "game.py"
    file.write_text(file.read_text().replace("longest: ClassVar[int] = CELLS // 2", "longest: ClassVar[int] = 3"))
    where = tmp_path / "run"
    own = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": str(cache_root())}
    done = run(command("train"), f"game={PLACE}", "profile=smoke", f"run={where}", **own)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last == "error: Domineering: longest is 3, but a game has more plies: raise it"
    assert not where.exists()


# Compiled rules


def test_a_change_of_a_constant_in_a_sibling_is_compiled_anew(run: Run, directory: Path, tmp_path: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    assert run("-c", SAY, PLACE, **cache).stdout == "Domineering 336\n"
    size = directory / "domineering" / "size.py"
    size.write_text(size.read_text().replace("SIZE: Final = 5", "SIZE: Final = 4"))
    assert run("-c", SAY, PLACE, **cache).stdout == "Domineering 108\n"


def digest_of(file: Path) -> str:
    for cached in (sources.digest_of, sources._content, sources._imported):
        cached.cache_clear()
    return sources.digest_of(file)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("own/rules.py", "from .parts.size import SIZE\n"),
        ("own/rules.py", "from .parts import size\n"),
        ("own/rules.py", "from . import parts\n"),
        ("own/rules.py", "import own.parts.size as s, math\n"),
        ("own/rules.py", "def f():\n    from own.parts.size import SIZE; return SIZE\n"),
        ("own/rules.py", "import importlib\nS = importlib.import_module('.parts.size', __package__)\n"),
        ("own/rules.py", "import importlib\nS = importlib.import_module(__package__ + '.parts.size')\n"),
        ("own/deep/down/rules.py", "from ...parts.size import SIZE\n"),
        ("own/deep/down/rules.py", "import importlib\nS = importlib.import_module('own.parts.size')\n"),
        ("rules.py", "from own.parts.size import SIZE\n"),
        ("rules.py", "import own.parts.size\n"),
    ],
)
def test_the_digest_follows_a_game_s_modules_whichever_way_they_are_imported(
    file: str, text: str, tmp_path: Path
) -> None:
    for folder in ("own", "own/parts", "own/deep", "own/deep/down"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("")
    (tmp_path / "own" / "parts" / "__init__.py").write_text("from .size import SIZE\n")
    (tmp_path / "own" / "parts" / "size.py").write_text("SIZE = 5\n")
    (tmp_path / file).write_text(text)
    before = digest_of(tmp_path / file)
    (tmp_path / "own" / "parts" / "size.py").write_text("SIZE = 4\n")
    assert digest_of(tmp_path / file) != before


def test_the_digest_of_a_plain_file_follows_what_lies_beside_it_and_nothing_that_is_installed(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("import sizes, numpy\n")
    (tmp_path / "sizes.py").write_text("SIZE = 5\n")
    found = sources.sources_of(tmp_path / "rules.py")
    assert {path.name for path in found} == {"rules.py", "sizes.py"}


FROZEN = """
import json, sys
from pathlib import Path
from typing import NamedTuple
from alphadiamond.base import rules
from alphadiamond.base.compilation import digest_of_rules
from alphadiamond.base.rules import implement

class Own(NamedTuple):
    actions: int = 1

SIZE = json.loads(Path(__file__).with_name("size.json").read_text())

def double(value):
    return value * SIZE

@implement(rules.score, Own)
def score(rules, state):
    return double(state[0])

print(digest_of_rules(Own))
"""


def test_a_value_that_comes_from_a_file_of_data_is_part_of_the_digest(run: Run, directory: Path) -> None:
    (directory / "frozen.py").write_text(FROZEN)
    found = []
    for size in (5, 4, 5):
        (directory / "size.json").write_text(str(size))
        found.append(run("frozen.py").stdout)
    assert found[0] == found[2] != found[1]
    assert len(found[0].strip()) == 16
