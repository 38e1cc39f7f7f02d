"""Minimax where the position is tactical, MCTS elsewhere."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np

from alphadiamond.agents.base import Agent, Analysis, Stop, never, require_moves
from alphadiamond.agents.mcts import MctsAgent
from alphadiamond.agents.minimax_kernels import MAX_DEPTH
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.players.minimax import MinimaxAgent
from alphadiamond.games.diamond_chase.players.tactics import captures
from alphadiamond.settings.ranges import SECONDS, SEED, at_least, between


class HybridAgent(Agent):
    """Minimax of `depth` where either side could take a bead or few moves are left, else MCTS of `simulations`.

    `seconds`, where given, bounds both instead. Scores are those of the player who was asked.
    """

    game = GAME

    def __init__(
        self,
        *,
        depth: Annotated[int, between(1, MAX_DEPTH)] = 8,
        simulations: Annotated[int, at_least(1)] = 5000,
        seconds: Annotated[float | None, SECONDS] = None,
        narrow: Annotated[int, between(0, 72)] = 6,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(depth=depth, simulations=simulations, seconds=seconds, narrow=narrow, seed=seed)
        seeds = [int(one) for one in np.random.SeedSequence(seed).generate_state(2)]
        self.narrow = narrow
        plies, rollouts = (None, None) if seconds else (depth, simulations)
        self._minimax = MinimaxAgent(game=GAME, depth=plies, seconds=seconds, seed=seeds[0])
        self._mcts = MctsAgent(game=GAME, simulations=rollouts, seconds=seconds, seed=seeds[1])

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
        require_moves(position, self.game)
        return self._minimax if self.is_tactical(position) else self._mcts
