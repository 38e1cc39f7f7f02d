"""Where games of Diamond Chase begin if not at the start: random placements, and some random moves."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.results import ONGOING
from alphadiamond.games.diamond_chase import kernels
from alphadiamond.games.diamond_chase.board import NODES, SOURCES, START_GREEN, START_RED, TARGETS, Mask
from alphadiamond.games.diamond_chase.position import Position, Side

_SIDES: Final = range(kernels.MIN_BEADS, kernels.MAX_BEADS + 1)
ALL_BEADS: Final = tuple((own, opp) for own in _SIDES for opp in _SIDES)
"""Every pair of bead counts (side to move, opponent) of a game that goes on."""


def random_placement(rng: np.random.Generator) -> tuple[Mask, Mask]:
    """Beads anywhere, 4 to 6 a side, none trapped: (own, opp)."""
    while True:
        own_beads, opp_beads = rng.integers(kernels.MIN_BEADS, kernels.MAX_BEADS + 1, size=2)
        own, opp = _placed(rng, own_beads, opp_beads)
        if _is_stable(own, opp):
            return own, opp


def random_position(rng: np.random.Generator, beads: Sequence[tuple[int, int]]) -> Position | None:
    """A placement with a pair of bead counts (side to move, opponent) drawn from `beads`; None if a bead is trapped."""
    own_count, opp_count = beads[int(rng.integers(len(beads)))]
    own, opp = _placed(rng, own_count, opp_count)
    side = Side(int(rng.integers(2)))
    return Position(own, opp, side) if _is_stable(own, opp) else None


def short_opening(rng: np.random.Generator, most: int) -> tuple[Mask, Mask]:
    """The beads after up to so many random moves from the start, in a game that goes on."""
    stream = random_stream(rng)
    while True:
        own, opp = START_GREEN, START_RED
        for _ in range(rng.integers(most + 1)):
            action = kernels.random_move(own, opp, stream)
            moved, other, _, _ = kernels.apply(own, opp, int(SOURCES[action]), int(TARGETS[action]))
            own, opp = other, moved
            if kernels.status(own, opp, 0, 1) != ONGOING:
                break
        else:
            return own, opp


def _placed(rng: np.random.Generator, own_count: int, opp_count: int) -> tuple[Mask, Mask]:
    nodes = [int(node) for node in rng.permutation(NODES)]
    own = sum(1 << node for node in nodes[:own_count])
    return own, sum(1 << node for node in nodes[own_count : own_count + opp_count])


def _is_stable(own: Mask, opp: Mask) -> bool:
    return not kernels.trapped(own, opp) and not kernels.trapped(opp, own)
