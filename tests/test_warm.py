"""Nothing is left to compile once the cache has been filled ahead."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PLAYERS = """
from alphadiamond.agents import PLAYERS, make_agent
from alphadiamond.game import Position
from tests.agents.positions import middle_game
from tests.agents.networks import untrained_checkpoint
import numpy as np

position = middle_game(np.random.default_rng(3))
network = f":checkpoint={untrained_checkpoint()},simulations=40"
more = {"neural": network, "mcts": ":simulations=200", "minimax": ":depth=5"}
for name in PLAYERS:
    if name != "perfect":
        agent = make_agent(name + more.get(name, ""), seed=1)
        agent.choose(position)
        agent.analyse(position)
        list(agent.stream(position))
        agent.analyse_many([position, Position.start()])
for spec in ("neural:seconds=0.1", "neural:simulations=1200", "neural:simulations=30,symmetries=true,method=puct",
             "minimax:seconds=0.1,quiescence=false", "mcts:fast=true,simulations=50", "hybrid:seconds=0.1"):
    agent = make_agent(spec, seed=1)
    game = Position.start()
    for _ in range(4):
        game = game.play(agent.choose(game))
"""

SOLVER = """
from pathlib import Path
from alphadiamond.game import Position
from alphadiamond.solver import LAYERS, Tablebase
from alphadiamond.solver.layer_file import map_layer, write_layer
from alphadiamond.solver.retrograde import empty_table, pairs, solve_pair, workers
import numpy as np, tempfile

table = empty_table()
with workers(2) as team:
    solve_pair(table, pairs()[0], team, lambda done, note: None)
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
from alphadiamond.arena import Workers, play_match, random_openings, run_exam
from alphadiamond.agents import make_agent

if __name__ == "__main__":
    with Workers(1) as workers:
        openings = random_openings(1, plies=4, rng=np.random.default_rng(1))
        play_match("minimax:depth=2", "greedy", openings, workers=workers, seed=1)
    run_exam(make_agent("minimax:depth=2", seed=1), positions=20)
"""


@pytest.fixture(scope="module")
def warmed() -> None:
    """The cache of whoever runs the tests, filled if it is not."""
    done = subprocess.run([sys.executable, "-m", "alphadiamond.warm"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "not compiled ahead" not in done.stderr, done.stderr


def compiled_by(log: Path, *command: str, **more: str) -> list[str]:
    """What a command and all of its processes had to compile."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ALPHADIAMOND_COMPILE_LOG": str(log), **more}
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    return log.read_text().splitlines() if log.exists() else []


@pytest.mark.usefixtures("warmed")
@pytest.mark.parametrize("work", [PLAYERS, SOLVER, TRAINING, MATCH], ids=["players", "solver", "training", "match"])
def test_real_work_finds_every_kernel_in_the_cache(tmp_path: Path, work: str) -> None:
    (tmp_path / "work.py").write_text(work)
    assert compiled_by(tmp_path / "log", str(tmp_path / "work.py")) == []


SCRIPTS = {
    "train": ("train.py", "profile=smoke", "run={}/run"),
    "evaluate": ("evaluate.py", "players=[greedy,minimax:depth=2,mcts:simulations=50]", "games=4", "output={}/out"),
    "network": ("evaluate.py", "player=neural:simulations=20", "baselines=[perfect]", "games=2", "output={}/out"),
    "exam": ("evaluate.py", "exam=true", "player=neural:simulations=0", "exam_positions=64", "output={}/out"),
    "play": ("play.py", "headless=true", "green=neural:simulations=20", "red=hybrid", "frames=400"),
    "screenshots": ("screenshots.py", "scenes=[analysis,side-by-side,replay]", "output={}/pictures"),
    "benchmark": ("benchmark.py", "sections=[game,players,network,search,window]", "repeats=1", "output={}/b.json"),
    "solve": ("solve.py", "output={}/tablebase"),
    "proof": ("solve.py", "output={}/tablebase", "verify=true"),
    "report": ("solve.py", "output={}/tablebase", "report=true"),
}
"""What a person runs; those that need the tablebase find the one that `solve` has left."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scripts")


@pytest.mark.slow
@pytest.mark.usefixtures("warmed")
@pytest.mark.parametrize("name", ["solve", *(name for name in SCRIPTS if name != "solve")])
def test_no_script_compiles_anything(shared: Path, name: str) -> None:
    script, *arguments = SCRIPTS[name]
    home = shared / "home" / "alphadiamond"
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "tablebase").exists():
        (home / "tablebase").symlink_to(shared / "tablebase")
    given = [argument.format(shared) for argument in arguments]
    log = shared / f"{name}.log"
    assert compiled_by(log, f"scripts/{script}", *given, XDG_DATA_HOME=str(shared / "home")) == []


def test_an_overload_that_was_not_compiled_ahead_is_noticed(tmp_path: Path) -> None:
    """The tests above would see it: here a kernel is asked for arguments that nothing real gives it."""
    work = "import numpy as np\nfrom alphadiamond.game.kernels import trapped\ntrapped(np.int8(1), np.uint16(2))\n"
    cache = str(tmp_path / "cache")
    found = compiled_by(tmp_path / "log", "-c", work, NUMBA_CACHE_DIR=cache)
    assert [line.split()[0] for line in found] == ["alphadiamond.game.kernels.trapped"]
    assert "int8" in found[0]
    assert compiled_by(tmp_path / "second", "-c", work, NUMBA_CACHE_DIR=cache) == [], "it is in the cache now"
