"""What classical players take a game that goes on for."""

from typing import Final

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.games.diamond_chase.kernels import count_moves

BEAD_SHARE: Final = 0.35
MOBILITY_SHARE: Final = 0.15


@njit
def judge(own: int, opp: int) -> float:
    """The chance of the side to move in a game that goes on, by beads and mobility."""
    mine, theirs = count_moves(own, opp), count_moves(opp, own)
    mobility = (mine - theirs) / (mine + theirs) if mine + theirs > 0 else 0.0
    return 0.5 + BEAD_SHARE * (popcount(own) - popcount(opp)) / 6.0 + MOBILITY_SHARE * mobility


@njit
def evaluate(own: int, opp: int, weight: int) -> int:
    """Own beads' empty neighbours less the opponent's, and the difference in beads times a weight."""
    return count_moves(own, opp) - count_moves(opp, own) + weight * (popcount(own) - popcount(opp))
