"""Exams taken by processes: the same answers however many there are, and what becomes of players that fail."""

from pathlib import Path

import numpy as np
import pytest

from alphadiamond.agents import AgentError, make_agent
from alphadiamond.arena import Exam, ExamError, run_exam
from alphadiamond.arena.exam_workers import SLICE, exam_tasks, examine
from alphadiamond.games import BUILT_IN, load
from alphadiamond.resources import champion_of
from tests.arena.players import HERE

GAME = load("diamond_chase")
PLAYERS = ["random", "minimax:depth=2", "neural:simulations=2,device=cpu"]


@pytest.fixture(scope="module")
def exam() -> Exam:
    return Exam.load(game=GAME).first(2 * SLICE + 40)


def test_answers_are_the_same_for_any_number_of_workers_and_as_by_the_player_itself(exam: Exam) -> None:
    alone = examine(PLAYERS, exam, seed=3, workers=1)
    assert alone == [run_exam(make_agent(spec, seed=3, game=GAME), exam=exam) for spec in PLAYERS]
    assert examine(PLAYERS, exam, seed=3, workers=2) == alone
    assert examine(PLAYERS[:1], exam, seed=4, workers=1) != alone[:1]


def test_a_network_is_asked_in_parts_and_a_player_with_random_numbers_as_a_whole(exam: Exam) -> None:
    network = PLAYERS[-1]
    tasks = exam_tasks(PLAYERS, exam, 5)
    parts = {spec: [(task.start, len(task.states)) for task in tasks if task.spec == spec] for spec in PLAYERS}
    assert parts["random"] == parts["minimax:depth=2"] == [(0, len(exam))]
    assert parts[network] == [(0, SLICE), (SLICE, SLICE), (2 * SLICE, 40)]
    assert [task.spec for task in tasks[:2]] == PLAYERS[:2], "the longest first"
    with pytest.raises(AgentError, match="no player is called 'rndom'"):
        exam_tasks(["rndom"], exam, 5)


def test_a_player_that_dies_once_is_asked_again_and_one_that_dies_twice_is_named(exam: Exam, tmp_path: Path) -> None:
    few = exam.first(20)
    once = f"{HERE}.DiesInExam:file={tmp_path / 'died'}"
    died, right = examine([once, f"{HERE}.First"], few, seed=1, workers=2)
    assert (tmp_path / "died").exists()
    assert died.kept == right.kept
    with pytest.raises(ExamError, match=r"DiesInExam: its process died twice \(SIGKILL\)"):
        examine([f"{HERE}.DiesInExam", f"{HERE}.First"], few, seed=1, workers=2)


def test_an_error_in_a_worker_is_told_in_a_line(exam: Exam) -> None:
    with pytest.raises(ExamError, match=r"RaisesInExam: OSError: the disk is on fire \(players.py:\d+\)$") as caught:
        examine([f"{HERE}.RaisesInExam", f"{HERE}.First"], exam.first(20), seed=1, workers=2)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("simulations", [0, 12])
def test_a_network_answers_arrays_as_it_answers_positions(name: str, simulations: int) -> None:
    game = load(name)
    if not champion_of(game).exists():
        pytest.skip("no network is shipped")
    exam = Exam.load(game=game).first(64)
    agent = make_agent(f"neural:simulations={simulations},device=cpu", seed=1, game=game)
    found = agent.answer_states(exam.states)
    assert found is not None
    actions, chances = found
    analyses = agent.analyse_many([exam.position(i) for i in range(len(exam))])
    assert actions.tolist() == [one.best.action for one in analyses]
    assert np.array_equal(chances, [one.win_draw_loss for one in analyses])
    assert len(set(actions.tolist())) > 1
