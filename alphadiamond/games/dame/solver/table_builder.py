"""Work over all rows of the table, on several threads and with progress."""

import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from alphadiamond.console import progress
from alphadiamond.games.dame.solver import kernels
from alphadiamond.games.dame.solver.index_kernels import BASES, ENTRIES, ROWS
from alphadiamond.games.dame.solver.kernels import LEVELS, Table
from alphadiamond.games.dame.solver.table_file import AGAIN, SolutionError

T = TypeVar("T")
_CHUNKS: Final = 16
Fill = Callable[[Table, npt.NDArray[np.uint8], int, int, int], int]
"""Fills one level of some rows: see `kernels.solve_rows`."""


def solve(*, threads: int = 0) -> Table:
    """The results of all positions."""
    return _filled("solving Dame", kernels.solve_rows, threads)


def longest_games(*, threads: int = 0) -> Table:
    """[ENTRIES] the plies of the longest game from each position."""
    return _filled("longest games", kernels.lengthen_rows, threads)


def prove(table: Table, *, threads: int = 0) -> int:
    """Check that every entry follows from its successors, and return how many there are; one that does not is an error.

    That is a proof and no sample: every move leaves the men less to go, so that by induction all results are right.
    """
    with team_of(threads) as team, progress("proving Dame", ROWS) as update:
        done = 0
        for (first, last), wrong in over_rows(team, lambda *rows: kernels.first_disagreement(table, *rows)):
            if wrong >= 0:
                raise SolutionError(f"entry {wrong}: {table[wrong]} does not agree with its successors; {AGAIN}")
            done += last - first
            update(done, "")
    return ENTRIES


def team_of(threads: int) -> ThreadPoolExecutor:
    """0: a thread a core."""
    return ThreadPoolExecutor(threads or os.cpu_count() or 1)


def over_rows(team: ThreadPoolExecutor, work: Callable[[int, int], T]) -> Iterator[tuple[tuple[int, int], T]]:
    """Chunks of rows, each with what `work` returns for its first and last, as they are done."""
    edges = [int(edge) for edge in np.searchsorted(BASES[:-1], np.linspace(0, ENTRIES, _CHUNKS + 1))]
    futures = {team.submit(work, *chunk): chunk for chunk in itertools.pairwise(edges)}
    for future in as_completed(futures):
        yield futures[future], future.result()


def _filled(title: str, fill: Fill, threads: int) -> Table:
    """A table filled level by level."""
    table = np.zeros(ENTRIES, dtype=np.int8)
    levels = np.zeros(ENTRIES, dtype=np.uint8)
    with team_of(threads) as team, progress(title, ENTRIES) as update:
        for _ in over_rows(team, lambda *rows: kernels.measure_rows(levels, *rows)):
            pass
        done = 0
        for level in range(LEVELS):
            parts = over_rows(team, lambda *rows, level=level: fill(table, levels, level, *rows))
            done += sum(filled for _, filled in parts)
            update(done, "")
    return table
