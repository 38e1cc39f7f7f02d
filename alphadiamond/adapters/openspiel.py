"""Diamond Chase as an OpenSpiel game, our players as its bots, and its bots as our players.

    import pyspiel
    from alphadiamond.adapters import openspiel  # registers the game

    game = pyspiel.load_game("python_diamond_chase")
    bots = [openspiel.bot("neural", game, player=0), openspiel.bot("minimax:depth=4", game, player=1)]

In the other direction, OpenSpiel's own MCTS plays here:

    make_agent("alphadiamond.adapters.openspiel.SpielMcts:simulations=200")

Install with `pip install 'alphadiamond[openspiel]'`.
"""

from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from alphadiamond.adapters.observing import ACTIONS, SHAPE, observe, result_for
from alphadiamond.agents import Agent, AgentError, Analysis, MoveAnalysis, make_agent
from alphadiamond.agents.base import Stop, never, require_moves
from alphadiamond.games.diamond_chase import Move, Position, Side
from alphadiamond.games.diamond_chase.kernels import MAX_BEADS, MIN_BEADS, QUIET_LIMIT

NAME: Final = "python_diamond_chase"
LONGEST: Final = (2 * (MAX_BEADS - MIN_BEADS) + 1) * QUIET_LIMIT
"""Plies: each bead that comes off without ending the game can be waited for until the no-capture rule ends it."""

_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Diamond Chase",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(Side),
    min_num_players=len(Side),
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={},
)
_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=0,
    num_players=len(Side),
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LONGEST,
)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """Player 0 is green, who moves first."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(_TYPE, _INFO, params or {})

    def new_initial_state(self, state: object = None) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position with its history, which the draw rules need."""

    def __init__(self, game: SpielGame, position: Position | None = None) -> None:
        super().__init__(game)
        self.position = position if position is not None else Position.start()

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.position.side)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(move.action for move in self.position.moves())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(Move.of_action(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(Move.of_action(action))

    def is_terminal(self) -> bool:
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        return [result_for(self.position, side) for side in Side]

    def __str__(self) -> str:
        return str(self.position)


class Observer:
    """The planes of `observing`, as the player sees them, and the position's text."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters {params}: there are none")
        self.tensor = np.zeros(int(np.prod(SHAPE)), dtype=np.float32)
        self.dict = {"observation": self.tensor.reshape(SHAPE)}

    def set_from(self, state: SpielState, player: int) -> None:
        self.dict["observation"][:] = observe(state.position, Side(player))

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state.position)


pyspiel.register_game(_TYPE, SpielGame)


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our players in OpenSpiel."""

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self._agent = agent

    def restart_at(self, state: SpielState) -> None:
        self._agent.reset()

    def step(self, state: SpielState) -> int:
        return int(self._agent.choose(state.position).action)


def bot(spec: str, game: SpielGame, *, player: int, seed: int | None = None) -> AgentBot:
    """`game` and `player` are what OpenSpiel's bots are made with; ours need neither."""
    return AgentBot(make_agent(spec, seed=seed))


class SpielMcts(Agent):
    """OpenSpiel's MCTS with random rollouts. Scores are visits, values twice the mean result less one."""

    def __init__(self, *, simulations: int = 100, exploration: float = 1.4, seed: int | None = None) -> None:
        if simulations < 1:
            raise AgentError(f"simulations={simulations}: expected 1 or more")
        self._game = SpielGame()
        rng = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
        self._bot = mcts.MCTSBot(self._game, exploration, simulations, evaluator, random_state=rng)

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position)
        root = self._bot.mcts_search(SpielState(self._game, position))
        children = {child.action: child for child in root.children}
        scored = []
        for move in moves:
            child = children.get(move.action)
            visits = int(child.explore_count) if child is not None else 0
            value = float(child.total_reward) / visits if child is not None and visits else None
            scored.append(MoveAnalysis(move, score=visits, value=value, visits=visits, variation=(move,)))
        best = Move.of_action(root.best_child().action)
        scored.sort(key=lambda one: (one.move != best, -one.score))
        return Analysis(position, best, tuple(scored), value=scored[0].value, simulations=int(root.explore_count))
