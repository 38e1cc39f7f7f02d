"""A server without sockets, in the test's own event loop: people from any address, and whatever settings."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest import mock

from alphadiamond.engine.settings import EngineSettings
from alphadiamond.engine.workers import ThreadLink
from alphadiamond.games import load
from alphadiamond.online import messages as m
from alphadiamond.runner import Link, Runner
from alphadiamond.runner.links import Ended, Heard
from alphadiamond.server import bot_pool
from alphadiamond.server.bot_pool import BotPool
from alphadiamond.server.dispatcher import Dispatcher
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.players import BotPlayer
from alphadiamond.server.session import Session
from alphadiamond.server.settings import ServeSettings
from alphadiamond.server.storage import Store

_ids = itertools.count(1)


class LocalSession(Session):
    """A connection; `heard` holds all that it was told."""

    def __init__(self, dispatcher: Dispatcher, address: str) -> None:
        super().__init__(address)
        self.dispatcher = dispatcher
        self.heard: list[Any] = []
        self.ended: tuple[int, str] | None = None
        self._news = asyncio.Event()
        dispatcher.sessions.add(self)

    def send(self, data: bytes) -> None:
        self.heard.append(m.read_event(data))
        self._news.set()

    def close(self, code: int, reason: str) -> None:
        self.ended = code, reason
        self.leave()

    def leave(self) -> None:
        self.dispatcher.leave(self)

    async def ask(self, request: Any) -> Any:
        """The answer: `ok`, an error, or what is named in the protocol."""
        request.id = next(_ids)
        await self.dispatcher.handle(self, request)
        return await self.until(lambda event: getattr(event, "id", None) == request.id)

    async def until(self, wanted: Any, *, since: int = 0) -> Any:
        while True:
            for event in self.heard[since:]:
                if wanted(event):
                    return event
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 60)

    def game(self) -> m.Game:
        """The newest that it was shown."""
        return next(event for event in reversed(self.heard) if isinstance(event, m.Game))


class LocalServer:
    def __init__(self, dispatcher: Dispatcher, store: Store, metrics: Metrics) -> None:
        self.dispatcher = dispatcher
        self.store = store
        self.metrics = metrics

    async def come(self, name: str | None = None, *, address: str = "10.0.0.1", **hello: Any) -> LocalSession:
        session = LocalSession(self.dispatcher, address)
        await self.dispatcher.handle(session, m.Hello(name=name, **hello))
        await session.until(lambda event: isinstance(event, m.Welcome | m.Error))
        return session

    async def pair(
        self, one: LocalSession, two: LocalSession, terms: m.Terms | None = None
    ) -> tuple[str, list[LocalSession]]:
        """A game by challenge; its code, and both by their seats."""
        made = await one.ask(m.Challenge(terms=terms or m.Terms("diamond_chase", seat=0)))
        assert isinstance(made, m.Challenged), made
        answer = await two.ask(m.Accept(challenge=made.challenge.challenge))
        assert isinstance(answer, m.Ok), answer
        game = one.game()
        return game.game, [one, two] if game.seat == 0 else [two, one]

    async def play(self, code: str, seats: list[LocalSession], plies: int) -> None:
        """First moves of the list."""
        for ply in range(plies):
            online_game = self.dispatcher.game_manager.going[code]
            turn = online_game.turn
            assert turn is not None
            answer = await seats[turn].ask(m.Move(game=code, ply=ply, move=online_game.legal[0][0]))
            assert isinstance(answer, m.Ok), answer


def _engine(heard: Heard, ended: Ended) -> Link:
    """In a thread: there at once."""
    return ThreadLink(EngineSettings(threads=1, searches=1), heard, ended)


@contextlib.asynccontextmanager
async def local_server(
    directory: Path, *, bots: tuple[str, ...] = ("random",), game: str = "diamond_chase", **settings: Any
) -> AsyncIterator[LocalServer]:
    metrics = Metrics()
    store = Store(directory)
    with mock.patch.object(bot_pool, "engine_runner", return_value=Runner(_engine)):
        pool = BotPool(1, seconds=5.0)
    players = [BotPlayer(f"@{spec.partition(':')[0]}", spec, game, spec) for spec in bots]
    made = ServeSettings(**settings)
    dispatcher = Dispatcher(made, games={game: load(game)}, bots=players, store=store, bot_pool=pool, metrics=metrics)
    dispatcher.start()
    try:
        yield LocalServer(dispatcher, store, metrics)
    finally:
        await dispatcher.stop()
