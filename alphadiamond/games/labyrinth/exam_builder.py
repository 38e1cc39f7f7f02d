"""Choosing the positions of the exam: from games of several kinds of players in mazes of the exams' own seeds.

Every maze is played once by each kind and gives a few positions at most, so that there are many mazes.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import ILLEGAL, Game, Questions, States
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.start_seeds import Purpose
from alphadiamond.console import progress
from alphadiamond.games.labyrinth.solver import SolvedMaze, exam_kernels

ORIGINS: Final = ("random play", "cheapest ways", "noisy perfect play")
_PLAYERS: Final = (exam_kernels.RANDOM, exam_kernels.CHEAPEST, exam_kernels.KEEPING)
MOST_NOISE: Final = 0.4
"""Each runner of a game draws a chance up to this that a move is any."""
A_MAZE: Final = 4
"""Positions that a maze gives at the most."""


def make_questions(game: Game, *, positions: int, games: int, seed: int) -> Questions:
    """Play in `games` mazes and choose among the positions in which a move can go wrong."""
    rng = np.random.default_rng(seed)
    states, values, distances, keeping, origins, mazes = _candidates(game, rng, games)
    phases = game.phases(states)[0].astype(np.int64)
    shares = keeping.sum(axis=1) / game.legal(states).sum(axis=1)
    difficulty = np.ceil(4 * shares).astype(np.int64)
    cells = ((phases * 2 + values) * 5 + difficulty) * len(ORIGINS) + origins
    chosen = rng.permutation(_choose(cells, mazes, positions, rng))
    return Questions(
        states[chosen], values[chosen], distances[chosen], keeping[chosen], origins[chosen], origin_names=ORIGINS
    )


def _candidates(
    game: Game, rng: np.random.Generator, games: int
) -> tuple[
    States,
    npt.NDArray[np.int8],
    npt.NDArray[np.int16],
    npt.NDArray[np.bool_],
    npt.NDArray[np.uint8],
    npt.NDArray[np.int64],
]:
    """States, values, plies to the end, the actions that keep the value, origins, and the maze of each."""
    rules, stream = game.rules, random_stream(rng)
    rows = np.empty((rules.deadline + 1, rules.state_size), dtype=np.int64)
    values = np.empty(rules.actions, dtype=np.int8)
    found = []
    with progress("mazes", games) as update:
        for number in range(games):
            start = game.state_of(game.drawn_start(rng, Purpose.EXAM))
            solved = SolvedMaze(start, rules)
            known = (rules, solved.table, solved.numbers, solved.power_ups)
            seen = set()
            for origin, player in enumerate(_PLAYERS):
                rows[0] = start
                players = np.array([player, player if origin == 0 else rng.choice(_PLAYERS[1:])])
                noise = rng.uniform(0.0, MOST_NOISE, size=2)
                for row in rows[: exam_kernels.play_game(*known, rng.permutation(players), noise, stream, rows)]:
                    best = exam_kernels.move_values(*known, row, values)
                    legal = values != ILLEGAL
                    if (values[legal] < best).any() and (key := tuple(row.tolist())) not in seen:
                        seen.add(key)
                        distance = solved.plies_to_end(row) if best else 0
                        found.append((row.copy(), best, distance, legal & (values == best), origin, number))
            update(number + 1, f"{len(found)} positions")
    states, bests, distances, keeping, origins, mazes = zip(*found, strict=True)
    return (
        np.array(states, dtype=np.int64),
        np.array(bests, dtype=np.int8),
        np.array(distances, dtype=np.int16),
        np.array(keeping, dtype=np.bool_),
        np.array(origins, dtype=np.uint8),
        np.array(mazes, dtype=np.int64),
    )


def _choose(
    cells: npt.NDArray[np.int64], mazes: npt.NDArray[np.int64], wanted: int, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Take from every cell in turn, so that rare ones are used up first, and few of each maze."""
    queues = [rng.permutation(np.flatnonzero(cells == cell)) for cell in np.unique(cells)]
    taken: list[int] = []
    counts = np.zeros(mazes.max() + 1, dtype=np.int64)
    for turn in range(max(map(len, queues))):
        for k in rng.permutation(len(queues)):
            if turn < len(queues[k]) and len(taken) < wanted and counts[mazes[queues[k][turn]]] < A_MAZE:
                counts[mazes[queues[k][turn]]] += 1
                taken.append(int(queues[k][turn]))
    return np.array(taken, dtype=np.int64)
