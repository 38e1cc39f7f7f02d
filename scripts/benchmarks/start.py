"""Readiness: how long a newcomer waits for the first iteration, and, once all is compiled, a person for a window, a
first move and a first game.

Everything is measured from outside, in new processes, as a person meets it.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from alphadiamond.client.player_process import PlayerProcess
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.play.opponents import Roster
from benchmarks import fresh_clone
from benchmarks.rates import Row

_ROOT = Path(__file__).parents[2]
_SCRIPTS = _ROOT / "scripts"
_LOG = "ALPHADIAMOND_KERNEL_LOG"
_LATER = ("minimax:depth=4", "mcts:seconds=0.3", "fuzzy", "hybrid", "greedy", "easy", "neural:simulations=800")

_FIRST_FRAME = """
import sys, time
sys.argv = ["play.py", "headless=true", "frames=1"]
sys.path.insert(0, {scripts!r})
from alphadiamond.client import app
frame = app.App.frame
def first(self, dt):
    frame(self, dt)
    print("frame", flush=True)
app.App.frame = first
import runpy
runpy.run_path({play!r}, run_name="__main__")
"""


def measure(*, repeats: int, seed: int) -> list[Row]:
    former = os.environ.get(_LOG)
    with tempfile.TemporaryDirectory() as directory:
        log = Path(directory) / "compiled"
        os.environ[_LOG] = str(log)
        try:
            rows = _rows(repeats, Path(directory))
        finally:
            del os.environ[_LOG]
        lines = log.read_text()
    if former is not None:  # whoever keeps one gets ours too
        os.environ[_LOG] = former
        with open(former, "a") as file:
            file.write(lines)
    compiled = sum(line.startswith("compiled ") for line in lines.splitlines())
    return [*rows, Row("kernels compiled in all of this", float(compiled), "kernels"), *fresh_clone.measure()]


def _rows(repeats: int, directory: Path) -> list[Row]:
    def median(what: Callable[[], float]) -> float:
        return statistics.median(what() for _ in range(repeats))

    match = ("players=[minimax:depth=2,greedy]", "games=2", f"output={directory}/out")
    rows = [
        Row("finding out that nothing has to be compiled", median(lambda: _run("-m", "alphadiamond.precompile")), "s"),
        Row("from the command to the window's first frame", median(_first_frame), "s"),
        Row("evaluate with two classical players, to its first game", median(lambda: _first_game(*match)), "s"),
    ]
    for waited in (5.0, 0.0):
        answers = [_answers(waited) for _ in range(repeats)]
        first = statistics.median(answer[0] for answer in answers)
        rows.append(Row(f"the network's first move, {waited:.0f} s after the window", first, "s"))
        if waited:
            slowest = max(max(answer[1]) for answer in answers)
            rows.append(Row("the longest wait for any other player to begin to think", slowest, "s"))
    return rows


def _run(*command: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *command], cwd=_ROOT, check=True, capture_output=True)
    return time.perf_counter() - started


def _first_line(command: list[str], wanted: Callable[[str], bool], *, errors: bool = False) -> float:
    """Seconds until a process says what is awaited; it is left to end by itself."""
    started = time.perf_counter()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT if errors else subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, *command], cwd=_ROOT, text=True, **pipes) as process:  # type: ignore[call-overload]
        for line in process.stdout:
            if wanted(line):
                seconds = time.perf_counter() - started
                process.communicate()
                return seconds
    raise AssertionError(f"{' '.join(command)} never came to it")


def _first_frame() -> float:
    code = _FIRST_FRAME.format(scripts=str(_SCRIPTS), play=str(_SCRIPTS / "play.py"))
    return _first_line(["-c", code], lambda line: line == "frame\n")


def _first_game(*arguments: str) -> float:
    """Until the games of a match have been played; two short games, so that the last is hardly later than the first."""
    return _first_line(
        [str(_SCRIPTS / "evaluate.py"), *arguments], lambda line: " against " in line and "2/2" in line, errors=True
    )


def _answers(waited: float) -> tuple[float, list[float]]:
    """Seconds of the network's first move, and of waiting for each other player after that, as the window has them."""
    start = Position.start()
    roster = Roster(game=GAME)
    players, analysts = PlayerProcess(), PlayerProcess(nice=10)
    try:
        players.prepare(roster.to_prepare(""), game=GAME)
        analysts.check(roster.specs(), game=GAME)
        time.sleep(waited)
        first = _seconds(players, "neural:simulations=200", start)
        return first, [_wait(players, spec, start) for spec in _LATER]
    finally:
        players.close()
        analysts.close()


def _wait(player_process: PlayerProcess, spec: str, position: Position) -> float:
    """How much longer a player takes for its first move than for the same move again."""
    first = _seconds(player_process, spec, position)
    return max(0.0, first - _seconds(player_process, spec, position))


def _seconds(player_process: PlayerProcess, spec: str, position: Position) -> float:
    started = time.perf_counter()
    player_process.move(spec, position, new_game=True, game=GAME)
    while True:
        for answer in player_process.answers():
            if answer.kind in ("move", "error"):
                assert answer.kind == "move", answer.text
                return time.perf_counter() - started
        time.sleep(0.001)
