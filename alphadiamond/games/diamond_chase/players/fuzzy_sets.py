"""The fuzzy part of the fuzzy player: membership functions, how bold or careful to be, and the rules."""

from typing import Final, NamedTuple

from alphadiamond.games.diamond_chase.board import NEIGHBOURS, Mask, Node

LEVELS: Final = (0.1, 0.4, 0.9)  # where low ends, medium peaks and high begins
DANGEROUS: Final = 0.6


class Membership(NamedTuple):
    """How far a quantity is low, medium and high, each from 0 to 1."""

    low: float
    medium: float
    high: float


def membership(value: float, low: float, mid: float, high: float) -> Membership:
    """Three triangles: low falls from `low` to `mid`, medium peaks at `mid`, high rises from `mid` to `high`."""
    if value <= mid:
        rising = _clamp((value - low) / (mid - low))
        return Membership(1.0 - rising, rising, 0.0)
    rising = _clamp((value - mid) / (high - mid))
    return Membership(0.0, 1.0 - rising, rising)


def aggression(own: int, opp: int) -> float:
    """How bold to be with so many beads: more with more beads, and more when behind or level."""
    if opp == 0:
        return 0.0
    if own == 0:
        return 1.0
    base = _clamp((own / opp - 0.3) * 3)
    return _clamp(base + (0.3 if own < opp else 0.2 if own == opp else 0.0))


def defence(own: int, opp: int) -> float:
    """How careful to be with so many beads."""
    if own == 0:
        return 1.0
    if opp == 0:
        return 0.0
    return _clamp((opp / own - 0.5) * 2)


def mobility(node: Node, occupied: Mask) -> float:
    """The share of a node's neighbours that are free."""
    return sum(not occupied >> neighbour & 1 for neighbour in NEIGHBOURS[node]) / len(NEIGHBOURS[node])


def trap_potential(node: Node, opp: Mask) -> float:
    """The share of a node's neighbours where an opposing bead stands."""
    return sum(opp >> neighbour & 1 for neighbour in NEIGHBOURS[node]) / len(NEIGHBOURS[node])


def danger(node: Node, own: Mask, opp: Mask) -> float:
    """How nearly a bead on the node is trapped: the share of closed neighbours, 0 while no opponent is near."""
    return 1.0 - mobility(node, own | opp) if trap_potential(node, opp) else 0.0


def desirability(*, trap: float, free: float, risk: float, bold: Membership, careful: Membership) -> float:
    """What the rules make of a move, from 0 to 1.

    If bold is high, traps count 60 % and freedom 40 %; if careful is high, freedom counts 70 % and traps 30 %; as far
    as neither is, both count the same. A dangerous node keeps 30 % of what it had.
    """
    balanced = 1.0 - max(bold.high, careful.high)
    rules = (
        (bold.high, 0.6 * trap + 0.4 * free),
        (careful.high, 0.3 * trap + 0.7 * free),
        (balanced, 0.5 * trap + 0.5 * free),
    )
    score = sum(weight * output for weight, output in rules) / sum(weight for weight, _ in rules)
    return score * 0.3 if risk > DANGEROUS else score


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
