"""Every game as a PettingZoo AEC environment, and our players as policies for it.

    from alphadiamond.adapters.pettingzoo import env, policy
    from alphadiamond.games import load

    connect_four = load("connect_four")
    game = env(game=connect_four)
    game.reset(seed=1)
    ours = policy("minimax:depth=4", game=connect_four)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        game.step(None if termination or truncation else ours(game))

An observation is a dict: `observation`, of the shape `Game.observation_shape` (Diamond Chase: [4, 21]), and
`action_mask` [actions]. Install with `pip install '.[pettingzoo]'`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from alphadiamond.adapters.observation import legal_mask, result_for
from alphadiamond.agents import make_agent
from alphadiamond.base.game import Game


def env(render_mode: str | None = None, *, game: Game) -> Any:
    """The environment in PettingZoo's usual wrappers: an illegal action loses, and the order of calls is checked."""
    wrapped: Any = raw_env(render_mode=render_mode, game=game)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  (PettingZoo's name for it)
    """The agents are called as the game's sides are, the one that moves first first. A win is 1, a loss -1, a draw 0,
    given when it is over."""

    metadata = {  # noqa: RUF012  (as PettingZoo declares it)
        "name": "alphadiamond_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, render_mode: str | None = None, *, game: Game) -> None:
        super().__init__()
        self.game = game
        self.metadata = {**type(self).metadata, "name": f"{game.name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [str(side) for side in self.game.sides]
        self.position = self.game.sample_start()
        self.action_spaces = {name: spaces.Discrete(self.game.actions) for name in self.possible_agents}
        self.observation_spaces = {
            name: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, self.game.observation_shape, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (self.game.actions,), dtype=np.int8),
                }
            )
            for name in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`options={"position": text}` begins somewhere else. The seed draws the board, where boards differ."""
        text = (options or {}).get("position")
        if text is not None:
            self.position = self.game.parse(text)
        else:
            self.position = self.game.start(seed) if self.game.seeded else self.game.start()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.position.outcome is not None)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = str(self.position.side)

    def observe(self, agent: str) -> dict[str, Any]:
        mine = agent == str(self.position.side)
        mask = legal_mask(self.game, self.position) if mine else np.zeros(self.game.actions, dtype=np.int8)
        side = self.game.sides[self.possible_agents.index(agent)]
        return {"observation": self.game.observe(self.position, side), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        mover = self.agent_selection
        self.position = self.position.play(self.game.move_of(int(action), self.position.side))
        self._cumulative_rewards[mover] = 0.0
        self.rewards = {str(side): result_for(self.position, side) for side in self.game.sides}
        self.terminations = dict.fromkeys(self.agents, self.position.outcome is not None)
        self.agent_selection = str(self.position.side)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        text = "\n".join([*self.game.picture(self.position), str(self.position)])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        pass


def policy(spec: str, *, game: Game, seed: int | None = None) -> Callable[[Any], int]:
    """One of our players, asked for the action in an environment whose turn it is."""
    agent = make_agent(spec, game=game, seed=seed)

    def choose(environment: Any) -> int:
        return int(agent.choose(environment.unwrapped.position).action)

    return choose
