"""Processes that answer tasks: one function, any number of tasks, answers as they come."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from alphadiamond.base.processes import Process, cause_of, told
from alphadiamond.errors import AlphaDiamondError

T = TypeVar("T")
R = TypeVar("R")


class ProcessPool(Generic[T, R]):
    """So many processes, started when they are needed; close it. With one, tasks are answered in this process.

    A process that dies is replaced and its task asked once more; dying twice of a task is an error.
    """

    def __init__(
        self,
        answer: Callable[[T], R],
        count: int,
        *,
        name: str,
        of: Callable[[T], str],
        error: type[AlphaDiamondError] = AlphaDiamondError,
    ) -> None:
        """`answer` is at module level: other processes import it. `of` says whose a task is, for errors."""
        self._answer, self._count, self._name, self._of, self._error = answer, count, name, of, error
        self._processes: list[Process] = []

    def run(self, tasks: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Each task with its answer, in the order in which they are found; tasks are taken as they are needed."""
        if self._count <= 1:
            yield from ((task, self._answer(task)) for task in tasks)
            return
        waiting, again = iter(tasks), deque[T]()
        died: set[int] = set()
        busy: dict[Any, tuple[Process, T]] = {}
        more = True
        try:
            while more or again or busy:
                while (more or again) and len(busy) < self._count:
                    task = again.popleft() if again else next(waiting, None)
                    if task is None:
                        more = False
                        continue
                    process = self._processes.pop() if self._processes else self._start()
                    process.send(task)  # whether it is dead shows when its answer does not come
                    busy[process.connection] = process, task
                for connection in wait(list(busy)) if busy else ():
                    process, task = busy.pop(connection)
                    try:
                        found = process.receive()
                    except EOFError:
                        cause = cause_of(process.end())
                        if id(task) in died:
                            raise self._error(f"{self._of(task)}: its process died twice ({cause})") from None
                        died.add(id(task))
                        again.append(task)
                        continue
                    died.discard(id(task))
                    self._processes.append(process)
                    if isinstance(found, _Fault):
                        raise self._error(found.line if found.expected else f"{self._of(task)}: {found.line}")
                    yield task, found
        finally:
            for process, _ in busy.values():  # answers that nobody waits for
                process.kill()
                process.end()

    def close(self) -> None:
        """End the processes; may be called twice."""
        for process in self._processes:
            process.kill()
            process.end()
        self._processes.clear()

    def _start(self) -> Process:
        return Process(_serve, self._answer, name=f"alphadiamond {self._name}")


class _Fault:
    """What a process sends in place of an answer."""

    def __init__(self, line: str, *, expected: bool) -> None:
        self.line = line
        self.expected = expected
        """Whether it is one of the project's own errors, which say whose they are."""


def _serve(connection: "Connection[Any, Any]", answer: Callable[[Any], Any]) -> None:
    while True:
        task = connection.recv()
        try:
            found = answer(task)
        except AlphaDiamondError as error:
            found = _Fault(str(error), expected=True)
        except Exception as error:
            found = _Fault(told(error), expected=False)
        connection.send(found)
