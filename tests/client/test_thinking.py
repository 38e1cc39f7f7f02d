"""Players beside the window: answers, cancelling, faults, and ending at once."""

import threading
import time
from collections.abc import Callable

import pytest

from alphadiamond.agents import Agent, make_agent
from alphadiamond.client import thinking
from alphadiamond.client.session import Session
from alphadiamond.client.thinking import Answer, Desk
from alphadiamond.client.turns import Turn
from alphadiamond.games.diamond_chase import Move, Position


def collect(desk: Desk, enough: Callable[[list[Answer]], bool], seconds: float = 60.0) -> list[Answer]:
    end = time.monotonic() + seconds
    found: list[Answer] = []
    while not enough(found):
        assert time.monotonic() < end, f"only {[answer.kind for answer in found]}"
        found += desk.answers()
        time.sleep(0.002)
    return found


def has(kind: str) -> Callable[[list[Answer]], bool]:
    return lambda found: any(answer.kind == kind for answer in found)


@pytest.fixture
def desk() -> Desk:
    return Desk(process=False)


def test_a_player_answers_with_a_legal_move(desk: Desk) -> None:
    desk.move("random", Position.start(), new_game=True)
    answers = collect(desk, has("done"))
    assert [answer.kind for answer in answers] == ["move", "done"]
    assert answers[0].move in Position.start().moves()


def test_players_think_in_a_process_of_their_own_and_it_ends_at_once() -> None:
    desk = Desk(process=True)
    desk.move("random", Position.start())
    collect(desk, has("done"))
    desk.move("mcts:seconds=600", Position.start())
    time.sleep(0.2)
    desk.close()
    desk._process.join(5.0)
    assert not desk._process.is_alive()


def test_asking_again_cancels_what_is_being_thought_about(desk: Desk) -> None:
    desk.move("mcts:seconds=600", Position.start())
    time.sleep(0.2)
    desk.move("random", Position.start())
    answers = collect(desk, has("done"))
    assert {answer.spec for answer in answers if answer.kind == "move"} == {"random"}


def test_a_player_that_cannot_be_built_is_explained(desk: Desk) -> None:
    desk.move("minimax:depth=many", Position.start())
    answer = collect(desk, has("error"))[0]
    assert "depth=many: expected a whole number" in answer.text


def test_checking_says_who_can_be_had(desk: Desk) -> None:
    desk.check(("random", "nobody"))
    answers = collect(desk, has("done"))
    faults = {answer.spec: answer.text for answer in answers if answer.kind == "checked"}
    assert faults["random"] == ""
    assert "no player is called 'nobody'" in faults["nobody"]


def test_analysis_comes_from_all_players_asked(desk: Desk) -> None:
    desk.analyse(("random", "greedy"), Position.start())
    answers = collect(desk, has("done"))
    assert {answer.spec for answer in answers if answer.kind == "analysis"} == {"random", "greedy"}


def test_a_whole_game_is_evaluated_position_by_position(desk: Desk) -> None:
    positions = [Position.start()]
    for _ in range(3):
        positions.append(positions[-1].play(positions[-1].moves()[0]))
    desk.evaluate("minimax:depth=2", tuple(positions), seconds=0.05)
    answers = collect(desk, has("done"))
    assert [answer.ply for answer in answers if answer.kind == "analysis"] == [0, 1, 2, 3]


def test_a_process_that_dies_is_explained_and_replaced() -> None:
    desk = Desk(process=True)
    desk.move("random", Position.start())
    collect(desk, has("done"))
    desk.move("mcts:seconds=600", Position.start())
    desk._process.kill()
    error = collect(desk, has("error"))[-1]
    assert error.spec == "mcts:seconds=600"
    assert "ended unexpectedly" in error.text
    desk.move("random", Position.start())
    assert collect(desk, has("done"))[0].kind == "move"
    desk.close()


def test_players_get_ready_before_they_are_asked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []

    def noted(spec: str, *, game: str) -> Agent:
        built.append(spec)
        return make_agent(spec, game=game)

    monkeypatch.setattr(thinking, "make_agent", noted)
    desk.prepare(("minimax:depth=2", "nobody", "mcts:seconds=600"))
    assert [answer.kind for answer in collect(desk, has("done"))] == ["done"], (
        "it ends, and faults wait to be asked for"
    )
    assert built == ["minimax:depth=2", "nobody", "mcts:seconds=600"]
    desk.move("minimax:depth=2", Position.start(), new_game=True)
    collect(desk, has("move"))
    assert built == ["minimax:depth=2", "nobody", "mcts:seconds=600"], "what is ready is not built again"


def test_a_move_does_not_wait_for_others_to_get_ready(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    built = []

    def slow(spec: str, *, game: str) -> Agent:
        built.append(spec)
        if spec == "greedy":
            begun.set()
            while desk.current == 1:  # until something else is asked for
                time.sleep(0.001)
        return make_agent(spec, game=game)

    monkeypatch.setattr(thinking, "make_agent", slow)
    desk.prepare(("greedy", "minimax:depth=2", "fuzzy"))
    assert begun.wait(30)
    desk.move("random", Position.start())
    assert collect(desk, has("done"))[0].kind == "move"
    assert built == ["greedy", "random"]


def test_a_turn_asks_once_and_refuses_illegal_moves(desk: Desk) -> None:
    turn, session = Turn(), Session(first="random", second="random")
    turn.think(0.1, session, desk)
    job = desk.current
    turn.think(0.1, session, desk)
    assert desk.current == job
    fault = turn.take(Answer(job, "move", "random", move=Move.parse("ni-cn")), session)
    assert "illegal move, ni-cn" in fault
    assert turn.found is None
    for answer in collect(desk, has("move")):
        assert turn.take(answer, session) == ""
    assert turn.found in session.position.moves()
    turn.restart()
    assert not turn.asked
