"""The runner: every question is answered once, whatever becomes of the process."""

import json
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from alphadiamond.agents.answers import position_json, read_analysis
from alphadiamond.engine.workers import engine_runner
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.runner import Answer, Runner
from alphadiamond.runner.links import Ended, Heard
from tests.engine.players import HERE
from tests.runner.processes import wait_for_end

ROOT = Path(__file__).parents[2]
LONG = {"player": "mcts:seconds=600"}


class Far:
    """The far end of a link in the hands of a test."""

    def __init__(self, heard: Heard, ended: Ended) -> None:
        self.heard, self.ended = heard, ended
        self.lines: list[Answer] = []
        self.killed = False

    def send(self, line: bytes) -> None:
        self.lines.append(json.loads(line))

    def kill(self) -> None:
        if not self.killed:
            self.killed = True
            self.ended("SIGKILL")

    def say(self, answer: Answer) -> None:
        self.heard(json.dumps(answer).encode() + b"\n")


@pytest.fixture
def far() -> tuple[Runner, list[Far]]:
    ends: list[Far] = []

    def connect(heard: Heard, ended: Ended) -> Far:
        ends.append(Far(heard, ended))
        return ends[-1]

    return Runner(connect), ends


def listener() -> tuple[list[Answer], Callable[[Answer], None]]:
    found: list[Answer] = []
    return found, found.append


def test_reports_and_the_answer_go_to_whoever_asked(far: tuple[Runner, list[Far]]) -> None:
    runner, ends = far
    (first, hear_first), (second, hear_second) = listener(), listener()
    one, two = runner.ask({"moves": []}, hear_first), runner.ask({"moves": []}, hear_second)
    assert [line["id"] for line in ends[0].lines] == [one, two]
    ends[0].say({"id": two, "during_search": True})
    ends[0].say({"id": two, "best": "x"})
    ends[0].say({"id": one, "best": "y"})
    assert [answer.get("best") for answer in second] == [None, "x"]
    assert [answer.get("best") for answer in first] == ["y"]


def test_a_question_is_asked_again_in_a_new_process_as_often_as_it_may_be(far: tuple[Runner, list[Far]]) -> None:
    runner, ends = far
    (once, hear_once), (twice, hear_twice) = listener(), listener()
    runner.ask({}, hear_once)
    id = runner.ask({}, hear_twice, tries=2)
    ends[0].kill()
    assert once[0]["error"] == "the player's process has ended unexpectedly (SIGKILL)"
    assert once[0]["ended"]
    assert not twice
    assert [line["id"] for line in ends[1].lines] == [id]
    ends[1].kill()
    assert "ended unexpectedly" in twice[0]["error"]
    assert len(ends) == 2


def test_an_overdue_question_costs_the_process_and_nobody_else_an_answer(far: tuple[Runner, list[Far]]) -> None:
    runner, ends = far
    answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
    other, hear = listener()
    id = runner.ask({"moves": []}, hear)
    runner.ask({}, answers.put, seconds=0.05)
    assert answers.get(timeout=30)["error"].endswith("failed: it has not answered within 0.05 s")
    assert ends[0].killed
    assert not other
    assert ends[1].lines == [{"id": id, "moves": []}]
    ends[1].say({"id": id, "best": "x"})
    assert other == [{"id": id, "best": "x"}]


def test_a_question_taken_back_is_terminated_and_then_not_waited_for(far: tuple[Runner, list[Far]]) -> None:
    runner, ends = far
    answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
    id = runner.ask({}, answers.put)
    runner.cancel(id, patience=0.05)
    runner.cancel(id, patience=0.05)
    assert [line.get("action") for line in ends[0].lines] == [None, "terminate"]
    ends[0].say({"id": ends[0].lines[1]["id"], "action": "terminate", "terminated": 1})  # that is no answer to anything
    assert not ends[0].killed
    assert "when asked to" in answers.get(timeout=30)["error"]
    assert ends[0].killed


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"hello\n", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"\xff\n", "no JSON"),
        (b"7\n", "no object of JSON"),
        (b'{"id": 99}\n', "was not asked, id '99'"),
        (b'{"id": true}\n', "was not asked"),
        (b'{"line": 3, "error": "no JSON"}\n', "was not asked, id 'None': 'no JSON'"),
        (b"x" * (1 << 20) + b"y", "a line of more than 1,048,576 bytes"),
    ],
)
def test_nonsense_ends_the_process_and_is_told(line: bytes, fault: str, far: tuple[Runner, list[Far]]) -> None:
    runner, ends = far
    found, hear = listener()
    id = runner.ask({}, hear)
    ends[0].heard(b"\n")
    assert not ends[0].killed
    ends[0].heard(line)
    ends[0].say({"id": id, "best": "x"})  # too late
    assert ends[0].killed
    assert len(found) == 1
    assert fault in found[0]["error"]


