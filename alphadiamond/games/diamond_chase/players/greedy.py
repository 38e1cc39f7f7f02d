"""Looks one move ahead: wins, blocks, takes, or plays anything."""

from typing import Annotated

import numpy as np

from alphadiamond.agents.base import Agent, Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import MIN_BEADS
from alphadiamond.games.diamond_chase.players.tactics import removals, threatened_wins, winning_moves
from alphadiamond.settings.ranges import SEED

WINS, BLOCKS, TAKES, PLAIN, COSTS, LOSES = 3.0, 2.0, 1.0, 0.0, -1.0, -2.0


class GreedyAgent(Agent):
    """Wins in one, else blocks a win in one, else takes a bead, else plays at random without giving beads away.

    A score is the rank of the reason: 3 wins, 2 blocks, 1 takes more than it costs, 0 none of these, -1 costs more
    than it takes, -2 loses at once.
    """

    game = GAME

    def __init__(self, *, seed: Annotated[int | None, SEED] = None) -> None:
        self.check(seed=seed)
        self._rng = np.random.default_rng(seed)

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        wins = winning_moves(position)
        threatened = bool(threatened_wins(position))
        order = self._rng.permutation(len(moves))
        scored = [
            MoveAnalysis(move, score=score, value=_value(score), distance=_distance(score), variation=(move,))
            for move in (moves[i] for i in order)
            for score in (_score(position, move, wins, threatened),)
        ]
        scored.sort(key=lambda one: -one.score)
        best = scored[0]
        return Analysis(position, best.move, tuple(scored), value=best.value, exact=best.score == WINS, depth=1)


def _score(position: Position, move: Move, wins: list[Move], threatened: bool) -> float:
    if move in wins:
        return WINS
    captured, lost = removals(position, move)
    if position.own.bit_count() - lost < MIN_BEADS:
        return LOSES
    if threatened and not winning_moves(position.play(move)):
        return BLOCKS
    if captured > lost:
        return TAKES
    return COSTS if lost > captured else PLAIN


def _value(score: float) -> float | None:
    return {WINS: 1.0, LOSES: -1.0}.get(score)


def _distance(score: float) -> int | None:
    return 1 if score in (WINS, LOSES) else None
