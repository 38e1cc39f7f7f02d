"""Another program as a player: what it is asked, how it fails, and that it is always ended."""

import gc
import itertools
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from alphadiamond.agents import AgentError, UnavailableError, make_agent
from alphadiamond.agents.program import ProgramAgent
from alphadiamond.agents.registry import check_player
from alphadiamond.arena.play import play_game
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.settings.players import PlayerSpec, split_players
from tests.runner.processes import wait_for_end
from tests.runner.programs import spec_of

ROOT = Path(__file__).parents[2]
START = Position.start()

FAULTS = [  # how a program goes wrong at its second move, and what the record says
    ("dying", "error: its program has ended unexpectedly (exit code 3: broken inside)"),
    ("garbage", "error: its program failed: it sent what is no JSON, 'bestmove e2e4'"),
    ("list", "error: its program failed: it sent what is no object of JSON, '[1, 2]'"),
    ("illegal", "illegal move: zz-zz"),
    ("speechless", "error: it has named no move"),
    ("wrong_id", "error: its program failed: it answered what was not asked, id '999'"),
    ("text_id", "error: its program failed: it answered what was not asked, id '3'"),
    ("huge", "error: its program failed: it sent a line of more than 1,048,576 bytes"),
    ("hanging", "error: its program failed: it has not answered within 0.5 s"),
    ("closing", "error: its program has ended unexpectedly (SIGKILL)"),
    ("refusing", "error: I do not like this one"),
]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.mark.parametrize(("kind", "ending"), FAULTS)
def test_a_program_that_goes_wrong_loses_that_game_with_the_reason(kind: str, ending: str) -> None:
    agent = make_agent(spec_of(kind, seconds=0.5 if kind == "hanging" else 60), game=GAME)
    assert isinstance(agent, ProgramAgent)
    agent.reset()
    record = play_game(agent, make_agent("random", seed=1, game=GAME), START, game=GAME).record
    assert (record.result, record.ending) == ("red", ending)
    assert len(record.moves) == 2
    again = play_game(
        agent, make_agent("random", seed=1, game=GAME), START, game=GAME
    ).record  # the next game starts it again
    assert len(again.moves) == (0 if kind in ("illegal", "speechless", "refusing") else 2)
    pid = agent._runner.pid
    del agent
    gc.collect()
    if pid:
        wait_for_end(pid)


@pytest.mark.parametrize(("kind", "reason"), [("leaving", "exit code 1: I have a headache"), ("mute", "within 0.5 s")])
def test_a_program_that_never_answers_is_not_waited_for_twice(kind: str, reason: str) -> None:
    agent = make_agent(spec_of(kind, start_seconds=0.5), game=GAME)
    agent.reset()
    for _ in range(2):
        record = play_game(agent, make_agent("random", seed=1, game=GAME), START, game=GAME).record
        assert record.result == "red"
        assert reason in record.ending
    assert agent._runner.pid == 0  # type: ignore[attr-defined]


