"""Counters in the text that Prometheus reads."""

import bisect
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

_QUIET: Final = 60.0
"""Seconds in which the same trouble is logged once."""
_log = logging.getLogger("alphadiamond.server")
_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Histogram:
    def __init__(self) -> None:
        self._counts = [0] * (len(_BOUNDS) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect.bisect_left(_BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> list[str]:
        total, lines = 0, []
        for bound, count in zip((*_BOUNDS, "+Inf"), self._counts, strict=True):
            total += count
            lines.append(f'{name}_bucket{{le="{bound}"}} {total}')
        return [*lines, f"{name}_sum {self._sum:.6f}", f"{name}_count {total}"]


_HELP: Final = {
    "moves": "Moves accepted and written.",
    "games_begun": "Games begun.",
    "games_ended": "Games ended.",
    "messages": "Messages from clients.",
    "refused": "Requests that were answered with an error.",
    "cut_off": "Connections closed for floods, for not reading, or for what they sent.",
    "turned_away": "Connections refused.",
    "people": "People who have got a name.",
    "thoughts": "Thoughts of bots.",
    "commits": "Transactions written and synced.",
    "troubles": "Requests that met a fault of the machine: no disk, no files.",
}


class Metrics:
    """What has happened since the server began, and what is now."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.moving = Histogram()
        """From a move's arrival to its being sent to everybody."""
        self.writing = Histogram()
        """From being asked for to being on disk."""
        self._told: dict[str, float] = {}
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}

    def add(self, name: str, count: int = 1) -> None:
        self.counts[name] += count

    def trouble(self, what: str, error: BaseException) -> None:
        """Something of the machine's is wrong: one line, however often it is met in a minute."""
        self.add("troubles")
        now = time.monotonic()
        if now - self._told.get(what, -_QUIET) >= _QUIET:
            self._told[what] = now
            _log.error(what, extra={"fault": f"{type(error).__name__}: {error}"})

    def text(self) -> str:
        lines: list[str] = []
        for name, words in _HELP.items():
            full = f"alphadiamond_{name}_total"
            lines += [f"# HELP {full} {words}", f"# TYPE {full} counter", f"{full} {self.counts[name]}"]
        for name, (words, value) in self.gauges.items():
            full = f"alphadiamond_{name}"
            lines += [f"# HELP {full} {words}", f"# TYPE {full} gauge", f"{full} {value():g}"]
        for name, words, histogram in (
            ("move_seconds", "From a move's arrival to its being sent on.", self.moving),
            ("commit_seconds", "From being asked for to being on disk.", self.writing),
        ):
            full = f"alphadiamond_{name}"
            lines += [f"# HELP {full} {words}", f"# TYPE {full} histogram", *histogram.lines(full)]
        return "\n".join(lines) + "\n"
