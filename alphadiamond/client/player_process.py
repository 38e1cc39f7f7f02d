"""Players at work beside the window: what it asks of their process, and what comes back of the question at hand.

A separate process keeps every frame free of a player's Python time, and can be ended at once whatever it is doing. One
job is at work at a time; asking for another one takes it back.
"""

import queue
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from alphadiamond.agents import AgentError, Analysis
from alphadiamond.agents.answers import best_of, position_json, read_analysis
from alphadiamond.base.game import Game
from alphadiamond.engine.workers import NICE, engine_runner
from alphadiamond.runner import Answer as Line

_SECONDS_BETWEEN_REPORTS: Final = 0.08
_READY_SECONDS: Final = 0.05
_PATIENCE_SECONDS: Final = 60.0
"""For a player who does not listen, or is still loading, when its thought is taken back: then its process is ended."""


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


class PlayerProcess:
    """The window's side: gives out jobs, collects answers, never waits.

    `nice` is how far the process gives way to others where they share a core, and `threads` how many players think side
    by side; the window itself gives way to nobody.
    """

    def __init__(self, *, process: bool = True, nice: int = NICE, threads: int = 1) -> None:
        self._runner = engine_runner(threads=threads, nice=nice, process=process)
        self._runner.start()
        self._jobs = 0
        self._at_work: list[int] = []
        self._heard: queue.SimpleQueue[tuple[Callable[[Line], list[Answer]], Line]] = queue.SimpleQueue()
        self._games: Counter[tuple[Game, str]] = Counter()
        """How many games each player has begun."""

    def move(self, spec: str, position: Any, *, game: Game, new_game: bool = False) -> int:
        """Ask a player for a move; returns the job's number."""
        if new_game:
            self._games[game, spec] += 1
        job = self._begin(1)

        def read(line: Line) -> Answer:
            move = best_of(line, position)
            return Answer(job.number, "move", spec, move=move, text=line.get("device", ""))

        self._ask(job, spec, game, read, move_only=True, **position_json(position))
        return job.number

    def analyse(self, specs: tuple[str, ...], position: Any, *, game: Game) -> int:
        """Ask players what they think, side by side, until told otherwise."""
        job = self._begin(len(specs))
        for spec in specs:

            def read(line: Line, spec: str = spec) -> Answer:
                analysis = read_analysis(line, position, game)
                return Answer(job.number, "analysis", spec, analysis=analysis)

            self._ask(job, spec, game, read, report_seconds=_SECONDS_BETWEEN_REPORTS, **position_json(position))
        return job.number

    def evaluate(self, spec: str, positions: tuple[Any, ...], *, seconds: float, game: Game) -> int:
        """Ask a player for a short look at each of many positions."""
        going = {ply: position for ply, position in enumerate(positions) if position.outcome is None}
        job = self._begin(len(going))
        for ply, position in going.items():

            def read(line: Line, ply: int = ply, position: Any = position) -> Answer:
                analysis = read_analysis(line, position, game)
                return Answer(job.number, "analysis", spec, analysis=analysis, ply=ply)

            self._ask(job, spec, game, read, time_limit=seconds, **position_json(position))
        return job.number

    def check(self, specs: tuple[str, ...], *, game: Game) -> int:
        """Find out which players can be built here; what is asked next does not take that back."""
        job = self._begin(len(specs))
        for spec in specs:

            def read(line: Line, spec: str = spec) -> list[Answer]:
                told = Answer(job.number, "checked", spec, text=line.get("error", ""), game=game)
                return [told, *job.ended(line)]

            self._send({"action": "check", "player": spec, "game": game.name}, read)
        return job.number

    def prepare(self, specs: tuple[str, ...], *, game: Game) -> int:
        """Let these players get ready, in this order, until something else is asked for.

        Loading torch, a network and compiled code takes seconds; done now, the first move need not wait for it. Faults
        are told when a player is asked.
        """
        job = self._begin(len(specs))
        start = position_json(game.sample_start())
        for spec in specs:
            query = {"player": spec, "game": game.name, "move_only": True, "time_limit": _READY_SECONDS, **start}
            self._at_work.append(self._send({**query, "session": "getting ready"}, job.ended))
        return job.number

    def cancel(self) -> None:
        """Stop whatever is being thought about: what waits first, so that none of it is begun meanwhile."""
        for question in reversed(self._at_work):
            self._runner.cancel(question, patience=_PATIENCE_SECONDS)
        self._at_work.clear()
        self._jobs += 1

    @property
    def current(self) -> int:
        """The job at work or last at work; answers to others are out of date."""
        return self._jobs

    def answers(self) -> list[Answer]:
        """What has come back since the last call, for the current job or about who can be had; never waits."""
        found: list[Answer] = []
        while not self._heard.empty():
            read, line = self._heard.get()
            found += read(line)
        return [answer for answer in found if answer.job == self._jobs or answer.kind == "checked"]

    @property
    def pid(self) -> int:
        """The process at work; 0 if there is none."""
        return self._runner.pid

    def close(self) -> None:
        """End at once, mid-thought or not."""
        self._runner.close()

    def _begin(self, questions: int) -> "_Job":
        self.cancel()
        job = _Job(self._jobs, questions)
        if not questions:
            self._heard.put((job.ended, {}))
        return job

    def _session(self, game: Game, spec: str) -> int:
        return self._games[game, spec]

    def _ask(self, job: "_Job", spec: str, game: Game, read: Callable[[Line], Answer], **query: Any) -> None:
        def told(line: Line) -> list[Answer]:
            if job.number != self._jobs:
                return []
            try:
                if "error" in line:
                    raise AgentError(line["error"])
                said = [] if line.get("no_results") else [read(line)]
            except AgentError as error:
                said = [Answer(job.number, "error", spec, text=error.reason)]
            return [*said, *job.ended(line)]

        query = {"player": spec, "game": game.name, "session": self._session(game, spec), **query}
        self._at_work.append(self._send(query, told))

    def _send(self, query: dict[str, Any], read: Callable[[Line], list[Answer]]) -> int:
        return self._runner.ask(query, lambda line: self._heard.put((read, line)))


@dataclass
class _Job:
    number: int
    open: int
    """Questions of it that are not answered yet."""

    def ended(self, line: Line) -> list[Answer]:
        """The end of the job, if this line is the last of its last question."""
        self.open -= not line.get("during_search", False)
        return [Answer(self.number, "done")] if self.open <= 0 else []
