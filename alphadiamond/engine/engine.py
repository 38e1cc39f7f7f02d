"""The engine: reads lines, hands positions to players, writes what they say, until the input ends.

One thread reads; one places the jobs and works on batches, and others do so too while more wait than it has places;
some work for the players who think about one position at a time; one writes. So a client may send without reading, and
cancel while others think.
"""

import contextlib
import itertools
import json
import os
import queue
import sys
import threading
import time
from importlib import metadata
from typing import IO, Final

from alphadiamond.agents import players_of
from alphadiamond.agents.answers import Answer
from alphadiamond.agents.batch import found
from alphadiamond.agents.faults import fault_of
from alphadiamond.agents.registry import parameters_of
from alphadiamond.base.game import Game
from alphadiamond.base.threads import available_cores
from alphadiamond.engine.agent_cache import AgentCache, PlayerKey, player_key_of, thinks_in_batches
from alphadiamond.engine.answers import in_words
from alphadiamond.engine.batch_runner import BatchRunners, JobQueue
from alphadiamond.engine.jobs import Job, Jobs, Place
from alphadiamond.engine.queries import Action, Query, QueryError, read_line
from alphadiamond.engine.settings import EngineSettings
from alphadiamond.runner import MAX_LINE

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
        self._singles: queue.PriorityQueue[tuple[bool, Place, Job | Action | None]] = queue.PriorityQueue()
        self._agents = AgentCache()
        self._errands = itertools.count()
        self._lines: dict[PlayerKey, JobQueue] = {}
        self._groups = BatchRunners(self._jobs, settings)
        self._crowded = threading.Condition()
        self._over = False
        cores = available_cores()
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
            order = read_line(line, self._settings.game)
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
        self._end_threads()
        for thread in self._threads:
            thread.join()

    def leave(self) -> None:
        """End without a word: nobody listens any more."""
        self._jobs.cancel()
        self._end_threads()

    def _end_threads(self) -> None:
        self._inbox.put(None)
        for _ in range(self._singles_threads):
            self._singles.put((True, (0, 0, 0), None))
        with self._crowded:
            self._over = True
            self._crowded.notify_all()

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
        if action.name in ("check", "result"):
            self._singles.put((False, (0, -1, next(self._errands)), action))
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
            if order.query.session is None and thinks_in_batches(order.player_key):
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
        while True:
            order = self._singles.get()[2]
            if order is None:
                return
            if isinstance(order, Action):
                self._output.put(self._errand(order))
            elif self._jobs.begin([order]):
                try:
                    self._think(order)
                except QueryError as error:
                    self._jobs.fail(order, str(error), key=error.key)
                except BaseException as error:  # whatever a player does, the engine goes on
                    self._jobs.fail(order, fault_of(error))

    def _errand(self, action: Action) -> Answer:
        """Build a player, and tell it how its game has ended if that is what was asked."""
        answer: Answer = {"id": action.id, "action": action.name}
        try:
            assert action.game is not None
            query = Query(action.id, action.game, {}, action.player)
            key = player_key_of(query, self._settings.player)
            with self._agents.lend(key, session=action.session) as agent:
                if action.name == "result":
                    agent.record_result(action.score)
            return {**answer, "player": key.spec}
        except QueryError as error:
            return {**answer, "error": str(error), "key": error.key}
        except BaseException as error:
            return {**answer, "error": fault_of(error)}

    def _think(self, job: Job) -> None:
        assert job.player_key is not None
        query = job.query
        with self._agents.lend(job.player_key, seed=query.seed, session=query.session) as agent:
            if job.cancelled:
                self._jobs.drop(job)
                return
            job.began = time.monotonic()  # building a player is no part of its time
            device = str(getattr(agent, "device", "") or "")
            if query.move_only:
                move = agent.choose(job.position, stop=lambda: job.enough)
                self._jobs.finish_move(job, move, device=device)
                return
            if query.report_seconds is None:
                last = agent.analyse(job.position, stop=lambda: job.enough)
            else:
                for last in agent.stream(job.position, stop=lambda: job.enough):
                    if job.report_due:
                        self._jobs.report(job, found(last))
            self._jobs.finish(job, found(last), device=device)


def _players(game: Game) -> list[Answer]:
    """Every player of a game with its parameters and their defaults."""
    return [
        {"name": name, "parameters": {key: one.default for key, one in parameters_of(name, game).items()}}
        for name in players_of(game)
    ]


def run(settings: EngineSettings, *, end_at_once: bool = False) -> None:
    """Serve the program at the other end of standard input and output; when that ends the input, answer all that was
    asked, or end at once, mid-thought or not."""
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
        if end_at_once:
            os._exit(0)
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


def encoded(answer: Answer) -> bytes:
    """An answer as a line, without its end."""
    return _ENCODE(in_words(answer)).encode()


def _write(answers: "queue.SimpleQueue[Answer | None]", sink: IO[bytes]) -> None:
    """Lines as they come, flushed whenever no more are waiting."""
    try:
        while (answer := answers.get()) is not None:
            sink.write(encoded(answer) + b"\n")
            if answers.empty():
                sink.flush()
        sink.close()
    except OSError:  # nobody listens any more, and there is nothing else to do
        os._exit(1)
