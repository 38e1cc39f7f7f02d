"""Work over all rows of the table, on several threads and with progress."""

import itertools
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.solver.table_file import TablebaseError
from alphadiamond.base.threads import Chunk, ThreadPool
from alphadiamond.console import progress
from alphadiamond.games.dame.solver import kernels
from alphadiamond.games.dame.solver.index_kernels import BASES, ENTRIES
from alphadiamond.games.dame.solver.kernels import LEVELS, Table

_CHUNKS: Final = 16
Fill = Callable[[Table, npt.NDArray[np.uint8], int, int, int], int]
"""Fills one level of some rows: see `kernels.solve_rows`."""


def solve(*, threads: int = 0) -> Table:
    """The results of all positions."""
    return _filled("solving Dame", kernels.solve_rows, threads)


def longest_games(*, threads: int = 0) -> Table:
    """[ENTRIES] the plies of the longest game from each position."""
    return _filled("longest games", kernels.fill_longest_games, threads)


def prove(table: Table, *, threads: int = 0) -> int:
    """Check that every entry follows from its successors, and return how many there are; one that does not is an error.

    That is a proof and no sample: every move leaves the men less to go, so that by induction all results are right.
    """

    def check(*rows: int) -> int:
        return kernels.first_disagreement(table, *rows)

    with ThreadPool(threads) as pool:
        for _, wrong in pool.run(check, chunks(), title="proving Dame"):
            if wrong >= 0:
                raise TablebaseError(
                    f"entry {wrong}: {table[wrong]} does not agree with its successors",
                    "solve it again with resume=false",
                )
    return ENTRIES


def chunks() -> list[Chunk]:
    """Rows that have about as many entries together, each from the first to the one after the last."""
    edges = [int(edge) for edge in np.searchsorted(BASES[:-1], np.linspace(0, ENTRIES, _CHUNKS + 1))]
    return list(itertools.pairwise(edges))


def _filled(title: str, fill: Fill, threads: int) -> Table:
    """A table filled level by level."""
    table = np.zeros(ENTRIES, dtype=np.int8)
    levels = np.zeros(ENTRIES, dtype=np.uint8)
    with ThreadPool(threads) as pool, progress(title, ENTRIES) as update:
        for _ in pool.run(lambda *rows: kernels.fill_levels(levels, *rows), chunks()):
            pass
        done = 0
        for level in range(LEVELS):
            parts = pool.run(lambda *rows, level=level: fill(table, levels, level, *rows), chunks())
            done += sum(filled for _, filled in parts)
            update(done, "")
    return table
