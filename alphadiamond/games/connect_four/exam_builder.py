"""Choosing the positions of the exam: from play of several kinds, so many of each number of discs.

Early positions take the solver longest, so there are fewer of them. A position that can be won at once is a question
for beginners: there are a few of those.
"""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Questions
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.console import progress
from alphadiamond.games.connect_four import exam_kernels
from alphadiamond.games.connect_four.board import COLUMNS, NODES
from alphadiamond.games.connect_four.solver import kernels
from alphadiamond.games.connect_four.solver.batch_kernels import book_key, result_of
from alphadiamond.games.connect_four.solver.exam_kernels import move_signs
from alphadiamond.games.connect_four.solver.solver import TABLE_BITS

FIRST, LAST = 8, 34
"""The plies that positions are taken from."""
ORIGINS: Final = ("random play", "players who win and block", "minimax with slips")
AT_ONCE: Final = 0.1
"""The share of positions, for each number of discs, that may be won at once."""
SHARES: Final = {8: 0.1, 9: 0.12, 10: 0.15, 11: 0.2, 12: 0.3, 13: 0.4, 14: 0.6, 15: 0.8}
"""How many positions there are for an early ply, as a share of those for each later one."""


Candidate: TypeAlias = tuple[int, int, int]
"""Own discs, the opponent's, and an index into ORIGINS."""
Question: TypeAlias = tuple[list[int], int, int, npt.NDArray[np.bool_], int]
"""State, value, distance, the columns that keep the value, and an index into ORIGINS."""


def make_questions(*, positions: int, games: int, seed: int, workers: int = 2) -> Questions:
    """Play `games` games of each kind and choose at least `positions` positions in which a move can go wrong."""
    rng = np.random.default_rng(seed)
    candidates = _candidates(rng, games)
    plies = range(FIRST, LAST + 1)
    shares = [SHARES.get(ply, 1.0) for ply in plies]
    wanted = [int(np.ceil(share * positions / sum(shares))) for share in shares]
    chosen: dict[int, list[Question]] = {}
    context = multiprocessing.get_context("spawn")
    with (
        progress("positions of the exam", sum(wanted)) as update,
        ProcessPoolExecutor(workers, mp_context=context) as pool,
    ):
        futures = {pool.submit(_choose, candidates[ply], count): ply for ply, count in zip(plies, wanted, strict=True)}
        for future in as_completed(futures):
            chosen[futures[future]] = future.result()
            update(sum(map(len, chosen.values())), f"{len(chosen)} of {len(plies)} plies")
    found = [question for ply in plies for question in chosen[ply]]
    states, values, distances, keeping, origins = zip(*(found[i] for i in rng.permutation(len(found))), strict=True)
    return Questions(
        states=np.array(states, dtype=np.int64),
        values=np.array(values, dtype=np.int8),
        distances=np.array(distances, dtype=np.int16),
        keeping=np.array(keeping, dtype=np.bool_),
        origins=np.array(origins, dtype=np.uint8),
        origin_names=ORIGINS,
    )


def _choose(candidates: list[Candidate], wanted: int) -> list[Question]:
    """The first candidates in which a move can go wrong, with their answers."""
    stack = np.zeros(kernels.STACK_SHAPE, dtype=np.int64)
    table = np.zeros(1 << TABLE_BITS, dtype=np.uint64)
    found: list[Question] = []
    at_once = 0
    for own, opp, origin in candidates:
        if len(found) == wanted:
            break
        easy = bool(kernels.can_win(own, own | opp))
        if easy and at_once >= AT_ONCE * wanted:
            continue
        signs = np.empty(COLUMNS, dtype=np.int8)
        move_signs(own, opp, signs, stack, table)
        legal = signs != kernels.UNKNOWN
        best = int(signs[legal].max())
        if best == signs[legal].min():
            continue
        distance = 0
        if best == 1:
            score, _ = kernels.solve(own, own | opp, 1, kernels.HIGHEST, stack, table, kernels.ENDLESS)
            distance = int(result_of(score, own, own | opp)[1])
        found.append(([own, opp, 1], best, distance, signs == best, origin))
        at_once += easy
    return found


def _candidates(rng: np.random.Generator, games: int) -> list[list[Candidate]]:
    """(own, opp, origin) by ply, in random order with the origins in turn, each once and without its mirror image."""
    stream = random_stream(rng)
    by_ply: list[list[list[tuple[int, int]]]] = [[[] for _ in ORIGINS] for _ in range(NODES)]
    seen: set[int] = set()
    positions = np.empty((NODES, 2), dtype=np.int64)
    for origin in range(len(ORIGINS)):
        for _ in range(games):
            depths = rng.integers(1, 4, size=2) if origin == 2 else np.full(2, origin - 1, dtype=np.int64)
            noise = float(rng.uniform(0.0, 0.3)) if origin == 2 else 0.0
            plies = exam_kernels.play_game(depths, noise, int(rng.integers(9)), stream, positions)
            for ply in range(FIRST, min(plies, LAST + 1)):
                own, opp = int(positions[ply, 0]), int(positions[ply, 1])
                key = int(book_key(own, own | opp))
                if key not in seen:
                    seen.add(key)
                    by_ply[ply][origin].append((own, opp))
    mixed = []
    for groups in by_ply:
        queues = [[group[i] for i in rng.permutation(len(group))] for group in groups]
        turns = range(max(map(len, queues)))
        mixed.append([(*queue[t], origin) for t in turns for origin, queue in enumerate(queues) if t < len(queue)])
    return mixed
