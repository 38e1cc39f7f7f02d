"""Every game as an OpenSpiel game, our players as its bots, and its bots as our players.

    import pyspiel
    from alphadiamond.adapters import openspiel  # registers the games

    game = pyspiel.load_game("python_diamond_chase")
    bots = [openspiel.bot("neural", game, player=0), openspiel.bot("minimax:depth=4", game, player=1)]

In the other direction, OpenSpiel's own MCTS plays here:

    make_agent("alphadiamond.adapters.openspiel.SpielMcts:simulations=200", game=load("dame"))

Install with `pip install '.[openspiel]'`.
"""

import functools
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from alphadiamond.adapters.observation import result_for
from alphadiamond.agents import Agent, AgentError, Analysis, MoveAnalysis, make_agent
from alphadiamond.agents.base import Game, Position, Stop, never, require_moves
from alphadiamond.games import all_games, load


def name_of(game: Game) -> str:
    """How OpenSpiel calls one of our games."""
    return f"python_{game.name}"


@functools.cache
def type_of(game: Game) -> Any:
    return pyspiel.GameType(
        short_name=name_of(game),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(game.sides),
        min_num_players=len(game.sides),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0} if game.seeded else {},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """Player 0 is the side that moves first."""

    ours: Game
    """What it is a game of."""

    def __init__(self, params: dict[str, Any] | None = None, *, ours: Game | None = None) -> None:
        if ours is not None:
            self.ours = ours
        self._seed = int((params or {}).get("seed", 0))  # draws the board, where boards differ
        info = pyspiel.GameInfo(
            num_distinct_actions=self.ours.actions,
            max_chance_outcomes=0,
            num_players=len(self.ours.sides),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.ours.longest,
        )
        super().__init__(type_of(self.ours), info, params or {})

    def new_initial_state(self, state: object = None) -> "SpielState":
        return SpielState(self, self.ours.start(self._seed) if self.ours.seeded else self.ours.start())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.ours, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position with its history, which draw rules may need."""

    def __init__(self, game: SpielGame, position: Position) -> None:
        super().__init__(game)
        self.ours = game.ours
        self.position = position

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.position.side)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(move.action for move in self.position.moves())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self.ours.move_of(action, self.position.side))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.ours.move_of(action, self.ours.sides[player]))

    def is_terminal(self) -> bool:
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        return [result_for(self.position, side) for side in self.ours.sides]

    def __str__(self) -> str:
        return str(self.position)


class Observer:
    """What the game lets a player see, and the position's text."""

    def __init__(self, game: Game, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters {params}: there are none")
        self._game = game
        self.tensor = np.zeros(int(np.prod(game.observation_shape)), dtype=np.float32)
        self.dict = {"observation": self.tensor.reshape(game.observation_shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        self.dict["observation"][:] = self._game.observe(state.position, self._game.sides[player])

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state.position)


def register(name: str) -> None:
    """Make one of our games known to OpenSpiel: all that are here at the import are."""
    ours = load(name)
    # A class of its own: OpenSpiel keeps what it is given until after Python has ended, when only classes are safe.
    pyspiel.register_game(type_of(ours), type(f"SpielGame_{name}", (SpielGame,), {"ours": ours}))


for _game in all_games():
    register(_game.name)


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
    """`game` and `player` are what OpenSpiel's bots are made with; ours need not be told the second."""
    return AgentBot(make_agent(spec, game=game.ours, seed=seed))


class SpielMcts(Agent):
    """OpenSpiel's MCTS with random rollouts. Scores are visits, values twice the mean result less one."""

    def __init__(
        self, *, game: Game, simulations: int = 100, exploration: float = 1.4, seed: int | None = None
    ) -> None:
        if simulations < 1:
            raise AgentError(f"simulations={simulations}: expected 1 or more")
        self.game = game
        self._game = SpielGame(ours=self.game)
        rng = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
        self._bot = mcts.MCTSBot(self._game, exploration, simulations, evaluator, random_state=rng)

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        root = self._bot.mcts_search(SpielState(self._game, position))
        children = {child.action: child for child in root.children}
        scored = []
        for move in moves:
            child = children.get(move.action)
            visits = int(child.explore_count) if child is not None else 0
            value = float(child.total_reward) / visits if child is not None and visits else None
            scored.append(MoveAnalysis(move, score=visits, value=value, visits=visits, variation=(move,)))
        best = self.game.move_of(root.best_child().action, position.side)
        scored.sort(key=lambda one: (one.move != best, -one.score))
        return Analysis(position, best, tuple(scored), value=scored[0].value, simulations=int(root.explore_count))
