"""Exams taken by several processes, with the same answers however many take part, and on whatever machine.

A player whose answers do not depend on what it was asked before takes its exam in slices, in as many processes as there
are; any other, such as one that draws random numbers as it goes, takes the whole of it in one. A worker is told of
positions; the answers to compare with stay here.
"""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import make_agent
from alphadiamond.arena.exam import Answers, Exam, ExamError, ExamResult, answers_to, grade, named_results
from alphadiamond.base.game import Game
from alphadiamond.base.process_pool import ProcessPool
from alphadiamond.console import progress

SLICE: Final = 256
"""Positions of a part, a multiple of those that a player is asked about at once."""


@dataclass(frozen=True)
class ExamTask:
    """A part of the exam of one player."""

    spec: str
    start: int
    """Where in the exam it begins."""
    game: Game
    states: npt.NDArray[np.int64]
    """[B, S]"""
    seed: int


def exam_tasks(specs: Sequence[str], exam: Exam, seed: int) -> list[ExamTask]:
    """The longest first; a text that is no player is refused here, before anybody is asked anything."""
    tasks = []
    for spec in specs:
        independent = make_agent(spec, seed=seed, game=exam.game).independent
        size = SLICE if independent else len(exam)
        parts = [(start, exam.states[start : start + size]) for start in range(0, len(exam), size)]
        tasks += [ExamTask(spec, start, exam.game, states, seed) for start, states in parts]
    return sorted(tasks, key=lambda task: -len(task.states))


def answer(task: ExamTask) -> Answers:
    return answers_to(make_agent(task.spec, seed=task.seed, game=task.game), task.states, game=task.game)


def graded(specs: Sequence[str], exam: Exam, answered: Iterable[tuple[ExamTask, Answers]]) -> list[ExamResult]:
    """The results of players, from the answers to all tasks in any order."""
    actions = {spec: np.full(len(exam), -1) for spec in specs}
    results = {spec: np.full(len(exam), -1) for spec in specs}
    for task, (chosen, named) in answered:
        part = slice(task.start, task.start + len(task.states))
        actions[task.spec][part], results[task.spec][part] = chosen, named
    return [grade(exam, actions[spec], named_results(results[spec]), spec) for spec in specs]


def examine(specs: Sequence[str], exam: Exam, *, seed: int, workers: int) -> list[ExamResult]:
    """Let so many processes ask the players, or this one where it would be one."""
    tasks = exam_tasks(specs, exam, seed)
    pool = ProcessPool(answer, min(workers, len(tasks)), name="exam", of=lambda task: task.spec, error=ExamError)
    answered: list[tuple[ExamTask, Answers]] = []
    title = f"exam of {', '.join(specs)}"
    with contextlib.closing(pool), progress(title, sum(len(task.states) for task in tasks)) as update:
        done = 0
        for task, found in pool.run(tasks):
            answered.append((task, found))
            done += len(task.states)
            update(done, task.spec)
    return graded(specs, exam, answered)
