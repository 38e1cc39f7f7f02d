"""Players at work beside the window: a process (or, for tests, a thread) that thinks, and the desk that talks to it.

A separate process keeps every frame free of a player's Python time, and can be ended at once whatever it is doing. One
job is at work at a time; asking for another one cancels it through the player's own `stop`.
"""

import contextlib
import functools
import multiprocessing
import os
import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Protocol

from alphadiamond.agents import Agent, AgentError, Analysis, PlayerSpec, make_agent
from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError

_AGENTS_KEPT = 8
_SECONDS_BETWEEN_REPORTS = 0.08
_READY_SECONDS = 0.05


@dataclass(frozen=True)
class Answer:
    """What comes back from a job; a job ends with its `done` answer."""

    job: int
    kind: str
    """move, analysis, checked, error or done."""
    spec: str = ""
    move: Any | None = None
    analysis: Analysis | None = None
    text: str = ""
    ply: int = -1
    game: Game | None = None


@dataclass(frozen=True)
class _Order:
    job: int
    kind: str
    """move, analyse, check, evaluate or prepare."""
    specs: tuple[str, ...]
    game: Game
    positions: tuple[Any, ...] = ()
    new_game: bool = False
    seconds: float = 0.0


class _Shared(Protocol):
    value: int


class _Plain:
    """A number that threads share, as multiprocessing's Value is one that processes share."""

    def __init__(self) -> None:
        self.value = 0


class PlayerProcess:
    """The window's side: gives out jobs, collects answers, never waits.

    `nice` is how far the process gives way to others where they share a core; the window itself gives way to nobody.
    """

    def __init__(self, *, process: bool = True, nice: int = 5) -> None:
        self._alone = process
        self._nice = nice
        self._jobs = 0
        self._closed = False
        self._process: Any = None
        self._asked: tuple[str, ...] = ()
        self._start()

    def _start(self) -> None:
        ours, theirs = multiprocessing.Pipe()
        self._connection: Connection = ours
        self._current: _Shared
        if self._alone:
            context = multiprocessing.get_context("spawn")
            self._current = context.Value("q", 0, lock=False)  # type: ignore[assignment]
            self._process = context.Process(target=_serve_alone, args=(theirs, self._current, self._nice), daemon=True)
            self._process.start()
            theirs.close()
        else:
            self._current = _Plain()
            threading.Thread(target=serve, args=(theirs, self._current), daemon=True).start()

    def move(self, spec: str, position: Any, *, game: Game, new_game: bool = False) -> int:
        """Ask a player for a move; returns the job's number."""
        return self._send("move", (spec,), (position,), game=game, new_game=new_game)

    def analyse(self, specs: tuple[str, ...], position: Any, *, game: Game) -> int:
        """Ask players what they think, side by side, until told otherwise."""
        return self._send("analyse", specs, (position,), game=game)

    def evaluate(self, spec: str, positions: tuple[Any, ...], *, seconds: float, game: Game) -> int:
        """Ask a player for a short look at each of many positions."""
        return self._send("evaluate", (spec,), positions, game=game, seconds=seconds)

    def check(self, specs: tuple[str, ...], *, game: Game) -> int:
        """Find out which players can be built here."""
        return self._send("check", specs, game=game)

    def prepare(self, specs: tuple[str, ...], *, game: Game) -> int:
        """Let these players get ready, in this order, until something else is asked for.

        Loading torch, a network and compiled code takes seconds; done now, the first move need not wait for it.
        """
        return self._send("prepare", specs, game=game)

    def _send(
        self,
        kind: str,
        specs: tuple[str, ...],
        positions: tuple[Any, ...] = (),
        *,
        game: Game,
        new_game: bool = False,
        seconds: float = 0.0,
    ) -> int:
        self._jobs += 1
        self._asked = specs
        self._current.value = self._jobs
        with contextlib.suppress(OSError, ValueError):
            self._connection.send(_Order(self._jobs, kind, specs, game, positions, new_game, seconds))
        return self._jobs

    def cancel(self) -> None:
        """Stop whatever is being thought about."""
        self._jobs += 1
        self._current.value = self._jobs

    @property
    def current(self) -> int:
        """The job at work or last at work; answers to others are out of date."""
        return self._jobs

    def answers(self) -> list[Answer]:
        """What has come back since the last call, for the current job or about who can be had; never waits."""
        found: list[Answer] = []
        try:
            while self._connection.poll():
                answer = self._connection.recv()
                if answer.job == self._jobs or answer.kind == "checked":
                    found.append(answer)
        except (EOFError, OSError):
            if not self._closed:  # a player has brought its process down: begin anew with another one
                self._connection.close()
                self._start()
                spec = self._asked[0] if self._asked else ""
                found.append(Answer(self._jobs, "error", spec, text="the player's process has ended unexpectedly"))
        return found

    def close(self) -> None:
        """End at once, mid-thought or not."""
        self._closed = True
        self._current.value = -1
        with contextlib.suppress(OSError):
            self._connection.close()
        if self._process is not None and self._process.is_alive():
            self._process.kill()


