"""The positions that are waiting or being thought about, and who may still answer for them."""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from alphadiamond.agents.answers import Answer
from alphadiamond.agents.batch import Finding
from alphadiamond.engine.agent_cache import PlayerKey
from alphadiamond.engine.answers import outcome_json
from alphadiamond.engine.queries import Id, Query, QueryError

Output: TypeAlias = Callable[[Answer], None]
"""Sends an object to the other program. Whoever writes it puts the position, and what stands under the key `finding`,
into words, so that the thread of the search has no part in that."""

Place: TypeAlias = tuple[int, int, int]
"""Where a job stands in a line; what is less comes first."""


@dataclass(eq=False)
class Job:
    """One position of a query. It is answered exactly once, by whoever gets hold of it first, after any reports."""

    query: Query
    turn: int
    position: Any
    order: int
    player_key: PlayerKey | None = None
    """The player with the limits of the query, and its game."""
    cancelled: bool = False
    began: float | None = None
    """When thinking began; None while it waits."""
    asked: float | None = None
    """When the player first asked whether to go on, from where its time limit counts: loading is no thinking."""
    said: float = 0.0
    """When it was last reported on."""
    answered: bool = False

    @property
    def place(self) -> Place:
        """Higher priority first, then in the order they came; no two have the same."""
        return -self.query.priority, self.order, self.turn

    @property
    def enough(self) -> bool:
        """Whether the answer is wanted now: it was cancelled, or its time is up."""
        now = time.monotonic()
        self.asked = self.asked or now
        times = ((self.query.limits.get("seconds"), self.began), (self.query.time_limit, self.asked))
        return self.cancelled or any(
            seconds is not None and since is not None and now - since >= seconds for seconds, since in times
        )

    @property
    def report_due(self) -> bool:
        every = self.query.report_seconds
        return every is not None and not self.answered and time.monotonic() - self.said >= every


@dataclass
class Jobs:
    """All jobs that are not answered yet. Safe to use from every thread."""

    output: Output
    limit: int
    _open: dict[Id, list[Job]] = field(default_factory=dict)
    _count: int = 0
    _order: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def add(self, query: Query) -> list[Job]:
        with self._changed:
            if query.id in self._open:
                raise QueryError("a query with this id is still being worked on", key="id", id=query.id)
            if self._count + len(query.positions) > self.limit:
                raise QueryError(f"too much at once: {self.limit:,} positions may wait", id=query.id)
            self._order += 1
            jobs = [Job(query, turn, position, self._order) for turn, position in query.positions.items()]
            self._open[query.id] = jobs
            self._count += len(jobs)
            return list(jobs)

    def begin(self, jobs: Sequence[Job]) -> list[Job]:
        """Start the clocks; returns those jobs that have not been answered meanwhile."""
        with self._changed:
            now = time.monotonic()
            for job in jobs:
                job.began = job.said = now
            return [job for job in jobs if not job.answered]

    def report(self, job: Job, finding: Finding) -> None:
        """Say what has been found so far."""
        job.said = time.monotonic()
        self.output(self._answer(job, finding, during_search=True))

    def finish(self, job: Job, finding: Finding, *, device: str = "") -> None:
        used = {"device": device} if device else {}
        self._close(job, {**self._answer(job, finding, during_search=False), **used})

    def finish_move(self, job: Job, move: Any, *, device: str = "") -> None:
        """The move alone."""
        used = {"device": device} if device else {}
        self._close(job, {**self._played(job, during_search=False), **used, "best": str(move)})

    def drop(self, job: Job) -> None:
        """It was taken back before its player had begun."""
        self._close(job, {**_head(job, during_search=False), "terminated": True, "no_results": True})

    def finish_over(self, job: Job) -> None:
        """The game is over in this position: there is nothing to think about."""
        self._close(job, {**_head(job, during_search=False), **outcome_json(job.position)})

    def fail(self, job: Job, message: str, *, key: str | None = None) -> None:
        where = {"key": key} if key else {}
        self._close(job, {"id": job.query.id, "turn": job.turn, "error": message, **where})

    def cancel(self, id: Id | None = None, turns: Collection[int] | None = None) -> int:
        """Have these jobs end, all of them without an id: those at work answer with what they have, those that wait
        at once with nothing."""
        with self._changed:
            lists = list(self._open.values()) if id is None else [self._open.get(id, [])]
            chosen = [job for jobs in lists for job in jobs if turns is None or job.turn in turns]
            for job in chosen:
                job.cancelled = True
                if job.began is None:
                    self.drop(job)
            return len(chosen)

    def wait(self) -> None:
        """Until every job is answered."""
        with self._changed:
            self._changed.wait_for(lambda: self._count == 0)

    def _close(self, job: Job, answer: Answer) -> None:
        """Answer a job, unless somebody has, and take it off the list."""
        with self._changed:
            if job.answered:
                return
            job.answered = True
            self.output(answer)
            jobs = self._open[job.query.id]
            jobs.remove(job)
            if not jobs:
                del self._open[job.query.id]
            self._count -= 1
            self._changed.notify_all()

    @classmethod
    def _answer(cls, job: Job, finding: Finding, *, during_search: bool) -> Answer:
        return {**cls._played(job, during_search=during_search), "finding": finding, "top": job.query.top}

    @staticmethod
    def _played(job: Job, *, during_search: bool) -> Answer:
        assert job.began is not None
        terminated = {"terminated": True} if job.cancelled and not during_search else {}
        return {
            **_head(job, during_search=during_search),
            "player": job.player_key.spec if job.player_key is not None else "",
            "seconds": round(time.monotonic() - job.began, 4),
            **terminated,
        }


def _head(job: Job, *, during_search: bool) -> Answer:
    return {
        "id": job.query.id,
        "turn": job.turn,
        "during_search": during_search,
        "position": job.position,
        "side": job.position.side,
    }
