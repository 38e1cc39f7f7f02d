"""Positions that matches start from: random, seeded, and no two the same game in disguise."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np

from alphadiamond.arena.play import ArenaError
from alphadiamond.games.diamond_chase import Position, Side, kernels
from alphadiamond.games.diamond_chase.board import NODES, SYMMETRIES

Accept: TypeAlias = Callable[[Position], bool]
"""Whether a position may be an opening; for example, whether it is drawn by the tablebase."""

_TRIES = 2_000  # attempts in a row that give nothing new before we believe that there is nothing new

_SIDES = range(kernels.MIN_BEADS, kernels.MAX_BEADS + 1)
ALL_BEADS: Final = tuple((own, opp) for own in _SIDES for opp in _SIDES)
"""Every pair of bead counts (side to move, opponent) of a game that goes on."""


def opening_key(position: Position) -> tuple[int, int]:
    """The same for positions that differ by a symmetry of the board, or by colours alone.

    Colours do not count since every opening is played with both.
    """
    return min(
        (int(kernels.image_of(position.own, symmetry)), int(kernels.image_of(position.opp, symmetry)))
        for symmetry in range(len(SYMMETRIES))
    )


def random_openings(
    count: int, *, plies: int = 4, rng: np.random.Generator, accept: Accept | None = None
) -> list[Position]:
    """Positions after `plies` random moves from the start, in which the game goes on.

    They differ under the symmetries as long as there are enough; where there are not, those found come round again.
    """
    if plies < 0:
        raise ArenaError(f"openings of {plies} plies: expected 0 or more")
    return _distinct(count, _walks(plies, rng), accept, f"{plies} random plies from the start")


def random_positions(
    count: int,
    *,
    beads: Sequence[tuple[int, int]] = ((6, 6),),
    rng: np.random.Generator,
    accept: Accept | None = None,
) -> list[Position]:
    """Placements without trapped beads, with a pair of bead counts (side to move, opponent) drawn from `beads`."""
    low, high = kernels.MIN_BEADS, kernels.MAX_BEADS
    for own, opp in beads:
        if not (low <= own <= high and low <= opp <= high):
            raise ArenaError(f"openings with {own} and {opp} beads: expected {low} to {high} each")
    if not beads:
        raise ArenaError("openings with no bead counts to choose from")
    return _distinct(count, _placements(beads, rng), accept, "random placements")


def _walks(plies: int, rng: np.random.Generator) -> Iterator[Position | None]:
    """Without end: the position after random moves, or None where the game ended on the way."""
    while True:
        position = Position.start()
        for _ in range(plies):
            moves = position.moves()
            if not moves:
                break
            position = position.play(moves[rng.integers(len(moves))])
        # Without the history, so that a record of the game, which does not hold it, tells the same game.
        fresh = Position(position.own, position.opp, position.side, position.quiet)
        yield fresh if position.outcome is None and fresh.outcome is None else None


def _placements(beads: Sequence[tuple[int, int]], rng: np.random.Generator) -> Iterator[Position | None]:
    while True:
        own_count, opp_count = beads[int(rng.integers(len(beads)))]
        nodes = [int(node) for node in rng.permutation(NODES)]
        own = sum(1 << node for node in nodes[:own_count])
        opp = sum(1 << node for node in nodes[own_count : own_count + opp_count])
        side = Side(int(rng.integers(2)))
        stable = not kernels.trapped(own, opp) and not kernels.trapped(opp, own)
        yield Position(own, opp, side) if stable else None


def _distinct(count: int, candidates: Iterator[Position | None], accept: Accept | None, source: str) -> list[Position]:
    seen: set[tuple[int, int]] = set()
    found: list[Position] = []
    idle = 0
    while len(found) < count and idle < _TRIES:
        idle += 1
        position = next(candidates)
        if position is None or (key := opening_key(position)) in seen:
            continue
        seen.add(key)
        idle = 0  # something new, even if it is refused below: the source is not exhausted
        if accept is None or accept(position):
            found.append(position)
    if count > 0 and not found:
        raise ArenaError(f"no opening among {source} is accepted")
    return [found[i % len(found)] for i in range(count)]
