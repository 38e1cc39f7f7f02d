"""Minimax where the position is tactical, MCTS elsewhere."""

from collections.abc import Iterator

import numpy as np

from alphadiamond.agents.base import Agent, AgentError, Analysis, Stop, never, require_moves
from alphadiamond.agents.mcts import MctsAgent
from alphadiamond.agents.minimax import MinimaxAgent
from alphadiamond.agents.tactics import captures
from alphadiamond.game import Position


class HybridAgent(Agent):
    """Minimax of `depth` where either side could take a bead or few moves are left, else MCTS of `simulations`.

    `seconds`, where given, bounds both instead. Scores are those of the player who was asked.
    """

    def __init__(
        self,
        *,
        depth: int = 8,
        simulations: int = 5000,
        seconds: float | None = None,
        narrow: int = 6,
        seed: int | None = None,
    ) -> None:
        if narrow < 0:
            raise AgentError(f"narrow={narrow}: expected 0 or more")
        seeds = [int(one) for one in np.random.SeedSequence(seed).generate_state(2)]
        self.narrow = narrow
        self._minimax = MinimaxAgent(depth=None if seconds else depth, seconds=seconds, seed=seeds[0])
        self._mcts = MctsAgent(simulations=None if seconds else simulations, seconds=seconds, seed=seeds[1])

    def is_tactical(self, position: Position) -> bool:
        """Whether a bead can be taken now, by either side were it to move, or there are at most `narrow` moves."""
        return (
            captures(position.own, position.opp) > 0
            or captures(position.opp, position.own) > 0
            or len(position.moves()) <= self.narrow
        )

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        return self._expert(position).analyse(position, stop=stop)

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        return self._expert(position).stream(position, stop=stop)

    def _expert(self, position: Position) -> Agent:
        require_moves(position)
        return self._minimax if self.is_tactical(position) else self._mcts
