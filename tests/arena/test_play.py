"""One game in this process."""

import pytest

from alphadiamond.agents import AgentError, make_agent
from alphadiamond.arena import play_game
from alphadiamond.games.diamond_chase import GameRecord, Position, Side
from alphadiamond.games.diamond_chase.game import GAME
from tests.arena import players


def test_a_game_is_played_to_its_end_by_the_rules() -> None:
    played = play_game(
        make_agent("random", seed=1, game=GAME), make_agent("random", seed=2, game=GAME), Position.start(), game=GAME
    )
    record = played.record
    assert record.final.outcome is not None
    assert (record.green, record.red) == ("random", "random")
    assert len(played.seconds) == len(record.moves)
    assert len(played.seconds_of(Side.GREEN)) + len(played.seconds_of(Side.RED)) == len(record.moves)
    assert GameRecord.parse(str(record)) == record


def test_times_belong_to_the_side_that_moved_also_when_red_begins() -> None:
    start = Position.start().play("si-cs")
    played = play_game(players.First(), players.Raising(after=3), start, game=GAME)
    assert played.record.result == "green"
    assert len(played.seconds_of(Side.RED)) == len(played.seconds_of(Side.GREEN)) + 1


@pytest.mark.parametrize(
    ("bad", "ending"),
    [
        (players.Raising(after=2), "error: RuntimeError: no idea what to do"),
        (players.Illegal(after=2), "illegal move: "),  # whichever it was
        (players.Speechless(after=2), "illegal move: None"),
        (players.Slow(after=2), "time"),
    ],
)
@pytest.mark.parametrize("side", Side)
def test_a_player_that_fails_loses_with_the_reason(bad: players.Bad, ending: str, side: Side) -> None:
    agents = (bad, players.First()) if side is Side.GREEN else (players.First(), bad)
    record = play_game(*agents, start=Position.start(), move_seconds=0.2, game=GAME).record
    assert record.result == str(side.other)
    assert record.ending.startswith(ending)
    assert record.ending == ending or isinstance(bad, players.Illegal)
    assert len(record.moves) == 2 + side
    assert GameRecord.parse(str(record)) == record


def test_a_player_that_listens_is_warned_in_time() -> None:
    record = play_game(
        players.Listening(after=98), players.First(), Position.start(), move_seconds=0.3, game=GAME
    ).record
    assert record.ending != "time"


def test_a_stopped_game_is_unfinished() -> None:
    turns = []
    played = play_game(
        make_agent("random", seed=1, game=GAME),
        make_agent("random", seed=2, game=GAME),
        Position.start(),
        on_turn=lambda position, moves: turns.append(position),
        stop=lambda: len(turns) >= 5,
        game=GAME,
    )
    assert played.record.result == "*"
    assert played.record.ending == "unfinished"
    assert len(played.record.moves) == 4


def test_a_player_can_live_anywhere() -> None:
    assert isinstance(make_agent(f"{players.HERE}.Slow:after=3", game=GAME), players.Slow)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nowhere.Player", "cannot be imported: No module named 'nowhere'"),
        ("tests.arena.players.Nobody", "has no attribute 'Nobody'"),
        ("tests.arena.players.HERE", "is no subclass of alphadiamond.agents.Agent"),
        (".Player", "cannot be imported"),
        ("tests.arena.players.Slow:before=1", "has no parameter 'before'; it takes after=0"),
    ],
)
def test_an_import_path_that_leads_nowhere_is_explained(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match="player") as caught:
        make_agent(spec, game=GAME)
    assert message in str(caught.value)
