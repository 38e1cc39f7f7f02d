"""New processes as forks of one that has imported everything: to start Python and import torch takes 2 to 3 s of the
processor, and tests start hundreds.

They begin as `spawn` begins them: with the environment, the directory and the arguments of whoever starts them, and
nothing else. Tests about how processes begin and end use the fixture `cold`.
"""

import contextlib
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing import connection, process
from pathlib import Path
from typing import Any

from alphadiamond import games
from alphadiamond.base import processes
from alphadiamond.runner import links

ROOT = Path(__file__).parents[1]
IMPORTED = [
    *("hydra", "matplotlib.pyplot", "alphadiamond.analysis.task", "alphadiamond.arena.evaluation"),
    *("alphadiamond.studies.runs", "alphadiamond.training.run", "torch._dynamo"),
    *("hydra._internal.core_plugins.basic_launcher", "matplotlib.backends.backend_agg", "torch.utils.tensorboard"),
    *("tests.server.server_process", "alphadiamond.agents.levels", "alphadiamond.agents.neural"),
    *("alphadiamond.arena.workers", "alphadiamond.engine.engine", "alphadiamond.training.worker"),
    *(f"alphadiamond.games.{name}.game" for name in ("connect_four", "dame", "diamond_chase", "labyrinth")),
    "tests.imported",
]
_AT_FIRST = dict(os.environ)
ENGINE = [sys.executable, "-m", "alphadiamond.engine"]


CONTEXT: Any = multiprocessing.get_context("spawn")

if IS_POSSIBLE := "forkserver" in multiprocessing.get_all_start_methods():  # Windows has only `spawn`
    from multiprocessing import forkserver, popen_forkserver
    from multiprocessing.context import ForkServerContext

    class _Popen(popen_forkserver.Popen):
        lock = threading.Lock()

        def poll(self, flag: int = os.WNOHANG) -> int | None:
            """Also by two threads at once."""
            if self.returncode is None and not connection.wait([self.sentinel], 0 if flag else None):
                return None
            with self.lock:
                return super().poll(flag)

    class _Process(process.BaseProcess):
        """Begins with the environment of the moment in which it is started."""

        _start_method = "forkserver"
        _Popen = _Popen
        _environment: dict[str, str]
        _address: str

        def start(self) -> None:
            self._environment = dict(os.environ)
            _ensure_running()
            self._address = forkserver._forkserver._forkserver_address  # type: ignore[attr-defined]
            super().start()

        def run(self) -> None:
            ours: Any = forkserver._forkserver  # type: ignore[attr-defined]
            ours._forkserver_address, ours.ensure_running = self._address, lambda: None  # its own come from there too
            settle(self._environment)
            super().run()

    class _Context(ForkServerContext):
        Process = _Process  # type: ignore[assignment]

    CONTEXT = _Context()


def settle(environment: Mapping[str, str]) -> None:
    """In a copy: have this environment, and know the games that it names, as a new process does."""
    os.environ.clear()
    os.environ.update(environment)
    games._find()


def _ensure_running() -> None:
    """With one thread, as the project starts processes, but with Ctrl-C, which it blocks meanwhile."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(_AT_FIRST, **processes.ONE_THREAD, PYTHONPATH=str(ROOT))
    mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        forkserver.set_forkserver_preload(IMPORTED)
        forkserver._forkserver.ensure_running()  # type: ignore[attr-defined]
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.environ.clear()
        os.environ.update(before)


class _Engine:
    """The project's engine, as `subprocess.Popen` would have started it."""

    stderr = None

    def __init__(self, arguments: Sequence[str]) -> None:
        (theirs, stdin), (stdout, says), (begun, begins) = (CONTEXT.Pipe(duplex=False) for _ in range(3))
        self.stdin, self.stdout = os.fdopen(os.dup(stdin.fileno()), "wb"), os.fdopen(os.dup(stdout.fileno()), "rb")
        self._process = CONTEXT.Process(target=_serve, args=(arguments, theirs, says, begins))
        self._process.start()
        process._children.discard(self._process)  # type: ignore[attr-defined] # nobody waits for it at the end
        for end in (theirs, stdin, stdout, says, begins):
            end.close()
        with contextlib.suppress(EOFError):
            begun.recv()
        begun.close()
        assert self._process.pid
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("the engine", timeout or 0.0)
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()


def _serve(arguments: list[str], *ends: Any) -> None:
    os.setsid()
    for number, end in enumerate(ends[:2]):
        os.dup2(end.fileno(), number)
        end.close()
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    ends[2].close()
    sys.argv = ["alphadiamond.engine", *arguments]
    runpy.run_module("alphadiamond.engine", run_name="__main__", alter_sys=True)


def _popen(command: Sequence[str], **more: Any) -> Any:
    if list(command[:3]) == ENGINE:
        return _Engine(command[3:])
    return subprocess.Popen(command, **more)


def install() -> None:
    """From now on this process starts others so."""
    if IS_POSSIBLE:
        processes.context = lambda: CONTEXT
        likeness = {"Popen": _popen, "PIPE": subprocess.PIPE, "TimeoutExpired": subprocess.TimeoutExpired}
        links.subprocess = types.SimpleNamespace(**likeness)  # type: ignore[attr-defined]


@contextlib.contextmanager
def cold() -> Iterator[None]:
    """As a person's computer does it."""
    before = processes.context, links.subprocess  # type: ignore[attr-defined]
    processes.context, links.subprocess = lambda: multiprocessing.get_context("spawn"), subprocess  # type: ignore
    try:
        yield
    finally:
        processes.context, links.subprocess = before  # type: ignore[attr-defined]
