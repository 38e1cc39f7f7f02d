"""The rules of Dame for kernels that play any game, and what a network sees of a position.

A state is own mask, opponent's mask, occurrences, with the board turned for black, so that the side to move always goes
up: a state does not tell whether white or black is to move, and need not. The inputs of a network are, from the side to
move:

| inputs | are |
| --- | --- |
| 0 to 17 | an own man on each square |
| 18 to 35 | an opponent's man on each square |
| 36, 37 | the men of the side to move and of the opponent, in sixths |
| 38 | the side to move has to capture |
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import rules as base
from alphadiamond.base.compilation import popcount
from alphadiamond.base.rules import Actions, State, implement
from alphadiamond.games.dame import kernels
from alphadiamond.games.dame.board import ACTIONS, MEN, SQUARES

STATE_SIZE: Final = 3
PLANES: Final = 2
"""Features that differ from square to square: own man, opponent's man."""
GLOBALS: Final = 3
"""Features of the whole position."""
INPUTS: Final = PLANES * SQUARES + GLOBALS

MAN: Final = 10
"""What a man is worth in ranks gone, as the document has it."""
SURE: Final = 60.0
"""A lead that counts as a game won where rollouts are cut."""


class DameRules(NamedTuple):
    actions: int = ACTIONS
    max_moves: int = kernels.MAX_MOVES
    state_size: int = STATE_SIZE
    repetition_limit: int = 0
    inputs: int = INPUTS


RULES: Final = DameRules()


@implement(base.list_moves, DameRules)
def list_moves(rules: DameRules, state: State, actions: Actions) -> int:
    return kernels.list_moves(state[0], state[1], actions)


@implement(base.play, DameRules)
def play(rules: DameRules, state: State, action: int, after: State) -> None:
    own, opp = kernels.apply(state[0], state[1], action)
    after[0], after[1], after[2] = own, opp, 1


@implement(base.status, DameRules)
def status(rules: DameRules, state: State) -> int:
    return kernels.status(state[0], state[1])


@implement(base.is_irreversible, DameRules)
def is_irreversible(rules: DameRules, state: State) -> bool:
    return True


@implement(base.position_key, DameRules)
def position_key(rules: DameRules, state: State) -> int:
    return state[0] | state[1] << SQUARES


@implement(base.input_key, DameRules)
def input_key(rules: DameRules, state: State) -> int:
    return state[0] | state[1] << SQUARES


@implement(base.encode, DameRules)
def encode(rules: DameRules, state: State, row: npt.NDArray[np.float32]) -> None:
    own, opp = state[0], state[1]
    for square in range(SQUARES):
        row[square] = own >> square & 1
        row[SQUARES + square] = opp >> square & 1
    row[PLANES * SQUARES + 0] = popcount(own) / MEN
    row[PLANES * SQUARES + 1] = popcount(opp) / MEN
    row[PLANES * SQUARES + 2] = kernels.must_capture(own, opp)


@implement(base.heuristic_value, DameRules)
def heuristic_value(rules: DameRules, state: State) -> float:
    """By the same lead that minimax counts."""
    lead = kernels.lead(state[0], state[1], MAN)
    return min(max(0.5 + 0.5 * lead / SURE, 0.0), 1.0)


@implement(base.score, DameRules)
def score(rules: DameRules, state: State) -> int:
    """Ten times the difference in men, and the difference in ranks gone."""
    return kernels.lead(state[0], state[1], MAN)
