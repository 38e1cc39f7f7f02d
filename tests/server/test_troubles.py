"""A machine in trouble: one line in the log, people are told, nothing acknowledged is lost, and it goes on."""

import asyncio
import contextlib
import json
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")
if sys.platform != "linux":
    pytest.skip("limits of another process are Linux's", allow_module_level=True)

import resource

from websockets.asyncio.client import connect as open_socket

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client
from alphadiamond.server.audit import audit
from alphadiamond.server.storage import FILE, connect
from tests.server.local import local_server
from tests.server.server_process import ServerProcess, pair, play_both, run, settle

WAITS = "the database cannot be written; moves wait"
AGAIN = "the database is written again"


def lines(server: ServerProcess, event: str) -> int:
    found = [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]
    return sum(line["event"] == event for line in found)


def through_trouble(server: ServerProcess, begin: Callable[[], None], end: Callable[[], None]) -> None:
    """A game in whose middle nothing can be written for a while."""

    async def play() -> list[str]:
        async with Client(server.address, name="Ada") as ada, Client(server.address, name="Bob") as bob:
            first, second = await pair(ada, bob, m.Terms("diamond_chase", m.Clock(600), seat=0))
            await play_both(ada, bob, first, second, plies=4)
            await settle(ada, first, 4)
            begin()
            move = asyncio.create_task(ada.move(first, first.legal[0][0]))
            await bob.until(m.Trouble, on=True)
            assert bob.troubled
            assert len(second.moves) == 4, "nobody hears of a move that is not on disk"
            assert not move.done()
            end()
            await asyncio.wait_for(move, 60)
            await bob.until(m.Trouble, on=False)
            await settle(bob, second, 5)
            await play_both(ada, bob, first, second, plies=8)
            await settle(ada, first, 8)
            assert (ada.reconnections, bob.reconnections) == (0, 0)
            return list(first.moves)

    try:
        told = run(play(), seconds=120)
        assert (lines(server, WAITS), lines(server, AGAIN)) == (1, 1)
        assert "Traceback" not in server.log
    finally:
        end()
        code = server.stop()
    assert code == 0
    assert not audit(server.database).faults
    with contextlib.closing(connect(server.database, read_only=True)) as database:
        assert [move for (move,) in database.execute("SELECT move FROM moves ORDER BY ply")] == told


def test_a_database_that_somebody_else_holds_is_waited_for(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1).start()
    other = sqlite3.connect(server.database, isolation_level=None, check_same_thread=False)
    try:
        through_trouble(
            server,
            lambda: other.execute("BEGIN IMMEDIATE") and None,
            lambda: other.execute("ROLLBACK") and None if other.in_transaction else None,
        )
    finally:
        other.close()


def test_a_disk_that_is_full_is_waited_for(tmp_path: Path) -> None:
    """The system lets no file grow beyond what the database's log has; the server's own log is shorter."""
    server = ServerProcess(tmp_path, bot_processes=1).start()
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    grown = server.database.with_name("online.sqlite-wal")
    through_trouble(
        server,
        lambda: resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (grown.stat().st_size, before[1])) and None,
        lambda: resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before) and None,
    )


def test_without_files_nobody_new_gets_in_games_go_on_and_it_passes(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1).start()
    before = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)

    async def play() -> None:
        async with Client(server.address, name="Ada") as ada, Client(server.address, name="Bob") as bob:
            first, second = await pair(ada, bob, m.Terms("diamond_chase", seat=0))
            held = len(list(Path(f"/proc/{server.pid}/fd").iterdir()))
            resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (held, before[1]))
            with pytest.raises((TimeoutError, OSError)):
                async with open_socket(server.address, open_timeout=3):
                    pass
            await play_both(ada, bob, first, second, plies=10)
            await settle(ada, first, 10)
            resource.prlimit(server.pid, resource.RLIMIT_NOFILE, before)
            async with Client(server.address, name="Carol") as carol:
                assert (await carol.watch(first.code)).moves == first.moves

    try:
        run(play(), seconds=120)
        said = [json.loads(line) for line in server.log.splitlines() if "Too many open files" in line]
        assert 1 <= len(said) <= 2, server.log  # by whom it was met: accepting, reading
        assert "Traceback" not in server.log
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, before)
        code = server.stop()
    assert code == 0


def test_a_database_that_is_removed_ends_the_server_before_anybody_hears_of_a_move_that_is_lost(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1).start()

    async def play() -> None:
        async with Client(server.address, name="Ada") as ada, Client(server.address, name="Bob") as bob:
            first, second = await pair(ada, bob, m.Terms("diamond_chase", seat=0))
            await play_both(ada, bob, first, second, plies=4)
            await settle(ada, first, 4)
            for path in server.database.parent.glob("online.sqlite*"):
                path.unlink()
            move = asyncio.create_task(ada.move(first, first.legal[0][0]))
            await bob.until(m.Stopping)
            await asyncio.to_thread(server.join)
            assert not move.done()
            assert len(second.moves) == 4
            move.cancel()

    try:
        run(play(), seconds=120)
    finally:
        code = server.stop()
    assert code == 2
    assert lines(server, "the database cannot be written") == 1
    assert "removed or replaced while the server ran); bring back a backup" in server.log
    assert "Traceback" not in server.log


def test_a_clock_that_is_set_back_while_the_server_runs_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with local_server(tmp_path) as server:
            ada, bob = await server.come("Ada"), await server.come("Bob")
            code, seats = await server.pair(ada, bob, m.Terms("diamond_chase", m.Clock(60), seat=0))
            await server.play(code, seats, 4)
            before, real = server.dispatcher.now(), time.time
            monkeypatch.setattr(time, "time", lambda: real() - 86_400 * 400)
            online_game = server.dispatcher.game_manager.going[code]
            turn = online_game.turn
            assert turn is not None
            assert isinstance(await seats[turn].ask(m.Move(game=code, ply=4, move=online_game.legal[0][0])), m.Ok)
            assert server.dispatcher.now() >= before
            assert all(0 < left <= 60_000 for left in online_game.left)
            assert isinstance(await seats[turn].ask(m.Resign(game=code)), m.Ok)

    run(play(), seconds=60)
    found = audit(tmp_path / FILE)
    assert (found.faults, found.moves) == ([], 5)


def test_a_clock_that_was_set_back_between_two_starts_costs_nobody_anything(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1, back_in=0.1).start()
    ahead = 1000 * 86_400 * 400  # the clock was wrong by more than a year when these games were played

    async def play() -> None:
        async with Client(server.address, name="Ada") as ada, Client(server.address, name="Bob") as bob:
            games = [
                await pair(ada, bob, m.Terms("diamond_chase", clock, rated=True, seat=0))
                for clock in (None, m.Clock(600))
            ]
            for first, second in games:
                await play_both(ada, bob, first, second, plies=8)
                await settle(ada, first, 8)
            assert await asyncio.to_thread(server.stop) == 0
            with contextlib.closing(connect(server.database)) as database:
                database.execute("UPDATE moves SET at = at + ?", (ahead,))
                database.execute("UPDATE games SET began = began + ?", (ahead,))
            await asyncio.to_thread(server.start)
            for first, second in games:
                await play_both(ada, bob, first, second, plies=10)
                await settle(ada, first, 10)
                await bob.insist(m.Resign(game=first.code))
                await ada.until(m.Ended, game=first.code)

    try:
        run(play(), seconds=120)
        assert lines(server, "the clock was set back") == 1
    finally:
        server.stop()
    assert not audit(server.database).faults
