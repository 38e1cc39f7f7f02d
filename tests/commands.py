"""The scripts: what each can be told, and what it says to command lines, without starting Python for each, which takes
longer than most of what they do."""

import ast
import atexit
import contextlib
import functools
import importlib.util
import inspect
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]

_DRIVER = """if True:
    import contextlib, io, json, runpy, sys
    script, lines = json.loads(sys.stdin.read())
    answers = []
    for arguments in lines:
        out, err, code = io.StringIO(), io.StringIO(), 0
        sys.argv = [script, *arguments]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                runpy.run_path(script, run_name="__main__")
            except SystemExit as end:
                code = end.code or 0
        answers.append([code, out.getvalue(), err.getvalue()])
    print(json.dumps(answers))
"""


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
    given = json.dumps([str(ROOT / "scripts" / script), [list(line) for line in lines]])
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", _DRIVER], input=given, capture_output=True, text=True, cwd=ROOT, env=environment
    )
    assert done.returncode == 0, done.stderr
    return [Answer(*answer) for answer in json.loads(done.stdout)]


_TEMPLATE = """if True:
    import importlib, json, os, runpy, socket, sys
    for name in ("hydra", "matplotlib.pyplot", "torch", "alphadiamond.analysis.task", "alphadiamond.arena.evaluation",
                 "alphadiamond.studies.runs", "alphadiamond.training.run"):
        importlib.import_module(name)
    asks = socket.socket(fileno=int(sys.argv[1]))
    while True:
        asked, places, _, _ = socket.recv_fds(asks, 1 << 20, 3)
        if not asked:
            sys.exit()
        pid = os.fork()
        if not pid:
            break
        for place in places:
            os.close(place)
        asks.sendall(b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    asks.close()
    for number, place in enumerate(places):
        os.dup2(place, number)
        os.close(place)
    sys.argv, directory, environment = json.loads(asked)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)
    sys.path[0] = os.path.dirname(sys.argv[0])
    runpy.run_path(sys.argv[0], run_name="__main__")
"""


@functools.cache
def _template() -> socket.socket:
    """A process that has imported what scripts import and runs each in a copy of itself."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-c", _TEMPLATE, str(theirs.fileno())]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[theirs.fileno()])
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def finished(
    script: str,
    *arguments: str,
    directory: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout: float = 300,
) -> "subprocess.CompletedProcess[str]":
    """What a script says that runs to its end, in a process of its own.

    Tests that send signals, or watch what is imported, start Python themselves.
    """
    command = [str(ROOT / "scripts" / script), *arguments]
    given = {**(os.environ if environment is None else environment), "PYTHONPATH": str(ROOT)}
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8")) for _ in range(3)]
        streams[0].write(stdin)
        streams[0].seek(0)
        if hasattr(os, "fork"):
            template = _template()
            asked = json.dumps([command, str(directory), given]).encode()
            socket.send_fds(template, [asked], [stream.fileno() for stream in streams])
            template.settimeout(timeout)
            code = int(template.recv(64))
        else:
            whole = [sys.executable, *command]
            streams_of = dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))
            code = subprocess.run(whole, cwd=directory, env=given, timeout=timeout, **streams_of).returncode  # type: ignore[call-overload]
        for stream in streams[1:]:
            stream.seek(0)
        return subprocess.CompletedProcess(command, code, streams[1].read(), streams[2].read())
