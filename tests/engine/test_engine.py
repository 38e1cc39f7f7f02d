"""The engine as another program uses it: a process, lines in, lines out."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alphadiamond.agents import make_agent, players_of
from alphadiamond.agents.answers import analysis_json
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from tests.agents.networks import untrained_checkpoint
from tests.agents.positions import middle_game
from tests.engine.players import HERE

ROOT = Path(__file__).parents[2]
NETWORK = f"neural:checkpoint={untrained_checkpoint()},device=cpu"
LONG = {"player": "mcts", "limits": {"seconds": 600}}


class Client:
    """The engine in a process of its own; lines can be sent and answers read one by one."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, str(ROOT / "scripts" / "engine.py"), *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environment
        )

    def send(self, *lines: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((json.dumps(line).encode() if isinstance(line, dict) else line) + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def finish(self) -> tuple[list[dict[str, Any]], str]:
        """The rest of the answers after the end of the input, and what was said on standard error."""
        out, err = self.process.communicate(timeout=120)
        assert self.process.returncode == 0, err
        return [json.loads(line) for line in out.splitlines()], err.decode()


@contextlib.contextmanager
def engine(*arguments: str) -> Iterator[Client]:
    client = Client(*arguments)
    try:
        yield client
    finally:
        client.process.kill()
        client.process.communicate()


@pytest.fixture(scope="module")
def served() -> Iterator[Client]:
    """One engine for the tests that need no special one; starting one takes a second or two."""
    with engine("places=7", "threads=1") as client:
        yield client


def ask(client: Client, *lines: dict[str, Any], answers: int = 0) -> list[dict[str, Any]]:
    """Send some lines and read so many answers, by default one a line."""
    client.send(*lines)
    return [client.read() for _ in range(answers or len(lines))]


def positions(count: int) -> list[Position]:
    rng = np.random.default_rng(5)
    return [middle_game(rng) for _ in range(count)]


BAD: list[tuple[Any, str | None, str]] = [  # a line, the key that is at fault, and a piece of the message
    (b"{", None, "no JSON"),
    (b"", None, ""),  # empty lines are passed over
    (b"[1, 2]", None, "expected an object"),
    (b"\xff\xfe", None, "not UTF-8"),
    (b'{"id": ' + b"9" * 5000 + b"}", None, "no JSON"),
    (b"[" * 100_000, None, "nested too deeply"),
    (b'{"id": "x", "limits": {"seconds": NaN}}', None, "NaN is no number"),
    (b'{"id": "' + b"x" * 1_100_000 + b'"}', None, "bytes"),
    ({"player": "random"}, "id", "needs an id"),
    ({"id": None}, "id", "needs an id"),
    ({"id": True}, "id", "needs an id"),
    ({"id": "b", "posistion": "x"}, "posistion", "did you mean position?"),
    ({"id": "b", "position": 7}, "position", "text"),
    ({"id": "b", "position": "r/g g 0"}, "position", "ranks"),
    ({"id": "b", "moves": "si-cs"}, "moves", "list"),
    ({"id": "b", "moves": ["si-cs", "si-cs"]}, "moves", "move 2: si-cs"),
    ({"id": "b", "moves": ["si-cs"], "turns": [2]}, "turns", "there are 1 moves"),
    ({"id": "b", "turns": []}, "turns", "list"),
    ({"id": "b", "player": ["random"]}, "player", "text"),
    ({"id": "b", "player": "rndom"}, "player", "did you mean random?"),
    ({"id": "b", "player": "minimax:depth=999"}, "player", "expected 1 to"),
    ({"id": "b", "player": "no.such.Player"}, "player", "cannot be imported"),
    ({"id": "b", "player": "neural:checkpoint=nowhere.safetensors"}, "player", "nowhere.safetensors"),
    ({"id": "b", "limits": 3}, "limits", "object"),
    ({"id": "b", "limits": {"visits": 3}}, "limits", "there are simulations"),
    ({"id": "b", "limits": {"seconds": -1}}, "limits.seconds", "above 0"),
    ({"id": "b", "limits": {"depth": 2.5}}, "limits.depth", "whole number"),
    ({"id": "b", "player": "random", "limits": {"depth": 2}}, "limits", "has no limit depth"),
    ({"id": "b", "player": "minimax:depth=2", "limits": {"depth": 2}}, "limits", "stands in the player"),
    ({"id": "b", "priority": 10**30}, "priority", "too large"),
    ({"id": "b", "top": 0}, "top", "1 or more"),
    ({"id": "b", "action": "explode"}, "action", "there are terminate"),
    ({"id": "b", "action": "terminate"}, "query", "id of a query"),
    ({"id": "b", "player": f"{HERE}.Raising"}, None, "the player failed: ZeroDivisionError: on purpose"),
    ({"id": "b", "player": f"{HERE}.Speechless"}, None, "the player failed: "),
    ({"id": "b", "player": f"{HERE}.Leaving"}, None, "the player failed: SystemExit: 3"),
]


def test_every_kind_of_bad_line_becomes_an_error_object() -> None:
    lines = [{**line, "id": f"b{i}"} if isinstance(line, dict) and line.get("id") == "b" else line
             for i, (line, _, _) in enumerate(BAD)]  # fmt: skip
    with engine() as client:
        client.send(*lines)
        answers, _ = client.finish()
    by_id = {answer.get("id", answer.get("line")): answer for answer in answers}
    assert len(answers) == len(by_id) == len(BAD) - 1
    for i, (line, key, message) in enumerate(BAD):
        if line == b"":
            continue
        named = isinstance(line, dict) and line.get("id") == "b"
        answer = by_id[f"b{i}" if named else i + 1]
        assert message in answer["error"]
        assert answer.get("key") == key
        assert "\n" not in answer["error"]


def test_thousands_of_queries_good_and_bad_are_each_answered_once() -> None:
    rng = np.random.default_rng(1)
    places = positions(50)
    players = [
        "random",
        "greedy",
        "beginner",
        "minimax:depth=2",
        f"{NETWORK},simulations=8",
        f"{NETWORK},simulations=0",
    ]
    lines: list[dict[str, Any] | bytes] = []
    bad = [line for line, _, _ in BAD if isinstance(line, dict) and line.get("id") == "b"]
    expected: Counter[Any] = Counter()
    for number in range(3000):
        expected[number] += 1
        if number % 7 == 3:
            lines.append({**bad[int(rng.integers(len(bad)))], "id": number})
        elif number % 101 == 5:
            lines.append(b'{"id": broken')
            expected[number] -= 1
            expected["line"] += 1
        else:
            position = places[int(rng.integers(len(places)))]
            player = players[int(rng.integers(len(players)))]
            lines.append({"id": number, "position": str(position), "player": player, "top": 1})
    with engine("places=32") as client:
        sending = threading.Thread(target=client.send, args=lines)
        sending.start()
        sending.join()  # nobody has read an answer so far: the engine must not wait for that
        answers, err = client.finish()
    assert Counter(answer.get("id", "line") for answer in answers) == +expected
    errors = [answer for answer in answers if "error" in answer]
    assert len(errors) == sum(n % 7 == 3 or n % 101 == 5 for n in range(3000))
    for answer in answers:
        if "error" not in answer:
            moves = [str(move) for move in Position.parse(answer["position"]).moves()]
            assert answer["best"] in moves
            assert not answer["during_search"]
    assert "Traceback" not in err


def test_the_network_s_answers_are_those_it_gives_alone(served: Client) -> None:
    spec = f"{NETWORK},simulations=40"
    asked = positions(30)
    answers = ask(served, *({"id": i, "position": str(one), "player": spec} for i, one in enumerate(asked)))
    agent = make_agent(spec, game=GAME)
    for answer in answers:
        agent.reset()
        alone = analysis_json(agent.analyse(Position.parse(str(asked[answer["id"]]))))
        assert answer["best"] == alone["best"]
        assert answer["simulations"] == alone["simulations"]
        assert [one["visits"] for one in answer["moves"]] == [one["visits"] for one in alone["moves"]]
        assert answer["value"] == pytest.approx(alone["value"], abs=1e-4)


def test_the_whole_history_counts_and_several_turns_are_several_answers(served: Client) -> None:
    there_and_back = ["si-cs", "ni-cn", "cs-si", "cn-ni"]
    moves = there_and_back * 2
    query = {"id": "g", "moves": moves, "turns": [0, 7, 8], "player": "minimax:depth=1"}
    answers = ask(served, query, answers=3)
    by_turn = {answer["turn"]: answer for answer in answers}
    assert sorted(by_turn) == [0, 7, 8]
    third = by_turn[8]
    assert third["over"] == "draw by repetition"
    assert (third["value"], third["winner"], third["moves"]) == (0.0, None, [])
    drawing = next(one for one in by_turn[7]["moves"] if one["move"] == "cn-ni")
    assert drawing["value"] == 0.0


def test_reports_come_during_the_search_and_a_terminated_search_answers_with_what_it_has(served: Client) -> None:
    network = {"player": NETWORK, "limits": {"seconds": 600}}
    client = served
    for id, long in (("m", LONG), ("n", network)):
        client.send({"id": id, **long, "report_seconds": 0.05, "top": 1})
        reports = [client.read() for _ in range(3)]
        assert all(report["id"] == id and report["during_search"] for report in reports)
        assert reports[0]["simulations"] < reports[2]["simulations"]
        client.send({"id": "stop", "action": "terminate", "query": id})
        rest = [client.read()]
        while rest[-1].get("during_search", True):
            rest.append(client.read())
        stopped = next(answer for answer in rest if answer["id"] == "stop")
        assert (stopped["query"], stopped["terminated"]) == (id, 1)
        final = rest[-1]
        assert final["id"] == id
        assert final["terminated"] is True
        assert final["simulations"] >= reports[2]["simulations"]


def test_what_finds_no_place_in_one_batch_is_searched_in_another() -> None:
    endless = {"player": NETWORK, "limits": {"seconds": 600}, "report_seconds": 0.05, "top": 1}
    with engine("places=1", "searches=3") as client:
        client.send(*({"id": id, **endless} for id in range(3)))
        heard: set[int] = set()
        for _ in range(600):  # half a minute of one alone
            heard.add(client.read()["id"])
            if len(heard) == 3:
                break
        assert heard == {0, 1, 2}
        client.send({"id": "stop", "action": "terminate_all"})
        answers, _ = client.finish()
    finals = {answer["id"]: answer for answer in answers if not answer.get("during_search", True)}
    assert sorted(finals) == [0, 1, 2]
    assert all(answer["terminated"] and answer["simulations"] > 0 for answer in finals.values())


def test_what_waits_is_terminated_at_once_and_urgent_queries_come_first() -> None:
    with engine("threads=1") as client:
        client.send({"id": "long", **LONG, "report_seconds": 0.01})
        client.read()  # it is at work
        client.send({"id": "later", "player": "random"}, {"id": "soon", "player": "random", "priority": 5})
        client.send({"id": "never", "player": "random"}, {"id": "t", "action": "terminate", "query": "never"})
        while (answer := client.read())["id"] == "long":
            pass
        assert answer["id"] == "never"
        assert answer["no_results"] is True
        client.send({"id": "stop", "action": "terminate", "query": "long"})
        answers, _ = client.finish()
    finals = [answer["id"] for answer in answers if not answer.get("during_search", True)]
    assert finals == ["long", "soon", "later"]


def test_a_time_limit_ends_players_that_know_no_time(served: Client) -> None:
    answers = ask(
        served,
        {"id": "d", "player": "minimax", "limits": {"depth": 32, "seconds": 0.2}},
        {"id": "n", "player": NETWORK, "limits": {"simulations": 50_000, "seconds": 0.2}},
    )
    by_id = {answer["id"]: answer for answer in answers}
    assert 0 < by_id["d"]["depth"] < 32
    assert 0 < by_id["n"]["simulations"] < 50_000


def test_the_same_seed_gives_the_same_answer_whatever_was_asked_before(served: Client) -> None:
    query = {"player": "random", "seed": 3, "top": 1}
    other = {"player": "random", "top": 1}
    answers = ask(served, {"id": 0, **query}, *({"id": i, **other} for i in range(1, 5)), {"id": 5, **query})
    best = {answer["id"]: answer["best"] for answer in answers}
    assert best[0] == best[5] == str(make_agent("random", seed=3, game=GAME).choose(Position.start()))


def test_an_id_that_is_still_in_use_and_more_than_may_wait_are_refused() -> None:
    with engine("threads=1", "waiting=3") as client:
        client.send({"id": 1, **LONG}, {"id": 1, "player": "random"})
        assert client.read() == {"id": 1, "error": "a query with this id is still being worked on", "key": "id"}
        client.send({"id": 2, "moves": ["si-cs", "ni-cn"], "turns": [0, 1, 2]})
        assert "3 positions may wait" in client.read()["error"]
        client.send({"id": "all", "action": "terminate_all"})
        answers, _ = client.finish()
    assert {answer["id"] for answer in answers} == {1, "all"}


def test_what_a_player_prints_does_not_come_between_the_answers() -> None:
    with engine() as client:
        client.send({"id": "c", "player": f"{HERE}.Chatty"})
        answers, err = client.finish()
    assert [answer["id"] for answer in answers] == ["c"]
    assert "hello" in err


def test_the_engine_says_what_it_is_and_whom_it_has(served: Client) -> None:
    lines = ({"id": "v", "action": "version"}, {"id": "p", "action": "players"})
    answers = {answer["id"]: answer for answer in ask(served, *lines)}
    assert answers["v"]["name"] == "alphadiamond"
    players = {one["name"]: one["parameters"] for one in answers["p"]["players"]}
    assert list(players) == list(players_of(GAME))
    assert players["minimax"]["table_bits"] == 18


def test_a_query_is_of_the_game_that_it_names(served: Client) -> None:
    query = {"game": "dame", "moves": ["b2-a3"], "player": "minimax", "limits": {"depth": 2}}
    game = load("dame")
    after = game.start().play("b2-a3")
    (found,) = ask(served, {"id": "d", **query})
    alone = make_agent("minimax:depth=2", game=load("dame"), seed=1).analyse(after)
    assert found["position"] == str(after)
    assert found["side"] == "black"
    assert {one["move"]: one["score"] for one in found["moves"]} == {str(one.move): one.score for one in alone.moves}
    wrong = ask(served, {"id": "w", "game": "chess"}, {"id": "m", "game": 7}, {"id": "f", **query, "player": "fuzzy"})
    assert {one["id"]: one["key"] for one in wrong} == {"w": "game", "m": "game", "f": "player"}
    (named,) = ask(served, {"id": "p", "action": "players", "game": "dame"})
    assert [one["name"] for one in named["players"]] == list(players_of(load("dame")))


def test_an_interruption_ends_it_with_one_line() -> None:
    with engine() as client:
        client.send({"id": "long", **LONG, "report_seconds": 0.01})
        client.read()
        client.process.send_signal(signal.SIGINT)
        _, err = client.process.communicate(timeout=30)
    assert client.process.returncode == 130
    assert err.decode().strip().split("\n")[-1] == "error: interrupted"


def test_it_ends_when_nobody_reads_its_answers() -> None:
    with engine() as client:
        assert client.process.stdout is not None
        client.process.stdout.close()
        client.send({"id": 1, "player": "random"})
        assert client.process.wait(timeout=30) != 0
        client.process.stdout = None  # nothing left to collect


@pytest.mark.parametrize("argument", ["places=0", "player=x", "threads=-1"])
def test_a_wrong_setting_gets_one_line(argument: str) -> None:
    client = Client(argument)
    out, err = client.process.communicate(b"", timeout=60)
    assert client.process.returncode == 2
    assert out == b""
    assert err.decode().startswith(f"error: {argument}")
    assert err.count(b"\n") == 1
