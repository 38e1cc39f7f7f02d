"""Nothing is left to compile once the cache has been filled ahead."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from alphadiamond import precompile, sources
from alphadiamond.games import GAMES, load
from alphadiamond.precompile import files_ahead
from alphadiamond.settings.games import DEFAULT_GAME
from tests.commands import finished

ROOT = Path(__file__).parents[1]

EVERY_GAME = """
import sys
import numpy as np
from alphadiamond.agents import make_agent, players_of
from alphadiamond.arena import random_openings
from alphadiamond.games import load
from tests.agents.networks import untrained_checkpoint

name = sys.argv[1]
game = load(name)
(position,) = random_openings(1, plies=6, rng=np.random.default_rng(3), game=game)
network = f":checkpoint={untrained_checkpoint(name)},simulations=40"
more = {"neural": network, "mcts": ":simulations=200", "minimax": ":depth=5"}
for player in players_of(game):
    if player != "perfect":
        agent = make_agent(player + more.get(player, ""), game=game, seed=1)
        agent.choose(position)
        agent.analyse(position)
        list(agent.stream(position))
        agent.analyse_many([position, game.start()])
"""

PLAYERS = """
from alphadiamond.agents import make_agent
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME

for spec in ("neural:seconds=0.1", "neural:simulations=1200", "neural:simulations=30,symmetries=true,method=puct",
             "minimax:seconds=0.1,quiescence=false", "mcts:fast=true,simulations=50", "hybrid:seconds=0.1"):
    agent = make_agent(spec, game=GAME, seed=1)
    game = Position.start()
    for _ in range(4):
        game = game.play(agent.choose(game))
"""

SOLVER = """
from pathlib import Path
from alphadiamond.base.threads import ThreadPool
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase
from alphadiamond.games.diamond_chase.solver.layer_file import map_layer, write_layer
from alphadiamond.games.diamond_chase.solver.retrograde import empty_table, pairs, solve_pair
import numpy as np, tempfile

table = empty_table()
with ThreadPool(2) as pool:
    solve_pair(table, pairs()[0], pool, lambda done, note: None)
with tempfile.TemporaryDirectory() as directory:
    write_layer(Path(directory), LAYERS[0], table[LAYERS[0].slice])
    mapped = [map_layer(Path(directory), LAYERS[0])]
    table.flags.writeable = False
    tablebase = Tablebase(Path(directory), mapped + [table[layer.slice] for layer in LAYERS[1:]])
    position = Position.parse("r/rr/./g../r.g..../g.././../g g 0")
    assert tablebase.probe(position).value == 1
    tablebase.probe_actions(np.array([position.own]), np.array([position.opp]))
"""

TRAINING = """
import tempfile
from pathlib import Path
from tests.training.small import settings, training

with tempfile.TemporaryDirectory() as directory:
    training(Path(directory) / "run", settings(iterations=2)).run()
"""

MATCH = """
import numpy as np
from alphadiamond.arena import Exam, Workers, play_match, random_openings, run_exam
from alphadiamond.agents import make_agent
from alphadiamond.games.diamond_chase.game import GAME

if __name__ == "__main__":
    with Workers(1, game=GAME) as workers:
        openings = random_openings(1, plies=4, rng=np.random.default_rng(1), game=GAME)
        play_match("minimax:depth=2", "greedy", openings, workers=workers, seed=1, game=GAME)
    run_exam(make_agent("minimax:depth=2", game=GAME, seed=1), exam=Exam.load(game=GAME), positions=20)
"""


@pytest.fixture(scope="module")
def precompiled() -> None:
    """The cache of whoever runs the tests, filled if it is not."""
    done = subprocess.run([sys.executable, "-m", "alphadiamond.precompile"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "not compiled ahead" not in done.stderr, done.stderr


def not_ahead(log: Path, *command: str, ahead: set[str] | None = None, input: str = "", **more: str) -> list[str]:
    """What a command and all of its processes had to compile, or found only because somebody had needed it before."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ALPHADIAMOND_KERNEL_LOG": str(log), **more}
    if "NUMBA_CACHE_DIR" in more:  # which is decided where kernels are imported
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=ROOT, env=environment)
    else:
        done = finished(str(ROOT / command[0]), *command[1:], environment=environment, stdin=input, timeout=580)
    assert done.returncode == 0, done.stderr
    used = log.read_text().splitlines() if log.exists() else []
    ahead = files_ahead() if ahead is None else ahead
    return [line for line in used if line.removeprefix("loaded ") not in ahead]