def _serve_alone(connection: Connection, current: _Shared, nice: int) -> None:
    """In a process of its own, which gives way to the window where they share a core."""
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(nice)
    serve(connection, current)


def serve(connection: Connection, current: _Shared) -> None:
    """The players' side: take orders until the connection closes."""
    agents: dict[tuple[Game, str], Agent] = {}

    def agent_of(game: Game, spec: str) -> Agent:
        key = game, spec
        if key not in agents:
            if len(agents) >= _AGENTS_KEPT:
                agents.pop(next(iter(agents)))
            agents[key] = make_agent(spec, game=game)
        return agents[key]

    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt, BrokenPipeError):
        while True:
            order: _Order = connection.recv()
            for answer in _answers(order, functools.partial(agent_of, order.game), current):
                connection.send(answer)
            connection.send(Answer(order.job, "done"))


def _answers(order: _Order, agent: Any, current: _Shared) -> Iterator[Answer]:
    def stop() -> bool:
        return current.value != order.job

    if stop() and order.kind != "check":
        return
    if order.kind == "check":
        for spec in order.specs:
            yield Answer(order.job, "checked", spec, text=_fault(spec, agent), game=order.game)
        return
    if order.kind == "prepare":
        for spec in order.specs:
            _get_ready(order.game, spec, agent, stop)
        return
    for spec in order.specs:
        fault = _fault(spec, agent)
        if fault:
            yield Answer(order.job, "error", spec, text=fault)
            return
    try:
        if order.kind == "move":
            yield _move(order, agent(order.specs[0]), stop)
        elif order.kind == "analyse":
            yield from _analyses(order, {spec: agent(spec) for spec in order.specs}, stop)
        else:
            yield from _evaluations(order, agent(order.specs[0]), stop)
    except AlphaDiamondError as error:
        yield Answer(order.job, "error", order.specs[0], text=str(error))
    except Exception as error:  # a fault in a player must not end the game
        yield Answer(order.job, "error", order.specs[0], text=f"the player failed: {type(error).__name__}: {error}")


def _fault(spec: str, agent: Any) -> str:
    """Why a player cannot be built, or nothing."""
    try:
        agent(spec)
    except AgentError as error:
        return error.reason
    except AlphaDiamondError as error:
        return str(error)
    except Exception as error:
        return f"it cannot be loaded: {type(error).__name__}: {error}"
    return ""


def _get_ready(game: Game, spec: str, agent: Any, stop: Any) -> None:
    """Build a player and let it think for a moment, which loads all that it needs; faults are told when it is asked."""
    if stop():
        return
    end = 0.0

    def enough() -> bool:
        nonlocal end
        end = end or time.monotonic() + _READY_SECONDS  # from the first time it asks: loading does not count
        return bool(stop()) or time.monotonic() > end

    with contextlib.suppress(Exception):
        player = agent(spec)
        if not stop():
            player.choose(game.sample_start(), stop=enough)
            player.reset()


def _move(order: _Order, player: Agent, stop: Any) -> Answer:
    if order.new_game:
        player.reset()
    move = player.choose(order.positions[0], stop=stop)
    return Answer(order.job, "move", order.specs[0], move=move, text=str(getattr(player, "device", "") or ""))


def _analyses(order: _Order, players: dict[str, Agent], stop: Any) -> Iterator[Answer]:
    """The players' streams, each in a thread of its own, so that a deep thought of one does not hold up another."""
    heard: queue.Queue[tuple[str, Analysis | str | None]] = queue.Queue()

    def listen(spec: str, player: Agent) -> None:
        try:
            for analysis in player.stream(order.positions[0], stop=stop):
                heard.put((spec, analysis))
                if stop():
                    break
        except Exception as error:  # told to the person; the others go on
            heard.put((spec, f"{PlayerSpec.parse(spec).name} failed: {error}"))
        heard.put((spec, None))

    threads = [threading.Thread(target=listen, args=pair, daemon=True) for pair in players.items()]
    for thread in threads:
        thread.start()
    going = set(order.specs)
    latest: dict[str, Analysis] = {}
    while going and not stop():
        deadline = time.monotonic() + _SECONDS_BETWEEN_REPORTS
        while going and (left := deadline - time.monotonic()) > 0:
            try:
                spec, said = heard.get(timeout=left)
            except queue.Empty:
                break
            if said is None:
                going.discard(spec)
            elif isinstance(said, str):
                yield Answer(order.job, "error", spec, text=said)
            else:
                latest[spec] = said
        for spec, analysis in latest.items():
            yield Answer(order.job, "analysis", spec, analysis=analysis)
        latest.clear()
    for thread in threads:  # a player must be done with one question before it is asked the next
        thread.join()


def _evaluations(order: _Order, player: Agent, stop: Any) -> Iterator[Answer]:
    for number, position in enumerate(order.positions):
        if stop():
            return
        if position.outcome is not None:
            continue
        end = time.monotonic() + order.seconds

        def enough(end: float = end) -> bool:
            return bool(stop()) or time.monotonic() > end

        yield Answer(order.job, "analysis", order.specs[0], analysis=player.analyse(position, stop=enough), ply=number)