def test_a_program_is_told_where_the_game_began_and_what_was_played(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    start = START.play("si-cs").play("ni-cn")
    start = Position.parse(str(start))  # a game from an opening begins there
    agent = make_agent(spec_of("noting", notes, player="minimax:depth=2,seed=1"), seed=7, game=GAME)
    for _ in range(2):
        agent.reset()
        turns: list[Position] = []
        rival = make_agent("random", seed=2, game=GAME)
        play_game(agent, rival, start, on_turn=lambda at, _: turns.append(at), stop=lambda: len(turns) > 5, game=GAME)  # noqa: B023
    first, second, *_ = asked = [json.loads(line) for line in notes.read_text().splitlines()]
    assert {query["position"] for query in asked} == {str(start)}
    assert first["moves"] == []
    assert len(second["moves"]) == 2
    assert first["game"] == "diamond_chase"
    assert first["player"] == "minimax:depth=2,seed=1"
    assert first["move_only"] is True
    assert first["time_limit"] == pytest.approx(54)
    assert first["seed"] == 7
    assert "seed" not in second
    assert len({query["session"] for query in asked}) == 2


def test_the_project_s_own_engine_as_a_program_plays_what_its_player_plays() -> None:
    command = f'"{sys.executable}" "{ROOT / "scripts" / "engine.py"}"'
    spec = str(PlayerSpec("engine", (("command", command), ("player", "minimax:depth=3"))))
    program, alone = make_agent(spec, seed=4, game=GAME), make_agent("minimax:depth=3", seed=4, game=GAME)
    program.reset()
    position = START
    for _ in range(4):
        move = alone.choose(position)
        assert program.choose(position) == move
        position = position.play(move)
    there, here = program.analyse(position), alone.analyse(position)
    assert {one.move: one.score for one in there.moves} == {one.move: one.score for one in here.moves}
    assert there.depth == 3
    assert [one.variation for one in there.moves[:1]] == [
        next(one.variation for one in here.moves if one.move == there.moves[0].move)
    ]
    assert program.analyse(START, stop=lambda: True).best in START.moves()
    assert list(program.stream(START))[-1].best in START.moves()


def test_repetitions_reach_another_program() -> None:
    """A position's text does not tell how often it has occurred; the moves do."""
    command = f'"{sys.executable}" "{ROOT / "scripts" / "engine.py"}"'
    agent = make_agent(PlayerSpec("engine", (("command", command), ("player", "minimax:depth=1"))), game=GAME)
    position, back = Position.parse(str(START.play("si-cs"))), ["ni-cn", "cs-si", "cn-ni", "si-cs"]
    for move in (back * 2)[:-1]:
        position = position.play(move)
    drawing = next(one for one in agent.analyse(position).moves if str(one.move) == back[-1])
    assert position.play(back[-1]).outcome is not None
    alone = make_agent("minimax:depth=1", game=GAME)
    assert drawing.score == next(one.score for one in alone.analyse(position).moves if one.move == drawing.move)
    forgetful = alone.analyse(Position.parse(str(position)))
    assert drawing.score != next(one.score for one in forgetful.moves if one.move == drawing.move)


@pytest.mark.parametrize("game", ["connect_four", "dame"])
def test_a_program_plays_other_games(game: str) -> None:
    played = load(game)
    agent, rival = make_agent(spec_of("good"), game=played), make_agent("random", seed=1, game=played)
    record = play_game(agent, rival, played.start(), game=played).record
    assert record.ending in played.endings


def test_a_program_and_what_it_has_started_end_with_the_player_that_is_killed(tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    code = f"""if True:
        from alphadiamond.agents import make_agent
        from alphadiamond.games import load
        game = load("diamond_chase")
        agent = make_agent({spec_of("forking", noted)!r}, game=game)
        agent.choose(game.start())
        print("ready", flush=True)
        __import__("time").sleep(600)
    """
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    for pid in map(int, noted.read_text().split()):
        wait_for_end(pid)


def test_a_program_ends_with_its_player(tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    agent = make_agent(spec_of("forking", noted), game=GAME)
    agent.choose(START)
    pids = list(map(int, noted.read_text().split()))
    assert all(os.path.exists(f"/proc/{pid}") for pid in pids)
    del agent
    gc.collect()
    for pid in pids:
        wait_for_end(pid)


def test_a_thought_of_a_program_that_does_not_listen_is_taken_back() -> None:
    agent = make_agent(spec_of("hanging"), game=GAME)
    agent.choose(START)
    asked = itertools.count()
    with pytest.raises(AgentError, match="has not answered within 2 s when asked to"):
        agent.choose(START, stop=lambda: next(asked) > 3)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("engine", "a command is missing"),
        ("engine:command=", "a command is missing"),
        ("engine:command=no_such_program --fast", "no program is called 'no_such_program'"),
        ("engine:command=python3 'half", "No closing quotation"),
        ("engine:command=python3,seconds=0", "seconds=0"),
        ("engine:order=python3", "engine has no parameter 'order'"),
    ],
)
def test_a_wrong_command_is_refused_before_anything_is_played(spec: str, reason: str) -> None:
    with pytest.raises(AgentError, match=re.escape(reason)):
        check_player(spec, game=GAME)
    assert issubclass(UnavailableError, AgentError)


COMMANDS = [
    "python3 mine.py",
    "python3 mine.py --levels 1,2,3 --name='a b'",
    r'sh -c "echo \"x, y\" \\ z"',
    '"C:\\Program Files\\mine.exe", now',
    "a=b,c:d",
    " spaces ",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_any_kind_survives_being_written_and_read(command: str) -> None:
    spec = PlayerSpec("engine", (("command", command), ("seconds", "5")))
    assert PlayerSpec.parse(str(spec)) == spec
    assert PlayerSpec.parse(str(spec)).get("command") == command
    others = ["minimax:depth=4,seed=1", str(spec), "random"]
    assert split_players(",".join(others)) == others
    record = GAME.record(START, [], players=(str(spec), "human"))
    assert type(record).parse(str(record)).players[0] == str(spec)


def test_quotes_where_nobody_expected_them_are_read_as_before() -> None:
    assert PlayerSpec.parse('neural:checkpoint=bob"s.safetensors,seed=1').get("checkpoint") == 'bob"s.safetensors'
    assert str(PlayerSpec.parse("minimax:depth=4")) == "minimax:depth=4"
    with pytest.raises(AgentError, match="not of the form"):
        PlayerSpec.parse("minimax:depth=4,,seed=1")