@pytest.mark.usefixtures("precompiled")
@pytest.mark.parametrize("work", [PLAYERS, SOLVER, TRAINING, MATCH], ids=["players", "solver", "training", "match"])
def test_real_work_finds_every_kernel_in_the_cache(tmp_path: Path, work: str) -> None:
    (tmp_path / "work.py").write_text(work)
    log = tmp_path / "log"
    assert not_ahead(log, str(tmp_path / "work.py")) == []
    assert log.read_text(), "nothing compiled was used at all"


@pytest.mark.usefixtures("precompiled")
@pytest.mark.parametrize("name", [name for name in precompile.game_names() if name != DEFAULT_GAME])
def test_every_player_finds_every_kernel_in_the_cache_in_other_games(tmp_path: Path, name: str) -> None:
    (tmp_path / "work.py").write_text(EVERY_GAME)
    assert not_ahead(tmp_path / "log", str(tmp_path / "work.py"), name) == []


SCRIPTS = sorted(path.name for path in (ROOT / "scripts").glob("*.py"))
RUN, TABLEBASE = "{0}/run", "{0}/home/alphadiamond/diamond_chase"
POSITION = "r/rr/./rrr/......./ggg/./gg/g g 2"

# What a person runs: each script, in each of its ways. Where RUN or a tablebase is read, `train` and `solve` go before.
ROWS: dict[str, tuple[str, ...]] = {
    "solve": ("solve.py",),
    "proof": ("solve.py", "verify=true"),
    "report": ("solve.py", "report=true"),
    "train": ("train.py", "profile=smoke", f"run={RUN}", "snapshot_every=1"),
    "evaluate": ("evaluate.py", "players=[greedy,minimax:depth=2,mcts:simulations=50]", "games=4", "output={0}/out"),
    "network": ("evaluate.py", "player=neural:simulations=20", "baselines=[perfect]", "games=2", "output={0}/out"),
    "exam": ("evaluate.py", "exam=true", "player=neural:simulations=0", "exam_positions=64", "output={0}/out"),
    "rate": ("rate.py", f"runs=[{RUN}]", "baselines=[minimax:depth=2]", "pairs=2", "output={0}/rating"),
    "window": ("play.py", "headless=true", "green=neural:simulations=20", "red=hybrid", "frames=400"),
    "terminal": ("play.py", "terminal=true", "plain=true", "green=human", "red=neural:simulations=20"),
    "screenshots": ("screenshots.py", "output={0}/pictures", "sizes=[960x600]"),
    "simulate": ("simulate.py", "seed=1", "size=960x600", "output={0}/walks.png"),
    "analyse": ("analyse.py", POSITION, "output={0}/analysis"),
    "record": ("analyse.py", "{0}/terminal.game", "output={0}/record"),
    "show network": ("show.py", "checkpoints/diamond_chase/champion.safetensors", "onnx={0}/champion.onnx"),
    "show run": ("show.py", RUN),
    "show tablebase": ("show.py", TABLEBASE),
    "prove": ("prove.py", "plies=2", "output={0}/proof"),
    "picture_holes": ("picture_holes.py", f"runs=[{RUN}]", "snapshots=1", "plies=2", "output={0}/holes"),
    "site": ("site.py", "output={0}/site"),
    "engine": ("engine.py",),
    "serve": ("serve.py", "port=0", "directory={0}/online", "seconds=1"),
    "make_exam": ("make_exam.py", "positions=200", "games=20", "output={0}/exam.npz"),
    "picture_learning": ("picture_learning.py", f"run={RUN}", "iterations=[1,2]", "output={0}/learning.png"),
    "sample_quality": ("sample_quality.py", f"run={RUN}", "output={0}/samples.json"),
    "scaling": (
        *("scaling.py", f"runs=[{RUN}]", "snapshots=2", "simulations=[0,4]", "positions=64", "cores=[1,2]"),
        *("games=[1,16]", "batches=[1,32]", "repeats=1", "rounds=1", "beside=[greedy]", "output={0}/scaling"),
    ),
    "compare_engines": ("compare_engines.py", "batches=[1,32]", "repeats=1", "positions=64", "output={0}/engines.json"),
    "compare_models": ("compare_models.py", f"run={RUN}", "seconds=3", "pairs=2", "output={0}/models.json"),
    "compare_runs": ("compare_runs.py", f"runs=[{RUN},{RUN}]", "pairs=2", "output={0}/runs.json"),
    "compare_searches": ("compare_searches.py", "simulations=[8]", "pairs=2", "output={0}/searches.json"),
    "search_gain": ("search_gain.py", "simulations=8", "positions=20", "output={0}/gain.json"),
    "benchmark": ("benchmark.py", "repeats=1", "output={0}/benchmark.json"),
    "make_book": ("make_book.py", "seconds=2", "output={0}/book.npz"),
    "hub_folder": ("hub_folder.py", "output={0}/hub"),
}


