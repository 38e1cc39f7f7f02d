"""The functions of a game's rules one by one, and random games, for `check`: with room around every array, so that a
game that writes too much is found out and does no harm."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.random_kernels import random_below
from alphadiamond.base.results import ONGOING
from alphadiamond.base.rules import (
    Actions,
    Rules,
    State,
    encode,
    heuristic_value,
    input_key,
    is_irreversible,
    list_moves,
    play,
    position_key,
    score,
    status,
)


@njit
def listed(rules: Rules, state: State, actions: Actions) -> int:
    return list_moves(rules, state, actions)


@njit
def played(rules: Rules, state: State, action: int, after: State) -> None:
    play(rules, state, action, after)


@njit
def status_of(rules: Rules, state: State) -> int:
    return status(rules, state)


@njit
def irreversible_of(rules: Rules, state: State) -> bool:
    return is_irreversible(rules, state)


@njit
def key_of(rules: Rules, state: State) -> int:
    return position_key(rules, state)


@njit
def input_key_of(rules: Rules, state: State) -> int:
    return input_key(rules, state)


@njit
def encoded(rules: Rules, state: State, row: npt.NDArray[np.float32]) -> None:
    encode(rules, state, row)


@njit
def score_of(rules: Rules, state: State) -> int:
    return score(rules, state)


@njit
def guess_of(rules: Rules, state: State) -> float:
    return heuristic_value(rules, state)


@njit
def measure_games(
    rules: Rules, start: State, stream: npt.NDArray[np.uint64], games: int, longest: int, room: int
) -> tuple[int, int, int, int]:
    """Of so many random games, cut after `longest` plies: the most legal actions of a position, the most plies, the
    most positions since the last one after which nothing earlier can recur, and positions that go on without a move."""
    moves = np.empty(rules.actions + room, dtype=np.int16)
    keys = np.empty(longest + 2, dtype=np.int64)
    state = np.empty(rules.state_size, dtype=np.int64)
    most_moves, most_plies, most_known, stuck = 0, 0, 0, 0
    for _ in range(games):
        state[:] = start
        keys[0] = position_key(rules, state)
        known, plies = 1, 0
        while status(rules, state) == ONGOING and plies < longest:
            seen = 0
            for i in range(known - 1, -1, -2):
                seen += keys[i] == keys[known - 1]
            if rules.repetition_limit > 0 and seen >= rules.repetition_limit:
                break
            count = list_moves(rules, state, moves)
            most_moves = max(most_moves, count)
            if count == 0 or count > rules.actions:
                stuck += count == 0
                break
            play(rules, state, moves[random_below(stream, count)], state)
            known = 1 if is_irreversible(rules, state) else known + 1
            keys[known - 1] = position_key(rules, state)
            most_known = max(most_known, known)
            plies += 1
        most_plies = max(most_plies, plies)
    return most_moves, most_plies, most_known, stuck
