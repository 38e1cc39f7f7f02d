"""Difficulty by name: from one ply with slips to a deep search, and a level that follows the person."""

from dataclasses import replace
from typing import Annotated, Any, Final, NamedTuple

import numpy as np

from alphadiamond.agents.base import Agent, AgentError, Analysis, Game, Position, Stop, never, require_moves
from alphadiamond.agents.registry import agent_class
from alphadiamond.agents.tactics import winning_moves
from alphadiamond.settings.ranges import SEED, above, between


class Level(NamedTuple):
    name: str
    depth: int
    """Plies that minimax looks ahead, without quiescence."""
    slips: float
    """The share of moves that are random; a win in one is never missed."""


LEVELS: Final = (
    Level("beginner", depth=1, slips=0.5),
    Level("easy", depth=1, slips=0.2),
    Level("medium", depth=2, slips=0.0),
    Level("hard", depth=3, slips=0.0),
    Level("expert", depth=4, slips=0.0),
)
"""Each beats the one before it: docs/reference/players.md has the figures."""


class LevelAgent(Agent):
    """The game's minimax with a share of random moves. The analysis is minimax's own; a slip changes only the move."""

    level: Level

    def __init__(self, *, game: Game, seed: Annotated[int | None, SEED] = None) -> None:
        self.check(seed=seed)
        self.game = game
        self._rng = np.random.default_rng(seed)
        minimax: Any = agent_class("minimax", self.game)
        self._minimax: Agent = minimax(
            game=self.game, depth=self.level.depth, table_bits=14, seed=int(self._rng.integers(1 << 32))
        )

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        analysis = self._minimax.analyse(position, stop=stop)
        slips = self._rng.random() < self.level.slips
        pick = int(self._rng.integers(len(analysis.moves)))
        if slips and not winning_moves(self.game, position):
            return replace(analysis, best=analysis.moves[pick].move)
        return analysis


class BeginnerAgent(LevelAgent):
    """One ply, half of the moves at random."""

    level = LEVELS[0]


class EasyAgent(LevelAgent):
    """One ply, every fifth move at random."""

    level = LEVELS[1]


class MediumAgent(LevelAgent):
    """Two plies."""

    level = LEVELS[2]


class HardAgent(LevelAgent):
    """Three plies."""

    level = LEVELS[3]


class ExpertAgent(LevelAgent):
    """Four plies."""

    level = LEVELS[4]


LEVEL_AGENTS: Final = (BeginnerAgent, EasyAgent, MediumAgent, HardAgent, ExpertAgent)


class AdaptiveAgent(Agent):
    """A strength between beginner (0) and expert (4) that goes up when the person wins and down when they lose.

    Between two levels each move is played by the upper one with the chance that the fraction says. Whoever keeps the
    person's results stores `strength` and hands it back to the constructor.
    """

    def __init__(
        self,
        *,
        game: Game,
        strength: Annotated[float, between(0, len(LEVELS) - 1)] = 1.0,
        step: Annotated[float, above(0, up_to=len(LEVELS) - 1)] = 0.5,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(strength=strength, step=step, seed=seed)
        self.game = game
        self.strength = float(strength)
        self.step = step
        self._rng = np.random.default_rng(seed)
        self._levels = [cls(game=self.game, seed=int(self._rng.integers(1 << 32))) for cls in LEVEL_AGENTS]

    @property
    def level(self) -> str:
        """The name of the level nearest to the strength."""
        return LEVELS[round(self.strength)].name

    def record_result(self, score: float) -> float:
        """Learn the person's result in a game, 1 won, 0.5 drawn, 0 lost, and return the new strength."""
        if not 0 <= score <= 1:
            raise AgentError(f"result {score}: expected 0 (lost), 0.5 (drawn) or 1 (won by the person)")
        self.strength = float(np.clip(self.strength + self.step * (2 * score - 1), 0, len(LEVELS) - 1))
        return self.strength

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        require_moves(position, self.game)
        below = int(self.strength)
        above = self._rng.random() < self.strength - below
        return self._levels[below + above].analyse(position, stop=stop)
