"""Our self-play beside that of mctx with pgx and of OpenSpiel, on one core and in turns."""

import importlib.metadata
import importlib.util
import os
import statistics
import subprocess
import sys
from contextlib import ExitStack, suppress
from types import TracebackType

from alphadiamond.errors import AlphaDiamondError
from benchmarks.rates import Row
from benchmarks.searches import GAMES, SEARCHES, SIMULATIONS

_PACKAGES = {"jax": "jax", "mctx": "mctx", "open_spiel": "pyspiel", "pgx": "pgx"}  # and the module of each
_PEERS = {  # with the distributions whose versions to name
    "mctx": ("mctx", "pgx"),
    "mctx in bfloat16": ("mctx", "pgx"),
    "open_spiel": ("open_spiel",),
}
_ONE_THREAD = {
    "JAX_PLATFORMS": "cpu",
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def require_packages() -> None:
    if missing := [name for name, module in _PACKAGES.items() if importlib.util.find_spec(module) is None]:
        raise AlphaDiamondError(f"peers=true needs {', '.join(missing)}: pip install --editable '.[peers]'")


def measure(*, repeats: int, seed: int) -> list[Row]:
    """Every search in a process of its own, all pinned to the same core, of which one works at a time."""
    require_packages()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    with ExitStack() as stack:
        searches = {}
        for name in SEARCHES:
            searches[name] = stack.enter_context(_Search(name, seed, cores[-1:]))
            searches[name].answer()  # one after the other, and none compiles while another is timed
        turns = [{name: search.turn() for name, search in searches.items()} for _ in range(repeats)]
    rates = {name: statistics.median(turn[name] for turn in turns) for name in SEARCHES}
    setting = f"{GAMES} games, {SIMULATIONS} simulations a move"
    ours = [(name, peer) for peer in ("mctx", "open_spiel") for name in SEARCHES if name not in _PEERS]
    return [
        Row(f"{name}, {setting}", rates[name], "simulations/s", rates[peer], _named(peer))
        for name, peer in [*ours, ("mctx in bfloat16", "mctx")]
    ]


def _named(peer: str) -> str:
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in _PEERS[peer])
    return f"{versions}, in bfloat16" if "bfloat16" in peer else versions


class _Search:
    """One search in a process that works when it is told to."""

    def __init__(self, name: str, seed: int, core: list[int]) -> None:
        self._name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.searches", name, str(seed), *map(str, core or [""])],
            env={**os.environ, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "_Search":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def turn(self) -> float:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # its answer, or rather that there is none, says it better
            self._process.stdin.write("\n")
            self._process.stdin.flush()
        return float(self.answer())

    def answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise AlphaDiamondError(f"peers: {self._name} broke off; what it said stands above")
        return line
