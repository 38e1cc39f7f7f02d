"""Positions without a game: read, set up, played on from, and asked about; and what is refused."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

import msgspec

from alphadiamond.games import GAMES, load
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.exploration import explore
from tests.games.labyrinth.test_rules import FIRST
from tests.server.local import local_server
from tests.server.server_process import ServerProcess, run


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("server"), bot_processes=1).start()
    yield made
    assert made.stop() == 0


def explored(game: str, **fields: object) -> m.Explored:
    return asyncio.run(explore(load(game), m.Explore(of=game, **fields)))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name in GAMES if name != "tic_tac_toe"])
def test_a_line_is_followed_and_only_what_is_not_known_is_sent(name: str) -> None:
    game = load(name)
    position = game.sample_start()
    start, moves = str(position), []
    for _ in range(4):
        moves.append(str(position.moves()[0]))
        position = position.play(moves[-1])
    found = explored(name, start=start, moves=moves)
    assert (found.start, found.position, len(found.scenes)) == (start, str(position), 5)
    assert found.turn == game.sides.index(position.side)
    assert [text for text, _ in found.legal] == [str(move) for move in position.moves()]
    last = explored(name, start=start, moves=moves, since=4)
    assert last.scenes == found.scenes[4:]


@pytest.mark.parametrize("name", [name for name in GAMES if load(name).drawing_for(load(name).sample_start()).editable])
def test_a_position_that_is_set_up_is_the_one_with_those_pieces(name: str) -> None:
    game = load(name)
    position = game.sample_start()
    for _ in range(6):
        position = position.play(position.moves()[-1])
    seen = explored(name, start=str(position))
    turn = game.sides.index(position.side)
    made = explored(name, pieces=seen.scenes[0].pieces, turn=turn)
    assert made.scenes[0].pieces == seen.scenes[0].pieces
    assert made.legal == seen.legal
    assert made.turn == seen.turn == turn


@pytest.mark.parametrize(
    "fields",
    [
        {"start": "nonsense"},
        {"moves": ["zz"]},
        {"pieces": "0"},
        {"pieces": "0" * 18},
        {"start": "......./......./......./......./......./....... x"},
    ],
)
def test_what_is_no_position_is_refused_in_one_line(fields: dict[str, object]) -> None:
    with pytest.raises(RefusedError) as error:
        explored("dame", **fields)
    assert error.value.code == "position"
    assert "\n" not in str(error.value)


def test_spectators_may_look_and_people_may_ask_a_bot_but_not_about_the_game_they_play_for_a_rating(
    server: ServerProcess,
) -> None:
    async def play() -> None:
        async with (
            Client(server.address, name="Ada") as ada,
            Client(server.address) as guest,
        ):
            seen = await guest.ask(m.Explore(of="dame"))
            assert isinstance(seen, m.Explored)
            assert len(seen.legal) > 3
            opinion = await ada.ask(m.Consider(of="dame", start=seen.start, moves=[seen.legal[0][0]], bot="@medium"))
            assert isinstance(opinion, m.Opinion)
            assert (opinion.game, opinion.ply) == ("", 1)
            for request, code in (
                (m.Explore(of="nothing"), "unknown"),
                (m.Consider(of="dame", start=seen.start, bot="@nobody"), "unknown"),
                (m.Consider(of="dame", start="x", bot="@medium"), "position"),
            ):
                with pytest.raises(OnlineError) as error:
                    await ada.ask(request)
                assert error.value.code == code
            with pytest.raises(OnlineError) as error:
                await guest.ask(m.Consider(of="dame", start=seen.start, bot="@medium"))
            assert error.value.code == "hello"
            await ada.play_bot("@random", m.Terms("dame", rated=True))
            with pytest.raises(OnlineError) as error:
                await ada.ask(m.Consider(of="dame", start=seen.start, bot="@medium"))
            assert error.value.code == "not_allowed"

    run(play())


def test_the_perfect_player_of_the_labyrinth_tells_margins(tmp_path: Path) -> None:
    async def play() -> None:
        async with local_server(tmp_path, game="labyrinth", bots=("perfect", "dijkstra")) as local:
            ada = await local.come("Ada")
            start = f"{FIRST} g6 g7 196 148 19 b"
            opinion = await ada.ask(m.Consider(of="labyrinth", start=start, bot="@perfect"))
            assert [(one.move, one.margin) for one in opinion.moves] == [("w", 10), ("e", 4), ("n", -12)]
            other = await ada.ask(m.Consider(of="labyrinth", start=start, bot="@dijkstra"))
            assert b"margin" not in msgspec.json.encode(other)

    run(play())


def test_an_exact_answer_that_would_take_long_is_refused_and_one_that_does_not_is_given(tmp_path: Path) -> None:
    """Of any position and of a game's: with five discs it is in no book and takes minutes."""
    game = load("connect_four")
    five = list("44422")

    async def play() -> None:
        async with local_server(tmp_path, game="connect_four", bots=("perfect",)) as local:
            ada, bob = await local.come("Ada"), await local.come("Bob")
            start = str(game.start())
            refused = await ada.ask(m.Consider(of="connect_four", start=start, moves=five, bot="@perfect"))
            assert refused.code == "too_long"
            late = str(game.position_of(game.opening(np.random.default_rng(5), 28)))
            opinion = await ada.ask(m.Consider(of="connect_four", start=late, bot="@perfect"))
            assert (opinion.exact, {one.value for one in opinion.moves} <= {-1, 0, 1}) == (True, True)
            code, seats = await local.pair(ada, bob, m.Terms("connect_four", seat=0))
            for ply, move in enumerate(five):
                assert isinstance(await seats[ply % 2].ask(m.Move(game=code, ply=ply, move=move)), m.Ok)
            assert (await ada.ask(m.Analyse(game=code, ply=5, bot="@perfect"))).code == "too_long"
            assert local.dispatcher._bot_pool.queued == 0

    run(play())
