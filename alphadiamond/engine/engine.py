"""The engine: reads lines, hands positions to players, writes what they say, until the input ends.

One thread reads; one places the jobs and works on batches, and others do so too while more wait than it has places;
some work for the players who think about one position at a time; one writes. So a client may send without reading, and
cancel while others think.
"""

import contextlib
import json
import os
import queue
import sys
import threading
import time
from importlib import metadata
from typing import IO, Final

from alphadiamond.agents import players_of
from alphadiamond.agents.batch import found
from alphadiamond.agents.registry import parameters_of
from alphadiamond.base.game import Game
from alphadiamond.engine.agent_cache import AgentCache, PlayerKey, player_key_of, thinks_in_batches
from alphadiamond.engine.answers import Answer, in_words
from alphadiamond.engine.batch_runner import BatchRunners, JobQueue
from alphadiamond.engine.faults import fault_of
from alphadiamond.engine.jobs import Job, Jobs, Place
from alphadiamond.engine.queries import MAX_LINE, Action, Query, QueryError, read_line
from alphadiamond.engine.settings import EngineSettings

_AT_ONCE: Final = 256  # jobs to place before the batches get their turn again
_TURN: Final = 0.0005  # seconds for which reading and writing may hold up the search; Python's own are ten times that
_SEARCHES: Final = 4  # threads that search, at most, unless more are asked for: they share one interpreter
_ENCODE: Final = json.JSONEncoder(allow_nan=False).encode  # json.dumps would build an encoder for every answer
_PATIENCE: Final = 3.0  # seconds to let players answer after an interruption


