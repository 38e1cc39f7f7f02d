"""What can be seen without searching, in any game."""

import numpy as np

from alphadiamond.agents import tactics_kernels
from alphadiamond.agents.base import Game, Move, Position


def winning_moves(game: Game, position: Position) -> list[Move]:
    """The moves that win at once; the game goes on."""
    actions = np.empty(game.max_moves, dtype=np.int16)
    state = game.state_of(position)
    count = tactics_kernels.winning_moves(game.rules, state, actions, np.empty_like(state))
    return [game.move_of(int(action), position.side) for action in actions[:count]]
