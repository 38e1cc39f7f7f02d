"""The scripts: what each can be told, and what it says to command lines, without starting Python for each, which takes
longer than most of what they do."""

import ast
import atexit
import contextlib
import importlib.util
import inspect
import io
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from tests import warm

ROOT = Path(__file__).parents[1]


class Script(NamedTuple):
    about: str
    """What it says of itself."""
    settings: type[Any]


def scripts() -> dict[str, Script]:
    """Each script by its name, with what it hands to `cli.run`, found by reading it."""
    found = {}
    for path in sorted((ROOT / "scripts").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "cli.run":
                specification = importlib.util.spec_from_file_location(f"script_{path.stem}", path)
                assert specification is not None
                assert specification.loader is not None
                module = importlib.util.module_from_spec(specification)
                sys.modules[specification.name] = module
                before = list(sys.path)
                specification.loader.exec_module(module)
                sys.path[:] = before
                settings = getattr(module, ast.unparse(node.args[1]))
                found[ast.literal_eval(node.args[2])] = Script(inspect.cleandoc(module.__doc__ or ""), settings)
    return found


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def answers(script: str, lines: Sequence[Sequence[str]]) -> list[Answer]:
    """What a script says to each of some command lines that end soon, such as mistaken ones."""
    here, there = warm.CONTEXT.Pipe(duplex=False)
    process = warm.CONTEXT.Process(target=_answer, args=(there, str(ROOT / "scripts" / script), lines))
    process.start()
    there.close()
    try:
        found = [Answer(*here.recv()) for _ in lines]
    finally:
        here.close()
        process.join()
    return found


def _answer(there: "Connection[Any, Any]", script: str, lines: Sequence[Sequence[str]]) -> None:
    _settle(script, ROOT, {**os.environ, "PYTHONPATH": str(ROOT)})
    for line in lines:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = _run(script, line)
        there.send((code, out.getvalue(), err.getvalue()))


def _settle(script: str, directory: Path, environment: Mapping[str, str]) -> None:
    """As if Python had been started for a script."""
    warm.install()
    warm.settle(environment)
    os.chdir(directory)
    sys.path.insert(0, os.path.dirname(script))


def _run(script: str, arguments: Sequence[str]) -> int | str:
    sys.argv = [script, *arguments]
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        return end.code or 0
    except KeyboardInterrupt:
        return 130
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


class Started:
    """A script in a process of its own, begun without waiting for Python."""

    def __init__(
        self,
        script: str,
        *arguments: str,
        directory: Path = ROOT,
        environment: Mapping[str, str] | None = None,
        stdin: str = "",
    ) -> None:
        self.arguments = [str(ROOT / "scripts" / script), *arguments]
        given = {**(os.environ if environment is None else environment), "PYTHONPATH": str(ROOT)}
        self._files = tempfile.TemporaryDirectory()
        self._streams = [Path(self._files.name, name) for name in ("in", "out", "err")]
        self._streams[0].write_text(stdin, encoding="utf-8")
        for path in self._streams[1:]:
            path.touch()
        self._process = warm.CONTEXT.Process(target=_work, args=(self.arguments, directory, given, self._streams))
        self._process.start()
        atexit.register(self._process.kill)  # one that a failed test has left behind

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def said(self) -> tuple[str, str]:
        """So far, and where errors go."""
        out, err = (path.read_text(encoding="utf-8") for path in self._streams[1:])
        return out, err

    def communicate(self, timeout: float = 300) -> tuple[str, str]:
        self._process.join(timeout)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
            raise subprocess.TimeoutExpired(self.arguments, timeout, *self.said())
        return self.said()


def _work(command: list[str], directory: Path, environment: Mapping[str, str], streams: list[Path]) -> None:
    _settle(command[0], directory, environment)
    for number, path in enumerate(streams):
        with open(path, "ab" if number else "rb") as file:
            os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False) for number in range(3)
    )
    code = _run(command[0], command[1:])
    if isinstance(code, str):
        print(code, file=sys.stderr)
    atexit._run_exitfuncs()
    sys.exit(code if isinstance(code, int) else 1)


def finished(script: str, *arguments: str, timeout: float = 300, **more: Any) -> "subprocess.CompletedProcess[str]":
    """What a script says that runs to its end, in a process of its own.

    Tests that watch what is imported start Python themselves.
    """
    started = Started(script, *arguments, **more)
    out, err = started.communicate(timeout)
    assert started.returncode is not None
    return subprocess.CompletedProcess(started.arguments, started.returncode, out, err)
