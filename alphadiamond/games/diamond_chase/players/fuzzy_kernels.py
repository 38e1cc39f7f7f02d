"""The fuzzy player's judgement of a board, and its short look ahead."""

from typing import Final

from alphadiamond.base.compilation import lowest_bit, njit, popcount
from alphadiamond.games.diamond_chase.board import ADJACENT, ALL_NODES, NODE_IDS
from alphadiamond.games.diamond_chase.kernels import MIN_BEADS, QUIET_LIMIT, apply

WON: Final = 2000.0
CENTRE: Final = sum(1 << NODE_IDS[name] for name in ("c", "cn", "ce", "cs", "cw"))
TIPS: Final = sum(1 << NODE_IDS[name] for name in ("n", "e", "s", "w"))


@njit
def beads_worth(own: int, opp: int) -> float:
    """What a side's beads are worth where they stand: freedom, traps, company, centre and corners."""
    empty = ALL_NODES & ~(own | opp)
    total = 0.0
    beads = own
    while beads:
        node = lowest_bit(beads)
        beads &= beads - 1
        around = ADJACENT[node]
        total += 4.0 * popcount(around & empty)
        enemies, friends = popcount(around & opp), popcount(around & own)
        total += 25.0 if enemies >= 2 else (8.0 if enemies == 1 else 0.0)
        total += 12.0 if friends >= 2 else (4.0 if friends == 1 else 0.0)
        if CENTRE >> node & 1:
            total += 8.0
        elif TIPS >> node & 1:
            total += 6.0
    if popcount(own) > popcount(opp):
        return total * 1.5
    return total * 1.8 if popcount(own) < popcount(opp) else total


@njit
def board_score(own: int, opp: int) -> float:
    """A board from the player's view, whoever is to move; nobody has lost."""
    ahead = popcount(own) - popcount(opp)
    total = beads_worth(own, opp) - beads_worth(opp, own) + 15.0 * ahead
    return total * 1.3 if ahead > 0 else (total * 1.6 if ahead < 0 else total)


@njit
def look_ahead(own: int, opp: int, quiet: int, depth: int, mine: bool, alpha: float, beta: float) -> float:
    """Minimax from the player's view: `own` are the player's beads and `mine` says whether it is to move.

    The judgement is no zero-sum one, since being behind weighs more than being ahead, so both sides are spelt out.
    """
    # `not mine` rather than a constant below: numba would compile a second version for the constant's own type, and two
    # versions that call each other crash when they are loaded from its cache.
    if popcount(own) < MIN_BEADS and popcount(opp) < MIN_BEADS:
        return -WON - depth if mine else WON + depth  # the captures of who has just moved count first
    if popcount(own) < MIN_BEADS:
        return -WON - depth
    if popcount(opp) < MIN_BEADS:
        return WON + depth
    if quiet >= QUIET_LIMIT:
        return 0.0
    if depth == 0:
        return board_score(own, opp)
    movers, others = (own, opp) if mine else (opp, own)
    empty = ALL_NODES & ~(own | opp)
    best = -1e9 if mine else 1e9
    beads = movers
    while beads:
        source = lowest_bit(beads)
        beads &= beads - 1
        targets = ADJACENT[source] & empty
        while targets:
            target = lowest_bit(targets)
            targets &= targets - 1
            moved, other, captured, lost = apply(movers, others, source, target)
            after = 0 if captured | lost else quiet + 1
            if mine:
                best = max(best, look_ahead(moved, other, after, depth - 1, not mine, alpha, beta))
                alpha = max(alpha, best)
            else:
                best = min(best, look_ahead(other, moved, after, depth - 1, not mine, alpha, beta))
                beta = min(beta, best)
            if alpha >= beta:
                return best
    return best
