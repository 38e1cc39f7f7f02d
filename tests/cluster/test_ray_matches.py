"""Matches and exams over Ray are the same as on one machine, also when a machine dies in the middle."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="pip install '.[ray]'")

from alphadiamond.agents import make_agent  # noqa: E402
from alphadiamond.arena import ArenaError, Exam, Workers, play_match, random_openings, run_exam  # noqa: E402
from alphadiamond.arena.match import _tasks  # noqa: E402
from alphadiamond.cluster.matches import MatchActor, MatchWorkers, _expansion, _played  # noqa: E402
from alphadiamond.games import load  # noqa: E402
from alphadiamond.games.diamond_chase.game import GAME as DIAMOND_CHASE  # noqa: E402
from alphadiamond.proof.command import prove  # noqa: E402
from alphadiamond.proof.settings import ProveSettings  # noqa: E402
from alphadiamond.proof.tasks import ProofTask, Subject  # noqa: E402
from tests.cluster.clusters import running  # noqa: E402

GAME = load("diamond_chase")
PLAYERS = ("greedy", "minimax:depth=2")


def openings(count: int) -> list[Any]:
    return random_openings(count, plies=4, rng=np.random.default_rng(5), game=GAME)


def records(result: Any) -> list[str]:
    return [str(game.record) for game in result.games]


def test_a_game_comes_back_as_numbers_and_is_played_again_here() -> None:
    actor = MatchActor(None)
    (task,) = list(_tasks(*PLAYERS, openings(1), 3, GAME))[:1]
    answer = actor.play(task)
    try:
        with Workers(1, game=DIAMOND_CHASE) as workers:
            ((_, expected),) = workers.play([task])
        played = _played(task, answer)
        assert played is not None
        assert str(played.record) == str(expected.record)
        assert len(played.seconds) == len(expected.seconds)
        for damage in (
            {"actions": answer["actions"][:-1]},
            {"actions": np.roll(answer["actions"], 1)},
            {"actions": answer["actions"] + 1000},
            {"actions": answer["actions"].tolist()},
            {"result": "nobody"},
            {"ending": 7},
            {"seconds": answer["seconds"] * np.nan},
        ):
            assert _played(task, answer | damage) is None, damage
        assert (
            "no player is called 'rndom'"
            in actor.play(next(iter(_tasks("rndom", "greedy", openings(1), 1, GAME))))["error"]
        )
    finally:
        assert actor._workers is not None
        actor._workers.close()


def test_an_answer_of_a_proof_is_checked() -> None:
    game = load("dame")
    states = game.states_of([game.start()])
    subject = Subject(game, "tests.proof.players.Ranked", states[0], exact=False)
    task = ProofTask(subject, 0, subject.numbers_of(states), np.full(1, -1, dtype=np.int16))
    answer = MatchActor(None).expand(task)
    found = _expansion(task, answer)
    assert found is not None
    assert len(found.replies) > 2
    for damage in (
        {"actions": answer["actions"][:-1]},
        {"actions": answer["actions"].astype(np.int64)},
        {"replies": answer["replies"][::-1]},
        {"replies": answer["replies"].tolist()},
        {"lost": None},
        {"ends": (1, 2)},
        {"simulations": "many"},
    ):
        assert _expansion(task, answer | damage) is None, damage
    known = ProofTask(subject, 0, task.numbers, answer["actions"])
    assert _expansion(known, answer | {"actions": answer["actions"] + np.int16(1)}) is None


@pytest.mark.slow
def test_a_proof_over_ray_is_the_same(tmp_path: Path) -> None:
    told = {"game": "dame", "player": "tests.proof.players.Ranked", "side": "first", "exact": False, "part": 50}
    prove(ProveSettings(output=str(tmp_path / "here"), workers=1, **told))  # type: ignore[arg-type]
    with running(head_cpus=2, nodes=0) as cluster:
        prove(ProveSettings(output=str(tmp_path / "ray"), engine="ray", ray=cluster.settings(), **told))  # type: ignore[arg-type]
    here, there = (json.loads((tmp_path / name / "proof.json").read_text())["sides"] for name in ("here", "ray"))
    assert here == there


@pytest.mark.slow
def test_matches_and_exams_are_the_same_and_go_on_when_a_node_dies() -> None:
    with Workers(2, game=DIAMOND_CHASE) as here:
        expected = play_match(*PLAYERS, openings(6), workers=here, seed=3, game=GAME)
    exam = Exam.load(game=GAME).first(200)
    with running(head_cpus=1, nodes=1) as cluster:
        workers = MatchWorkers(game=GAME, settings=cluster.settings())
        assert len(workers) == 2
        killed: list[Any] = []

        def on_game(game: Any, match: Any) -> None:
            if len(match.games) == 3 and not killed:
                (node,) = cluster.started.worker_nodes
                cluster.kill(node)
                killed.append(node)

        found = play_match(*PLAYERS, openings(6), workers=workers, seed=3, game=GAME, on_game=on_game)
        assert killed
        assert records(found) == records(expected)
        results = workers.examine(["greedy", "minimax:depth=2"], exam, 1)
        for result in results:
            agent = make_agent(result.player, seed=1, game=GAME)
            assert result == run_exam(agent, exam=exam)
        with pytest.raises(ArenaError, match="no player is called 'rndom'"):
            play_match("rndom", "greedy", openings(1), workers=workers, seed=1, game=GAME)
        workers.close()
        assert not ray.is_initialized()
