"""The scripts: what each can be told, and many command lines of one in one process, since to start Python for each
takes longer than what it says."""

import ast
import importlib.util
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Sequence
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
