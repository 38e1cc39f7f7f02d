"""Queries for players who think about many positions at once: each takes a place as soon as one is free."""

import heapq
import time
from typing import Final

from alphadiamond.agents import Agent
from alphadiamond.agents.batch import Batch
from alphadiamond.engine.jobs import Job, Jobs
from alphadiamond.engine.players import fault_of

_SLICE: Final = 0.02  # seconds between two looks at what else is to do
_SHARE: Final = 8  # of the places: so many finish before they are read, since reading costs a pass over all


class Group:
    """One player, its batch, and the jobs that wait for it. Used by one thread."""

    def __init__(self, agent: Agent, jobs: Jobs, *, places: int, memory: int) -> None:
        batch = agent.batch(places=places, memory=memory)
        assert batch is not None
        self._batch: Batch = batch
        self._jobs = jobs
        self._waiting: list[Job] = []
        self._at_work: dict[int, Job] = {}

    @property
    def busy(self) -> bool:
        return bool(self._waiting or self._at_work)

    def add(self, job: Job) -> None:
        heapq.heappush(self._waiting, job)

    def step(self) -> None:
        """Work on all for a moment, answer what is finished, report what is due. A fault answers all at work."""
        try:
            self._fill()
            if self._at_work:
                self._work()
                self._read()
        except Exception as error:
            for job in self._at_work.values():
                self._jobs.fail(job, fault_of(error))
            self._batch.end(list(self._at_work))
            self._at_work.clear()

    def _fill(self) -> None:
        chosen: list[Job] = []
        while self._waiting and len(chosen) < self._batch.free:
            job = heapq.heappop(self._waiting)
            if self._jobs.begin(job):
                chosen.append(job)
        try:
            places = self._batch.begin([job.position for job in chosen])
        except Exception as error:
            for job in chosen:
                self._jobs.fail(job, fault_of(error))
            return
        self._at_work.update(zip(places, chosen, strict=True))

    def _work(self) -> None:
        ends = time.monotonic() + _SLICE
        enough = max(1, len(self._at_work) // _SHARE)

        def stop() -> bool:
            return time.monotonic() >= ends or len(self._batch.done()) >= enough

        self._batch.work(stop=stop)

    def _read(self) -> None:
        done = set(self._batch.done())
        ended = [place for place, job in self._at_work.items() if place in done or job.enough]
        due = [place for place, job in self._at_work.items() if place not in ended and job.report_due]
        for place, analysis in zip(ended + due, self._batch.analyses(ended + due), strict=True):
            job = self._at_work[place]
            if place in done or job.enough:
                self._jobs.finish(job, analysis)
            else:
                self._jobs.report(job, analysis)
        self._batch.end(ended)
        for place in ended:
            del self._at_work[place]
