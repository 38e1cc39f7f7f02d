"""Positions to ask players about: from random play, from shuffling to and fro, and near the end of the game."""

import numpy as np

from alphadiamond.games.diamond_chase import Move, Position, Side
from tests.games.diamond_chase.samples import random_game, random_masks


def middle_game(rng: np.random.Generator) -> Position:
    """From a random game, ten plies in or later, still going on."""
    while True:
        game = random_game(rng)
        if len(game) > 12:
            return game[int(rng.integers(10, len(game) - 1))]


def placed(rng: np.random.Generator, own: int, opp: int, quiet: int = 0) -> Position:
    """So many beads a side, anywhere, without history."""
    return Position(*random_masks(rng, own, opp), Side(int(rng.integers(2))), quiet)


def shuffled(rng: np.random.Generator, plies: int) -> Position:
    """After a while of mostly moving to and fro, so that positions have come back; still going on."""
    while True:
        position = placed(rng, *(int(count) for count in rng.integers(4, 7, size=2)), quiet=int(rng.integers(0, 60)))
        last: list[Move | None] = [None, None]
        for ply in range(plies):
            back = last[ply % 2]
            moves = position.moves()
            if not moves:
                break
            undo = Move(back.target, back.source) if back else None
            move = undo if undo in moves and rng.random() < 0.8 else moves[rng.integers(len(moves))]
            assert move is not None
            last[ply % 2] = move
            position = position.play(move)
        if position.outcome is None:
            return position
