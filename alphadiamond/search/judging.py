"""Whatever judges positions for the search: a network, a tablebase, a rollout."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import States


class Evaluator(Protocol):
    def __call__(self, states: States) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Policy [B, actions] over the legal moves and win, draw, loss [B, 3] for the side to move."""
