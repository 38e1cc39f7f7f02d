"""What agents of other libraries see of a position."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.games.diamond_chase.board import NODES
from alphadiamond.games.diamond_chase.kernels import QUIET_LIMIT, REPETITION_LIMIT
from alphadiamond.games.diamond_chase.position import Position, Side

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
