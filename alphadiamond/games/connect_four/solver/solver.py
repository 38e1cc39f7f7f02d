"""The exact solution of Connect Four: asked, not stored."""

import threading
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import ILLEGAL, States
from alphadiamond.games.connect_four.board import BOARD, NODES
from alphadiamond.games.connect_four.kernels import has_four
from alphadiamond.games.connect_four.solver import batch_kernels, kernels
from alphadiamond.games.connect_four.solver.book import Book

TABLE_BITS: Final = 22
"""2^22 entries of 8 bytes, 32 MB: more would help the longest searches a little and slow the others down."""


SLICE: Final = 1 << 18
"""Nodes between two looks at whether an answer is still wanted: some hundredths of a second."""


class Solver:
    """Exact values of any position: the book's, or found by search. One search at a time; others wait."""

    def __init__(self, book: Book | None = None, *, table_bits: int = TABLE_BITS) -> None:
        self.book = Book.load() if book is None else book
        self._stack = np.zeros(kernels.STACK_SHAPE, dtype=np.int64)
        self._table = np.zeros(1 << table_bits, dtype=np.uint64)
        self._lock = threading.Lock()

    def values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """(1 won, 0 drawn, -1 lost [B], plies to the end of a decided game, 0 in a draw [B])."""
        with self._lock:
            return batch_kernels.state_results(states, *self._lookup_arguments())

    def action_values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """The same for every action of each state, for the side to move there, [B, 7]; `ILLEGAL` where it is none."""
        with self._lock:
            return batch_kernels.action_results(states, ILLEGAL, *self._lookup_arguments())

    def search(self, state: npt.NDArray[np.int64], stop: Callable[[], bool]) -> tuple[int, int] | None:
        """The value of one state and its distance, as `values` has them; None if it was stopped before that was known.

        Others get their turn in between.
        """
        own, mask = int(state[0]), int(state[0] | state[1])
        if has_four(int(state[1])):
            return -1, 0
        if mask == BOARD:
            return 0, 0
        score = self._score_unless(own, mask, stop)
        return None if score is None else batch_kernels.result_of(score, own, mask)

    def _score_unless(self, own: int, mask: int, stop: Callable[[], bool]) -> int | None:
        known = batch_kernels.book_score(own, mask, self.book.keys, self.book.scores, self.book.deepest)
        if known != kernels.UNKNOWN:
            return int(known)
        discs = mask.bit_count()
        if kernels.can_win(own, mask):
            return (NODES + 1 - discs) // 2
        low, high = -((NODES - discs) // 2), (NODES - 1 - discs) // 2
        stack = np.zeros(kernels.STACK_SHAPE, dtype=np.int64)
        while low < high:
            above, value = kernels.next_question(low, high), kernels.UNKNOWN
            resume = False
            while value == kernels.UNKNOWN:
                if stop():
                    return None
                with self._lock:
                    value, _ = kernels.is_at_least(own, mask, above + 1, stack, self._table, SLICE, resume)
                resume = True
            low, high = (value, high) if value > above else (low, value)
        return int(low)

    def score(self, own: int, mask: int, *, low: int = -kernels.HIGHEST, high: int = kernels.HIGHEST) -> int:
        """The score of a position of a game that goes on, which is known to lie between `low` and `high`, by search
        alone."""
        with self._lock:
            return int(kernels.solve(own, mask, low, high, self._stack, self._table, kernels.ENDLESS)[0])

    def clear(self) -> None:
        """Begin with an empty table, as if nothing had been asked."""
        with self._lock:
            self._table[:] = 0

    def _lookup_arguments(
        self,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8], int, npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        return self.book.keys, self.book.scores, self.book.deepest, self._stack, self._table