def rows_of(game: str) -> dict[str, tuple[str, ...]]:
    """The same for a game that is not the default, as far as it runs other code."""
    run = f"{{0}}/{game}/run"
    network, output = f"neural:checkpoint={run}", f"output={{0}}/{game}/out"
    late = ("games=2", "opening_plies=14")  # where every solver answers at once
    rows: dict[str, tuple[str, ...]] = {
        "solve": ("solve.py",),
        "train": ("train.py", "profile=smoke", f"run={run}", "snapshot_every=1"),
        "evaluate": ("evaluate.py", "players=[greedy,minimax:depth=2,mcts:simulations=50]", "games=4", output),
        "network": ("evaluate.py", f"player='{network},simulations=20'", "baselines=[perfect]", *late, output),
        "exam": ("evaluate.py", "exam=true", f"player='{network},simulations=0'", "exam_positions=64", output),
        "rate": ("rate.py", f"runs=[{run}]", "baselines=[minimax:depth=2]", "pairs=2", output),
        "prove": ("prove.py", f"player='{network},simulations=4,history=false'", "plies=2", output),
        "window": ("play.py", "headless=true", "first=minimax:depth=2", "second=mcts:simulations=50", "frames=200"),
    }
    if not load(game).solving:  # its solver is asked as it is
        del rows["solve"]
    if load(game).seeded:
        rows["prove"] = (*rows["prove"], f"starts=['{load(game).sample_start()}']")
    return {f"{game} {name}": (script, f"game={game}", *more) for name, (script, *more) in rows.items()}


for name in precompile.game_names():
    if name != DEFAULT_GAME:
        ROWS |= rows_of(name)
NOTHING_COMPILED = ("show network", "show run", "hub_folder")  # they read files
BEFORE = {"record": "terminal"}
INPUTS = {
    "terminal": "hint\n1\nanalyse\nback\n2\nlevel 3\n1\nsave {0}/terminal.game\nquit\n",
    "engine": """
{{"id": "a", "moves": ["si-cs", "ni-cn"], "player": "minimax", "limits": {{"depth": 4}}}}
{{"id": "b", "moves": ["si-cs"], "player": "neural", "limits": {{"simulations": 50}}}}
{{"id": "c", "moves": [], "player": "neural", "limits": {{"simulations": 50}}}}
{{"id": "d", "moves": [], "player": "neural", "limits": {{"seconds": 0.1}}, "report_seconds": 0.02}}
""",
}


def test_every_script_has_its_row() -> None:
    assert sorted({script for script, *_ in ROWS.values()}) == SCRIPTS


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scripts")


