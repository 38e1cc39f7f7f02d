"""Worker processes that play games: started once, told one game at a time, replaced when they die."""

import contextlib
import itertools
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from alphadiamond.agents import Agent, PlayerSpec, make_agent
from alphadiamond.arena.play import ArenaError, PlayedGame, play_game
from alphadiamond.base.game import Game
from alphadiamond.base.processes import Process, cause_of, shared_numbers
from alphadiamond.errors import AlphaDiamondError

_PATIENCE_SECONDS = 2.0
_WARM_UP_SECONDS = 120.0  # for a player's first answer, which may have to wait for the compiler

# The log of a game in progress lies in shared memory, so that it outlives a worker that does not:
# [when the turn is overdue, side to move, plies, the actions].
_OVERDUE, _SIDE, _PLIES, _ACTIONS = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Task:
    """One game to play."""

    number: int
    first: str
    """The text `make_agent` builds the player from."""
    second: str
    start: Any
    seeds: tuple[int, int]
    """For the first and the second."""
    game: Game
    date: str = ""
    tags: dict[str, str] = field(default_factory=dict)


class Team(Protocol):
    """Whoever plays the games of matches: processes here, or workers on many machines."""

    def play(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, PlayedGame]]:
        """Games as they finish, in any order; each is the same whoever plays it."""

    def close(self) -> None:
        """End at once; may be called twice."""


