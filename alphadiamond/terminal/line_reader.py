"""Lines from the person: with completion and history at a terminal, bare from a pipe."""

import contextlib
import glob
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TextIO

Words = Callable[[str], Sequence[str]]
"""What could stand at the end of a line that begins so."""


class Reader:
    """`words` says what can be completed; a pipe has no completion, and what it sends is shown, so that what comes out
    reads as a conversation."""

    def __init__(self, words: Words, source: TextIO | None = None) -> None:
        self._source = source if source is not None else sys.stdin
        self._words = words
        self.alone = not self._source.isatty()
        self._readline = None if self.alone else _readline()
        if self._readline is not None:
            self._readline.set_completer(self._complete)
            self._readline.set_completer_delims(" ")
            mac = "libedit" in (self._readline.__doc__ or "")
            self._readline.parse_and_bind("bind ^I rl_complete" if mac else "tab: complete")

    def read(self, prompt: str, echo: Callable[[str], None]) -> str | None:
        """One line; None at the end of the input. Ctrl-C raises."""
        if not self.alone:
            try:
                return input(prompt)
            except EOFError:
                return None
        line = self._source.readline()
        if not line:
            return None
        echo(f"{prompt}{line.rstrip()}")
        return line

    def _complete(self, text: str, state: int) -> str | None:
        assert self._readline is not None
        with contextlib.suppress(Exception):  # an error in here would be printed across the line
            before = self._readline.get_line_buffer()[: self._readline.get_begidx()]
            found = [word for word in self._words(before) if word.startswith(text)]
            if state < len(found):
                return found[state] + (" " if len(found) == 1 else "")
        return None


def files(prefix: str = "") -> list[str]:
    """Files and directories that begin so, for completion."""
    return [path + os.sep if os.path.isdir(path) else path for path in sorted(glob.glob(f"{glob.escape(prefix)}*"))]


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # Windows
        return None
    return readline