@functools.cache
def found(shared: Path, name: str) -> tuple[str, ...]:
    """What a row had to compile; each is run once, after those whose results it reads."""
    script, *arguments = ROWS[name]
    game = name.partition(" ")[0] if name.partition(" ")[0] in precompile.game_names() else ""
    solve, train = (f"{game} {first}".strip() for first in ("solve", "train"))
    if name != solve and solve in ROWS:
        found(shared, solve)
    if any("/run" in argument for argument in arguments) and name != train:
        found(shared, train)
    if name in BEFORE:
        found(shared, BEFORE[name])
    given = [argument.format(shared) for argument in arguments]
    home, input = str(shared / "home"), INPUTS.get(name, "").format(shared)
    log = shared / f"{name}.log"
    missed = not_ahead(log, f"scripts/{script}", *given, input=input, XDG_DATA_HOME=home)
    assert log.exists() != (name in NOTHING_COMPILED), "the row does something else than it did"
    return tuple(missed)


@pytest.mark.slow
@pytest.mark.usefixtures("precompiled")
@pytest.mark.parametrize("name", ROWS)
def test_no_script_compiles_anything(shared: Path, name: str) -> None:
    assert found(shared, name) == ()


def test_an_overload_that_was_not_compiled_ahead_is_noticed(tmp_path: Path) -> None:
    """The tests above would see it, the first time and later: here for arguments that nothing real gives a kernel."""
    kernels = "alphadiamond.games.diamond_chase.kernels"
    work = f"import numpy as np\nfrom {kernels} import trapped\ntrapped(np.int8(1), np.uint16(2))\n"
    cache = str(tmp_path / "cache")
    (found,) = not_ahead(tmp_path / "log", "-c", work, ahead=set(), NUMBA_CACHE_DIR=cache)
    assert found.startswith("compiled alphadiamond.games.diamond_chase.kernels.trapped (int8, uint16)")
    (again,) = not_ahead(tmp_path / "second", "-c", work, ahead=set(), NUMBA_CACHE_DIR=cache)
    assert again.startswith("loaded ")


def test_a_damaged_file_is_compiled_anew(tmp_path: Path) -> None:
    work = "from alphadiamond.games.diamond_chase.kernels import trapped\nassert trapped(1, 2) == 0\n"
    cache = tmp_path / "cache"
    for damage in (b"", b"nonsense", None):
        (found,) = not_ahead(tmp_path / f"log{damage!r}", "-c", work, ahead=set(), NUMBA_CACHE_DIR=str(cache))
        assert found.startswith("compiled ")
        (file,) = cache.glob("*/trapped.*.nbc")
        if damage is not None:
            file.write_bytes(damage)


def test_what_is_gone_or_has_changed_has_to_be_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    everything = precompile.stale()
    assert everything == [job for file in precompile.precompile_files() for job in precompile.jobs_in(file)]
    kernel = tmp_path / "kernel.nbc"
    kernel.write_text("")
    for job in everything:
        note = precompile._note(job)
        note.parent.mkdir(exist_ok=True)
        note.write_text(json.dumps([str(kernel)]))
    assert len(list(tmp_path.glob("precompiled/*"))) == len(everything), "each has a note of its own"
    assert precompile.stale() == []
    assert precompile.precompile() == 0
    changed = precompile._note(everything[0])
    changed.rename(changed.with_name("of-other-sources.json"))
    assert precompile.stale() == everything[:1]
    kernel.unlink()
    assert precompile.stale() == everything


def test_a_command_waits_for_what_it_needs_of_its_game_and_for_nothing_else() -> None:
    whole = [job for file in precompile.precompile_files() for job in precompile.jobs_in(file)]
    for command in precompile.NEEDED:
        for game in precompile.game_names():
            jobs = precompile.needed(command, [game])
            assert jobs, command
            assert len(set(jobs)) == len(jobs)
            assert {job.game for job in jobs} <= {"", game}
            others = {f"games.{other}" for other in precompile.game_names() if other != game}
            assert not any(job.package.startswith(other) for job in jobs for other in others), command
            assert set(jobs) < set(whole)
    train = precompile.needed("train", [DEFAULT_GAME])
    assert not any("solver" in job.package or "players" in job.package for job in train)
    assert precompile.needed("show", [DEFAULT_GAME]) == []
    assert precompile.needed("train", ["somebodys_own"]) == []
    assert {job.game for job in precompile.needed("serve", precompile.game_names())} > set(precompile.game_names())


