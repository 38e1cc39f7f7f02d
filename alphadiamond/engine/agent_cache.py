"""From a query's player and limits to the text that builds it, and a few built players kept for the next query."""

import functools
from collections import OrderedDict
from typing import Final, NamedTuple

from alphadiamond.agents import Agent, make_agent
from alphadiamond.agents.registry import agent_class, parameters_of
from alphadiamond.base.game import Game
from alphadiamond.engine.queries import LIMITS, Query, QueryError
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.players import PlayerSpec

KEPT: Final = 8
"""Built players that a thread keeps, the last used ones."""


class PlayerKey(NamedTuple):
    """A player, by its text, in a game."""

    spec: str
    game: Game


def player_key_of(query: Query, default: str) -> PlayerKey:
    return PlayerKey(_spec_of(query.player or default, query.game, tuple(query.limits.items())), query.game)


@functools.lru_cache(maxsize=1024)
def _spec_of(text: str, game: Game, limits: tuple[tuple[str, float], ...]) -> str:
    """The player's text with the query's limits among its parameters.

    A time that no parameter can hold, or that stands beside another limit, is kept by the engine alone: it asks the
    player to answer when it is over.
    """
    try:
        spec = PlayerSpec.parse(text)
        known = parameters_of(spec.name, game)
    except AlphaDiamondError as error:
        raise QueryError(str(error), key="player") from None
    budgeted = len(limits) > 1 or any(spec.get(other) for other in ("simulations", "depth"))
    for limit, value in limits:
        if limit == "seconds" and (budgeted or limit not in known):
            continue
        if limit not in known:
            takes = [other for other in LIMITS if other in known]
            hint = f"it takes {' and '.join(takes)}" if takes else "it takes seconds alone"
            raise QueryError(f"player {spec.name} has no limit {limit}; {hint}", key="limits")
        if spec.get(limit):
            raise QueryError(f"{limit} stands in the player and in the limits", key="limits")
        spec = spec.having(**{limit: value})
    return str(spec)


def thinks_in_batches(player_key: PlayerKey) -> bool:
    return agent_class(PlayerSpec.parse(player_key.spec).name, player_key.game).batch is not Agent.batch


def build(player_key: PlayerKey, *, seed: int | None = None) -> Agent:
    """A player, or a QueryError that says why there is none."""
    try:
        return make_agent(player_key.spec, game=player_key.game, seed=seed)
    except AlphaDiamondError as error:
        raise QueryError(str(error), key="player") from None


class AgentCache:
    """The players of one thread, each for one question at a time."""

    def __init__(self) -> None:
        self._agents: OrderedDict[PlayerKey, Agent] = OrderedDict()

    def take(self, player_key: PlayerKey, seed: int | None) -> Agent:
        """A player who remembers nothing; with a seed its dice are those of a new one."""
        agent = self._agents.get(player_key)
        if agent is None or (seed is not None and not agent.reseed(seed)):
            agent = build(player_key, seed=seed)
            self._agents[player_key] = agent
            if seed is not None:
                agent.reseed(seed)
        self._agents.move_to_end(player_key)
        while len(self._agents) > KEPT:
            self._agents.popitem(last=False)
        agent.reset()
        return agent
