"""Long answers keep nobody waiting."""

import asyncio
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.games import load
from alphadiamond.online.client import Client
from alphadiamond.server import exports, profiles, queries, records, writes
from alphadiamond.server.queries import Reader, leaderboard
from alphadiamond.server.storage import Statement, Store, connect
from tests.server.server_process import ServerProcess, run

GAMES = 1200


def fill(directory: Path, games: int) -> Path:
    """Somebody with many finished games, in both seats."""
    game = load("diamond_chase")
    start, moves = game.start(), []
    position = start
    for _ in range(8):
        moves.append(str(position.moves()[0]))
        position = position.play(position.moves()[0])
    store = Store(directory)
    store.write_now(*(writes.add_person(number, f"p{number}x", b"%d" % number, at=1) for number in (1, 2)))
    wanted: list[Statement] = []
    for number in range(1, games + 1):
        people = (1, 2) if number % 2 else (2, 1)
        made = writes.add_game(
            number,
            f"g{number}",
            game.name,
            people,
            rated=False,
            seconds=None,
            increment=0,
            start=str(start),
            at=1,
            follows=None,
        )
        played = (writes.add_move(number, ply, move, at=1, clock=None) for ply, move in enumerate(moves))
        ended = writes.end_game(number, "first", "resignation", rated=False, number=number, at=2)
        wanted += [made, *played, ended]
    store.write_now(*wanted)
    asyncio.run(store.close())
    return store.path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    directory = tmp_path_factory.mktemp("server")
    fill(directory / "data", GAMES)
    made = ServerProcess(directory, bot_processes=1).start()
    yield made
    assert made.stop() == 0


def test_all_finished_games_are_there_page_by_page_the_newest_first(tmp_path: Path) -> None:
    path = fill(tmp_path, 130)

    async def read() -> list[str]:
        reader = Reader(path)
        try:
            return [text async for text in exports.records(reader, {"diamond_chase": load("diamond_chase")}, 1)]
        finally:
            reader.close()

    found = asyncio.run(read())
    codes = [text.partition('[Code "g')[2].partition('"')[0] for text in found]
    assert codes == [str(number) for number in range(130, 0, -1)]


def test_no_answer_about_a_person_looks_at_everybody_s_games(tmp_path: Path) -> None:
    """By the indexes of both seats, or one person's question would cost as much as the whole server's games."""
    asked: list[str] = []
    with contextlib.closing(connect(fill(tmp_path, 60), read_only=True)) as database:
        database.set_trace_callback(asked.append)
        assert len((queries.games_of(database, "p1x", None) or {})["games"]) == queries.PAGE
        assert (queries.profile(database, "p1x") or {})["games"] == 60
        queries.curve(database, "p1x", "diamond_chase")
        assert (queries.versus(database, "p1x", "p2x") or {})["results"]
        assert profiles._played(database, "p1x", load("diamond_chase"))
        assert len(records.records_of(database, {"diamond_chase": load("diamond_chase")}, 1, before=50, most=20)) == 20
        database.set_trace_callback(None)
        plans = {sql: [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {sql}")] for sql in asked}
    assert len(plans) > 8
    for sql, plan in plans.items():
        for step in plan:  # a range alone, such as all games before a number, may be everybody's too
            assert not re.match(r"SCAN (?!CONSTANT|\()|SEARCH .*\([^=]*\)$", step), (sql, plan)


def test_somebody_logs_in_while_many_ask_for_very_long_answers_and_hang_up(server: ServerProcess) -> None:
    async def ask() -> None:
        async def download() -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /api/people/p1x/records HTTP/1.1\r\nHost: localhost\r\n\r\n")
            head = await reader.readuntil(b"\r\n")
            writers.append(writer)
            return head

        writers: list[asyncio.StreamWriter] = []
        heads = await asyncio.gather(*(download() for _ in range(40)))
        assert sum(b"200" in head for head in heads) == 2, "two at once from one address"
        assert all(b"200" in head or b"429" in head for head in heads)
        async with Client(server.address, name="Ada") as ada:
            assert ada.token
        for writer in writers:
            writer.close()
        while True:  # who has hung up is noticed, and makes room
            status, data, _ = await asyncio.to_thread(server.get, "/api/people/p1x/records")
            if status == 200:
                break
            await asyncio.sleep(0.1)
        assert data.count(b"[Code ") == GAMES

    run(ask(), seconds=120)


def test_leaders_are_known_well_now(tmp_path: Path) -> None:
    store = Store(tmp_path)
    year = 365 * 86_400_000
    ratings = ((2100, 200.0, year), (1900, 60.0, year), (1800, 100.0, 1))
    for number, (value, deviation, at) in enumerate(ratings, start=1):
        store.write_now(writes.add_person(number, f"p{number}x", b"%d" % number, at=1))
        sql = "INSERT INTO ratings VALUES (?, 'diamond_chase', ?, ?, 0.06, ?, 1, 0, 0)"
        store._connection.execute(sql, (number, value, deviation, at))
    asyncio.run(store.close())
    with contextlib.closing(connect(store.path, read_only=True)) as database:
        now, then = (
            [line["name"] for line in leaderboard(database, "diamond_chase", at)["people"]] for at in (year, 2)
        )
    assert now == ["p2x"], "who was known well a year ago is not now, and who is new never was"
    assert then == ["p2x", "p3x"]
