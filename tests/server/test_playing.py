"""People and bots who play over real sockets."""

import asyncio
import contextlib
import json
import random
import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.agents import make_agent
from alphadiamond.games import GAMES, load
from alphadiamond.games.diamond_chase.record import GameRecord
from alphadiamond.games.records import parse_records
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError, View
from alphadiamond.server.audit import audit
from alphadiamond.server.backups import back_up
from tests.commands import Started, finished
from tests.server.server_process import CHASE, ServerProcess, pair, play_both, play_on, run, settle


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("server"), bot_processes=1).start()
    yield made
    assert made.stop() == 0


def test_two_people_play_a_rated_game_and_everything_is_kept(server: ServerProcess) -> None:
    async def play() -> tuple[str, list[str], str]:
        async with (
            Client(server.address, name="Ada") as ada,
            Client(server.address, name="Bob") as bob,
            Client(server.address) as guest,
        ):
            first, second = await pair(ada, bob, m.Terms("diamond_chase", m.Clock(300, 2), rated=True, seat=0))
            watched = await guest.watch(first.code)
            assert (first.seat, second.seat, watched.seat) == (0, 1, None)
            with pytest.raises(OnlineError) as error:
                await guest.ask(m.Move(game=first.code, ply=0, move="si-cs"))
            assert error.value.code == "hello"
            await play_both(ada, bob, first, second)
            ended = await guest.until(m.Ended)
            assert first.moves == second.moves == watched.moves
            assert first.result == second.result == ended.result
            assert first.changes == ended.changes
            assert first.position == second.position
            return first.code, first.moves, ended.result

    code, moves, result = run(play())
    game = load("diamond_chase")
    position = game.start()
    for move in moves:
        position = position.play(move)
    assert position.outcome is not None
    record = GameRecord.parse(server.get(f"/api/records/{code}")[1].decode())
    assert [str(move) for move in record.moves] == moves
    assert (record.green, record.red, record.ending) == ("Ada", "Bob", str(position.outcome.reason))
    ada = server.json("/api/people/ada")
    assert (ada["name"], ada["games"]) == ("Ada", 1)
    standing = ada["ratings"]["diamond_chase"]
    assert standing["won"] + standing["drawn"] + standing["lost"] == 1
    assert standing["rating"] == {"first": 1662, "second": 1338, "draw": 1500}[result]
    assert server.json("/api/leaderboard/diamond_chase")["people"] == [], "one game makes no leader"
    (line,) = server.json("/api/people/Bob/games")["games"]
    assert (line["game"], line["plies"], line["result"]) == (code, len(moves), result)
    assert server.json("/api/people/Ada/curve/diamond_chase")["curve"][0][1] == standing["rating"]
    versus = server.json("/api/versus/ADA/bob")
    assert sum(versus["results"]["diamond_chase"].values()) == 1
    assert server.get("/api/people/Ada/records")[1].decode() == str(record)


def test_a_person_s_windows_stay_in_step_and_a_lost_connection_comes_back_to_the_same_position(
    server: ServerProcess,
) -> None:
    async def play() -> None:
        async with Client(server.address, name="Cleo") as cleo, Client(server.address, name="Dan") as dan:
            first, second = await pair(cleo, dan)
            async with Client(server.address, token=cleo.token) as other:
                assert other.name == "Cleo"
                await settle(other, await other.watch(first.code), 0)
                mirrored = other.games[first.code]
                assert mirrored.seat == first.seat
                await play_both(cleo, dan, first, second, plies=6)
                await settle(other, mirrored, 6)
                assert mirrored.moves[:6] == second.moves[:6]
                mover, view = (other, mirrored) if mirrored.mine else (dan, second)
                await mover.move(view, view.legal[0][0])
                await settle(cleo, first, 7)
                assert first.moves == view.moves
                assert cleo._socket is not None
                cleo._socket.transport.abort()  # as if somebody pulled the plug
                await play_both(other, dan, mirrored, second, plies=8)
                await settle(other, mirrored, 8)
                await settle(cleo, first, 8)
                assert cleo.reconnections == 1
                assert first.moves == mirrored.moves
                assert first.position == mirrored.position
                await dan.ask(m.Resign(game=first.code))
                await cleo.until(m.Ended, ending="resignation")

    run(play())


def test_whoever_is_at_home_passes_without_being_there(server: ServerProcess) -> None:
    """The first goes the cheapest way, the second the one that looks shortest; each leaves for good when at home."""
    game = load("labyrinth")
    runners = [make_agent(name, game=game) for name in ("dijkstra", "hill_climbing")]

    async def go(client: Client, view: View) -> list[str]:
        sent: list[str] = []
        while not view.over:
            position = game.parse(view.position)
            if position.at_home(game.sides[view.seat]):
                await client.close()
                return sent
            if view.mine:
                sent.append(str(runners[view.seat].choose(position)))
                await client.move(view, sent[-1])
            else:
                await client.change()
        return sent

    async def play(number: int) -> tuple[str, list[list[str]]]:
        async with (
            Client(server.address, name=f"Pyramus {number}") as one,
            Client(server.address, name=f"Thisbe {number}") as two,
        ):
            first, second = await pair(one, two, m.Terms("labyrinth", m.Clock(300, 0), seat=0))
            return first.code, list(await asyncio.gather(go(one, first), go(two, second)))

    for number in range(5):  # in most mazes the first is at home long before the other
        code, sent = run(play(number), seconds=120)
        (record,) = parse_records(server.get(f"/api/records/{code}")[1].decode())
        moves = [str(move) for move in record.moves]
        for seat, steps in enumerate(sent):
            assert [move for move in moves[seat::2] if move != "-"] == steps
        if "-" in moves:
            return
    pytest.fail("nobody was at home before the other")


