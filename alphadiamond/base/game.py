"""What the search needs to know of a game and of whatever judges its positions: arrays, and nothing by name."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

States = npt.NDArray[np.int32]


class Game(Protocol):
    """A two-player game as arrays. The last column of a state is how often the position has occurred; the search fills
    it in."""

    @property
    def actions(self) -> int:
        """How many actions there are in all."""

    @property
    def max_moves(self) -> int:
        """A bound on the legal actions of any state."""

    @property
    def state_size(self) -> int:
        """Columns of a state."""

    @property
    def repetition_limit(self) -> int:
        """The occurrence of a position that makes a draw."""

    @property
    def history_limit(self) -> int:
        """How many positions there can be since the last one after which nothing earlier can recur."""

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
        """Play one action in each state (-1: none), and describe what comes of it.

        Returns states [B, S]; keys [B], equal for positions that count as the same with the same side to move; fresh
        [B], whether no earlier position can recur; status [B] (1 win, 0 draw, -1 loss for the side to move, 2 goes on),
        repetition apart; legal actions [B, M]; and their number [B], 0 where the game is over.
        """


class Evaluator(Protocol):
    """Whatever judges positions: a network, a tablebase, a rollout."""

    def __call__(self, states: States) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Policy [B, actions] over the legal moves and win, draw, loss [B, 3] for the side to move."""
