"""Looks one move ahead and at the reply: wins, does not let the other win, or plays what looks best."""

from typing import Annotated

import numpy as np

from alphadiamond.agents import tactics_kernels
from alphadiamond.agents.base import Agent, Analysis, Game, MoveAnalysis, Position, Stop, never, require_moves
from alphadiamond.agents.minimax import distance_of, value_of
from alphadiamond.settings.ranges import SEED


class GreedyAgent(Agent):
    """Wins in one, else avoids what lets the opponent win in one, else plays what the game's own score likes best.

    Scores are minimax's: 999,999 wins at once, -999,998 loses to the next move. Equals are chosen among by the seed.
    """

    def __init__(self, *, game: Game, seed: Annotated[int | None, SEED] = None) -> None:
        self.check(seed=seed)
        self.game = game
        self._rng = np.random.default_rng(seed)

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        require_moves(position, self.game)
        game = self.game
        actions, replies = np.empty((2, game.max_moves), dtype=np.int16)
        states = np.empty((2, game.state_size), dtype=np.int64)
        scores = np.empty(game.max_moves, dtype=np.int64)
        state = game.state_of(position)
        count = tactics_kernels.look_around(game.rules, state, actions, replies, states, scores)
        scored = []
        for i in self._rng.permutation(count):
            move, score = game.move_of(int(actions[i]), position.side), int(scores[i])
            if game.repetition_limit and (outcome := position.play(move).outcome) and outcome.winner is None:
                score = 0  # drawn by repetition
            value = value_of(score, game.score_scale)
            scored.append(MoveAnalysis(move, score=score, value=value, distance=distance_of(score), variation=(move,)))
        scored.sort(key=lambda one: -one.score)
        best = scored[0]
        return Analysis(position, best.move, tuple(scored), value=best.value, exact=best.distance is not None, depth=1)
