"""Players beside the window: answers, cancelling, faults, and ending at once."""

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest

from alphadiamond.agents import Agent, make_agent
from alphadiamond.base.game import Game
from alphadiamond.client.player_process import Answer, PlayerProcess
from alphadiamond.client.turns import Turn
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.play.opponents import title_of
from alphadiamond.play.session import Session
from tests.runner.processes import wait_for_end
from tests.runner.programs import spec_of


def collect(
    player_process: PlayerProcess, enough: Callable[[list[Answer]], bool], seconds: float = 60.0
) -> list[Answer]:
    end = time.monotonic() + seconds
    found: list[Answer] = []
    while not enough(found):
        assert time.monotonic() < end, f"only {[answer.kind for answer in found]}"
        found += player_process.answers()
        time.sleep(0.002)
    return found


def has(kind: str) -> Callable[[list[Answer]], bool]:
    return lambda found: any(answer.kind == kind for answer in found)


@pytest.fixture
def player_process() -> PlayerProcess:
    return PlayerProcess(process=False)


def test_a_player_answers_with_a_legal_move(player_process: PlayerProcess) -> None:
    player_process.move("random", Position.start(), new_game=True, game=GAME)
    answers = collect(player_process, has("done"))
    assert [answer.kind for answer in answers] == ["move", "done"]
    assert answers[0].move in Position.start().moves()


def test_players_think_in_a_process_of_their_own_and_it_ends_at_once() -> None:
    player_process = PlayerProcess(process=True)
    player_process.move("random", Position.start(), game=GAME)
    collect(player_process, has("done"))
    player_process.move("mcts:seconds=600", Position.start(), game=GAME)
    time.sleep(0.2)
    pid = player_process.pid
    player_process.close()
    wait_for_end(pid)


def test_asking_again_cancels_what_is_being_thought_about(player_process: PlayerProcess) -> None:
    player_process.move("mcts:seconds=600", Position.start(), game=GAME)
    time.sleep(0.2)
    player_process.move("random", Position.start(), game=GAME)
    answers = collect(player_process, has("done"))
    assert {answer.spec for answer in answers if answer.kind == "move"} == {"random"}


def test_a_player_that_cannot_be_built_is_explained(player_process: PlayerProcess) -> None:
    player_process.move("minimax:depth=many", Position.start(), game=GAME)
    answer = collect(player_process, has("error"))[0]
    assert "depth=many: expected a whole number" in answer.text


def test_checking_says_who_can_be_had(player_process: PlayerProcess) -> None:
    player_process.check(("random", "nobody"), game=GAME)
    answers = collect(player_process, has("done"))
    faults = {answer.spec: answer.text for answer in answers if answer.kind == "checked"}
    assert faults["random"] == ""
    assert "no player is called 'nobody'" in faults["nobody"]


def test_analysis_comes_from_all_players_asked(player_process: PlayerProcess) -> None:
    player_process.analyse(("random", "greedy"), Position.start(), game=GAME)
    answers = collect(player_process, has("done"))
    assert {answer.spec for answer in answers if answer.kind == "analysis"} == {"random", "greedy"}


def test_a_whole_game_is_evaluated_position_by_position(player_process: PlayerProcess) -> None:
    positions = [Position.start()]
    for _ in range(3):
        positions.append(positions[-1].play(positions[-1].moves()[0]))
    player_process.evaluate("minimax:depth=2", tuple(positions), seconds=0.05, game=GAME)
    answers = collect(player_process, has("done"))
    assert [answer.ply for answer in answers if answer.kind == "analysis"] == [0, 1, 2, 3]


def test_a_process_that_dies_is_explained_and_replaced() -> None:
    player_process = PlayerProcess(process=True)
    player_process.move("random", Position.start(), game=GAME)
    collect(player_process, has("done"))
    player_process.move("mcts:seconds=600", Position.start(), game=GAME)
    os.kill(player_process.pid, signal.SIGKILL)
    error = next(answer for answer in collect(player_process, has("done")) if answer.kind == "error")
    assert error.spec == "mcts:seconds=600"
    assert "ended unexpectedly" in error.text
    player_process.move("random", Position.start(), game=GAME)
    assert collect(player_process, has("done"))[0].kind == "move"
    player_process.close()


def test_players_get_ready_before_they_are_asked(
    player_process: PlayerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []

    def noted(spec: str, *, game: Game, seed: int | None) -> Agent:
        built.append(spec)
        return make_agent(spec, game=game)

    monkeypatch.setattr("alphadiamond.engine.agent_cache.make_agent", noted)
    player_process.prepare(("minimax:depth=2", "nobody", "mcts:seconds=600"), game=GAME)
    assert [answer.kind for answer in collect(player_process, has("done"))] == ["done"], (
        "it ends, and faults wait to be asked for"
    )
    assert built == ["minimax:depth=2", "mcts:seconds=600"]
    player_process.move("minimax:depth=2", Position.start(), new_game=True, game=GAME)
    collect(player_process, has("move"))
    assert built == ["minimax:depth=2", "mcts:seconds=600"], "what is ready is not built again"


def test_a_move_does_not_wait_for_others_to_get_ready(
    player_process: PlayerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()
    built = []

    def slow(spec: str, *, game: Game, seed: int | None) -> Agent:
        built.append(spec)
        if spec == "greedy":
            begun.set()
            while player_process.current == 1:  # until something else is asked for
                time.sleep(0.001)
        return make_agent(spec, game=game)

    monkeypatch.setattr("alphadiamond.engine.agent_cache.make_agent", slow)
    player_process.prepare(("greedy", "minimax:depth=2", "fuzzy"), game=GAME)
    assert begun.wait(30)
    player_process.move("random", Position.start(), game=GAME)
    assert collect(player_process, has("done"))[0].kind == "move"
    assert built == ["greedy", "random"]


def test_a_turn_asks_once_and_refuses_illegal_moves(player_process: PlayerProcess) -> None:
    turn, session = Turn(), Session(first="random", second="random", game=GAME)
    turn.think(0.1, session, player_process)
    job = player_process.current
    turn.think(0.1, session, player_process)
    assert player_process.current == job
    fault = turn.take(Answer(job, "move", "random", move=Move.parse("ni-cn")), session)
    assert "illegal move, ni-cn" in fault
    assert turn.found is None
    for answer in collect(player_process, has("move")):
        assert turn.take(answer, session) == ""
    assert turn.found in session.position.moves()
    turn.restart()
    assert not turn.asked


def test_another_program_is_a_player_like_any_other_and_its_faults_are_told(player_process: PlayerProcess) -> None:
    spec = spec_of("dying")
    player_process.move(spec, Position.start(), new_game=True, game=GAME)
    assert [answer.kind for answer in collect(player_process, has("done"))] == ["move", "done"]
    player_process.move(spec, Position.start(), game=GAME)
    fault = collect(player_process, has("error"))[0].text
    assert fault == "its program has ended unexpectedly (exit code 3: broken inside)"


def test_a_program_is_called_by_its_name_and_no_file_of_a_game_starts_one() -> None:
    spec = 'engine:command="python3 -u bots/fewest.py --fast",seconds=5'
    assert title_of(spec) == "fewest · seconds 5"
    assert title_of('engine:command="a, b",name=Rival') == "Rival"
    session = Session(first=spec, second="random", game=GAME)
    assert Session.of_record(session.record()).first == spec
    assert Session.of_record(session.record()).without_programs().seats == ("human", "random")