class Engine:
    """`output` is called with each answer, from any thread."""

    def __init__(self, settings: EngineSettings, output: "queue.SimpleQueue[Answer | None]") -> None:
        self._settings = settings
        self._output = output
        self._jobs = Jobs(output.put, settings.waiting)
        self._inbox: queue.SimpleQueue[Job | Action | None] = queue.SimpleQueue()
        self._singles: queue.PriorityQueue[tuple[bool, Place, Job | None]] = queue.PriorityQueue()
        self._lines: dict[PlayerKey, JobQueue] = {}
        self._groups = BatchRunners(self._jobs, settings)
        self._crowded = threading.Condition()
        self._over = False
        cores = os.cpu_count() or 1
        count, searches = settings.threads or cores, settings.searches or min(cores, _SEARCHES)
        self._threads = [threading.Thread(target=self._work_alone, daemon=True) for _ in range(count)]
        self._singles_threads = count
        self._threads.append(threading.Thread(target=self._work_together, daemon=True))
        self._threads += [threading.Thread(target=self._help, daemon=True) for _ in range(searches - 1)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def take(self, line: bytes, number: int) -> None:
        """Work on a line from the other program; whatever is wrong with it becomes an answer."""
        try:
            order = read_line(line)
            if isinstance(order, Query):
                for job in self._jobs.add(order):
                    self._inbox.put(job)
            else:
                self._act(order)
        except QueryError as error:
            whose: Answer = {"line": number} if error.id is None else {"id": error.id}
            self._output.put({**whose, "error": str(error), **({"key": error.key} if error.key else {})})

    def finish(self) -> None:
        """Answer all that was asked, then end."""
        self._jobs.wait()
        self._inbox.put(None)
        for _ in range(self._singles_threads):
            self._singles.put((True, (0, 0, 0), None))
        with self._crowded:
            self._over = True
            self._crowded.notify_all()
        for thread in self._threads:
            thread.join()

    def abandon(self) -> None:
        """End soon: those at work are asked to answer, and are not waited for long."""
        self._jobs.cancel()
        waiter = threading.Thread(target=self._jobs.wait, daemon=True)
        waiter.start()
        waiter.join(_PATIENCE)

    def _act(self, action: Action) -> None:
        """At once, except for what needs the players' modules, which load for a moment."""
        if action.name == "players":
            self._inbox.put(action)
            return
        answer: Answer = {"id": action.id, "action": action.name}
        if action.name == "version":
            answer |= {"name": "alphadiamond", "version": metadata.version("alphadiamond")}
        else:
            if action.name == "terminate":
                answer["query"] = action.query
            answer["terminated"] = self._jobs.cancel(action.query, action.turns)
        self._output.put(answer)

    def _work_together(self) -> None:
        """Place jobs as they come, and work on the batches in turn."""
        while True:
            busy = self._groups.busy
            with contextlib.suppress(queue.Empty):
                for taken in range(_AT_ONCE):
                    order = self._inbox.get(block=not busy and not taken)
                    if order is None:
                        return
                    self._place(order)
            self._groups.step()
            if any(self._lines.values()):
                with self._crowded:
                    self._crowded.notify_all()

    def _help(self) -> None:
        """Work on batches of one's own while jobs wait that have found no place in the others'."""
        groups = BatchRunners(self._jobs, self._settings)
        while True:
            if not groups.busy:
                with self._crowded:
                    self._crowded.wait_for(lambda: self._over or groups.wanted(self._lines))
                if self._over:
                    return
            groups.help(self._lines)
            groups.step()

    def _place(self, order: Job | Action) -> None:
        if isinstance(order, Action):
            assert order.game is not None  # `players` is the one action that comes here
            self._output.put({"id": order.id, "action": order.name, "players": _players(order.game)})
            return
        if order.position.outcome is not None:
            self._jobs.finish_over(order)
            return
        if order.answered:
            return
        try:
            order.player_key = player_key_of(order.query, self._settings.player)
            if thinks_in_batches(order.player_key):
                self._line(order.player_key).add(order)
            else:
                self._singles.put((False, order.place, order))
        except QueryError as error:
            self._jobs.fail(order, str(error), key=error.key)
        except BaseException as error:  # importing a player may do anything
            self._jobs.fail(order, fault_of(error), key="player")

    def _line(self, player_key: PlayerKey) -> JobQueue:
        """Where jobs wait for a player, who is ready to serve them."""
        if player_key not in self._lines:
            self._lines = {name: line for name, line in self._lines.items() if line}
        line = self._lines.setdefault(player_key, JobQueue())
        self._groups.open(player_key, line)
        return line

    def _work_alone(self) -> None:
        agent_cache = AgentCache()
        while True:
            job = self._singles.get()[2]
            if job is None:
                return
            if self._jobs.begin([job]):
                try:
                    self._think(job, agent_cache)
                except QueryError as error:
                    self._jobs.fail(job, str(error), key=error.key)
                except BaseException as error:  # whatever a player does, the engine goes on
                    self._jobs.fail(job, fault_of(error))

    def _think(self, job: Job, agent_cache: AgentCache) -> None:
        assert job.player_key is not None
        agent = agent_cache.take(job.player_key, job.query.seed)
        job.began = time.monotonic()  # building a player is no part of its time
        if job.query.report_seconds is None:
            self._jobs.finish(job, found(agent.analyse(job.position, stop=lambda: job.enough)))
            return
        last = None
        for last in agent.stream(job.position, stop=lambda: job.enough):
            if job.report_due:
                self._jobs.report(job, found(last))
        assert last is not None
        self._jobs.finish(job, found(last))


def _players(game: Game) -> list[Answer]:
    """Every player of a game with its parameters and their defaults."""
    return [
        {"name": name, "parameters": {key: one.default for key, one in parameters_of(name, game).items()}}
        for name in players_of(game)
    ]


def run(settings: EngineSettings) -> None:
    """Serve the program at the other end of standard input and output."""
    sys.setswitchinterval(_TURN)
    source, sink = sys.stdin.buffer, _own_output()
    answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
    engine = Engine(settings, answers)
    writer = threading.Thread(target=_write, args=(answers, sink), daemon=True)
    writer.start()
    engine.start()
    try:
        number = 0
        while line := source.readline(MAX_LINE + 1):
            number += 1
            whole = line.endswith(b"\n")
            if line.strip():
                engine.take(line, number)
            while not whole and (rest := source.readline(MAX_LINE)):  # the end of a line that is too long
                whole = rest.endswith(b"\n")
        engine.finish()
    except KeyboardInterrupt:
        engine.abandon()
        raise
    finally:
        answers.put(None)
        writer.join(_PATIENCE)


def _own_output() -> IO[bytes]:
    """Standard output for answers alone: whatever else a player or a library prints there goes to standard error."""
    sys.stdout.flush()
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return sink


def _write(answers: "queue.SimpleQueue[Answer | None]", sink: IO[bytes]) -> None:
    """Lines as they come, flushed whenever no more are waiting."""
    try:
        while (answer := answers.get()) is not None:
            sink.write(_ENCODE(in_words(answer)).encode() + b"\n")
            if answers.empty():
                sink.flush()
        sink.close()
    except OSError:  # nobody listens any more, and there is nothing else to do
        os._exit(1)
