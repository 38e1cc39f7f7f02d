"""What clients that know no rules are told: scenes of games, drawings, challenges before they are accepted."""

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

import itertools

import msgspec

from alphadiamond.games import load
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError
from alphadiamond.precompile import game_names
from alphadiamond.server import board_snapshots
from alphadiamond.server.board_snapshots import SnapshotCache, describe, scenes_of
from alphadiamond.server.online_game import OnlineGame
from tests.server.server_process import ServerProcess, pair, play_both, run, settle


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("scenes"), bot_processes=1).start()
    yield made
    assert made.stop() == 0


def online_game_of(game: str, moves: list[str], code: str = "code") -> OnlineGame:
    made = OnlineGame(
        load(game),
        number=1,
        code=code,
        people=(1, 2),
        bots=(False, False),
        rated=False,
        clock=None,
        start=load(game).start(),
        now=0,
    )
    for ply, move in enumerate(moves):
        made.play(ply % 2, ply, move, 0)
    return made


@pytest.mark.parametrize("game", game_names())  # those that are shipped, whatever tests have registered
def test_scenes_say_what_stands_where_and_how_it_came_there(game: str) -> None:
    drawing = load(game).drawing
    moves = drawing.sample()
    found = scenes_of(drawing, load(game).sample_start(), [str(move) for move in moves])
    position = load(game).sample_start()
    for number, scene in enumerate(found):
        for square, sign in enumerate(scene.pieces):
            owner = drawing.pieces(position).get(square)
            assert sign == ("." if owner is None else str(int(owner)))
        if number < len(moves):
            position = position.play(moves[number])
    for before, scene in itertools.pairwise(found):
        gone = {square for square, sign in enumerate(before.pieces) if sign != "." and scene.pieces[square] == "."}
        assert {*scene.captured, *scene.lost} - {scene.path[-1]} <= gone
        assert scene.text.startswith(str(moves[found.index(scene) - 1]))
        assert scene.seat in (0, 1)
    assert found[-1].outcome
    assert not any(scene.outcome for scene in found[:-1])


@pytest.mark.parametrize("game", game_names())  # those that are shipped, whatever tests have registered
def test_a_drawing_is_served_whole_and_its_spots_are_those_of_the_legal_moves(server: ServerProcess, game: str) -> None:
    info = msgspec.convert(server.json(f"/api/drawings/{game}"), m.DrawingInfo)
    assert info == describe(load(game))
    squares = len(info.names)
    assert len(info.points) == len(info.start.pieces) == len(info.sample.pieces) == squares
    assert info.sample.pieces != info.start.pieces
    spots = len(info.columns) or squares
    for move in load(game).start().moves():
        assert all(0 <= spot < spots for spot in move.squares)
    assert server.get("/api/drawings/nothing")[0] == 404


def test_snapshots_grow_with_moves_shrink_with_take_backs_and_the_oldest_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(board_snapshots, "_KEPT", 9)
    moves = [str(move) for move in load("dame").drawing.sample()]

    async def use() -> None:
        snapshots = SnapshotCache()
        online_game = online_game_of("dame", moves[:3])
        assert snapshots.of(online_game) == ()
        await snapshots.fill(online_game)
        assert [scene.text for scene in snapshots.of(online_game)] == ["", *moves[:3]]
        before = online_game.position
        online_game.play(1, 3, moves[3], 0)
        assert snapshots.of(online_game) == ()  # one is missing, and none is better than a wrong one
        scene = snapshots.add(online_game, before)
        assert scene is not None
        assert snapshots.of(online_game)[-1] == scene
        assert tuple(scenes_of(load("dame").drawing, online_game.start, online_game.moves)) == snapshots.of(online_game)
        online_game.take_back(1, 0)
        snapshots.cut(online_game)
        assert len(snapshots.of(online_game)) == 4
        others = [online_game_of("dame", moves[:2], f"code {number}") for number in range(3)]
        for other in others:
            await snapshots.fill(other)
        assert snapshots.of(online_game) == ()
        assert len(snapshots.of(others[-1])) == 3

    run(use())


