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
    bead_weight: int = 1
    """What minimax takes a bead for, in empty neighbours."""


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


@implement(base.heuristic_value, DiamondChaseRules)
def heuristic_value(rules: DiamondChaseRules, state: State) -> float:
    """By beads and mobility."""
    return heuristic_kernels.heuristic_value(state[0], state[1])


@implement(base.score, DiamondChaseRules)
def score(rules: DiamondChaseRules, state: State) -> int:
    """Own beads' empty neighbours less the opponent's, and the difference in beads."""
    return heuristic_kernels.evaluate(state[0], state[1], rules.bead_weight)


@implement(base.is_legal, DiamondChaseRules)
def is_legal(rules: DiamondChaseRules, state: State, action: int, actions: Actions) -> bool:
    return (state[0] >> SOURCES[action] & ~(state[0] | state[1]) >> TARGETS[action] & 1) != 0


@implement(base.move_promise, DiamondChaseRules)
def move_promise(rules: DiamondChaseRules, state: State, after: State) -> int:
    """By the beads that come off; never 0 where any do."""
    if after[2] != 0:
        return 0
    captured, lost = popcount(state[1]) - popcount(after[0]), popcount(state[0]) - popcount(after[1])
    return 2 * captured - 2 * lost + 1


@implement(base.quiescence, DiamondChaseRules)
def quiescence(rules: DiamondChaseRules, state: State, alpha: int, beta: int) -> int:
    """Captures are played out."""
    # No constant for the ply: a second version would be compiled for its type, and two that call each other crash when
    # they are loaded from the cache.
    return heuristic_kernels.quiesce(state[0], state[1], np.int64(0), alpha, beta, rules.bead_weight)


@implement(base.pack_state, DiamondChaseRules)
def pack_state(rules: DiamondChaseRules, state: State, left: int, packed: State) -> int:
    """The beads, and the no-capture count where its limit is near."""
    packed[0] = state[0] | state[1] << NODES
    if state[2] + left >= kernels.QUIET_LIMIT:
        packed[0] |= (state[2] + 1) << (2 * NODES)
    return 1


@implement(base.return_plies, DiamondChaseRules)
def return_plies(rules: DiamondChaseRules, state: State, key: int, same_side: bool) -> int:
    return heuristic_kernels.return_distance(state[0], state[1], key, same_side)


@implement(base.cycle_plies, DiamondChaseRules)
def cycle_plies(rules: DiamondChaseRules) -> int:
    return 4  # each side leaves and comes back


@implement(base.random_move, DiamondChaseRules)
def random_move(rules: DiamondChaseRules, state: State, actions: Actions, stream: npt.NDArray[np.uint64]) -> int:
    return kernels.random_move(state[0], state[1], stream)
