"""Positions without a game: read, set up, played on from, and asked about; and what is refused."""

import asyncio
from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.games import GAMES, load
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.exploration import explore
from tests.server.running import ServerProcess, run


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("server"), thinkers=1).start()
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
