"""The rules of Diamond Chase for kernels that play any game, and what a network sees of a position.

A state is own mask, opponent's mask, plies since the last capture, occurrences. The inputs of a network are, from the
side to move:

| inputs | are |
| --- | --- |
| 0 to 20 | an own bead on each node |
| 21 to 41 | an opponent's bead on each node |
| 42 | how near the no-capture limit is, in ten steps from 50 plies on |
| 43 | the position occurs for the second time |
| 44, 45 | the side to move has 4 beads left (one more lost loses the game), 5 |
| 46, 47 | the opponent has 4 beads left, 5 |
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import rules as base
from alphadiamond.base.compilation import njit, popcount
from alphadiamond.base.rules import Actions, State, implement
from alphadiamond.games.diamond_chase import heuristic_kernels, kernels
from alphadiamond.games.diamond_chase.board import ACTIONS, NODES, SOURCES, TARGETS

STATE_SIZE: Final = 4
PLANES: Final = 2
"""Features that differ from node to node: own bead, opponent's bead."""
GLOBALS: Final = 6
"""Features of the whole position."""
INPUTS: Final = PLANES * NODES + GLOBALS

QUIET_FROM: Final = 50
QUIET_STEP: Final = 5
QUIET_LEVELS: Final = 10
"""The no-capture count is seen as max(0, quiet - 50) // 5, 0 to 9: in most of a game it is 0, so that a cached value is
found again whatever the count, and towards the limit the steps are fine enough to see the draw come."""


class DiamondChaseRules(NamedTuple):
    actions: int = ACTIONS
    max_moves: int = kernels.MAX_MOVES
    state_size: int = STATE_SIZE
    repetition_limit: int = kernels.REPETITION_LIMIT
    inputs: int = INPUTS


RULES: Final = DiamondChaseRules()


@njit
def quiet_level(quiet: int) -> int:
    return min(max(quiet - QUIET_FROM, 0) // QUIET_STEP, QUIET_LEVELS - 1)


@implement(base.list_moves, DiamondChaseRules)
def list_moves(rules: DiamondChaseRules, state: State, actions: Actions) -> int:
    return kernels.list_moves(state[0], state[1], actions)


@implement(base.play, DiamondChaseRules)
def play(rules: DiamondChaseRules, state: State, action: int, after: State) -> None:
    moved, other, captured, lost = kernels.apply(state[0], state[1], SOURCES[action], TARGETS[action])
    quiet = 0 if captured | lost else state[2] + 1
    after[0], after[1], after[2], after[3] = other, moved, quiet, 1


@implement(base.status, DiamondChaseRules)
def status(rules: DiamondChaseRules, state: State) -> int:
    return kernels.status(state[0], state[1], state[2], 1)


@implement(base.is_irreversible, DiamondChaseRules)
def is_irreversible(rules: DiamondChaseRules, state: State) -> bool:
    return state[2] == 0


@implement(base.position_key, DiamondChaseRules)
def position_key(rules: DiamondChaseRules, state: State) -> int:
    return kernels.position_key(state[0], state[1], 0)


@implement(base.input_key, DiamondChaseRules)
def input_key(rules: DiamondChaseRules, state: State) -> int:
    repeated = 1 if state[3] >= 2 else 0
    return state[0] | state[1] << 21 | np.int64(quiet_level(state[2])) << 42 | np.int64(repeated) << 46


@implement(base.encode, DiamondChaseRules)
def encode(rules: DiamondChaseRules, state: State, row: npt.NDArray[np.float32]) -> None:
    own, opp = state[0], state[1]
    for node in range(NODES):
        row[node] = own >> node & 1
        row[NODES + node] = opp >> node & 1
    own_beads, opp_beads = popcount(own), popcount(opp)
    row[PLANES * NODES + 0] = quiet_level(state[2]) / QUIET_LEVELS
    row[PLANES * NODES + 1] = state[3] >= 2
    row[PLANES * NODES + 2] = own_beads <= 4
    row[PLANES * NODES + 3] = own_beads == 5
    row[PLANES * NODES + 4] = opp_beads <= 4
    row[PLANES * NODES + 5] = opp_beads == 5


@implement(base.judge, DiamondChaseRules)
def judge(rules: DiamondChaseRules, state: State) -> float:
    """By beads and mobility."""
    return heuristic_kernels.judge(state[0], state[1])


@implement(base.score, DiamondChaseRules)
def score(rules: DiamondChaseRules, state: State) -> int:
    """Own beads' empty neighbours less the opponent's, and the difference in beads."""
    return heuristic_kernels.evaluate(state[0], state[1], 1)
