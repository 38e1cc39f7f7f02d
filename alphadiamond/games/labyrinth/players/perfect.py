"""The perfect player: plays for the largest margin, so that it wins whatever can be won."""

import numpy as np

from alphadiamond.agents import perfect
from alphadiamond.agents.base import Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.games.labyrinth.position import Position
from alphadiamond.games.labyrinth.solver import LabyrinthSolution


class PerfectAgent(perfect.PerfectAgent):
    """A move's score is the exact margin: what the opponent will have paid more in the end, with best play.

    Among moves of the best margin it chooses at random.
    """

    solution: LabyrinthSolution

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        states = self.game.states_of([position])
        margins, _ = self.solution.action_margins(states)
        _, plies = self.solution.action_values(states)
        scored = []
        for i in self._rng.permutation(len(moves)):
            action = moves[i].action
            margin = int(margins[0, action])
            scored.append(
                MoveAnalysis(
                    moves[i],
                    score=float(margin),
                    value=float(np.sign(margin)),
                    distance=int(plies[0, action]) if margin else None,
                    margin=margin,
                    variation=(moves[i],),
                )
            )
        scored.sort(key=lambda one: -one.score)
        best = scored[0]
        chances = (float(best.score > 0), float(best.score == 0), float(best.score < 0))
        return Analysis(position, best.move, tuple(scored), best.value, chances, exact=True)
