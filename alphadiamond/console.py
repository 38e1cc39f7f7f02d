"""What a person at a terminal sees of long work: a bar where there is a terminal, plain lines where there is none."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console

Update: TypeAlias = Callable[[int, str], None]
"""Called with how much is done so far and a short note."""

_SECONDS_BETWEEN_LINES = 10.0


def duration(seconds: float) -> str:
    """A length of time for people: `48 s`, `3 min 05 s`, `2 h 10 min`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min"


def count_of(number: int, thing: str) -> str:
    """`1 worker`, `2 workers`."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def result_console(*, width: int = 120, highlight: bool = True) -> "Console":
    """Where tables of results go: as wide as the terminal, and of one width where the output is a file."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else width, highlight=highlight)


def print_written(place: object, *names: str, note: str = "", file: IO[str] | None = None) -> None:
    """Tell a person where results are: a file, or a directory and the names of the files in it."""
    print(f"written to {place}{': ' + ', '.join(names) if names else ''}{', ' + note if note else ''}", file=file)


@contextlib.contextmanager
def progress(title: str, total: int) -> Iterator[Update]:
    """A progress bar on standard error, or a line every ten seconds where that is no terminal."""
    if sys.stderr.isatty():
        yield from _bar(title, total)
    else:
        yield from _lines(title, total)


def _bar(title: str, total: int) -> Iterator[Update]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total, note="")
        try:
            yield lambda done, note: bar.update(task, completed=done, note=note)
        finally:
            bar.live.transient = not bar.finished  # a bar that nothing moves any more is taken away


def _lines(title: str, total: int) -> Iterator[Update]:
    started = last = time.monotonic()

    def update(done: int, note: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < _SECONDS_BETWEEN_LINES and done < total:
            return
        last = now
        left = f"; {duration((now - started) / done * (total - done))} left" if 0 < done < total else ""
        print(f"{title}: {done}/{total}{left}{'; ' + note if note else ''}", file=sys.stderr, flush=True)

    yield update
