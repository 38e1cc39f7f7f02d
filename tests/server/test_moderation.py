"""What people do with their own name and data, and what an operator may do."""

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError
from alphadiamond.server import control, exports
from alphadiamond.server.audit import audit
from alphadiamond.server.errors import ServerError
from alphadiamond.server.moderation import LEFT
from alphadiamond.server.storage import FILE, connect
from tests.server.local import LocalSession, local_server
from tests.server.server_process import ServerProcess, pair, play_both, run, settle


def test_a_recovery_code_brings_a_new_token_once_and_voids_the_old_one(tmp_path: Path) -> None:
    async def lose_it() -> None:
        async with local_server(tmp_path) as server:
            ada = await server.come("Ada")
            old = ada.heard[0].token
            first = (await ada.ask(m.Recovery())).code
            code = (await ada.ask(m.Recovery())).code
            assert (await server.come(recovery=first)).heard[-1].code == "token", "the last one counts"
            again = await server.come(recovery=code.lower().replace("-", " ").replace("0", "o"))
            assert again.heard[-1].name == "Ada"
            new = again.heard[-1].token
            assert new not in (None, old)
            assert ada.ended is not None
            assert (await server.come(recovery=code)).heard[-1].code == "token"
            assert (await server.come(token=old)).heard[-1].code == "token"
            assert (await server.come(token=new)).heard[-1].name == "Ada"
            both = await asyncio.gather(*(server.come(recovery="x" * 29), server.come(recovery="")))
            assert [one.heard[-1].code for one in both] == ["token", "token"]
        with contextlib.closing(connect(tmp_path / FILE, read_only=True)) as database:
            kept = json.dumps([str(row) for row in database.execute("SELECT * FROM people")])
        assert code not in kept

    asyncio.run(lose_it())


def test_who_leaves_for_good_takes_name_and_token_along_and_others_keep_their_games(tmp_path: Path) -> None:
    async def leave() -> str:
        async with local_server(tmp_path) as server:
            ada = await server.come("Ada", address="10.0.0.1")
            bob = await server.come("Bob", address="10.0.0.2")
            token = ada.heard[0].token
            done, seats = await server.pair(ada, bob, m.Terms("diamond_chase", rated=True, seat=0))
            await server.play(done, seats, 8)
            await bob.ask(m.Resign(game=done))
            going, seats = await server.pair(ada, bob)
            await server.play(going, seats, 2)
            await ada.ask(m.Challenge(terms=m.Terms("diamond_chase"), to="Bob"))
            assert (await ada.ask(m.Delete(name="ada"))).code == "not_allowed", "the very name"
            assert isinstance(await ada.ask(m.Delete(name="Ada")), m.Ok)
            assert ada.ended is not None
            assert ada.ended[0] == LEFT
            ended = next(event for event in reversed(bob.heard) if isinstance(event, m.Ended))
            assert (ended.game, ended.result, ended.ending) == (going, "second", "resignation")
            assert (await server.come(token=token)).heard[-1].code == "token"
            newcomer = await server.come("Ada")
            assert newcomer.heard[-1].name == "Ada", "the name is free"
            assert newcomer.person is not ada.person
            return done

    done = asyncio.run(leave())
    assert not audit(tmp_path / FILE).faults

    async def look() -> None:
        async with local_server(tmp_path) as server:
            assert server.dispatcher.lobby._challenges == {}
            guest = await server.come()
            await guest.ask(m.Watch(game=done))
            assert [player.name for player in guest.game().players] == ["(left 2)", "Bob"]

    asyncio.run(look())


async def _try_puzzles(session: LocalSession) -> None:
    """Two answers, and a puzzle that stays unanswered."""
    for _ in range(2):
        given = await session.ask(m.Puzzle(of="dame"))
        await session.ask(m.Solve(of="dame", puzzle=given.puzzle, move=given.legal[0][0]))
    await session.ask(m.Puzzle(of="dame"))


def _people_of(database: sqlite3.Connection, table: str) -> list[int]:
    return [person for (person,) in database.execute(f"SELECT person FROM {table} ORDER BY person")]


def test_puzzles_are_taken_out_and_forgotten_with_their_person_and_with_nobody_else(tmp_path: Path) -> None:
    async def leave() -> None:
        async with local_server(tmp_path, game="dame") as server:
            ada, bob = await server.come("Ada"), await server.come("Bob")
            await _try_puzzles(ada)
            await _try_puzzles(bob)
            assert ada.person is not None
            assert bob.person is not None
            data = "".join([page async for page in exports.all_data(server.dispatcher.web, {}, ada.person.id)])
            kept = [line for line in map(json.loads, data.splitlines()) if line["kind"].startswith("puzzle")]
            assert [line["kind"] for line in kept] == ["puzzle rating", "puzzle", "puzzle"]
            assert sum(line["right"] for line in kept[1:]) == kept[0]["right"]
            with contextlib.closing(connect(tmp_path / FILE, read_only=True)) as database:
                names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
                about = {name for name in names if "person" in _columns(database, name)}
                assert about == {"ratings", "changes", "puzzle_solvers", "puzzle_tries"}, "each belongs in the export"
                assert _people_of(database, "puzzle_tries") == [ada.person.id] * 2 + [bob.person.id] * 2
            given = (await ada.ask(m.Puzzle(of="dame"))).puzzle
            async with asyncio.TaskGroup() as tasks:  # an answer that is under way writes nothing later
                tasks.create_task(server.dispatcher.handle(ada, m.Solve(of="dame", puzzle=given)))
                tasks.create_task(server.dispatcher.handle(ada, m.Delete(name="Ada")))
                tasks.create_task(server.dispatcher.handle(ada, m.Puzzle(of="dame")))
            while ada.ended is None:
                await asyncio.sleep(0.01)
            assert isinstance(await bob.ask(m.Puzzle(of="dame")), m.PuzzleGiven)
            assert {person for person, _ in server.dispatcher.puzzles._given} == {bob.person.id}
        with contextlib.closing(connect(tmp_path / FILE, read_only=True)) as database:
            for table, rows in (("puzzle_tries", 2), ("puzzle_solvers", 1)):
                assert _people_of(database, table) == [bob.person.id] * rows

    asyncio.run(leave())


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in database.execute(f"PRAGMA table_info({table})")}


