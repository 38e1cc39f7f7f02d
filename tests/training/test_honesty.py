"""Learning never sees the solution: the exam's answers reach the reports and nothing else."""

import dataclasses
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alphadiamond.arena.exam import Exam
from alphadiamond.base.game import Game
from alphadiamond.games import BUILT_IN, load
from alphadiamond.training.loop import Training
from alphadiamond.training.rundir import RunDirectory, read_metrics
from alphadiamond.training.settings import TrainSettings
from tests.training.small import same, settings, training


def with_wrong_answers(exam: Exam) -> Exam:
    """The same positions, every answer the opposite of the truth."""
    return dataclasses.replace(
        exam,
        values=(1 - exam.values).astype(np.int8),
        distances=exam.distances[::-1].copy(),
        keeping=exam.game.legal(exam.states) & ~exam.keeping,
    )


def run(directory: Path, of: TrainSettings | None = None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A short run with an exam in every iteration: its last state, and its metrics but for times."""
    of = of or settings(iterations=3)
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
    wrong = with_wrong_answers(Exam.load(game=load("diamond_chase")))
    monkeypatch.setattr(Exam, "load", lambda **_: wrong)
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


class Peeked(BaseException):
    """Somebody has asked for what is to be learnt; nobody can have meant to catch it."""


def peek(*_: Any, **__: Any) -> Any:
    raise Peeked


def blind(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    """Let whoever asks for an exact value of this game fail, by whatever way, and nobody be examined."""
    for name in ("solution", "solution_in", "solution_facts", "exact_soon", "moves_exact_soon", "questions"):
        monkeypatch.setattr(type(game), name, peek)
    monkeypatch.setattr(type(game), "exam", property(peek))
    monkeypatch.setattr(Exam, "load", peek)
    monkeypatch.setattr("alphadiamond.arena.exam._load", peek)
    for name in ("Tablebase", "Solver"):
        for module in [one for key, one in sys.modules.items() if key.startswith("alphadiamond.games.")]:
            if hasattr(module, name):
                monkeypatch.setattr(module, name, peek)
    monkeypatch.setattr(Training, "take_exam", lambda run: {})


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_run_in_which_nothing_exact_can_be_asked_for_is_the_same_bit_for_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def of() -> TrainSettings:
        made = settings(iterations=2, game=name)
        made.gate.every = made.evaluation.every = 1
        made.evaluation.baselines = ["minimax:depth=2", "mcts:simulations=20"]
        made.evaluation.earlier_pairs = 2
        return made

    state, metrics = run(tmp_path / "seeing", of())
    with monkeypatch.context() as patch:
        blind(patch, load(name))
        with pytest.raises(Peeked):
            load(name).solution()
        blind_state, blind_metrics = run(tmp_path / "blind", of())
    for part in state:
        assert same(state[part], blind_state[part]), part
    assert state["learner"]["step_count"] >= 5
    for path in sorted((tmp_path / "seeing").rglob("*.npz")):
        assert (tmp_path / "blind" / path.relative_to(tmp_path / "seeing")).read_bytes() == path.read_bytes()
    for seeing, other in zip(metrics, blind_metrics, strict=True):
        assert other == {tag: value for tag, value in seeing.items() if not tag.startswith("exam/")}
        assert ("exam/kept" in seeing) == (load(name).exam is not None), "the other run was examined"
