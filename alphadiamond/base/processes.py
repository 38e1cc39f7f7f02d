"""Processes that work for this one: started with `spawn`, with one thread each, deaf to Ctrl-C, gone when it is gone.

`Process` is the near end of one and `serve` what runs in it: a function that is given the far end of a pipe.
"""

import contextlib
import multiprocessing
import os
import signal
import textwrap
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from typing import Any, Final

# The processes themselves are what fills the cores.
ONE_THREAD: Final = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "NUMEXPR", "NUMBA")}
"""The environment of whatever works beside others on a core of its own."""

KILL: Final[int] = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Ends a process at once; Windows has no other signal that does."""

_PATIENCE_SECONDS = 0.2  # one that is idle ends by itself when its pipe is closed

Serve = Callable[..., None]
"""Called in the process with its end of the pipe and the arguments it was started with; at module level."""


def context() -> SpawnContext:
    """How processes are begun: as every system can and as is safe beside threads. Tests put theirs in its place."""
    return multiprocessing.get_context("spawn")


class Process:
    """One process and our end of the pipe to it."""

    def __init__(self, serve: Serve, *arguments: Any, name: str | None = None) -> None:
        begun = context()
        self.connection, theirs = begun.Pipe()
        self._process = begun.Process(target=_live, args=(theirs, serve, *arguments), name=name, daemon=True)
        with _quietly():
            self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def send(self, message: Any) -> bool:
        """Hand something over; False when nobody is there."""
        try:
            self.connection.send(message)
        except OSError:
            return False
        return True

    def receive(self) -> Any:
        """What it says next; an EOFError when it has died."""
        try:
            return self.connection.recv()
        except OSError:
            raise EOFError from None

    def kill(self) -> None:
        """End it at once, without waiting for that."""
        self._process.kill()

    def end(self) -> int | None:
        """Make sure that it is gone, and say how it ended: see `cause_of`."""
        self.connection.close()
        if self._process.exitcode is None:
            self._process.join(_PATIENCE_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        return self._process.exitcode


def shared_numbers(count: int) -> Any:
    """So many floats that a process it is given to shares with this one, and that outlive it."""
    return context().RawArray("d", count)


def cause_of(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def told(error: Exception) -> str:
    """An error in one line with where it was, also where a library says a page."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(last.filename)}:{last.lineno}"
    return f"{type(error).__name__}: {textwrap.shorten(str(error), 300)} ({where})"


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Start processes with one thread, and deaf to Ctrl-C from their first moment, not only once Python is up.

    Libraries read the environment when a process starts, before any code of ours.
    """
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    masked = hasattr(signal, "pthread_sigmask")
    if masked:
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # starting it unblocks the signal, so not inside the block
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if masked:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


# What runs in the process


def _live(connection: "Connection[Any, Any]", serve: Serve, *arguments: Any) -> None:
    """Whoever started it decides when to stop, and it stops when they are gone or hang up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        serve(connection, *arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
