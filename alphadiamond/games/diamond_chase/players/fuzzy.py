"""The original's A* and fuzzy-logic player, with all of its parts at work."""

from typing import Annotated

import numpy as np

from alphadiamond.agents.base import Agent, Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.board import ADJACENT, NODES, Mask, Node, nodes_of
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.players import fuzzy_kernels, fuzzy_sets
from alphadiamond.games.diamond_chase.players.paths import find_path
from alphadiamond.settings.ranges import SEED, between

_INFINITE = 1e9


class FuzzyAgent(Agent):
    """Weighs a look ahead of `depth` plies after each move with what fuzzy rules and A* paths say of the move.

    A score is the look-ahead's judgement (2000 and more is won) plus the bonus of the rules. Equals are chosen among
    by the seed.
    """

    game = GAME

    def __init__(
        self,
        *,
        depth: Annotated[int, between(0, 6)] = 2,
        fast: bool = False,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(depth=depth, seed=seed)
        self.depth = min(depth, 1) if fast else depth
        self._rng = np.random.default_rng(seed)

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        order = self._rng.permutation(len(moves))
        scored = [self._weigh(position, moves[i]) for i in order]
        scored.sort(key=lambda one: (one.distance != 1 or one.score < 0, -one.score))
        best = scored[0]
        won = best.value == 1.0
        return Analysis(position, best.move, tuple(scored), value=best.value, exact=won, depth=self.depth + 1)

    def _weigh(self, position: Position, move: Move) -> MoveAnalysis:
        after = position.play(move)
        outcome = after.outcome
        if outcome is not None:
            value = 0.0 if outcome.winner is None else 1.0 if outcome.winner is position.side else -1.0
            score = value * (fuzzy_kernels.WON + self.depth + 1)
            return MoveAnalysis(move, score, value=value, distance=1 if value else None, variation=(move,))
        ahead = fuzzy_kernels.look_ahead(after.opp, after.own, after.quiet, self.depth, False, -_INFINITE, _INFINITE)
        score = ahead if abs(ahead) >= fuzzy_kernels.WON else ahead + bonus(after, move.target)
        return MoveAnalysis(move, float(score), variation=(move,))


def bonus(after: Position, node: Node) -> float:
    """What the rules add to a move that has led to a position with the moved bead on `node`."""
    own, opp = after.opp, after.own  # the player has moved, so the other side is to move
    beads, others = own.bit_count(), opp.bit_count()
    bold = fuzzy_sets.membership(fuzzy_sets.aggression(beads, others), *fuzzy_sets.LEVELS)
    careful = fuzzy_sets.membership(fuzzy_sets.defence(beads, others), *fuzzy_sets.LEVELS)
    trap = fuzzy_sets.trap_potential(node, opp)
    free = fuzzy_sets.mobility(node, own | opp)
    risk = fuzzy_sets.danger(node, own, opp)
    total = 50.0 * trap + 30.0 * trap * bold.high + 25.0 * free * careful.high
    total += 20.0 * fuzzy_sets.desirability(trap=trap, free=free, risk=risk, bold=bold, careful=careful)
    total += 2.0 * reach(node, own, opp)
    if risk > 0.8:
        total -= 15.0
    total *= 1.4 if beads > others else 2.0 if beads < others else 1.0
    return total * 0.5 if after.occurrences > 1 else total  # no walking in circles


def reach(node: Node, own: Mask, opp: Mask) -> float:
    """The best place the bead on `node` can go on to: its strategic value less the steps of an A* path to it."""
    occupied = own | opp
    best = 0.0
    for goal in range(NODES):
        worth = strategic_value(goal, own & ~(1 << node), opp)
        if occupied >> goal & 1 or worth <= best + 1:
            continue
        if path := find_path(node, goal, occupied):
            best = max(best, worth - (len(path) - 1))
    return best


def strategic_value(node: Node, own: Mask, opp: Mask) -> float:
    """One for each free neighbour, three more where a bead traps an opponent, two less where it could be trapped."""
    occupied = own | opp | 1 << node
    around = int(ADJACENT[node])
    value = (around & ~occupied).bit_count()
    taken = [bead for bead in nodes_of(around & opp) if not int(ADJACENT[bead]) & ~occupied]
    if taken:
        return float(value + 3)  # the beads that come off leave it room
    in_danger = value <= 1 and around & opp
    return float(value - 2 if in_danger else value)
