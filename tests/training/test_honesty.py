"""Learning never sees the solution: the exam's answers reach the reports and nothing else."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alphadiamond.arena.exam import Exam
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.training.reports import read_metrics
from alphadiamond.training.rundir import RunDirectory
from tests.training.small import same, settings, training


def with_wrong_answers(exam: Exam) -> Exam:
    """The same positions, every answer the opposite of the truth."""
    return dataclasses.replace(
        exam,
        values=(1 - exam.values).astype(np.int8),
        distances=exam.distances[::-1].copy(),
        keeping=exam.game.legal(exam.states) & ~exam.keeping,
    )


def run(directory: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A short run with an exam in every iteration: its last state, and its metrics but for times."""
    of = settings(iterations=3)
    of.evaluation.exam_every = 1
    training(directory, of).run()
    found = RunDirectory(directory)
    state = found.load_state(found.states()[0])
    state["progress"].pop("seconds")
    state.get("crowned", {}).pop("hours", None)
    lines = read_metrics(found.metrics)
    return state, [{name: line[name] for name in line if not name.startswith("speed/")} for line in lines]


def test_a_run_examined_by_wrong_answers_learns_the_same_bit_for_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, metrics = run(tmp_path / "right")
    wrong = with_wrong_answers(Exam.load(game=GAME))
    monkeypatch.setattr(Exam, "load", lambda path=None: wrong)
    wrong_state, wrong_metrics = run(tmp_path / "wrong")
    for part in state:
        assert same(state[part], wrong_state[part]), part
    assert state["learner"]["step_count"] > 10
    files = {path.name: path.read_bytes() for path in (tmp_path / "right" / "samples").iterdir()}
    assert len(files) == 3
    for name, data in files.items():
        assert (tmp_path / "wrong" / "samples" / name).read_bytes() == data
    for right, other in zip(metrics, wrong_metrics, strict=True):
        graded = {name for name in right if name.startswith("exam/")}
        assert {name: right[name] for name in set(right) - graded} == {
            name: other[name] for name in set(other) - graded
        }
        assert right["exam/kept"] + other["exam/kept"] == pytest.approx(1, abs=1e-5), "the exam was taken, and graded"