def test_draws_take_backs_rematches_and_seeks_need_two(server: ServerProcess) -> None:
    async def play() -> None:
        async with Client(server.address, name="Eve") as eve, Client(server.address, name="Fred") as fred:
            await eve.enter_lobby()
            sought = await fred.ask(m.Seek(terms=m.Terms("diamond_chase", seat=0)))
            assert isinstance(sought, m.Sought)
            lobby = await eve.until(m.LobbyState)
            while not lobby.seeks:
                lobby = await eve.until(m.LobbyState)
            assert lobby.seeks[0].owner.name == "Fred"
            assert {"Eve", "Fred"} <= set(lobby.people)
            second = await eve.take(sought.seek)
            await fred.until(m.Game)
            first = fred.games[second.code]
            assert (first.seat, second.seat) == (0, 1)
            await play_both(fred, eve, first, second, plies=3)
            await settle(eve, second, 3)
            before = list(second.moves)
            await fred.ask(m.Offer(game=first.code, what="takeback"))
            await eve.until(m.Offered, what="takeback", seat=0)
            await eve.ask(m.Offer(game=first.code, what="takeback"))
            assert second.moves == before[:2]
            assert second.turn == 0
            await eve.ask(m.Offer(game=first.code, what="draw"))
            await fred.until(m.Offered, what="draw", seat=1)
            await fred.ask(m.Refuse(game=first.code, what="draw"))
            await play_both(fred, eve, first, second, plies=4)
            await eve.ask(m.Offer(game=first.code, what="draw"))
            await fred.until(m.Offered, what="draw", seat=1)
            await fred.ask(m.Offer(game=first.code, what="draw"))
            ended = await eve.until(m.Ended)
            assert (ended.result, ended.ending) == ("draw", "agreement")
            await eve.ask(m.Offer(game=first.code, what="rematch"))
            await fred.until(m.Offered, what="rematch", seat=1)
            await fred.ask(m.Offer(game=first.code, what="rematch"))
            rematch = await eve.until(m.Rematch)
            new = await eve.until(m.Game, game=rematch.next)
            assert new.seat == 0
            await eve.ask(m.Abort(game=rematch.next))
            assert (await fred.until(m.Ended, game=rematch.next)).result == "aborted"

    run(play())


@pytest.mark.parametrize("game", [name for name in GAMES if name != "tic_tac_toe"])
def test_every_game_of_the_project_is_played_kept_and_downloaded(server: ServerProcess, game: str) -> None:
    async def play() -> tuple[str, list[str]]:
        name = game.replace("_", " ")
        async with (
            Client(server.address, name=f"{name} one") as one,
            Client(server.address, name=f"{name} two") as two,
        ):
            assert one.welcome is not None
            assert game in {info.name for info in one.welcome.games}
            first, second = await pair(one, two, m.Terms(game, rated=True, seat=0))
            await play_both(one, two, first, second, plies=8)
            await settle(one, first, 8)
            await one.ask(m.Resign(game=first.code))
            ended = await two.until(m.Ended)
            assert (ended.result, ended.ending) == ("second", "resignation")
            return first.code, first.moves

    code, moves = run(play())
    (record,) = parse_records(server.get(f"/api/records/{code}")[1].decode())
    assert record.game.name == game
    assert [str(move) for move in record.moves] == moves
    assert (record.result, record.ending) == (str(record.game.sides[1]), "resignation")
    name = game.replace("_", "%20")
    assert [server.json(f"/api/people/{name}%20{one}")["ratings"][game]["lost"] for one in ("one", "two")] == [1, 0]
    assert server.json(f"/api/leaderboard/{game}")["people"] == [], "one game makes no leader"


def test_a_bot_plays_a_whole_game_in_a_process_of_its_own_and_says_what_it_thinks(server: ServerProcess) -> None:
    async def play() -> None:
        async with Client(server.address, name="Gus") as gus:
            assert gus.welcome is not None
            assert {"@network", "@medium", "@random"} <= {bot.name for bot in gus.welcome.bots}
            view = await gus.play_bot("@random", m.Terms("diamond_chase", rated=True))
            await play_on(gus, view, rng=random.Random(3))
            assert view.changes is not None
            assert view.seat is not None
            assert view.changes[1 - view.seat].after == 461  # an anchor stays
            opinion = await gus.ask(m.Analyse(game=view.code, ply=2, bot="@medium"))
            assert isinstance(opinion, m.Opinion)
            game = load("diamond_chase")
            position = game.start().play(view.moves[0]).play(view.moves[1])
            assert {one.move for one in opinion.moves} == {str(move) for move in position.moves()}
            assert opinion.best in {one.move for one in opinion.moves}
            with pytest.raises(OnlineError, match="no such bot"):
                await gus.play_bot("minimax:depth=4", CHASE)

    run(play())