def test_a_command_compiles_what_is_missing_with_a_line_and_a_bar_and_then_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setitem(precompile.NEEDED, "solve", ("games.{game}.rules",))
    assert precompile.prepare("solve", ["dame"]) > 0
    said = capsys.readouterr().err
    assert said.startswith("compiling what solve needs for this machine, once, on ")
    assert "compiling: 1/1; The rules of Dame" in said
    assert precompile.prepare("solve", ["dame"]) == 0
    assert capsys.readouterr().err == ""


def test_a_command_does_not_wait_for_changes_that_leave_its_kernels_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setitem(precompile.NEEDED, "solve", ("games.{game}.rules",))
    (job,) = precompile.needed("solve", ["dame"])
    note = precompile._note(job)
    kernels = sources.PACKAGE / "games" / "dame" / "kernels.py"
    monkeypatch.setattr(precompile, "_compile", lambda jobs, *words: len(jobs))

    def noted(digest: str) -> None:
        kernel = tmp_path / f"alphadiamond.games.dame.kernels-{digest}" / "kernel.nbc"
        kernel.parent.mkdir(parents=True)
        kernel.write_text("")
        note.parent.mkdir(exist_ok=True)
        note.with_name(note.name.replace(job.digest(), "0123456789abcdef")).write_text(json.dumps([str(kernel)]))

    assert precompile.prepare("solve", ["dame"]) == 1
    noted("fedcba9876543210")
    assert precompile.prepare("solve", ["dame"]) == 1, "its kernels were others"
    noted(sources.digest_of(kernels))
    assert precompile.prepare("solve", ["dame"]) == 0
    assert job in precompile.stale(), "to compile everything looks again"


def test_where_nothing_can_be_kept_nothing_is_compiled_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(precompile, "_compile", lambda *arguments: pytest.fail("it would be compiled twice"))
    assert precompile.prepare("train", [DEFAULT_GAME]) == 0


def test_what_takes_a_game_is_done_for_every_game_and_again_where_that_game_has_changed() -> None:
    names = {name for name, place in GAMES.items() if place.startswith("alphadiamond.")}
    assert set(precompile.game_names()) == names
    for package in ("games", "search", "network", "agents", "arena", "training"):
        jobs = precompile.jobs_in(sources.PACKAGE / package / "precompile.py")
        assert {job.game for job in jobs} == names, package
        for job in jobs:
            folder = (sources.PACKAGE / "games" / job.game).resolve()
            assert job.digest().endswith(sources.digest_of(folder / "game.py"))
            assert folder / "rules.py" in sources.sources_of(folder / "game.py")


def test_a_change_makes_stale_what_depends_on_it_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path.resolve() / "package"
    monkeypatch.setattr(sources, "PACKAGE", package)
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "low.py").write_text("A = 1\n")
    (package / "middle.py").write_text("from package import low\nB = low.A\n")
    (package / "high.py").write_text(
        "def f():\n    from package.middle import (\n        B,  # of low\n    )\n    return B\n"
    )
    (package / "aside.py").write_text("import math\n")
    files = {name: package / f"{name}.py" for name in ("low", "middle", "high", "aside")}

    def digests() -> dict[str, str]:
        for cached in (sources.digest_of, sources._content, sources._imported):
            cached.cache_clear()
        return {name: sources.digest_of(file) for name, file in files.items()}

    before = digests()
    files["low"].write_text("A = 2\n")
    after = digests()
    assert {name for name in files if before[name] != after[name]} == {"low", "middle", "high"}


def test_every_module_of_kernels_is_reached_by_a_precompile_list() -> None:
    reached = set().union(*(sources.sources_of(file) for file in precompile.precompile_files()))
    assert {path for path in sources.PACKAGE.rglob("*kernels.py") if path.resolve() not in reached} == set()
    for file in precompile.precompile_files():
        assert precompile.jobs_in(file), f"{file} names nothing"
