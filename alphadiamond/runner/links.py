"""A process and the lines to and from it."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final, Protocol

from alphadiamond.base.processes import cause_of

MAX_LINE: Final = 1 << 20
"""Bytes; a longer line is refused, in either direction."""

_SUPERVISOR: Final = str(Path(__file__).with_name("supervisor.py"))
_LEAVE_SECONDS: Final = 0.5  # for a process that has closed its output to end by itself
_REMEMBERED: Final = 2000  # bytes of what it says on standard error

Heard = Callable[[bytes], None]
"""Given each line, from a thread of the link."""
Ended = Callable[[str], None]
"""Told once how it ended, after the last line, from a thread of the link."""


class Link(Protocol):
    """Something that takes lines and gives lines until it ends."""

    def send(self, line: bytes) -> None:
        """Hand over a line, without its end; never waits, and never fails: who is gone has said so."""

    def kill(self) -> None:
        """End it at once; may be called twice."""


class ProcessLink:
    """A process of its own group, deaf to Ctrl-C, that ends with this one.

    The project's own engine ends by itself when its input does. Other programs may not: they are `supervised`, and what
    they say on standard error is kept for the reason of their end.
    """

    def __init__(self, command: Sequence[str], heard: Heard, ended: Ended, *, supervised: bool = False) -> None:
        self._heard, self._ended = heard, ended
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._said = b""
        self._lifeline: int | None = None
        posix = os.name == "posix"
        passed: tuple[int, ...] = ()
        if supervised and posix:
            far, self._lifeline = os.pipe()
            command = [sys.executable, "-IS", _SUPERVISOR, str(far), *command]
            passed = (far,)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if supervised else None,
                start_new_session=posix,
                pass_fds=passed,
            )
        finally:
            for end in passed:
                os.close(end)
        self._threads = [threading.Thread(target=self._write, daemon=True)]
        if supervised:
            self._threads.append(threading.Thread(target=self._remember, daemon=True))
        for thread in self._threads:
            thread.start()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, line: bytes) -> None:
        self._lines.put(line)

    def kill(self) -> None:
        if self._process.returncode is None:
            self._end_group()

    def _end_group(self) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _write(self) -> None:
        """In a thread, since a program that does not read would hold up whoever asks it."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            while (line := self._lines.get()) is not None:
                self._process.stdin.write(line + b"\n")
                self._process.stdin.flush()
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _read(self) -> None:
        source = self._process.stdout
        assert source is not None
        with contextlib.suppress(OSError):
            while line := source.readline(MAX_LINE + 1):
                self._heard(line)
        try:
            code = self._process.wait(_LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self._end_group()
            code = self._process.wait()
        self._end_group()  # whatever it has started and left behind
        self._lines.put(None)
        for thread in self._threads:
            thread.join(_LEAVE_SECONDS)
        _close(source)
        if self._lifeline is not None:
            os.close(self._lifeline)
        last = self._said.decode(errors="replace").strip().rpartition("\n")[2].strip()
        self._ended(f"{cause_of(code)}: {last}" if last else cause_of(code))

    def _remember(self) -> None:
        source = self._process.stderr
        assert source is not None
        with contextlib.suppress(OSError):
            while said := os.read(source.fileno(), 4096):
                self._said = (self._said + said)[-_REMEMBERED:]
        _close(source)


def _close(stream: IO[bytes]) -> None:
    with contextlib.suppress(OSError):
        stream.close()
