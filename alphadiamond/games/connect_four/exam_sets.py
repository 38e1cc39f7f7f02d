"""Six sets of positions by discs on the board and plies to the end, as benchmarks of solvers have them.

| set | discs | plies to the end under best play |
| --- | --- | --- |
| end, easy | 29 and more | under 14 |
| middle, easy | 15 to 28 | under 14 |
| middle, medium | 15 to 28 | 14 to 27 |
| begin, easy | up to 14 | under 14 |
| begin, medium | up to 14 | 14 to 27 |
| begin, hard | up to 14 | 28 and more |

A drawn game ends with the board full. Positions are from random play, each once and without its mirror image; other
than in the exam, there may be no wrong move.
"""

import functools
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Questions
from alphadiamond.base.process_pool import ProcessPool
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.console import progress
from alphadiamond.games.connect_four import exam_kernels
from alphadiamond.games.connect_four.board import COLUMNS, NODES
from alphadiamond.games.connect_four.solver import kernels
from alphadiamond.games.connect_four.solver.batch_kernels import book_key, result_of
from alphadiamond.games.connect_four.solver.exam_kernels import move_signs
from alphadiamond.games.connect_four.solver.solver import TABLE_BITS

NAMES: Final = ("end easy", "middle easy", "middle medium", "begin easy", "begin medium", "begin hard")
EARLIEST: Final = 8
"""Fewer discs take the solver seconds for every move."""
_MIDDLE, _END = 15, 29
_MEDIUM, _HARD = 14, 28
_TOGETHER: Final = 8  # positions of a task

Candidate: TypeAlias = tuple[int, int]
"""Own discs and the opponent's."""


def set_of(discs: int, plies: int) -> int:
    """The index in NAMES of a position with so many discs that ends after so many plies; -1 for none."""
    if discs >= _END:
        return 0 if plies < _MEDIUM else -1
    if discs >= _MIDDLE:
        return 1 if plies < _MEDIUM else 2 if plies < _HARD else -1
    return 3 if plies < _MEDIUM else 4 if plies < _HARD else 5


def make_sets(*, positions: int, seed: int, workers: int = 2) -> tuple[Questions, list[int]]:
    """So many positions of each set in random order, with their answers, and the set of each."""
    rng = np.random.default_rng(seed)
    found: list[list[tuple[Candidate, int, int]]] = [[] for _ in NAMES]
    seen: set[int] = set()
    pool = ProcessPool(scores_of, workers, name="sets", of=lambda task: "sets of Connect Four")
    with progress("positions of the sets", positions * len(NAMES)) as update:
        while any(len(one) < positions for one in found):
            # The sets that are not full yet say which numbers of discs are drawn.
            phases = sorted({min(number, 3) for number, one in enumerate(found) if len(one) < positions})
            drawn = _drawn(rng, 8 * _TOGETHER, [_DISCS[phase] for phase in phases], seen)
            tasks = [drawn[i : i + _TOGETHER] for i in range(0, len(drawn), _TOGETHER)]
            solved = {
                one: result for some, results in pool.run(tasks) for one, result in zip(some, results, strict=True)
            }
            for candidate in drawn:  # in this order, whoever was first
                value, plies = solved[candidate]
                discs = (candidate[0] | candidate[1]).bit_count()
                number = set_of(discs, plies if value else NODES - discs)
                if number >= 0 and len(found[number]) < positions:
                    found[number].append((candidate, value, plies))
            update(sum(map(len, found)), "")
    pool.close()
    return _answered(found, rng, workers)


_DISCS: Final = {0: (_END, 40), 1: (_MIDDLE, _END - 1), 2: (_MIDDLE, _END - 1), 3: (EARLIEST, _MIDDLE - 1)}
"""Where the positions of a set are looked for, the three that begin a game as one."""


def _drawn(rng: np.random.Generator, count: int, ranges: list[tuple[int, int]], seen: set[int]) -> list[Candidate]:
    """Positions of random play with numbers of discs in these ranges, each as likely, that were not drawn before."""
    stream = random_stream(rng)
    positions = np.empty((NODES, 2), dtype=np.int64)
    drawn: list[Candidate] = []
    while len(drawn) < count:
        low, high = ranges[int(rng.integers(len(ranges)))]
        discs = int(rng.integers(low, high + 1))
        depths = np.full(2, int(rng.integers(-1, 1)), dtype=np.int64)  # at random, or winning and blocking at once
        plies = exam_kernels.play_game(depths, 0.0, int(rng.integers(9)), stream, positions)
        if plies <= discs:
            continue
        own, opp = int(positions[discs, 0]), int(positions[discs, 1])
        key = int(book_key(own, own | opp))
        if key not in seen:
            seen.add(key)
            drawn.append((own, opp))
    return drawn


def _answered(
    found: list[list[tuple[Candidate, int, int]]], rng: np.random.Generator, workers: int
) -> tuple[Questions, list[int]]:
    """The chosen positions in random order with the columns that keep their value."""
    chosen = [(*one, number) for number, some in enumerate(found) for one in some]
    chosen = [chosen[i] for i in rng.permutation(len(chosen))]
    tasks = [[one[0] for one in chosen[i : i + _TOGETHER]] for i in range(0, len(chosen), _TOGETHER)]
    signs: dict[Candidate, list[int]] = {}
    pool = ProcessPool(signs_of, workers, name="sets", of=lambda task: "sets of Connect Four")
    with progress("moves of the sets", len(chosen)) as update:
        for candidates, some in pool.run(tasks):
            signs |= dict(zip(candidates, some, strict=True))
            update(len(signs), "")
    pool.close()
    values = np.array([value for _, value, _, _ in chosen], dtype=np.int8)
    questions = Questions(
        states=np.array([[own, opp, 1] for (own, opp), *_ in chosen], dtype=np.int64),
        values=values,
        distances=np.array([plies for _, _, plies, _ in chosen], dtype=np.int16),
        keeping=np.array([signs[one[0]] for one in chosen]) == values[:, None],
        origins=np.zeros(len(chosen), dtype=np.uint8),
        origin_names=("random play",),
    )
    return questions, [number for *_, number in chosen]


def scores_of(candidates: list[Candidate]) -> list[tuple[int, int]]:
    """(value, plies to the end, 0 in a draw) of each, by search."""
    stack, table = _room()
    results = []
    for own, opp in candidates:
        score, _ = kernels.solve(own, own | opp, -kernels.HIGHEST, kernels.HIGHEST, stack, table, kernels.ENDLESS)
        value, plies = result_of(score, own, own | opp)
        results.append((int(value), int(plies)))
    return results


def signs_of(candidates: list[Candidate]) -> list[list[int]]:
    """What each column leads to, by search."""
    stack, table = _room()
    found = []
    for own, opp in candidates:
        signs = np.empty(COLUMNS, dtype=np.int8)
        move_signs(own, opp, signs, stack, table)
        found.append(signs.tolist())
    return found


@functools.cache
def _room() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    return np.zeros(kernels.STACK_SHAPE, dtype=np.int64), np.zeros(1 << TABLE_BITS, dtype=np.uint64)
