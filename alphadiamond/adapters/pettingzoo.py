"""Diamond Chase as a PettingZoo AEC environment, and our players as policies for it.

    from alphadiamond.adapters.pettingzoo import env, policy

    game = env()
    game.reset(seed=1)
    ours = policy("minimax:depth=4")
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        game.step(None if termination or truncation else ours(game))

An observation is a dict: `observation` [4, 21] (see `observing.PLANES`) and `action_mask` [72]. Install with
`pip install 'alphadiamond[pettingzoo]'`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from alphadiamond.adapters.observing import ACTIONS, SHAPE, legal_mask, observe, result_for
from alphadiamond.agents import make_agent
from alphadiamond.games.diamond_chase import Move, Position, Side
from alphadiamond.games.diamond_chase.picture import picture


def env(render_mode: str | None = None) -> Any:
    """The environment in PettingZoo's usual wrappers: an illegal action loses, and the order of calls is checked."""
    game: Any = raw_env(render_mode=render_mode)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    game = wrappers.AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  (PettingZoo's name for it)
    """The agents are `green`, who moves first, and `red`. A win is 1, a loss -1, a draw 0, given when it is over."""

    metadata = {  # noqa: RUF012  (as PettingZoo declares it)
        "name": "diamond_chase_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = [str(side) for side in Side]
        self.position = Position.start()
        self.action_spaces = {name: spaces.Discrete(ACTIONS) for name in self.possible_agents}
        self.observation_spaces = {
            name: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, SHAPE, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), dtype=np.int8),
                }
            )
            for name in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`options={"position": text}` begins somewhere else. Nothing is random, so the seed changes nothing."""
        text = (options or {}).get("position")
        self.position = Position.start() if text is None else Position.parse(text)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.position.outcome is not None)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = str(self.position.side)

    def observe(self, agent: str) -> dict[str, Any]:
        mine = agent == str(self.position.side)
        mask = legal_mask(self.position) if mine else np.zeros(ACTIONS, dtype=np.int8)
        return {"observation": observe(self.position, Side[agent.upper()]), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        mover = self.agent_selection
        self.position = self.position.play(Move.of_action(int(action)))
        self._cumulative_rewards[mover] = 0.0
        self.rewards = {str(side): result_for(self.position, side) for side in Side}
        self.terminations = dict.fromkeys(self.agents, self.position.outcome is not None)
        self.agent_selection = str(self.position.side)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        text = "\n".join([*picture(self.position), str(self.position)])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        pass


def policy(spec: str, *, seed: int | None = None) -> Callable[[Any], int]:
    """One of our players, asked for the action in an environment whose turn it is."""
    agent = make_agent(spec, seed=seed)

    def choose(game: Any) -> int:
        return int(agent.choose(game.unwrapped.position).action)

    return choose
