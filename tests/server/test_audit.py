"""The replay of a database finds what is wrong with it; and limits count whom they should."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from alphadiamond.games import load
from alphadiamond.server import writes
from alphadiamond.server.audit import audit
from alphadiamond.server.glicko import Rating
from alphadiamond.server.limits import Bucket, Buckets, Counts, place_of
from alphadiamond.server.online_game import OnlineGame
from alphadiamond.server.players import bots_of
from alphadiamond.server.session import Person
from alphadiamond.server.standings import Standings
from alphadiamond.server.storage import Statement, Store


def small_database(directory: Path) -> Path:
    """Three people and three rated games, one of them going on."""
    store = Store(directory)
    game = load("diamond_chase")
    for number in (1, 2, 3):
        store.write_now(writes.add_person(number, f"p{number}", b"%d" % number, at=1))
    standings = Standings(lambda person, name: Rating())
    everybody = {number: Person(number, f"p{number}") for number in (1, 2, 3)}
    for number, people in enumerate(((1, 2), (2, 3), (1, 3)), start=1):
        online_game = OnlineGame(
            game,
            number=number,
            code=f"g{number}",
            people=people,
            bots=(False, False),
            rated=True,
            clock=None,
            start=game.start(),
            now=1,
        )
        wanted: list[Statement] = [
            writes.add_game(
                number,
                online_game.code,
                game.name,
                people,
                rated=True,
                seconds=None,
                increment=0,
                start=str(online_game.start),
                at=1,
                follows=None,
            )
        ]
        for ply in range(4):
            turn = online_game.turn
            assert turn is not None
            online_game.play(turn, ply, online_game.legal[ply][0], ply)
            wanted.append(writes.add_move(number, ply, online_game.moves[-1], at=ply, clock=None))
        if number < 3:
            online_game.resign(0, 1000 * number)
            assert online_game.result is not None
            wanted.append(
                writes.end_game(
                    number, online_game.result, "resignation", rated=True, number=number, at=online_game.ended
                )
            )
            players = (everybody[people[0]], everybody[people[1]])
            wanted += standings.count(online_game, players, number)[0]
        store.write_now(*wanted)
    asyncio.run(store.close())
    return store.path


def test_a_sound_database_agrees_with_itself(tmp_path: Path) -> None:
    found = audit(small_database(tmp_path))
    assert (found.games, found.moves, found.ratings, found.faults) == (3, 12, 3, [])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE ratings SET value = value + 0.001 WHERE person = 2", "rating of (2, 'diamond_chase')"),
        ("UPDATE ratings SET won = won + 1 WHERE person = 3", "rating of (3, 'diamond_chase')"),
        ("DELETE FROM ratings WHERE person = 1", "rating of (1, 'diamond_chase')"),
        ("UPDATE games SET result = 'first' WHERE id = 1", "rating of"),
        ("UPDATE games SET number = 9 WHERE id = 1", "rating of (2, 'diamond_chase')"),
        ("DELETE FROM moves WHERE game = 3 AND ply = 1", "game g3: ply 1 is missing"),
        ("UPDATE moves SET move = 'ni-cn' WHERE game = 3 AND ply = 0", "game g3: ply 0: ni-cn: it is green's move"),
    ],
)
def test_whatever_is_changed_behind_the_server_s_back_is_found(tmp_path: Path, change: str, says: str) -> None:
    path = small_database(tmp_path)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(change)
    assert any(says in fault for fault in audit(path).faults)


def test_an_address_has_its_share_and_a_proxy_speaks_for_many() -> None:
    counts = Counts(5, 2, free=frozenset({"10.0.0.1"}))
    assert [counts.take("1.1.1.1") for _ in range(3)] == [True, True, False]
    assert [counts.take("10.0.0.1") for _ in range(4)] == [True, True, True, False]
    counts.give_back("1.1.1.1")
    assert counts.take("2.2.2.2")
    assert counts.all == 5


def test_an_address_of_the_newer_kind_is_its_network() -> None:
    assert place_of("2001:db8:1:2:3::4") == place_of("2001:db8:1:2:ffff::1") != place_of("2001:db8:1:3::1")
    assert place_of("::ffff:1.2.3.4") == "1.2.3.4"
    assert place_of("1.2.3.4") == "1.2.3.4"


def test_a_bucket_fills_again_and_buckets_are_forgotten() -> None:
    bucket = Bucket(2.0, 3.0, now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.5), bucket.take(0.5)] == [True, False]
    buckets = Buckets(1.0, 1.0)
    for number in range(20_000):
        buckets.take(f"1.{number >> 16}.{number >> 8 & 255}.{number & 255}", 0.0)
    assert len(buckets._all) == 10_000


def test_bots_are_the_project_s_players_and_some_are_anchors() -> None:
    bots = {bot.name: bot for bot in bots_of(load("diamond_chase"), more=["minimax:depth=3", "nobody"])}
    assert {"@network", "@network-deep", "@minimax-6", "@mcts", "@random", "@greedy", "@expert"} <= set(bots)
    assert bots["@minimax depth=3"].spec == "minimax:depth=3"
    assert "@nobody" not in bots
    assert "@adaptive" not in bots
    assert bots["@medium"].rating.anchor
    assert not bots["@network"].rating.anchor