def test_a_closed_runner_says_so(far: tuple[Runner, list[Far]]) -> None:
    runner, ends = far
    (before, hear_before), (after, hear_after) = listener(), listener()
    runner.ask({}, hear_before)
    runner.close()
    runner.ask({}, hear_after)
    assert ends[0].killed
    assert before[0]["error"] == after[0]["error"] == "the player's process is closed"
    assert len(ends) == 1


@pytest.fixture(scope="module")
def served() -> Iterator[Runner]:
    runner = engine_runner(threads=2, process=False)
    yield runner
    runner.close()


def last(runner: Runner, query: Answer) -> Answer:
    *_, answer = runner.answers(query)
    return answer


def test_a_session_goes_on_with_its_player_and_another_begins_anew(served: Runner) -> None:
    def asked(session: object) -> float:
        return float(last(served, {"player": f"{HERE}.Counting", "session": session, "top": 1})["value"])

    assert [asked(1), asked(1), asked(2), asked(2), asked(1)] == [0.01, 0.02, 0.01, 0.02, 0.01]
    assert [asked(None), asked(None)] == [0.01, 0.01]


def test_a_move_alone_is_asked_of_choose(served: Runner) -> None:
    answer = last(served, {"player": f"{HERE}.Choosing", "move_only": True})
    assert answer["best"] == str(GAME.start().moves()[-1])
    assert "moves" not in answer
    assert "best" in last(served, {"player": f"{HERE}.Choosing"})


def test_a_time_limit_holds_whatever_the_player_s_own_limits(served: Runner) -> None:
    for player in ("mcts:seconds=600", "mcts:simulations=1000000000", "minimax:depth=30", f"{HERE}.Waiting"):
        answer = last(served, {"player": player, "time_limit": 0.05, "move_only": True})
        assert answer["best"] in [str(move) for move in GAME.start().moves()]
        assert "terminated" not in answer


def test_players_are_checked_and_told_results(served: Runner) -> None:
    assert last(served, {"action": "check", "player": "random"})["player"] == "random"
    refused = last(served, {"action": "check", "player": "minimax:depth=many"})
    assert (refused["error"], refused["key"]) == ("depth=many: expected a whole number", "player")
    last(served, {"player": f"{HERE}.Counting", "session": "r"})
    last(served, {"action": "result", "player": f"{HERE}.Counting", "session": "r", "score": 1.0})
    assert last(served, {"player": f"{HERE}.Counting", "session": "r"})["value"] == 0.52


def test_an_analysis_that_went_through_lines_is_the_same(served: Runner) -> None:
    from alphadiamond.agents import make_agent

    game = GAME
    position = game.start().play("si-cs")
    there = read_analysis(
        last(served, {"player": "minimax:depth=3", "seed": 3, **position_json(position)}), position, game
    )
    here = make_agent("minimax:depth=3", seed=3, game=game).analyse(position)
    assert there.best == here.best
    assert there.depth == here.depth
    assert there.value == pytest.approx(here.value, abs=1e-6)
    assert [(one.move, one.score, one.variation) for one in there.moves] == [
        (one.move, one.score, one.variation) for one in here.moves
    ]


def test_the_engine_ends_mid_thought_with_whoever_started_it_even_when_that_is_killed() -> None:
    code = """if True:
        import time
        from alphadiamond.engine.workers import engine_runner
        runner = engine_runner(threads=2)
        runner.ask({"player": "mcts:seconds=600"}, print)  # it says nothing, and so does not notice that nobody listens
        list(runner.answers({"player": "random"}))
        print(runner.pid, flush=True)
        time.sleep(600)
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    wait_for_end(pid)
