"""Easy, medium and hard as the document has them: at random, one ply ahead, and minimax of five plies."""

from typing import Annotated, Final

import numpy as np

from alphadiamond.agents.base import Agent, Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.agents.minimax import value_of
from alphadiamond.agents.random import RandomAgent
from alphadiamond.games.connect_four import Position, minimax_kernels
from alphadiamond.games.connect_four.board import ACTIONS
from alphadiamond.games.connect_four.game import GAME, ConnectFour
from alphadiamond.settings.ranges import SEED

DEPTH: Final = 5
WINS, BLOCKS, PLAIN = 2.0, 1.0, 0.0


class EasyAgent(RandomAgent):
    """Any legal column at random."""


class MediumAgent(Agent):
    """Wins in one if it can, else blocks a win in one, else plays at random.

    A score is the rank of the reason: 2 wins, 1 blocks, 0 neither.
    """

    game = GAME

    def __init__(self, *, seed: Annotated[int | None, SEED] = None) -> None:
        self.check(seed=seed)
        self._rng = np.random.default_rng(seed)

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        wins, threats = (
            minimax_kernels.winning_columns(own, other)
            for own, other in ((position.own, position.opp), (position.opp, position.own))
        )
        scored = []
        for i in self._rng.permutation(len(moves)):
            move = moves[i]
            won = bool(wins >> move.column & 1)
            score = WINS if won else BLOCKS if threats >> move.column & 1 else PLAIN
            scored.append(
                MoveAnalysis(
                    move,
                    score=score,
                    value=1.0 if won else None,
                    distance=1 if won else None,
                    variation=(move,),
                )
            )
        scored.sort(key=lambda one: -one.score)
        best = scored[0]
        return Analysis(position, best.move, tuple(scored), value=best.value, exact=best.score == WINS, depth=1)

    def reseed(self, seed: int) -> bool:
        self._rng = np.random.default_rng(seed)
        return True


class HardAgent(Agent):
    """Minimax with alpha-beta to five plies, its leaves scored by windows of four; equals are chosen among by the seed.

    A score is the sum over the windows at the end of the expected line; beyond a million it is a win within the
    horizon, and the sooner the higher.
    """

    game = GAME

    def __init__(self, *, seed: Annotated[int | None, SEED] = None) -> None:
        self.check(seed=seed)
        self._rng = np.random.default_rng(seed)

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        scores = np.empty(ACTIONS, dtype=np.int64)
        minimax_kernels.action_scores(position.own, position.opp, DEPTH, scores)
        scored = []
        for i in self._rng.permutation(len(moves)):
            score = int(scores[moves[i].action])
            proven = abs(score) >= minimax_kernels.WON
            scored.append(
                MoveAnalysis(
                    moves[i],
                    score=score,
                    value=float(np.sign(score)) if proven else value_of(score, ConnectFour.score_scale),
                    distance=DEPTH - (abs(score) - minimax_kernels.WON) if proven else None,
                    variation=(moves[i],),
                )
            )
        scored.sort(key=lambda one: -one.score)
        best = scored[0]
        exact = best.distance is not None
        chances = ((1.0, 0.0, 0.0) if best.score > 0 else (0.0, 0.0, 1.0)) if exact else None
        return Analysis(position, best.move, tuple(scored), best.value, chances, exact=exact, depth=DEPTH)

    def reseed(self, seed: int) -> bool:
        self._rng = np.random.default_rng(seed)
        return True
