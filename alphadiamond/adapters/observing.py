"""What agents of other libraries see of a position, and what they can do in it."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.games.diamond_chase import Position, Side
from alphadiamond.games.diamond_chase.board import NODES
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import QUIET_LIMIT, REPETITION_LIMIT

ACTIONS: Final = GAME.actions
PLANES: Final = ("own beads", "opposing beads", "plies since the last capture", "occurrences")
SHAPE: Final = (len(PLANES), NODES)


def observe(position: Position, side: Side) -> npt.NDArray[np.float32]:
    """[4, 21] as a side sees it, whoever is to move: its beads, the other's, and how near the two draw rules are, as
    shares of their limits."""
    own, opp = (position.own, position.opp) if side is position.side else (position.opp, position.own)
    nodes = np.arange(NODES)
    planes = np.zeros(SHAPE, dtype=np.float32)
    planes[0] = own >> nodes & 1
    planes[1] = opp >> nodes & 1
    planes[2] = position.quiet / QUIET_LIMIT
    planes[3] = min(position.occurrences, REPETITION_LIMIT) / REPETITION_LIMIT
    return planes


def legal_mask(position: Position) -> npt.NDArray[np.int8]:
    """[72] 1 for every legal action."""
    mask = np.zeros(ACTIONS, dtype=np.int8)
    mask[[move.action for move in position.moves()]] = 1
    return mask


def result_for(position: Position, side: Side) -> float:
    """1 won, 0 drawn or not over, -1 lost."""
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner is side else -1.0
