"""What bots think about for one person does not keep them from others."""

from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client
from tests.server.server_process import CHASE, ServerProcess, run, settle

FIRST = m.Terms("diamond_chase", seat=0)
SECOND = m.Terms("diamond_chase", seat=1)
LONG, SHORT = "@mcts seconds=600", "@mcts seconds=0.5"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    bots = ["mcts:seconds=600", "mcts:seconds=0.5"]
    made = ServerProcess(tmp_path_factory.mktemp("server"), bot_processes=2, think_seconds=600, bots=bots).start()
    yield made
    assert made.stop() == 0
    assert "Traceback" not in made.log


async def bots_answer(server: ServerProcess, name: str) -> None:
    """Somebody else gets a bot's move."""
    async with Client(server.address, name=name) as other:
        view = await other.play_bot("@random", SECOND)
        await settle(other, view, 1)
        assert not view.over


def test_moves_that_are_taken_back_leave_no_thoughts_behind(server: ServerProcess) -> None:
    async def ask() -> None:
        async with Client(server.address, name="Restless") as one, Client(server.address, name="Restive") as two:
            for client in (one, two):
                view = await client.play_bot(LONG, FIRST)
                for _ in range(5):
                    await client.move(view, view.legal[0][0])
                    await client.ask(m.Offer(game=view.code, what="takeback"))
            await bots_answer(server, "Patient")
        await bots_answer(server, "Patient after all")

    run(ask(), seconds=60)


def test_the_same_move_played_again_after_a_take_back_is_answered(server: ServerProcess) -> None:
    async def ask() -> None:
        async with Client(server.address, name="Hesitant") as one:
            view = await one.play_bot(SHORT, FIRST)
            move = view.legal[0][0]
            for _ in range(3):
                await one.move(view, move)
                await one.ask(m.Offer(game=view.code, what="takeback"))
            await one.move(view, move)
            await settle(one, view, 2)
            assert not view.over
            assert len(view.moves) == 2

    run(ask(), seconds=60)


def test_a_person_with_many_games_has_one_thought_at_a_time_and_all_games_go_on(server: ServerProcess) -> None:
    async def ask() -> None:
        async with Client(server.address, name="Collector") as one:
            views = [await one.play_bot(LONG, SECOND) for _ in range(4)]
            await bots_answer(server, "Guest of the collector")
            waiting = [await one.play_bot(SHORT, SECOND) for _ in range(3)]
            for view in views:
                await one.ask(m.Resign(game=view.code))
            for view in waiting:
                await settle(one, view, 1)
                assert not view.over

    run(ask(), seconds=60)


def test_an_opinion_is_taken_back_when_its_asker_has_left(server: ServerProcess) -> None:
    """The other process takes moves alone, so that only an opinion can be kept waiting."""

    async def ask() -> None:
        async with Client(server.address, name="Curious") as one:
            view = await one.play_bot("@random", CHASE)
            await one.send(m.Analyse(game=view.code, ply=0, bot=LONG))
        async with Client(server.address, name="Guest of the curious") as other:
            view = await other.play_bot("@random", CHASE)
            assert isinstance(await other.ask(m.Analyse(game=view.code, ply=0, bot="@minimax-2")), m.Opinion)

    run(ask(), seconds=60)
