"""The near end of a player in another process: questions go out, answers come back, whatever becomes of the process.

Every question is answered exactly once, after any reports: by the player, or with an `error` that is one sentence. A
question that is taken back and not answered, or that is overdue, costs the process its life; the other questions are
then asked again in a new one.
"""

import itertools
import json
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from alphadiamond.runner.links import MAX_LINE, Ended, Heard, Link

Answer: TypeAlias = dict[str, Any]
"""An object of the protocol; `error` says in a sentence what went wrong, `ended` that it was with the process."""
Connect: TypeAlias = Callable[[Heard, Ended], Link]
Listener: TypeAlias = Callable[[Answer], None]
"""Given reports and the answer, from any thread; it must not wait."""

_LOOK: Final = 0.01  # seconds between two looks at whether an answer is still wanted


def is_last(answer: Answer) -> bool:
    return not answer.get("during_search", False)


@dataclass(eq=False)
class Question:
    id: int
    query: dict[str, Any]
    listener: Listener
    tries: int
    """How many processes may die over it."""
    link: Link | None = None
    cancelled: bool = False
    fault: str = ""
    """Why the process was ended for its sake."""
    timers: list[threading.Timer] = field(default_factory=list)


class Runner:
    """One process at a time, begun when it is needed and begun again when it has died; safe to use from every thread.

    `name` is who is at the other end, as the sentences about its faults call it.
    """

    def __init__(self, connect: Connect, *, name: str = "the player's process") -> None:
        self._connect = connect
        self._name = name
        self._ids = itertools.count(1)
        self._open: dict[int, Question] = {}
        self._errands: set[int] = set()
        self._link: Link | None = None
        self._fault = ""
        """What the process at work has said that it should not have."""
        self._closed = False
        self._lock = threading.RLock()

    def start(self) -> None:
        """Have the process ready before it is asked."""
        with self._lock:
            if self._link is None and not self._closed:
                self._link = self._connected()

    @property
    def pid(self) -> int:
        """The process at work; 0 if there is none."""
        return getattr(self._link, "pid", 0)

    def ask(self, query: Mapping[str, Any], listener: Listener, *, seconds: float | None = None, tries: int = 1) -> int:
        """Send a query or an action; the id that it is given is returned.

        It has to be answered within so many seconds. When the process dies, it is asked again as long as `tries` lasts.
        """
        with self._lock:
            question = Question(next(self._ids), dict(query), listener, tries)
            self._open[question.id] = question
            if self._closed:
                self._fail(question, f"{self._name} is closed")
                return question.id
            if seconds is not None:
                self._after(seconds, question, f"it has not answered within {seconds:g} s")
            self._send(question)
            return question.id

    def cancel(self, id: int, *, patience: float | None = None) -> None:
        """Have a question answered now with what has been found; without an answer after so many seconds of patience
        the process is ended."""
        with self._lock:
            question = self._open.get(id)
            if question is None or question.cancelled:
                return
            question.cancelled = True
            if question.link is not None:
                self._errand(question.link, {"action": "terminate", "query": id})
            if patience is not None:
                self._after(patience, question, f"it has not answered within {patience:g} s when asked to")

    def answers(
        self,
        query: Mapping[str, Any],
        *,
        stop: Callable[[], bool] = lambda: False,
        seconds: float | None = None,
        patience: float | None = None,
    ) -> Iterator[Answer]:
        """Ask and wait: reports as they come, then the answer; when `stop` says so it is asked for at once."""
        heard: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        id = self.ask(query, heard.put, seconds=seconds)
        try:
            while True:
                try:
                    answer = heard.get(timeout=_LOOK)
                except queue.Empty:
                    if stop():
                        self.cancel(id, patience=patience)
                    continue
                yield answer
                if is_last(answer):
                    return
        finally:
            self.cancel(id, patience=patience)

    def close(self) -> None:
        """End at once, mid-thought or not."""
        with self._lock:
            self._closed = True
            for question in list(self._open.values()):
                self._fail(question, f"{self._name} is closed")
            if self._link is not None:
                self._link.kill()

    # Inside

    def _connected(self) -> Link:
        link: list[Link] = []  # lines may come before we know who says them
        known = threading.Event()

        def heard(line: bytes) -> None:
            known.wait()
            self._heard(link[0], line)

        def ended(cause: str) -> None:
            known.wait()
            self._ended(link[0], cause)

        link.append(self._connect(heard, ended))
        self._fault = ""
        known.set()
        return link[0]

    def _send(self, question: Question) -> None:
        try:
            self.start()
        except OSError as error:
            self._fail(question, f"{self._name} cannot be started: {error.strerror}", ended=True)
            return
        assert self._link is not None
        question.link = self._link
        self._link.send(json.dumps({"id": question.id, **question.query}).encode())

    def _errand(self, link: Link, action: dict[str, Any]) -> None:
        """Send an action whose answer nobody waits for."""
        id = next(self._ids)
        self._errands.add(id)
        link.send(json.dumps({"id": id, **action}).encode())

    def _after(self, seconds: float, question: Question, fault: str) -> None:
        timer = threading.Timer(seconds, self._overdue, (question, f"{self._name} failed: {fault}"))
        timer.daemon = True
        question.timers.append(timer)
        timer.start()

    def _overdue(self, question: Question, fault: str) -> None:
        with self._lock:
            if question.id in self._open:
                question.fault = fault
                if question.link is not None:
                    question.link.kill()

    def _heard(self, link: Link, line: bytes) -> None:
        if not line.strip():
            return
        answer, fault = _read(line)
        with self._lock:
            if link is not self._link or self._fault or self._closed:
                return
            id = answer.get("id")
            question = None
            if not fault and not isinstance(id, bool):
                if isinstance(id, int) and id in self._errands:
                    self._errands.discard(id)
                    return
                question = self._open.get(id) if isinstance(id, int) else None
            if question is None:
                said = f": {_short(answer['error'])}" if "error" in answer else ""
                self._fault = fault or f"it answered what was not asked, id {_short(id)}{said}"
                link.kill()
                return
            if is_last(answer):
                self._forget(question)
            question.listener(answer)

    def _ended(self, link: Link, cause: str) -> None:
        with self._lock:
            if link is not self._link:
                return
            self._link = None
            self._errands.clear()
            theirs = [question for question in self._open.values() if question.link is link]
            ours = any(question.fault for question in theirs)
            how = f"failed: {self._fault}" if self._fault else f"has ended unexpectedly ({cause})"
            for question in theirs:
                question.tries -= not ours
                if question.fault:
                    self._fail(question, question.fault, ended=True)
                elif question.cancelled or question.tries <= 0:
                    self._fail(question, f"{self._name} {how}", ended=True)
                else:
                    self._send(question)

    def _fail(self, question: Question, fault: str, *, ended: bool = False) -> None:
        self._forget(question)
        question.listener({"id": question.id, "error": fault, **({"ended": True} if ended else {})})

    def _forget(self, question: Question) -> None:
        self._open.pop(question.id, None)
        for timer in question.timers:
            timer.cancel()


def _read(line: bytes) -> tuple[Answer, str]:
    """An answer, or what is wrong with the line."""
    if len(line) > MAX_LINE:
        return {}, f"it sent a line of more than {MAX_LINE:,} bytes"
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return {}, f"it sent what is no JSON, {_short(line.decode(errors='replace'))}"
    if not isinstance(answer, dict):
        return {}, f"it sent what is no object of JSON, {_short(answer)}"
    return answer, ""


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


__all__ = ["Answer", "Connect", "Listener", "Runner", "is_last"]
