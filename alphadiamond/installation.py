"""What `make` does first: install the package with what a task needs, and show what pip is doing when it takes long.

    .venv/bin/python -m alphadiamond.installation server

It is run before anything is installed, so it uses the standard library alone.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CONSTRAINTS: Final = ROOT / "constraints.txt"

_SECONDS_BETWEEN_LINES: Final = 10.0
_KEPT: Final = 15
"""The last lines of pip that are shown when it fails."""
_NEEDS: Final = {"dev": "tests and running need", "docs": "the documentation needs"}
"""The extras that are for no command."""
_IMPORTED: Final = (
    *("hydra", "matplotlib.pyplot", "numba", "omegaconf", "pygame", "rich.progress", "rich.table", "safetensors.torch"),
    *("tensorboard", "torch._dynamo", "torch.optim", "torch.utils.tensorboard", "uvicorn", "websockets"),
)
_STAGES: Final = (
    (re.compile(r"Collecting ([\w.\[\]-]+)"), "looking for {}"),
    (
        re.compile(r"(?:Downloading|Using cached) \S*?([\w.]+)-[^/\s]+?(?:\.metadata)? \(([\d.]+ \w+)"),
        "fetching {}, {}",
    ),
    (re.compile(r"Processing \S*?/([\w.]+)-[^/]*\.whl"), "reading {}"),
    (re.compile(r"(?:Preparing (?:meta|edit)|Building|Getting req)"), "preparing"),
    (re.compile(r"Installing collected packages: (.*)"), "installing"),
)


def stage_of(line: str) -> str:
    """What pip says it is doing, in a few words; empty for what nobody needs to know."""
    for pattern, words in _STAGES:
        if found := pattern.search(line):
            if words == "installing":
                return f"installing {found[1].count(',') + 1} packages"
            return words.format(*found.groups())
    return ""


class Progress:
    """The stages of pip: one line, written over and over, on a terminal; elsewhere one every ten seconds."""

    def __init__(self, say: Callable[[str], None], *, terminal: bool, clock: Callable[[], float] = time.monotonic):
        self._say, self._terminal, self._clock = say, terminal, clock
        self._started = self._last = clock()

    def show(self, stage: str) -> None:
        now = self._clock()
        text = f"  {now - self._started:3.0f} s  {stage}"
        if self._terminal:
            self._say(f"\r{text[:78]:<78}")
        elif now - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = now
            self._say(f"{text}\n")

    def end(self) -> None:
        if self._terminal:
            self._say(f"\r{'':<78}\r")


def follow(lines: Iterable[str], progress: Progress) -> list[str]:
    """Show what the lines of pip say; returns the last of them."""
    kept: list[str] = []
    for line in lines:
        kept = [*kept, line.rstrip()][-_KEPT:]
        if stage := stage_of(line):
            progress.show(stage)
    progress.end()
    return kept


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def install(extra: str) -> int:
    """Install the project, editable, with an extra; returns pip's exit code."""
    command = [sys.executable, "-m", "pip", "install", "--progress-bar=off", "--no-input"]
    command += ["--disable-pip-version-check", f"--constraint={CONSTRAINTS}", "--editable", f"{ROOT}[{extra}]"]
    if extra not in _NEEDS:
        command.append("--no-compile")  # byte code for all of torch takes longer than to install it
    _say(f"installing what {_NEEDS.get(extra, 'running needs')} (a minute or so, once)\n")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        last = follow(pip.stdout, Progress(_say, terminal=sys.stderr.isatty()))
    if not pip.returncode and extra not in _NEEDS:
        _import_once()
    if pip.returncode:
        _say("\n".join([*last, "error: pip could not install the packages; its last words are above\n"]))
    return pip.returncode


def _import_once() -> None:
    """Import what commands import, so that its byte code is there: many processes are started, and each would make it
    anew where it may not be written later."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", f"import {', '.join(_IMPORTED)}"], env=environment, capture_output=True)


if __name__ == "__main__":
    sys.exit(install(*sys.argv[1:]))
