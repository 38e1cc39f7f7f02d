"""A server that is stopped and started again, with other settings or in the middle of things."""

import asyncio
import contextlib
import random
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError, View
from alphadiamond.server.audit import audit
from alphadiamond.server.storage import connect
from tests.server.server_process import ServerProcess, pair, play_both, run, settle

SLOW = "mcts:simulations=1000000"


def test_games_whose_bot_is_no_longer_there_are_aborted_and_the_others_go_on(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bots=[SLOW], think_seconds=600, bot_processes=1).start()

    async def begin() -> tuple[str | None, list[str], str]:
        async with Client(server.address, name="Ada") as ada:
            gone = [await ada.play_bot("@mcts simulations=1000000", m.Terms("diamond_chase", seat=1)) for _ in range(3)]
            kept = await ada.play_bot("@random", m.Terms("diamond_chase", seat=0))
            return ada.token, [view.code for view in gone], kept.code

    token, gone, kept = run(begin())
    assert server.stop() == 0
    server = ServerProcess(tmp_path, bot_processes=1).start()

    async def look() -> None:
        async with Client(server.address, token=token) as ada:
            assert ada.welcome is not None
            assert [line.game for line in ada.welcome.playing] == [kept]
            for code in gone:
                view = await ada.watch(code)
                assert (view.result, view.ending) == ("aborted", "aborted")
            view = await ada.watch(kept)
            await ada.move(view, view.legal[0][0])

    try:
        run(look())
    finally:
        code = server.stop()
    assert code == 0
    assert not audit(server.database).faults


def test_clocks_after_a_take_back_are_the_same_after_a_restart(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1, back_in=0.1).start()

    async def play() -> None:
        async with Client(server.address, name="Ada") as ada, Client(server.address, name="Bob") as bob:
            first, second = await pair(ada, bob, m.Terms("diamond_chase", m.Clock(600), seat=0))
            await play_both(ada, bob, first, second, plies=4)
            await settle(ada, first, 4)
            await asyncio.sleep(1.5)
            await ada.move(first, first.legal[0][0])
            await ada.ask(m.Offer(game=first.code, what="takeback"))
            await bob.until(m.Offered, what="takeback")
            await bob.ask(m.Offer(game=first.code, what="takeback"))
            while len(first.moves) > 4:  # what Bob was told, Ada hears a little later
                await ada.change()
            assert len(first.moves) == 4
            assert first.left is not None
            assert first.left[0] < 599_000
            assert await asyncio.to_thread(server.stop) == 0
            with contextlib.closing(connect(server.database, read_only=True)) as database:
                stored = [clock for (clock,) in database.execute("SELECT clock FROM moves ORDER BY ply")]
            assert stored[2] < 599_000 < stored[0]
            await asyncio.to_thread(server.start)
            again = await ada.watch(first.code)
            assert again.left[0] < 599_000

    try:
        run(play(), seconds=60)
    finally:
        server.stop()
    assert not audit(server.database).faults


def test_a_drawn_board_is_played_twice_with_seats_exchanged_and_then_there_is_a_new_one(tmp_path: Path) -> None:
    """Whatever has been forgotten in between: a finished game is read back from the database."""
    server = ServerProcess(tmp_path, bot_processes=1, back_in=0.1).start()

    async def play() -> None:
        async with Client(server.address, name="Ada") as ada:
            view = await ada.play_bot("@random", m.Terms("labyrinth", seat=0))
            boards, seats = [], []
            for number in range(4):
                boards.append(view.start)
                seats.append(view.seat)
                await ada.ask(m.Resign(game=view.code))
                if number == 1:
                    assert await asyncio.to_thread(server.stop) == 0
                    await asyncio.to_thread(server.start)
                    view = await ada.watch(view.code)
                await ada.ask(m.Offer(game=view.code, what="rematch"))
                rematch = await ada.until(m.Rematch, game=view.code)
                view = await ada.watch(rematch.next)
            assert boards[0] == boards[1] != boards[2] == boards[3]
            assert seats == [0, 1, 0, 1]

    try:
        run(play(), seconds=60)
    finally:
        server.stop()


@pytest.mark.slow
def test_orderly_restarts_under_load_refuse_no_move(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1, back_in=0.1, messages_per_second=10_000).start()
    restarts, pairs = 8, 4
    going = True
    played = 0

    async def games(number: int) -> None:
        nonlocal played
        rng = random.Random(number)
        async with (
            Client(server.address, name=f"One {number}") as one,
            Client(server.address, name=f"Two {number}") as two,
        ):

            async def side(client: Client, view: View) -> None:
                nonlocal played
                while going and not view.over:
                    if view.mine:
                        await client.move(view, rng.choice(view.legal)[0])  # raises whatever the server refuses
                        played += 1
                    else:
                        await asyncio.wait((client.change(),), timeout=1)

            while going:
                try:
                    first, second = await asyncio.wait_for(pair(one, two), 30)
                except (OnlineError, TimeoutError, StopIteration, RuntimeError):  # a challenge may be refused
                    await asyncio.sleep(0.05)
                    continue
                await asyncio.gather(side(one, first), side(two, second))

    async def restart() -> None:
        nonlocal going
        tasks = [asyncio.create_task(games(number)) for number in range(pairs)]
        for _ in range(restarts):
            told = played
            while played < told + 40:
                ended, _ = await asyncio.wait(tasks, timeout=0.01)
                for task in ended:
                    task.result()
            assert await asyncio.to_thread(server.stop) == 0
            await asyncio.to_thread(server.start)
        going = False
        await asyncio.gather(*tasks)

    try:
        run(restart(), seconds=400)
    finally:
        server.stop()
    assert not audit(server.database).faults


def test_a_client_sends_a_move_again_that_a_stopping_server_refused() -> None:
    """Without a server: the refusal is said by hand."""
    asked: list[m.Request] = []

    class Refused(Client):
        async def ask(self, request: m.Request) -> m.ServerMessage:
            asked.append(request)
            if len(asked) == 1:
                raise OnlineError("stopping", "the server is stopping; ask again when it is back")
            return m.Ok(id=1)

    async def insist() -> None:
        client = Refused("ws://nowhere")
        client.connected.set()
        await client.insist(m.Move(game="x", ply=0, move="si-cs"))

    run(insist(), seconds=30)
    assert len(asked) == 2
