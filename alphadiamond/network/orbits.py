"""What the board's 8 symmetries map onto each other: orbits of nodes, edges and pairs.

A weight that depends only on the orbit it belongs to is the same for the board turned or mirrored, so a layer made of
such weights turns and mirrors its output with its input.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES, ACTIONS, NODES, SYMMETRIES


def _orbits(images: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[N] the orbit of each element, numbered from 0, given the image of each under every symmetry [8, N]."""
    return np.unique(images.min(axis=0), return_inverse=True)[1].astype(np.int64)


NODE_ORBITS: Final = _orbits(SYMMETRIES)
"""[21] tips, sides, inner nodes, ring nodes, the centre: 5."""

PAIR_ORBITS: Final = _orbits((SYMMETRIES[:, :, None] * NODES + SYMMETRIES[:, None, :]).reshape(8, -1)).reshape(
    NODES, NODES
)
"""[21, 21] the orbit of an ordered pair of nodes: 68."""

EDGE_ORBITS: Final = _orbits(ACTION_SYMMETRIES)
"""[72] the orbit of a directed edge: 12."""

EDGE_NODE_ORBITS: Final = _orbits(
    (ACTION_SYMMETRIES[:, :, None] * NODES + SYMMETRIES[:, None, :]).reshape(8, -1)
).reshape(ACTIONS, NODES)
"""[72, 21] the orbit of a directed edge together with a node: 210."""


def count(orbits: npt.NDArray[np.int64]) -> int:
    return int(orbits.max()) + 1
