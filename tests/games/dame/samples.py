"""Random positions and games of Dame."""

import numpy as np

from alphadiamond.games.dame import Position, Side
from alphadiamond.games.dame.board import A_RANK, SQUARES, mask_of


def random_game(rng: np.random.Generator, position: Position | None = None) -> list[Position]:
    """The positions of a game of random moves, the last one finished."""
    positions = [position or Position.start()]
    while moves := positions[-1].moves():
        positions.append(positions[-1].play(moves[rng.integers(len(moves))]))
    return positions


def random_position(rng: np.random.Generator) -> Position:
    """Men anywhere, 1 to 6 a side, none on a far rank: often a position that no game from the start leads to."""
    squares = rng.permutation(SQUARES)
    own = [int(square) for square in squares if square < SQUARES - A_RANK][: rng.integers(1, 7)]
    opp = [int(square) for square in squares if square >= A_RANK and square not in own][: rng.integers(1, 7)]
    return Position(mask_of(own), mask_of(opp), Side(int(rng.integers(2))))
