"""The memory that commands take: the most that a command and all its processes have at once, as people run them.

Pages that several processes share count once where the system tells (Linux), and once for each elsewhere.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from benchmarks.rates import Row

_ROOT = Path(__file__).parents[2]
_SECONDS_BETWEEN = 0.1
COMMANDS = {
    "train, the first three iterations with two workers": ("train.py", "workers=2", "iterations=3", "run={0}/run"),
    "a match of two processes, network against Minimax": (
        *("evaluate.py", "player=neural", "baselines=[minimax:depth=4]", "games=4", "workers=2", "output={0}/out"),
    ),
    "prove, the first two plies of Diamond Chase": ("prove.py", "plies=2", "output={0}/proof"),
    "serve, nobody there": ("serve.py", "port=0", "directory={0}/online", "seconds=5"),
    "play, the network searching": ("play.py", "headless=true", "green=neural:seconds=1", "red=neural", "frames=400"),
}


def measure(*, repeats: int, seed: int) -> list[Row]:
    """Once each: the largest of several would only be larger by chance."""
    rows = []
    for name, (script, *arguments) in COMMANDS.items():
        with tempfile.TemporaryDirectory() as directory:
            given = [argument.format(directory) for argument in arguments]
            rows.append(Row(name, _most([str(_ROOT / "scripts" / script), *given]) / 1e6, "MB"))
    return rows


def _most(command: list[str]) -> float:
    most = 0.0
    with subprocess.Popen([sys.executable, *command], cwd=_ROOT, stdout=subprocess.DEVNULL) as started:
        process = psutil.Process(started.pid)
        while started.poll() is None:
            most = max(most, _together(process))
            time.sleep(_SECONDS_BETWEEN)
    assert started.returncode == 0, " ".join(command)
    return most


def _together(process: psutil.Process) -> float:
    total = 0.0
    for one in [process, *_children(process)]:
        try:
            found = one.memory_full_info()
            total += getattr(found, "pss", found.rss)
        except psutil.Error:  # gone meanwhile
            continue
    return total


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return list(process.children(recursive=True))
    except psutil.Error:
        return []
