"""Exams taken by several processes, with the same answers however many take part, and on whatever machine.

A player whose answers do not depend on what it was asked before takes its exam in slices, in as many processes as there
are; any other, such as one that draws random numbers as it goes, takes the whole of it in one. A worker is told of
positions; the answers to compare with stay here.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import make_agent
from alphadiamond.arena.exam import Answers, Exam, ExamError, ExamResult, answers_to, grade, named_results
from alphadiamond.base.game import Game
from alphadiamond.base.processes import Process, cause_of, told
from alphadiamond.console import progress
from alphadiamond.errors import AlphaDiamondError

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
    count = min(workers, len(tasks))
    answered: list[tuple[ExamTask, Answers]] = []
    with progress(f"exam of {', '.join(specs)}", sum(len(task.states) for task in tasks)) as update:
        done = 0
        for task, found in ((task, answer(task)) for task in tasks) if count == 1 else _in_processes(tasks, count):
            answered.append((task, found))
            done += len(task.states)
            update(done, task.spec)
    return graded(specs, exam, answered)


def _in_processes(tasks: Sequence[ExamTask], count: int) -> Iterable[tuple[ExamTask, Answers]]:
    waiting = deque(tasks)
    again: set[int] = set()
    busy: dict[Any, tuple[Process, ExamTask]] = {}
    idle = [Process(_serve, name=f"alphadiamond exam {number}") for number in range(count)]
    try:
        while waiting or busy:
            while waiting and idle:
                process, task = idle.pop(), waiting.popleft()
                process.send(task)  # whether it is dead shows when its answer does not come
                busy[process.connection] = process, task
            for connection in wait(list(busy)):
                process, task = busy.pop(connection)
                try:
                    found = process.receive()
                except EOFError:
                    cause = cause_of(process.end())
                    if id(task) in again:
                        raise ExamError(f"{task.spec}: its process died twice ({cause})") from None
                    again.add(id(task))
                    waiting.append(task)
                    idle.append(Process(_serve))
                    continue
                idle.append(process)
                if isinstance(found, str):
                    raise ExamError(found)
                yield task, found
    finally:
        for process in [*idle, *(process for process, _ in busy.values())]:
            process.kill()
            process.end()


def _serve(connection: "Connection[Any, Any]") -> None:
    while True:
        task: ExamTask = connection.recv()
        try:
            connection.send(answer(task))
        except AlphaDiamondError as error:
            connection.send(str(error))
        except Exception as error:
            connection.send(f"{task.spec}: {told(error)}")
