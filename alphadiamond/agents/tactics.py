"""What can be seen without searching, in any game."""

import numpy as np

from alphadiamond.agents import tactics_kernels
from alphadiamond.agents.base import Game, Move, Position
from alphadiamond.base.rules import State


def winning_moves(game: Game, position: Position) -> list[Move]:
    """The moves that win at once; the game goes on."""
    return [game.move_of(action, position.side) for action in winning_actions(game, game.state_of(position))]


def winning_actions(game: Game, state: State) -> list[int]:
    """The same for a state."""
    actions = np.empty(game.max_moves, dtype=np.int16)
    count = tactics_kernels.winning_moves(game.rules, state, actions, np.empty_like(state))
    return [int(action) for action in actions[:count]]
