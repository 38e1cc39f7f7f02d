"""Plays any legal move."""

from typing import Annotated

import numpy as np

from alphadiamond.agents.base import Agent, Analysis, Game, MoveAnalysis, Position, Stop, never, require_moves
from alphadiamond.settings.ranges import SEED


class RandomAgent(Agent):
    """Every legal move with the same chance."""

    def __init__(self, *, game: Game, seed: Annotated[int | None, SEED] = None) -> None:
        self.check(seed=seed)
        self.game = game
        self._rng = np.random.default_rng(seed)

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        best = moves[self._rng.integers(len(moves))]
        scored = [MoveAnalysis(move, score=1 / len(moves), variation=(move,)) for move in moves]
        return Analysis(position, best, tuple(sorted(scored, key=lambda one: one.move != best)))

    def reseed(self, seed: int) -> bool:
        self._rng = np.random.default_rng(seed)
        return True