class Workers:
    """A number of processes that play one game; close it, or use it in a `with` statement.

    Players are built once in each process, and reset and reseeded before each game, so that a game is the same
    whichever process plays it. A player that cannot be reseeded is built anew instead.
    """

    def __init__(self, count: int, *, game: Game, move_seconds: float | None = None) -> None:
        if count < 1:
            raise ArenaError(f"{count} workers: expected 1 or more")
        if move_seconds is not None and move_seconds <= 0:
            raise ArenaError(f"{move_seconds} seconds a move: expected more than 0")
        self._game = game
        self._move_seconds = move_seconds
        self._workers: list[_Worker] = []
        for _ in range(count):
            self._workers.append(_Worker(game, move_seconds))

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._workers)

    def close(self) -> None:
        """End the processes, in the middle of their games if need be."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def play(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, PlayedGame]]:
        """Games as they finish, in any order.

        When a process dies in the middle of a game, the game is played once more in a new one; when that dies too, the
        player whose turn it was has lost. The iterator may be left early: what is being played then is forgotten.
        """
        if not self._workers:
            raise ArenaError("the workers have been closed")
        waiting = iter(tasks)
        again: deque[Task] = deque()
        retried: set[int] = set()
        more = True
        for worker in self._workers:
            worker.forget()
        while True:
            for index, worker in enumerate(self._workers):
                if worker.busy:
                    continue
                task = again.popleft() if again else next(waiting, None)
                if task is None:
                    more = False
                    break
                if task.game != self._game:
                    raise ArenaError(f"these workers play {self._game.title}, and a task is of {task.game.title}")
                if not worker.give(task):  # died between games
                    self._replace(index)
                    self._workers[index].give(task)
            if not more and not again and not any(worker.task for worker in self._workers):
                return
            self._wait()
            for index, worker in enumerate(self._workers):
                if not worker.busy:
                    continue
                played = None
                task = worker.task
                if worker.process.connection.poll():
                    alive, played = worker.receive()
                    if not alive:
                        code = worker.end()
                        died = (
                            worker.unfinished(f"error: the player's process died ({cause_of(code)})") if task else None
                        )
                        self._replace(index)
                        if task is not None and task.number not in retried:
                            retried.add(task.number)
                            again.append(task)
                        else:
                            played = died
                elif worker.overdue():
                    worker.end()
                    played = worker.unfinished("time") if task else None
                    self._replace(index)
                if task is not None and played is not None:
                    yield task, played

    def _wait(self) -> None:
        busy = [worker for worker in self._workers if worker.busy]
        limits = [left for worker in busy if (left := worker.seconds_left()) is not None]
        wait([worker.process.connection for worker in busy], max(0.02, min(limits)) if limits else None)

    def _replace(self, index: int) -> None:
        self._workers[index].end()
        self._workers[index] = _Worker(self._game, self._move_seconds)


class _Worker:
    """The near end of one process."""

    def __init__(self, game: Game, move_seconds: float | None) -> None:
        self.log = shared_numbers(_ACTIONS + game.longest)
        self.process = Process(_serve, self.log, move_seconds)
        self.move_seconds = move_seconds
        self.ready = False
        self.busy = False
        self.task: Task | None = None
        """The game whose result is wanted; a busy worker without one plays a game that nobody waits for."""
        self.patience = 0.0
        """Until when such a game may go on."""

    def give(self, task: Task) -> bool:
        """Hand over a game; False when nobody is there."""
        self.log[_OVERDUE], self.log[_SIDE], self.log[_PLIES] = 0, int(task.start.side), 0
        if not self.process.send(task):
            return False
        self.task, self.busy = task, True
        return True

    def forget(self) -> None:
        """Let a game in progress end, but not for long: then a new process is the quicker way."""
        self.task = None
        self.patience = time.monotonic() + _PATIENCE_SECONDS

    def receive(self) -> tuple[bool, PlayedGame | None]:
        """(whether the process lives, the game it has finished if any)."""
        try:
            message = self.process.receive()
        except EOFError:
            if not self.ready:
                raise ArenaError(f"a worker process could not start ({cause_of(self.end())})") from None
            return False, None
        if message == "ready":
            self.ready = True
            return True, None
        wanted = self.task is not None
        self.busy, self.task = False, None
        if wanted and isinstance(message, str):
            raise ArenaError(message)
        return True, message if wanted else None

    def seconds_left(self) -> float | None:
        """How long we wait for this process before we end it; None: for ever."""
        if self.task is None:
            return self.patience - time.monotonic()
        if self.move_seconds is None:
            return None
        overdue = float(self.log[_OVERDUE])
        return overdue - time.monotonic() if overdue else 1.0  # it has not yet begun

    def overdue(self) -> bool:
        left = self.seconds_left()
        return left is not None and left <= 0

    def unfinished(self, ending: str) -> PlayedGame:
        """The game as the log has it, lost by the player whose turn it was."""
        assert self.task is not None
        task, log = self.task, self.log
        sides = itertools.cycle((task.start.side, task.start.side.other))
        played = log[_ACTIONS : _ACTIONS + int(log[_PLIES])]
        moves = [task.game.move_of(int(action), side) for action, side in zip(played, sides, strict=False)]
        loser = task.game.sides[int(log[_SIDE])]
        return PlayedGame(
            task.game.record(
                task.start,
                moves,
                players=(task.first, task.second),
                result=str(loser.other),
                ending=ending,
                date=task.date,
                tags=task.tags,
            )
        )

    def end(self) -> int | None:
        """Make sure that the process is gone, and say how it ended."""
        return self.process.end()


# What runs in the process


def _serve(connection: "Connection[Any, Any]", log: Any, move_seconds: float | None) -> None:
    players = _Players()
    connection.send("ready")
    while True:
        connection.send(_answer(connection.recv(), players, log, move_seconds))


def _answer(task: Task, players: "_Players", log: Any, move_seconds: float | None) -> PlayedGame | str:
    """The game, or what is wrong with a player, in a line."""
    try:
        return _play(task, players, log, move_seconds)
    except AlphaDiamondError as error:
        return str(error)
    except Exception as error:  # outside of the game itself: while players were built or reset
        return f"{task.first} against {task.second}: {type(error).__name__}: {error}"


def _play(task: Task, players: "_Players", log: Any, move_seconds: float | None) -> PlayedGame:
    agents: list[Agent] = []
    for side, spec in enumerate((task.first, task.second)):
        log[_SIDE] = side
        if move_seconds is not None:
            log[_OVERDUE] = time.monotonic() + _WARM_UP_SECONDS
        double = side == 1 and task.second == task.first
        agents.append(players.get(spec, task, side, double=double))

    def on_turn(position: Any, moves: tuple[Any, ...]) -> None:
        if moves:
            log[_ACTIONS + len(moves) - 1] = moves[-1].action
        log[_PLIES] = len(moves)
        log[_SIDE] = int(position.side)
        if move_seconds is not None:
            # A player that comes back late loses all the same; this is for one that never does.
            log[_OVERDUE] = time.monotonic() + 2 * move_seconds + 0.5

    return play_game(
        agents[0],
        agents[1],
        task.start,
        names=(task.first, task.second),
        move_seconds=move_seconds,
        on_turn=on_turn,
        date=task.date,
        tags=task.tags,
        game=task.game,
    )


class _Players:
    """The players this process has built, each with the random numbers of the game at hand."""

    def __init__(self) -> None:
        self._built: dict[tuple[str, str, bool], Agent] = {}

    def get(self, spec: str, task: Task, side: int, *, double: bool) -> Agent:
        """A player ready for a new game; `double` is its second self when it plays against itself."""
        seed, game = task.seeds[side], task.game
        agent = self._built.get((game.name, spec, double))
        if agent is None:
            agent = make_agent(spec, seed=seed, game=game)
            self._built[game.name, spec, double] = agent
            # The first answer waits for compilers and caches, so it is asked for before the clock runs; about where the
            # game begins, since of the start of a game that begins later a search for the truth could take minutes.
            with contextlib.suppress(Exception):
                agent.choose(task.start, stop=lambda: True)
        agent.reset()
        if PlayerSpec.parse(spec).get("seed") or not agent.reseed(seed):
            agent = make_agent(spec, seed=seed, game=game)
            agent.reset()
        return agent
