"""Games of mixed players in a solved maze, compiled, and what each move of a position is worth there."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base import rules as base
from alphadiamond.base.compilation import njit
from alphadiamond.base.game import ILLEGAL
from alphadiamond.base.random_kernels import random_below, random_unit
from alphadiamond.base.results import ONGOING
from alphadiamond.games.labyrinth.kernels import cheapest_ways
from alphadiamond.games.labyrinth.rules import PLIES_LEFT, RUNNERS, TOTALS, LabyrinthRules
from alphadiamond.games.labyrinth.solver.kernels import margin_of

RANDOM: Final = 0
CHEAPEST: Final = 1
"""Goes by his own cheapest way, power-ups included, whatever the other does."""
KEEPING: Final = 2
"""Plays any move that keeps the value."""


@njit
def move_values(
    rules: LabyrinthRules,
    table: npt.NDArray[np.int16],
    numbers: npt.NDArray[np.int64],
    power_ups: npt.NDArray[np.int64],
    state: npt.NDArray[np.int64],
    values: npt.NDArray[np.int8],
) -> int:
    """Write the value of each action [A], ILLEGAL where it is none; returns that of the position."""
    after = np.empty_like(state)
    actions = np.empty(rules.max_moves, dtype=np.int16)
    values[:] = ILLEGAL
    best = -1
    sign = 1 - 2 * ((rules.deadline - state[PLIES_LEFT]) & 1)
    for i in range(base.list_moves(rules, state, actions)):
        base.play(rules, state, actions[i], after)
        value = np.sign(sign * margin_of(table, numbers, power_ups, after))
        values[actions[i]] = value
        best = max(best, value)
    return best


@njit
def play_game(
    rules: LabyrinthRules,
    table: npt.NDArray[np.int16],
    numbers: npt.NDArray[np.int64],
    power_ups: npt.NDArray[np.int64],
    players: npt.NDArray[np.int64],
    noise: npt.NDArray[np.float64],
    stream: npt.NDArray[np.uint64],
    states: npt.NDArray[np.int64],
) -> int:
    """Play on from the first of the states [deadline + 1, S] and write those that come up; returns their number.

    `players` [2] play their kind of move, and with their chance of `noise` [2] any other.
    """
    values = np.empty(rules.actions, dtype=np.int8)
    actions = np.empty(rules.max_moves, dtype=np.int16)
    weights = np.empty(rules.max_moves, dtype=np.int64)
    last = rules.size * rules.size - 1
    ply = 0
    while base.status(rules, states[ply]) == ONGOING:
        state, after = states[ply], states[ply + 1]
        runner = ply & 1
        count = base.list_moves(rules, state, actions)
        kind = RANDOM if random_unit(stream) < noise[runner] else players[runner]
        if kind == KEEPING:
            best = move_values(rules, table, numbers, power_ups, state, values)
            for i in range(count):
                weights[i] = values[actions[i]] == best
        elif kind == CHEAPEST:
            for i in range(count):
                base.play(rules, state, actions[i], after)
                to_go = cheapest_ways(after, (after[RUNNERS], after[RUNNERS + 1]), (last, 0), rules.size)
                weights[i] = -(after[TOTALS + runner] + to_go[runner])
        else:
            weights[:count] = 0
        most = weights[:count].max()
        ties = 0
        chosen = actions[0]
        for i in range(count):
            if weights[i] == most:
                ties += 1
                if random_below(stream, ties) == 0:
                    chosen = actions[i]
        base.play(rules, state, chosen, after)
        ply += 1
    return ply
