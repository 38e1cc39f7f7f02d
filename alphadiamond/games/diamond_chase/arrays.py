"""Diamond Chase as arrays, for searches and learners that know a game only by this shape.

A state is a row of four integers: own mask, opponent's mask, plies since the last capture, occurrences of the position.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.games.diamond_chase import kernels
from alphadiamond.games.diamond_chase.board import ACTIONS, NODES
from alphadiamond.games.diamond_chase.position import Position

States = npt.NDArray[np.int32]

OWN: Final = 0
OPP: Final = 1
QUIET: Final = 2
OCCURRENCES: Final = 3
STATE_SIZE: Final = 4


class DiamondChase:
    """The game behind the protocol of `alphadiamond.search.Game`."""

    actions = ACTIONS
    max_moves = kernels.MAX_MOVES
    state_size = STATE_SIZE
    repetition_limit = kernels.REPETITION_LIMIT
    history_limit = kernels.QUIET_LIMIT + 1

    def expand(
        self, states: States, actions: npt.NDArray[np.int16]
    ) -> tuple[
        States,
        npt.NDArray[np.int64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.int8],
        npt.NDArray[np.int16],
        npt.NDArray[np.int16],
    ]:
        """Play an action in each state (-1: none): states, keys, whether nothing earlier can recur, status, moves."""
        return kernels.expand_states(states, actions)

    def state_of(self, position: Position) -> States:
        """[4] a position as the search and the network see it."""
        return np.array([position.own, position.opp, position.quiet, position.occurrences], dtype=np.int32)

    def history_of(self, position: Position) -> npt.NDArray[np.int64]:
        """[H] keys of the positions since the last capture, this one last, each from its own side to move."""
        return np.array(position.history, dtype=np.int64) & ((1 << 2 * NODES) - 1)


def histories_of(positions: Sequence[Position]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """[B, H] keys of each position's game since the last capture, the position's own last, and [B] how many."""
    game = DiamondChase()
    keys = [game.history_of(position) for position in positions]
    known = np.array([len(one) for one in keys], dtype=np.int32)
    history = np.zeros((len(keys), known.max(initial=0)), dtype=np.int64)
    for row, one in zip(history, keys, strict=True):
        row[: len(one)] = one
    return history, known


def states_of(positions: Sequence[Position]) -> States:
    """[B, 4] positions as the search and the network see them."""
    game = DiamondChase()
    return np.array([game.state_of(position) for position in positions], dtype=np.int32).reshape(-1, STATE_SIZE)
