"""Monte Carlo tree search as the original game had it, on a tree made for this game."""

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import mcts
from alphadiamond.agents.mcts import MAX_DEPTH, MAX_NODES
from alphadiamond.base.results import ONGOING
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.players import mcts_kernels as kernels


class DiamondTree:
    """Masks in the nodes, and untried moves as bits."""

    def __init__(self, position: Position, *, room: int, exploration: float, stream: npt.NDArray[np.uint64]) -> None:
        self._exploration = exploration
        self._stream = stream
        self._past = np.array(position.history, dtype=np.int64)
        self._keys = np.empty(256, dtype=np.int64)
        self._path = np.empty(MAX_DEPTH, dtype=np.int64)
        self.nodes = np.empty(room, dtype=kernels.NODE)
        self._size = 1
        kernels.make_node(self.nodes, 0, position.own, position.opp, -1, position.quiet, ONGOING)

    def simulate(self, count: int) -> None:
        if self._size + count > len(self.nodes) and len(self.nodes) < MAX_NODES:
            self.nodes = np.concatenate([self.nodes, np.empty_like(self.nodes)])
        self._size = kernels.simulate(
            self.nodes, self._size, count, self._past, self._keys, self._path, self._exploration, self._stream
        )


class MctsAgent(mcts.MctsAgent):
    __doc__ = mcts.MctsAgent.__doc__

    def grow(self, position: Position, *, room: int) -> DiamondTree:
        return DiamondTree(position, room=room, exploration=self.exploration, stream=self._stream)
