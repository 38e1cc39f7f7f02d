"""What can be seen without searching: who wins at once, and what a move takes and costs."""

import numpy as np

from alphadiamond.agents.tactics import winning_actions
from alphadiamond.games.diamond_chase import Move, Position, kernels
from alphadiamond.games.diamond_chase.game import GAME


def winning_moves(position: Position) -> list[Move]:
    """The moves that win at once; the game goes on."""
    return _wins(position.own, position.opp)


def threatened_wins(position: Position) -> list[Move]:
    """The moves that would win at once for the opponent, were it to move now."""
    return _wins(position.opp, position.own)


def removals(position: Position, move: Move) -> tuple[int, int]:
    """How many of the opponent's beads a legal move takes, and how many of its own it costs."""
    _, _, captured, lost = kernels.apply(position.own, position.opp, move.source, move.target)
    return int(captured).bit_count(), int(lost).bit_count()


def captures(own: int, opp: int) -> int:
    """How many moves of the side with beads `own` take a bead."""
    actions = np.empty(24, dtype=np.int64)
    count = kernels.list_moves(own, opp, actions)
    moves = [Move.of_action(action) for action in actions[:count]]
    return sum(kernels.apply(own, opp, move.source, move.target)[2] != 0 for move in moves)


def _wins(own: int, opp: int) -> list[Move]:
    state = np.array([own, opp, 0, 1], dtype=np.int64)
    return [Move.of_action(action) for action in winning_actions(GAME, state)]
