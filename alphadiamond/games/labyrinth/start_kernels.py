"""Positions from anywhere in a game, compiled: two runners who mostly go by the cheapest ways, and totals that leave
the game open.

Random steps alone would leave both near where they began. And where one has paid far more than the other no move
matters: what the one who is ahead has paid is raised until both would pay about the same in the end.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base import rules as base
from alphadiamond.base.compilation import njit
from alphadiamond.base.random_kernels import random_below, random_unit
from alphadiamond.base.results import ONGOING
from alphadiamond.games.labyrinth.board import MOST_A_STEP
from alphadiamond.games.labyrinth.rules import PLIES_LEFT, TOTALS, LabyrinthRules

MOST_RANDOM: Final = 0.7
"""Each runner draws a chance up to this that a step of his is random."""
SPREAD: Final = 12
"""Margins to be expected are drawn between -4 and 4 times this, mostly small: the sum of four even numbers."""


@njit
def walk(rules: LabyrinthRules, state: npt.NDArray[np.int64], plies: int, stream: npt.NDArray[np.uint64]) -> bool:
    """Play so many plies in place; whether the game goes on. Steps are the best by the cheapest ways of both, or
    random."""
    actions = np.empty(rules.max_moves, dtype=np.int16)
    after, best = np.empty_like(state), np.empty_like(state)
    chances = (MOST_RANDOM * random_unit(stream), MOST_RANDOM * random_unit(stream))
    for _ in range(plies):
        if base.status(rules, state) != ONGOING:
            return False
        count = base.list_moves(rules, state, actions)
        if random_unit(stream) < chances[(rules.deadline - state[PLIES_LEFT]) & 1]:
            base.play(rules, state, actions[random_below(stream, count)], best)
        else:
            least, first = 1 << 30, random_below(stream, count)
            for i in range(count):
                base.play(rules, state, actions[(first + i) % count], after)
                score = base.score(rules, after)  # for the one who moves next
                if score < least:
                    least = score
                    best[:] = after
        state[:] = best
    return base.status(rules, state) == ONGOING


@njit
def even_out(rules: LabyrinthRules, state: npt.NDArray[np.int64], stream: npt.NDArray[np.uint64]) -> None:
    """Raise the total of whoever is ahead, so that the margin to be expected is a small random one; as far as he can
    have paid so much."""
    wanted = 0
    for _ in range(4):
        wanted += 2 * (random_below(stream, SPREAD + 1) - SPREAD // 2)
    mover = (rules.deadline - state[PLIES_LEFT]) & 1
    ahead = base.score(rules, state) - wanted
    runner = mover if ahead > 0 else 1 - mover
    moves = (rules.deadline - state[PLIES_LEFT] + 1 - runner) // 2
    state[TOTALS + runner] += max(0, min(abs(ahead), MOST_A_STEP * moves - state[TOTALS + runner]))