def test_who_asks_is_sent_scenes_with_every_game_and_move_and_nobody_else(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = m.encode

    def seeing(message: Any) -> bytes:
        if isinstance(message, m.Hello) and message.name == "Seer":
            message.scenes = True
        return real(message)

    monkeypatch.setattr(m, "encode", seeing)

    async def play() -> None:
        async with Client(server.address, name="Seer") as seer, Client(server.address, name="Mole") as mole:
            first, second = await pair(seer, mole, m.Terms("dame", seat=0))
            begun = await seer.until(m.Game)
            assert len(begun.scenes) == 1
            assert (await mole.until(m.Game)).scenes == ()
            await play_both(seer, mole, first, second, plies=4)
            await settle(seer, first, 4)
            await settle(mole, second, 4)
            told = [await seer.until(m.Moved, ply=ply) for ply in range(4)]
            assert [(await mole.until(m.Moved, ply=ply)).scene for ply in range(4)] == [None] * 4
            await seer.watch(first.code)
            again = await seer.until(m.Game)
            assert again.scenes[1:] == tuple(one.scene for one in told)
            assert again.scenes == tuple(scenes_of(load("dame").drawing, load("dame").start(), first.moves))
            await seer.ask(m.Offer(game=first.code, what="takeback"))
            await mole.ask(m.Offer(game=first.code, what="takeback"))
            back = await seer.until(m.Game)
            assert back.scenes == again.scenes[: len(back.moves) + 1]
            await mole.ask(m.Resign(game=first.code))

    run(play())


def test_a_challenge_is_looked_at_by_its_link_and_one_to_a_person_by_those_two_alone(server: ServerProcess) -> None:
    async def play() -> None:
        async with (
            Client(server.address, name="Host") as host,
            Client(server.address, name="Friend") as friend,
            Client(server.address) as guest,
        ):
            made = await host.challenge(m.Terms("dame", m.Clock(60), seat=1))
            seen = await guest.ask(m.Look(challenge=made.challenge))
            assert isinstance(seen, m.Challenged)
            assert (seen.challenge.owner, seen.challenge.terms) == ("Host", m.Terms("dame", m.Clock(60), seat=1))
            assert seen.link == f"/#challenge/{made.challenge}"
            private = await host.ask(m.Challenge(terms=m.Terms("dame"), to="Friend"))
            assert isinstance(private, m.Challenged)
            code = private.challenge.challenge
            assert isinstance(await friend.ask(m.Look(challenge=code)), m.Challenged)
            with pytest.raises(OnlineError, match="no such challenge for you"):
                await guest.ask(m.Look(challenge=code))

    run(play())


def test_an_opinion_says_where_each_move_would_go_and_which_bots_know_the_truth(server: ServerProcess) -> None:
    async def play() -> None:
        async with Client(server.address, name="Asker") as asker:
            assert asker.welcome is not None
            exact = {(bot.name, bot.game) for bot in asker.welcome.bots if bot.exact}
            assert {("@perfect", "connect_four"), ("@perfect", "dame")} <= exact
            assert {name for name, _ in exact} == {"@perfect"}
            view = await asker.play_bot("@random", m.Terms("connect_four", seat=0))
            opinion = await asker.ask(m.Analyse(game=view.code, ply=0, bot="@minimax-2"))
            assert isinstance(opinion, m.Opinion)
            drawing, start = load("connect_four").drawing, load("connect_four").start()
            for one in opinion.moves:
                assert one.path == drawing.path(start, load("connect_four").parse_move(one.move))

    run(play())


def test_the_page_and_its_fonts_are_served_with_the_right_kinds_and_asked_about_each_time(
    server: ServerProcess,
) -> None:
    for path, kind in (
        ("/", "text/html"),
        ("/js/main.js", "text/javascript"),
        ("/css/theme.css", "text/css"),
        ("/icon.svg", "image/svg+xml"),
        ("/fonts/Inter-Regular.otf", "font/otf"),
    ):
        status, _, headers = server.get(path)
        assert status == 200, path
        assert headers["content-type"].startswith(kind)
        assert headers["cache-control"] == "no-cache"
        assert "script-src 'self'" in headers["content-security-policy"]
    assert server.get("/fonts/../server/app.py")[0] == 404
    assert server.get("/fonts/..%2f..%2ftheme.py")[0] == 404
