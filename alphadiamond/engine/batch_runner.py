"""Queries for players who think about many positions at once: each takes a place as soon as one is free."""

import gc
import heapq
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from alphadiamond.agents import Agent
from alphadiamond.agents.batch import Batch
from alphadiamond.agents.faults import fault_of
from alphadiamond.engine.agent_cache import KEPT, PlayerKey, build
from alphadiamond.engine.jobs import Job, Jobs, Place
from alphadiamond.engine.settings import EngineSettings

_SLICE: Final = 0.02  # seconds between two looks at what else is to do
_LOOK: Final = 0.004  # seconds between two looks at what is finished
_SHARE: Final = 8  # of the places: so many finish before they are read, since reading costs a pass over all


class JobQueue:
    """The jobs that wait for one player, in the order of their turn. Safe to use from every thread."""

    def __init__(self) -> None:
        self._jobs: list[tuple[Place, Job]] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, job: Job) -> None:
        with self._lock:
            heapq.heappush(self._jobs, (job.place, job))

    def take(self, count: int) -> list[Job]:
        """The next ones, no more than that."""
        with self._lock:
            return [heapq.heappop(self._jobs)[1] for _ in range(min(count, len(self._jobs)))]


class BatchRunner:
    """One player, its batch, and the line from which it is filled. Used by one thread."""

    def __init__(self, agent: Agent, line: JobQueue, jobs: Jobs, *, places: int, memory: int) -> None:
        batch = agent.batch(places=places, memory=memory)
        assert batch is not None
        self._batch: Batch = batch
        self.line = line
        self._jobs = jobs
        self._at_work: dict[int, Job] = {}

    @property
    def busy(self) -> bool:
        return bool(self._at_work) or len(self.line) > 0

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
        while room := self._batch.free - len(chosen):
            taken = self.line.take(room)
            if not taken:
                break
            chosen += self._jobs.begin(taken)
        try:
            places = self._batch.begin([job.position for job in chosen])
        except Exception as error:
            for job in chosen:
                self._jobs.fail(job, fault_of(error))
            return
        self._at_work.update(zip(places, chosen, strict=True))

    def _work(self) -> None:
        """Until some are finished, or it is time to look what else is to do: soon, if there is room for more."""
        looked = time.monotonic()
        ends = looked + (_SLICE if not self._batch.free else _LOOK)
        enough = max(1, len(self._at_work) // _SHARE)

        def stop() -> bool:
            nonlocal looked
            now = time.monotonic()
            if now - looked < _LOOK:
                return False
            looked = now
            return now >= ends or len(self._batch.done()) >= enough

        self._batch.work(stop=stop)

    def _read(self) -> None:
        done = set(self._batch.done())
        ended = {place: job for place, job in self._at_work.items() if place in done or job.enough}
        due = {place: job for place, job in self._at_work.items() if place not in ended and job.report_due}
        findings = self._batch.read([*ended, *due])
        for (place, job), finding in zip([*ended.items(), *due.items()], findings, strict=True):
            if place in ended:
                self._jobs.finish(job, finding)
            else:
                self._jobs.report(job, finding)
        self._batch.end(list(ended))
        for place in ended:
            del self._at_work[place]


class BatchRunners:
    """The groups of one thread, the last used ones."""

    def __init__(self, jobs: Jobs, settings: EngineSettings) -> None:
        self._jobs = jobs
        self._settings = settings
        self._groups: OrderedDict[PlayerKey, BatchRunner] = OrderedDict()
        self._hopeless: set[PlayerKey] = set()

    @property
    def busy(self) -> bool:
        return any(group.busy for group in self._groups.values())

    def open(self, player_key: PlayerKey, line: JobQueue) -> None:
        """Serve a line, with a player built for it if there is none yet."""
        if player_key not in self._groups:
            memory = self._settings.memory * 1_000_000
            self._groups[player_key] = BatchRunner(
                build(player_key), line, self._jobs, places=self._settings.places, memory=memory
            )
            gc.freeze()  # what a player has loaded stays: no need to go through all of it at every collection
        self._groups[player_key].line = line
        self._groups.move_to_end(player_key)
        for other in [name for name, group in self._groups.items() if not group.busy and name != player_key]:
            if len(self._groups) > KEPT:
                del self._groups[other]

    def wanted(self, lines: Mapping[PlayerKey, JobQueue]) -> list[PlayerKey]:
        """The lines in which jobs still wait, unless no player could be built for them: whoever serves them already
        goes on alone."""
        return [player_key for player_key, line in list(lines.items()) if line and player_key not in self._hopeless]

    def help(self, lines: Mapping[PlayerKey, JobQueue]) -> None:
        """Serve the lines in which jobs still wait."""
        for player_key in self.wanted(lines):
            try:
                self.open(player_key, lines[player_key])
            except Exception:  # for want of memory, perhaps
                self._hopeless.add(player_key)

    def step(self) -> None:
        for group in list(self._groups.values()):
            if group.busy:
                group.step()
