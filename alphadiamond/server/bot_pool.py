"""The pool of processes that bots think in. The event loop never waits for it.

Moves come first. Where there are several processes one of them takes nothing else; and while a move finds none that is
free, an opinion that is at work has to answer with what it has.
"""

import asyncio
import contextlib
import itertools
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from alphadiamond.agents.answers import Answer
from alphadiamond.engine.workers import engine_runner
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.online.messages import MoveOpinion
from alphadiamond.runner import Runner

_GRACE: Final = 60.0
"""Seconds beyond its time in which a process has to answer: loading a network is not thinking."""
_TAKEN_BACK_GRACE: Final = 5.0
"""The same for a thought that nobody wants any more: a new process costs less than the wait."""
_TRIES: Final = 2
"""A process may die of something that the next does not."""
_READY_SECONDS: Final = 2.0
"""After the server's start, when its clients have come."""
_NOTHING: Final = "it has named no move"
_TOP: Final = 64
"""Moves of an opinion."""
_log = logging.getLogger("alphadiamond.server")


class Thought(msgspec.Struct, frozen=True):
    """What came of it: a move, an opinion, or what went wrong."""

    move: str = ""
    fault: str = ""
    moves: list[MoveOpinion] = []
    value: float | None = None
    win_draw_loss: tuple[float, float, float] | None = None
    exact: bool = False


Done = Callable[[Thought], None]


@dataclass(eq=False)
class Order:
    """What to think about; `cancel` takes it back."""

    number: int
    opinion: bool
    game: str
    spec: str
    start: str
    """Where the game began."""
    moves: list[str]
    done: Done
    cancelled: bool = False
    hurried: bool = False
    at_work: tuple[Runner, int] | None = None

    def cancel(self) -> None:
        """Nobody waits for it any more; `done` hears of that as of a fault, once its turn has come or it has ended."""
        self.cancelled = True
        self.hurry()

    def hurry(self) -> None:
        """If it is at work, have it answer now with what has been found."""
        if self.at_work is not None and not self.hurried:
            self.hurried = True
            runner, question = self.at_work
            runner.cancel(question, patience=_TAKEN_BACK_GRACE)


class BotPool:
    """A few processes."""

    def __init__(self, count: int, *, seconds: float, waiting: int = 100) -> None:
        self.seconds = seconds
        self.waiting = waiting
        """Opinions that may wait; a move may always, since games with bots are limited."""
        self._runners = [engine_runner() for _ in range(count)]
        self._moves: deque[Order] = deque()
        self._opinions: deque[Order] = deque()
        self._at_work: list[Order] = []
        self._news = asyncio.Event()
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        alone = len(self._runners) == 1
        self._tasks = [
            asyncio.create_task(self._work(runner, opinions=alone or number > 0))
            for number, runner in enumerate(self._runners)
        ]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def queued(self) -> int:
        return len(self._moves) + len(self._opinions)

    def full(self) -> bool:
        """Whether another opinion would be one too many."""
        return len(self._opinions) >= self.waiting

    def ask(self, game: str, spec: str, start: str, moves: list[str], done: Done, *, opinion: bool = False) -> Order:
        """Have a thought; `done` is called in the event loop, with a fault if nothing came of it."""
        order = Order(next(self._numbers), opinion, game, spec, start, list(moves), done)
        (self._opinions if opinion else self._moves).append(order)
        self._news.set()
        if len(self._moves) > len(self._runners) - len(self._at_work):
            for other in self._at_work:
                if other.opinion and not other.hurried:
                    other.hurry()
                    break
        return order

    async def _next(self, *, opinions: bool) -> Order:
        while True:
            if self._moves:
                return self._moves.popleft()
            if opinions and self._opinions:
                return self._opinions.popleft()
            self._news.clear()
            await self._news.wait()

    async def _work(self, runner: Runner, *, opinions: bool) -> None:
        """One process for one order at a time."""
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_READY_SECONDS):
                    while not self.queued:
                        await asyncio.sleep(0.05)
            with contextlib.suppress(Exception):  # said when it is asked
                runner.start()  # before anybody needs it
            while True:
                order = await self._next(opinions=opinions)
                self._at_work.append(order)
                try:
                    thought = await self._think(runner, order) if not order.cancelled else Thought()
                except Exception as error:  # no memory, no thread: the next order may find some
                    thought = Thought(fault=f"the player's process cannot be asked: {error or type(error).__name__}")
                finally:
                    self._at_work.remove(order)
                if order.hurried and not order.cancelled and thought.fault == _NOTHING:
                    order.hurried = False  # it had only just begun: once more, when no move waits
                    self._opinions.appendleft(order)
                    continue
                if order.cancelled:
                    thought = Thought(fault="taken back")
                elif thought.fault:
                    _log.warning("thought", extra={"spec": order.spec, "fault": thought.fault})
                try:
                    order.done(thought)
                except Exception:
                    _log.exception("thought")
        finally:
            runner.close()

    async def _think(self, runner: Runner, order: Order) -> Thought:
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Thought] = loop.create_future()

        def tell(thought: Thought) -> None:
            if not found.done():
                found.set_result(thought)

        def heard(answer: Answer) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(tell, _thought(answer, order))

        query = {
            "player": order.spec,
            "game": order.game,
            "position": order.start,
            "moves": order.moves,
            "time_limit": self.seconds,
            "move_only": not order.opinion,
            "top": _TOP,
            "session": order.number,  # bots play many games at once, and remember none
        }
        order.at_work = runner, runner.ask(query, heard, seconds=self.seconds + _GRACE, tries=_TRIES)
        if order.opinion and self._moves:  # one came while this was begun
            order.hurry()
        try:
            return await found
        finally:
            order.at_work = None


def _thought(answer: Answer, order: Order) -> Thought:
    """Off the event loop, in the thread that reads."""
    if "best" not in answer:
        return Thought(fault=answer.get("error") or _NOTHING)
    if not order.opinion:
        return Thought(answer["best"])
    game = load(order.game)
    try:
        position = game.parse(order.start)
        for move in order.moves:
            position = position.play(move)
        moves = [
            MoveOpinion(
                one["move"],
                one.get("score", 0.0),
                one.get("value"),
                one.get("visits"),
                one.get("distance"),
                tuple(one["variation"]),
                _path(game, position, one["move"]),
                one.get("margin"),
            )
            for one in answer["moves"]
        ]
    except AlphaDiamondError as error:
        return Thought(fault=str(error))
    chances = answer.get("win_draw_loss")
    return Thought(
        answer["best"], "", moves, answer.get("value"), tuple(chances) if chances else None, answer.get("exact", False)
    )


def _path(game: Any, position: Any, move: str) -> tuple[int, ...]:
    return tuple(map(int, game.drawing_for(position).path(position, game.move_in(position, move))))
