"""What the person sees: lines of at most 80 columns, with colours where there are any."""

import contextlib
import os
import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import Final, TextIO

_RESET: Final = "\x1b[0m"
_STYLES: Final = {
    "green": "\x1b[1;30;42m",
    "red": "\x1b[1;97;41m",
    "yellow": "\x1b[1;30;43m",
    "ivory": "\x1b[1;30;47m",
    "ebony": "\x1b[1;97;100m",
    "mark": "\x1b[1;33m",
    "line": "\x1b[2m",
    "way": "\x1b[1;32m",
    "explored": "\x1b[35m",
    "frontier": "\x1b[1;33m",
    "map": "\x1b[36m",
    "title": "\x1b[1m",
    "fault": "\x1b[1;33m",
}
_WIDEST: Final = 80


class Screen:
    """`plain` is for screen readers: no picture, no colours, whole sentences."""

    def __init__(self, out: TextIO, *, plain: bool = False, environment: Mapping[str, str] = os.environ) -> None:
        self.plain = plain
        self._out = out
        if hasattr(out, "reconfigure"):
            out.reconfigure(errors="replace")  # a letter that the terminal does not have must not end the game
        self._could_paint = out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"

    @property
    def colours(self) -> bool:
        return self._could_paint and not self.plain

    @property
    def width(self) -> int:
        return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns)

    def paint(self, text: str, style: str) -> str:
        return f"{_STYLES[style]}{text}{_RESET}" if self.colours and style in _STYLES else text

    def say(self, text: str = "", *, style: str = "", indent: str = "") -> None:
        """One paragraph, broken where the line is full."""
        wrapped = textwrap.wrap(  # `cs-si` is one move
            text, self.width - 1, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
        lines = wrapped or [""]
        for line in lines:
            self.show(self.paint(line, style) if style else line)

    @contextlib.contextmanager
    def passing(self, text: str) -> Iterator[None]:
        """A note that is gone when the work is done; none where it would stay or be read out."""
        if not self.colours:
            yield
            return
        print(self.paint(text, "line"), end="", file=self._out, flush=True)
        try:
            yield
        finally:
            print("\r\x1b[K", end="", file=self._out, flush=True)

    def show(self, *lines: str) -> None:
        """Lines as they are."""
        for line in lines:
            print(line.replace(" · ", ", ") if self.plain else line, file=self._out)
        self._out.flush()
