"""What agents of other libraries can do in a position, and what they get for it; what they see is `Game.observe`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game


def legal_mask(game: Game, position: Any) -> npt.NDArray[np.int8]:
    """[A] 1 for every legal action."""
    mask = np.zeros(game.actions, dtype=np.int8)
    mask[[move.action for move in position.moves()]] = 1
    return mask


def result_for(position: Any, side: Any) -> float:
    """1 won, 0 drawn or not over, -1 lost."""
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner is side else -1.0
