"""Making the opening book: one number of discs after another, each position solved by search.

The book on disk is the state of the work: it is read, gone on with, and written again every minute, so that stopping
loses no more than that. When all positions with so many discs are solved, those with fewer follow from them.
"""

import contextlib
import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from alphadiamond.console import progress
from alphadiamond.games.connect_four.board import BOARD, COLUMNS, NODES
from alphadiamond.games.connect_four.kernels import column_mask, has_four, playable
from alphadiamond.games.connect_four.solver.batch_kernels import book_key
from alphadiamond.games.connect_four.solver.book import Book, BookError
from alphadiamond.games.connect_four.solver.kernels import HIGHEST
from alphadiamond.games.connect_four.solver.solver import Solver

_SECONDS_BETWEEN_SAVES: Final = 60.0

Board: TypeAlias = tuple[int, int]
"""Own discs and all discs."""
Boards: TypeAlias = dict[int, Board]
"""Positions of games that go on by their keys."""

Task: TypeAlias = tuple[int, int, int, int]
"""Key, own discs, all discs, and a lower bound of the score."""

_solver: Solver | None = None  # of this process


def make_book(
    path: Path,
    *,
    discs: int,
    first: int = 1,
    seconds: float | None = None,
    workers: int = 1,
    root: Board = (0, 0),
) -> Book:
    """Solve all positions with `first` discs, then with one more, up to `discs`, or as far as the time goes.

    Only positions that can come from `root` are in the book.
    """
    book = Book.load(path) if path.exists() else Book.empty()
    ends = None if seconds is None else time.monotonic() + seconds
    for level in range(max(first, book.complete + 1), discs + 1):
        book = _solve_level(path, book, boards(level, root), level, workers, ends)
        if book.complete < level:
            break
    return book


def _solve_level(path: Path, book: Book, levels: list[Boards], level: int, workers: int, ends: float | None) -> Book:
    scores = book.as_dict
    todo = [
        (key, own, mask, _lower_bound(own, mask, scores))
        for key, (own, mask) in levels[-1].items()
        if key not in scores
    ]
    done = len(levels[-1]) - len(todo)
    saved = time.monotonic()
    with (
        progress(f"positions with {level} discs", len(levels[-1])) as update,
        _solved(todo, workers) as results,
    ):
        for key, score in results:
            scores[key] = score
            done += 1
            update(done, f"{len(scores)} in the book")
            now = time.monotonic()
            if ends is not None and now > ends:
                break
            if now - saved > _SECONDS_BETWEEN_SAVES:
                Book.of(scores, book.complete).save(path)
                saved = now
    complete = book.complete
    if done == len(levels[-1]):
        _fill_from_successors(scores, levels, level)
        complete = level
    found = Book.of(scores, complete)
    found.save(path)
    return found


@contextlib.contextmanager
def _solved(tasks: list[Task], workers: int) -> Iterator[Iterator[tuple[int, int]]]:
    """Keys and scores as they are found, by processes of their own where there is to be more than one."""
    if workers == 1:
        yield map(_solve, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:  # leaving it ends what is still at work
        yield pool.imap_unordered(_solve, tasks)


def _solve(task: Task) -> tuple[int, int]:
    """A position's key and score."""
    global _solver
    _solver = _solver or Solver(Book.empty())
    key, own, mask, low = task
    return key, _solver.score(own, mask, low=low)


def boards(discs: int, root: Board = (0, 0)) -> list[Boards]:
    """All positions of games that go on from `root` on, by the number of discs up to `discs`, one of each pair of
    mirror images."""
    levels: list[Boards] = [{int(book_key(*root)): root}]
    for _ in range(root[1].bit_count(), discs):
        levels.append(
            {
                int(book_key(*after)): after
                for board in levels[-1].values()
                for after in _successors(*board)
                if not has_four(after[0] ^ after[1]) and after[1] != BOARD
            }
        )
    return levels


def _successors(own: int, mask: int) -> Iterator[Board]:
    """The board after each move, for the other side."""
    for column in range(COLUMNS):
        disc = int(playable(mask) & column_mask(column))
        if disc:
            yield own ^ mask, mask | disc


def _lower_bound(own: int, mask: int, scores: dict[int, int]) -> int:
    """A lower bound by the positions that this one follows: no reply gives a player more than the best one."""
    tops = mask & ~(mask >> 1) & ~own
    found = -HIGHEST
    for column in range(COLUMNS):
        disc = int(tops & column_mask(column))
        if disc:
            key = int(book_key(own ^ mask ^ disc, mask ^ disc))
            found = max(found, -scores.get(key, HIGHEST))
    return found


def _fill_from_successors(scores: dict[int, int], levels: list[Boards], deepest: int) -> None:
    """Scores of positions with fewer discs from those of their successors; what was there has to agree."""
    for before in range(1, len(levels)):
        won = (NODES + 1 - (deepest - before)) // 2
        for key, (own, mask) in levels[-1 - before].items():
            best = max(
                won if has_four(after[0] ^ after[1]) else 0 if after[1] == BOARD else -scores[int(book_key(*after))]
                for after in _successors(own, mask)
            )
            if scores.setdefault(key, best) != best:
                raise BookError(f"the book contradicts itself: {scores[key]} and {best} for key {key}; make it anew")
