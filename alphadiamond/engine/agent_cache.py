"""From a query's player and limits to the text that builds it, and a few built players kept for the next query."""

import contextlib
import functools
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from alphadiamond.agents import Agent, make_agent
from alphadiamond.agents.faults import fault_of
from alphadiamond.agents.registry import agent_class, parameters_of
from alphadiamond.base.game import Game
from alphadiamond.engine.queries import LIMITS, Id, Query, QueryError
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.players import PlayerSpec

KEPT: Final = 8
"""Different players that are kept, the last used ones."""


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
        raise QueryError(fault_of(error), key="player") from None
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
        raise QueryError(fault_of(error), key="player") from None


@dataclass(eq=False)
class _Kept:
    key: PlayerKey
    session: Id | None = None
    """The game that it remembers."""
    agent: Agent | None = None
    """None until it is built."""


class AgentCache:
    """Players that are built once and lent to one thread at a time."""

    def __init__(self) -> None:
        self._idle: list[_Kept] = []  # the last used ones last
        self._lent: list[_Kept] = []
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def lend(self, key: PlayerKey, *, seed: int | None = None, session: Id | None = None) -> Iterator[Agent]:
        """A player who remembers the game of the session, if it was in one with it, and nothing else; when it begins a
        game with a seed, its dice are those of a new one."""
        kept, going_on = self._take(key, session)
        try:
            agent = kept.agent
            if agent is None or (seed is not None and not going_on and not agent.reseed(seed)):
                agent = kept.agent = build(key, seed=seed)
                if seed is not None:
                    agent.reseed(seed)
            if not going_on:
                agent.reset()
            yield agent
        finally:
            self._give_back(kept)

    def _take(self, key: PlayerKey, session: Id | None) -> tuple[_Kept, bool]:
        """The one who knows the session, waited for if need be, else one who does nothing, else one to be built; and
        whether it goes on with its game."""
        with self._changed:
            if session is not None:
                self._changed.wait_for(lambda: not any(one.key == key and one.session == session for one in self._lent))
            fitting = [one for one in self._idle if one.key == key]
            known = [one for one in fitting if session is not None and one.session == session]
            kept = (known or fitting or [_Kept(key)])[-1]
            if fitting:
                self._idle.remove(kept)
            kept.session = session
            self._lent.append(kept)
            return kept, bool(known)

    def _give_back(self, kept: _Kept) -> None:
        with self._changed:
            self._lent.remove(kept)
            if kept.agent is not None:
                self._idle.append(kept)
            last_used = list(dict.fromkeys(one.key for one in reversed(self._idle)))[:KEPT]
            self._idle = [one for one in self._idle if one.key in last_used]
            self._changed.notify_all()
