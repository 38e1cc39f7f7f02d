"""Seeks, challenges and rematches, when the game that would come of them is refused."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError
from tests.server.server_process import CHASE, ServerProcess, pair, run


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("server"), bot_processes=1, games_per_person=1).start()
    yield made
    assert made.stop() == 0


def test_who_may_not_play_takes_no_seek_link_or_challenge_from_others(server: ServerProcess) -> None:
    async def ask() -> None:
        async with (
            Client(server.address, name="Busy") as busy,
            Client(server.address, name="Owner") as owner,
            Client(server.address, name="Free") as free,
        ):
            await busy.play_bot("@random", CHASE)
            sought = await owner.ask(m.Seek(terms=CHASE))
            assert isinstance(sought, m.Sought)
            link = await owner.challenge(CHASE)
            named = await owner.challenge(CHASE, to="Busy")
            for request in (
                m.Take(seek=sought.seek),
                m.Accept(challenge=link.challenge),
                m.Accept(challenge=named.challenge),
            ):
                with pytest.raises(OnlineError, match="Busy plays as many games as one may"):
                    await busy.ask(request)
            await busy.ask(m.Look(challenge=link.challenge))
            await busy.ask(m.Look(challenge=named.challenge))
            await free.enter_lobby()
            lobby = await free.until(m.LobbyState)
            assert sought.seek in {seek.seek for seek in lobby.seeks}
            for begin in (free.take(sought.seek), free.accept(link.challenge)):
                view = await begin
                await free.ask(m.Abort(game=view.code))
            with pytest.raises(OnlineError, match="there is no such challenge"):
                await free.ask(m.Look(challenge=link.challenge))

    run(ask())


def test_of_many_who_take_one_seek_or_link_at_once_one_gets_it(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1).start()

    async def ask() -> None:
        async with contextlib.AsyncExitStack() as stack:
            owner = await stack.enter_async_context(Client(server.address, name="Wanted"))
            names = [f"Taker {number}" for number in range(5)]
            takers = [await stack.enter_async_context(Client(server.address, name=name)) for name in names]
            sought = await owner.ask(m.Seek(terms=CHASE))
            assert isinstance(sought, m.Sought)
            link = await owner.challenge(CHASE)
            for begun in ([one.take(sought.seek) for one in takers], [one.accept(link.challenge) for one in takers]):
                found = await asyncio.gather(*begun, return_exceptions=True)
                assert [one.code for one in found if isinstance(one, OnlineError)] == ["unknown"] * 4, found
            await owner.enter_lobby()
            assert len((await owner.until(m.LobbyState)).games) == 2

    try:
        run(ask())
    finally:
        code = server.stop()
    assert code == 0


def test_a_rematch_that_is_refused_now_can_be_accepted_later(server: ServerProcess) -> None:
    async def ask() -> None:
        async with Client(server.address, name="Eager") as eager, Client(server.address, name="Later") as later:
            first, _ = await pair(eager, later)
            await eager.ask(m.Resign(game=first.code))
            other = await later.play_bot("@random", CHASE)
            await eager.ask(m.Offer(game=first.code, what="rematch"))
            with pytest.raises(OnlineError, match="Later plays as many games as one may"):
                await later.ask(m.Offer(game=first.code, what="rematch"))
            with pytest.raises(OnlineError, match="Later plays as many games as one may"):
                await later.ask(m.Offer(game=first.code, what="rematch"))
            await later.ask(m.Resign(game=other.code))
            await later.ask(m.Offer(game=first.code, what="rematch"))
            rematch = await eager.until(m.Rematch)
            await eager.ask(m.Abort(game=rematch.next))
            busy, _ = await pair(eager, later)
            with pytest.raises(OnlineError, match="as many games"):
                await later.ask(m.Offer(game=other.code, what="rematch"))
            await eager.ask(m.Resign(game=busy.code))
            await later.ask(m.Offer(game=other.code, what="rematch"))

    run(ask())
