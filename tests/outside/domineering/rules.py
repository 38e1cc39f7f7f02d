"""The rules for compiled code.

A state: own cells, the opponent's, 0 where upright dominoes are to move and 1 where lying ones are, occurrences.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import rules
from alphadiamond.base.results import LOSS, ONGOING
from alphadiamond.base.rules import Actions, State, implement, use_defaults

from . import board
from .board import CELLS, HALF, MASKS


class DomineeringRules(NamedTuple):
    actions: int = 2 * HALF
    max_moves: int = HALF
    state_size: int = 4
    repetition_limit: int = 0
    inputs: int = 2 * CELLS + 1


@implement(rules.list_moves, DomineeringRules)
def list_moves(rules: DomineeringRules, state: State, actions: Actions) -> int:
    count = 0
    for action in range(HALF * state[2], HALF * state[2] + HALF):
        if (state[0] | state[1]) & MASKS[action] == 0:
            actions[count] = action
            count += 1
    return count


@implement(rules.play, DomineeringRules)
def play(rules: DomineeringRules, state: State, action: int, after: State) -> None:
    after[0], after[1], after[2], after[3] = state[1], state[0] | MASKS[action], 1 - state[2], 1


@implement(rules.status, DomineeringRules)
def status(rules: DomineeringRules, state: State) -> int:
    for action in range(HALF * state[2], HALF * state[2] + HALF):
        if (state[0] | state[1]) & MASKS[action] == 0:
            return ONGOING
    return LOSS


@implement(rules.position_key, DomineeringRules)
def position_key(rules: DomineeringRules, state: State) -> int:
    return (state[0] << CELLS | state[1]) << 1 | state[2]


@implement(rules.encode, DomineeringRules)
def encode(rules: DomineeringRules, state: State, row: npt.NDArray[np.float32]) -> None:
    for cell in range(board.CELLS):
        row[cell], row[board.CELLS + cell] = state[0] >> cell & 1, state[1] >> cell & 1
    row[2 * CELLS] = state[2]


@implement(rules.score, DomineeringRules)
def score(rules: DomineeringRules, state: State) -> int:
    room = 0
    for action in range(HALF):
        room += (state[0] | state[1]) & MASKS[HALF * state[2] + action] == 0
        room -= (state[0] | state[1]) & MASKS[HALF * (1 - state[2]) + action] == 0
    return room


use_defaults(DomineeringRules, rules.is_irreversible, rules.input_key, rules.heuristic_value)