def test_time_runs_out_on_the_server_s_clock(server: ServerProcess) -> None:
    async def play() -> None:
        async with Client(server.address, name="Hal") as hal, Client(server.address, name="Ida") as ida:
            first, second = await pair(hal, ida, m.Terms("diamond_chase", m.Clock(1), seat=0))
            await play_both(hal, ida, first, second, plies=2)
            ended = await ida.until(m.Ended)
            assert (ended.result, ended.ending, ended.left) == ("second", "time", (0, 1000))
            with pytest.raises(OnlineError) as error:
                await hal.move(first, "si-cs")
            assert error.value.code in ("over", "late")

    run(play())


def test_a_renewed_token_shuts_the_old_one_out(server: ServerProcess) -> None:
    async def play() -> None:
        async with Client(server.address, name="Jim") as jim, Client(server.address, token=jim.token) as thief:
            old = jim.token
            await jim.ask(m.Renew())
            assert jim.token != old
            with pytest.raises(OnlineError) as error:  # cut off, and refused when it comes back
                await thief.until(m.Stopping)
            assert error.value.code == "token"
            with pytest.raises(OnlineError, match="not valid"):
                await Client(server.address, token=old).open()
            async with Client(server.address, token=jim.token) as again:
                assert again.name == "Jim"

    run(play())


def test_a_backup_taken_while_games_go_on_is_whole(server: ServerProcess, tmp_path: Path) -> None:
    async def play() -> None:
        async with Client(server.address, name="Kim") as kim, Client(server.address, name="Leo") as leo:
            views = await pair(kim, leo)
            playing = asyncio.create_task(play_both(kim, leo, *views, plies=60))
            await settle(kim, views[0], 10)
            await asyncio.to_thread(back_up, server.database, tmp_path / "copy.sqlite")
            await playing

    run(play())
    found = audit(tmp_path / "copy.sqlite")
    assert not found.faults
    assert found.moves >= 10
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
        hashes = [token for (token,) in copy.execute("SELECT token FROM people WHERE NOT bot")]
    assert hashes
    assert all(len(token) == 32 for token in hashes)


def test_nothing_secret_is_in_the_log_and_counters_count(server: ServerProcess) -> None:
    async def play() -> str:
        async with Client(server.address, name="Mia") as mia:
            assert mia.token is not None
            return mia.token

    token = run(play())
    assert token not in server.log
    assert '"event": "serving"' in server.log
    text = server.get("/metrics")[1].decode()
    counted = {line.split()[0]: float(line.split()[1]) for line in text.splitlines() if not line.startswith("#")}
    assert counted["alphadiamond_people_total"] >= 1
    assert counted["alphadiamond_moves_total"] == counted["alphadiamond_move_seconds_count"]
    assert server.get("/metrics", **{"X-Forwarded-For": "8.8.8.8"})[0] == 404


def test_a_stop_tells_clients_when_to_come_back_and_they_do(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, back_in=0.3).start()

    async def play() -> None:
        async with Client(server.address, name="Ned") as ned, Client(server.address, name="Oda") as oda:
            first, second = await pair(ned, oda)
            await play_both(ned, oda, first, second, plies=5)
            assert await asyncio.to_thread(server.stop) == 0
            assert (await ned.until(m.Stopping)).back_in == 300
            await asyncio.to_thread(server.start)
            await play_both(ned, oda, first, second, plies=10)
            await settle(ned, first, 10)
            await settle(oda, second, 10)
            assert first.moves == second.moves
            assert len(first.moves) == 10

    run(play())
    assert server.stop() == 0
    assert not audit(server.database).faults


def test_the_script_says_where_it_is_and_ends_in_order_or_in_one_line(tmp_path: Path) -> None:
    process = Started("serve.py", "port=0", f"directory={tmp_path}")
    while not (line := process.said()[0]).endswith("\n"):
        assert process.poll() is None, process.said()
        time.sleep(0.05)
    found = re.fullmatch(r"AlphaDiamond is at http://127\.0\.0\.1:(\d+)/ \(Ctrl-C ends it\)\n", line)
    assert found, line
    second = finished("serve.py", f"port={found[1]}", f"directory={tmp_path}")
    assert second.returncode == 2
    assert second.stderr == f"error: port {found[1]} of 127.0.0.1 is taken; give another with port=\n"
    process.send_signal(signal.SIGINT)
    _, log = process.communicate(timeout=300)
    assert process.returncode == 0
    assert all(json.loads(line)["level"] == "info" for line in log.splitlines())
