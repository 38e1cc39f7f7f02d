"""The rules of Connect Four for kernels that play any game, and what a network sees of a position.

A state is own mask, opponent's mask, occurrences (always 1). The inputs of a network are, from the side to move:

| inputs | are |
| --- | --- |
| 0 to 41 | an own disc in each cell |
| 42 to 83 | an opponent's disc in each cell |
| 84 to 125 | a disc can fall there now |
| 126 | the side to move is the one that moved first: who is left with the last cell of a column depends on it |
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import rules as base
from alphadiamond.base.compilation import popcount
from alphadiamond.base.results import DRAW, LOSS, ONGOING
from alphadiamond.base.rules import Actions, State, implement
from alphadiamond.games.connect_four import kernels
from alphadiamond.games.connect_four.board import ACTIONS, BIT_OF, BOARD, COLUMNS, NODES, ROWS, STRIDE, TOP

STATE_SIZE: Final = 3
PLANES: Final = 3
"""Features that differ from cell to cell: own disc, opponent's disc, open to a disc."""
GLOBALS: Final = 1
"""Features of the whole position."""
INPUTS: Final = PLANES * NODES + GLOBALS

SCORE_SCALE: Final = 18.0
"""A window score of this size is taken for tanh(1) of a win."""


class ConnectFourRules(NamedTuple):
    actions: int = ACTIONS
    max_moves: int = ACTIONS
    state_size: int = STATE_SIZE
    repetition_limit: int = 0
    inputs: int = INPUTS
    scorer: int = -1
    """Whose windows `score` counts, since a side counts its own for more: 0 the one that moved first, 1 the other, -1
    whoever is to move."""


RULES: Final = ConnectFourRules()


@implement(base.list_moves, ConnectFourRules)
def list_moves(rules: ConnectFourRules, state: State, actions: Actions) -> int:
    free = ~(state[0] | state[1]) & TOP
    count = 0
    for column in range(COLUMNS):
        if free >> (column * STRIDE + ROWS - 1) & 1:
            actions[count] = column
            count += 1
    return count


@implement(base.play, ConnectFourRules)
def play(rules: ConnectFourRules, state: State, action: int, after: State) -> None:
    own, opp = state[0], state[1]
    disc = kernels.playable(own | opp) & kernels.column_mask(action)
    after[0], after[1], after[2] = opp, own | disc, 1


@implement(base.status, ConnectFourRules)
def status(rules: ConnectFourRules, state: State) -> int:
    if kernels.has_four(state[1]):
        return LOSS
    return DRAW if state[0] | state[1] == BOARD else ONGOING


@implement(base.is_irreversible, ConnectFourRules)
def is_irreversible(rules: ConnectFourRules, state: State) -> bool:
    return True


@implement(base.position_key, ConnectFourRules)
def position_key(rules: ConnectFourRules, state: State) -> int:
    """49 bits: in a column of height h, the own discs added to the 2^h - 1 that fill it, a number for no other h."""
    return state[0] + (state[0] | state[1])


@implement(base.input_key, ConnectFourRules)
def input_key(rules: ConnectFourRules, state: State) -> int:
    return state[0] + (state[0] | state[1])


@implement(base.encode, ConnectFourRules)
def encode(rules: ConnectFourRules, state: State, row: npt.NDArray[np.float32]) -> None:
    own, opp = state[0], state[1]
    free = kernels.playable(own | opp)
    for node in range(NODES):
        bit = BIT_OF[node]
        row[node] = own >> bit & 1
        row[NODES + node] = opp >> bit & 1
        row[2 * NODES + node] = free >> bit & 1
    row[PLANES * NODES] = 1 - (popcount(own | opp) & 1)


@implement(base.heuristic_value, ConnectFourRules)
def heuristic_value(rules: ConnectFourRules, state: State) -> float:
    """By the windows of four."""
    return 0.5 + 0.5 * np.tanh(kernels.window_score(state[0], state[1]) / SCORE_SCALE)


@implement(base.score, ConnectFourRules)
def score(rules: ConnectFourRules, state: State) -> int:
    """The sum over the windows of four."""
    if rules.scorer >= 0 and popcount(state[0] | state[1]) & 1 != rules.scorer:
        return -kernels.window_score(state[1], state[0])
    return kernels.window_score(state[0], state[1])
