"""Easy, medium and hard as the document has them: at random, one ply ahead, and minimax of five plies."""

from typing import Annotated, Final

import numpy as np

from alphadiamond.agents.base import Agent, Analysis, MoveAnalysis, Stop, line_of, never, require_moves
from alphadiamond.agents.minimax import Searcher, analysis_of, distance_of, value_of
from alphadiamond.agents.random import RandomAgent
from alphadiamond.games.connect_four import Position, kernels
from alphadiamond.games.connect_four.game import GAME
from alphadiamond.settings.ranges import SEED

DEPTH: Final = 5
TABLE_BITS: Final = 12
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
            kernels.winning_columns(own, other)
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

    A score is the sum over its own windows at the end of the expected line, which it counts for more than those of the
    opponent, whoever is to move there; a win in n plies is 1,000,000 - n.
    """

    game = GAME

    def __init__(self, *, seed: Annotated[int | None, SEED] = None) -> None:
        self.check(seed=seed)
        self._rng = np.random.default_rng(seed)
        self._searchers = [
            Searcher(GAME, GAME.rules._replace(scorer=int(side)), table_bits=TABLE_BITS) for side in GAME.sides
        ]

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        searcher = self._searchers[position.side]
        ((depth, scores),) = searcher.depths(position, depth=DEPTH, every_move=True, each=False)
        lines = searcher.variations(depth)
        scored = []
        for i in self._rng.permutation(len(moves)):
            score = scores[moves[i].action]
            scored.append(
                MoveAnalysis(
                    moves[i],
                    score=score,
                    value=value_of(score, GAME.score_scale),
                    distance=distance_of(score),
                    variation=line_of(GAME, position, lines[moves[i].action]),
                )
            )
        scored.sort(key=lambda one: -one.score)
        return analysis_of(position, scored, depth)

    def reseed(self, seed: int) -> bool:
        self._rng = np.random.default_rng(seed)
        return True
