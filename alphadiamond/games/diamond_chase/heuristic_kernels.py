"""What classical players take a game that goes on for."""

from typing import Final

from alphadiamond.base.compilation import lowest_bit, njit, popcount
from alphadiamond.base.results import WON
from alphadiamond.games.diamond_chase.board import ADJACENT, ALL_NODES, NODES
from alphadiamond.games.diamond_chase.kernels import MIN_BEADS, apply, count_moves

BEAD_SHARE: Final = 0.35
MOBILITY_SHARE: Final = 0.15


@njit
def heuristic_value(own: int, opp: int) -> float:
    """The chance of the side to move in a game that goes on, by beads and mobility."""
    mine, theirs = count_moves(own, opp), count_moves(opp, own)
    mobility = (mine - theirs) / (mine + theirs) if mine + theirs > 0 else 0.0
    return 0.5 + BEAD_SHARE * (popcount(own) - popcount(opp)) / 6.0 + MOBILITY_SHARE * mobility


@njit
def evaluate(own: int, opp: int, weight: int) -> int:
    """Own beads' empty neighbours less the opponent's, and the difference in beads times a weight."""
    return count_moves(own, opp) - count_moves(opp, own) + weight * (popcount(own) - popcount(opp))


@njit
def quiesce(own: int, opp: int, ply: int, alpha: int, beta: int, weight: int) -> int:
    """The best of standing still and of captures, to the end of the exchange; nobody has lost yet.

    A bead is taken by filling its last empty neighbour from a node that is not its neighbour.
    """
    best = evaluate(own, opp, weight)
    if best >= beta:
        return best
    alpha = max(alpha, best)
    empty = ALL_NODES & ~(own | opp)
    beads = opp
    while beads:
        bead = lowest_bit(beads)
        beads &= beads - 1
        free = ADJACENT[bead] & empty
        if free == 0 or free & (free - 1) != 0:
            continue
        target = lowest_bit(free)
        sources = own & ADJACENT[target] & ~ADJACENT[bead]
        while sources:
            source = lowest_bit(sources)
            sources &= sources - 1
            moved, other, _, _ = apply(own, opp, source, target)
            if popcount(other) < MIN_BEADS:
                score = WON - ply - 1
            elif popcount(moved) < MIN_BEADS:
                score = ply + 1 - WON
            else:
                score = -quiesce(other, moved, ply + 1, -beta, -alpha, weight)
            if score > best:
                best = score
                if best >= beta:
                    return best
                alpha = max(alpha, best)
    return best


@njit
def return_distance(own: int, opp: int, key: int, same_side: bool) -> int:
    """At least this many plies pass before the position of `key` can be on the board again: each side has to bring its
    beads back, one a move."""
    mask = (1 << NODES) - 1
    if same_side:
        mine, theirs = key & mask, key >> NODES & mask
    else:
        mine, theirs = key >> NODES & mask, key & mask
    moves, replies = popcount(own & ~mine), popcount(opp & ~theirs)
    if moves + replies == 0 and same_side:
        return 4  # each side leaves and comes back
    plies = max(2 * moves - 1, 2 * replies, 1)
    return plies + ((plies & 1) == same_side)
