"""The cores of this machine, and threads that share compiled work on a table."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from types import TracebackType
from typing import Self, TypeAlias, TypeVar

from alphadiamond.console import progress
from alphadiamond.errors import AlphaDiamondError

R = TypeVar("R")
Chunk: TypeAlias = tuple[int, ...]
"""The arguments of a kernel that name its part of a table; the last two say where that begins and ends."""


def available_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class ThreadPool:
    """Threads that run compiled functions on chunks of a table; compiled code holds no interpreter lock."""

    def __init__(self, threads: int = 0) -> None:
        """0: a thread a core."""
        if threads < 0:
            raise AlphaDiamondError(f"threads={threads}: expected 0, for one on each core, or more")
        self._pool = ThreadPoolExecutor(threads or available_cores())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)

    def run(self, function: Callable[..., R], chunks: Iterable[Chunk], *, title: str = "") -> Iterator[tuple[Chunk, R]]:
        """Each chunk with what the function returned for it, in the order in which they are done; with a title the
        person at the terminal sees how far that is."""
        futures = {self._pool.submit(function, *chunk): chunk for chunk in chunks}
        done, total = 0, sum(chunk[-1] - chunk[-2] for chunk in futures.values())
        with ExitStack() as stack:
            update = stack.enter_context(progress(title, total)) if title else None
            try:
                for future in as_completed(futures):
                    chunk = futures[future]
                    done += chunk[-1] - chunk[-2]
                    if update is not None:
                        update(done, "")
                    yield chunk, future.result()
            except BaseException:
                for future in futures:
                    future.cancel()
                raise
