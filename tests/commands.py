"""Many command lines of one script in one process: to start Python for each takes longer than what it says."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

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