def test_an_operator_lists_renames_silences_and_removes_and_ends_a_game_and_it_is_in_the_log(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1).start()
    directory = server.database.parent

    async def moderate() -> None:
        async def ask(text: str) -> str:
            return await asyncio.to_thread(control.ask, directory, text)

        async with Client(server.address, name="Rude Name") as rude, Client(server.address, name="Bob") as bob:
            await rude.enter_lobby()
            first, second = await pair(rude, bob)
            await play_both(rude, bob, first, second, plies=2)
            await settle(rude, first, 2)
            assert first.code in await ask("list/rude")
            assert "Bob" not in await ask("list/rude")
            assert len((await ask("list")).splitlines()) == 2
            assert await ask("rename/Rude Name/Polite") == "done"
            assert rude.name == "Rude Name"  # told when they come back
            await ask("silence/Polite")
            for refused in (m.Seek(terms=m.Terms("diamond_chase")), m.Challenge(terms=m.Terms("diamond_chase"))):
                with pytest.raises(OnlineError, match="silenced"):
                    await rude.ask(refused)
            assert "silenced" in await ask("list/polite")
            await ask("unsilence/Polite")
            await rude.ask(m.Seek(terms=m.Terms("diamond_chase")))
            await ask(f"end/{first.code}")
            await bob.until(m.Ended)
            assert (second.result, second.ending) == ("aborted", "moderation")
            await ask("remove/Polite")
            while rude._failed is None:  # its token is no more
                await asyncio.sleep(0.05)
            for text, says in (
                ("remove/Polite", "nobody here"),
                ("remove/@random", "bot"),
                (f"end/{first.code}", "no such game"),
                ("rename/Bob/<b>", "letters and digits"),
                ("forgive/Bob", "expected one of"),
                ("rename/Bob", "expected one of"),
            ):
                with pytest.raises(ServerError, match=says):
                    await ask(text)

    try:
        run(moderate(), seconds=120)
        assert (directory / control.SOCKET).stat().st_mode & 0o777 == 0o600
    finally:
        code = server.stop()
    assert code == 0
    for event in ("renamed", "silenced", "unsilenced", "removed", "ended by moderation"):
        assert any(json.loads(line)["event"] == event for line in server.log.splitlines()), event
    assert "Traceback" not in server.log
    with pytest.raises(ServerError, match="no server answers there"):
        control.ask(directory, "list")


def test_who_is_silenced_is_in_no_list_of_the_lobby_and_their_offers_are_gone(tmp_path: Path) -> None:
    async def silence() -> None:
        async with local_server(tmp_path) as server:
            ada, bob = await server.come("Ada"), await server.come("Bob")
            person = ada.person
            assert person is not None

            async def lobby() -> tuple[list[str], tuple[str, ...], int]:
                server.dispatcher._lobby_until = 0.0  # put into words anew
                since = len(bob.heard)
                await bob.ask(m.Lobby())
                told = next(event for event in bob.heard[since:] if isinstance(event, m.LobbyState))
                return [seek.owner.name for seek in told.seeks], told.people, told.here

            await ada.ask(m.Seek(terms=m.Terms("diamond_chase")))
            assert await lobby() == (["Ada"], ("Ada", "Bob"), 2)
            server.dispatcher.moderation.silence(person, True, "operator")
            seeks, people, _ = await lobby()
            assert (seeks, people) == ([], ("Bob",))
            server.dispatcher.moderation.silence(person, False, "operator")
            assert (await lobby())[1] == ("Ada", "Bob")

    asyncio.run(silence())


def test_all_that_is_kept_about_a_person_is_theirs_to_take_out_and_nobody_else_s(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1).start()

    async def play() -> str:
        async with Client(server.address, name="Ada") as ada, Client(server.address, name="Bob") as bob:
            for _ in range(3):
                first, second = await pair(ada, bob, m.Terms("diamond_chase", rated=True, seat=0))
                await play_both(ada, bob, first, second, plies=8)
                await settle(ada, first, 8)
                await ada.ask(m.Resign(game=first.code))
                await bob.until(m.Ended)
            await ada.challenge(m.Terms("diamond_chase"))
            assert ada.token
            return ada.token

    try:
        token = run(play(), seconds=120)
        status, data, headers = server.get("/api/export", Authorization=f"Bearer {token}")
        assert (status, headers["cache-control"]) == (200, "no-store")
        lines = [json.loads(line) for line in data.decode().splitlines()]
        kinds = [line["kind"] for line in lines]
        assert {kind: kinds.count(kind) for kind in kinds} == {
            "person": 1,
            "rating": 1,
            "change": 3,
            "challenge": 1,
            "game": 3,
        }
        assert lines[0]["name"] == "Ada"
        assert token not in data.decode()
        for headers in ({}, {"Authorization": "Bearer ad_" + "x" * 43}, {"Authorization": token}):
            assert server.get("/api/export", **headers)[0] == 401
    finally:
        server.stop()
