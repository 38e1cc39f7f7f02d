"""The pool of processes that bots think in. The event loop hands over orders and hears of thoughts; it never waits."""

import asyncio
import contextlib
import itertools
import logging
import sys
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from alphadiamond.server.bot_worker import Order, Thought

MOVE: Final = 0
OPINION: Final = 1
"""Moves come before opinions."""

_GRACE: Final = 60.0
"""Seconds beyond its time in which a process has to answer: loading a network is not thinking."""
_READY_SECONDS: Final = 2.0
"""After the server's start, when its clients have come."""
_LINE: Final = 1 << 20
_log = logging.getLogger("alphadiamond.server")

Done = Callable[[Thought], None]


class _Job(NamedTuple):
    priority: int
    number: int
    order: Order
    done: Done


class BotPool:
    """A few processes with one queue."""

    def __init__(self, count: int, *, seconds: float, waiting: int = 100) -> None:
        self.seconds = seconds
        self.waiting = waiting
        """Opinions that may wait; a move may always, since games with bots are limited."""
        self._count = count
        self._jobs: asyncio.PriorityQueue[_Job] = asyncio.PriorityQueue()
        self._numbers = itertools.count()
        self._opinions = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._decoder = msgspec.json.Decoder(Thought)

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._work()) for _ in range(self._count)]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def queued(self) -> int:
        return self._jobs.qsize()

    def full(self) -> bool:
        """Whether another opinion would be one too many."""
        return self._opinions >= self.waiting

    def ask(self, game: str, spec: str, start: str, moves: list[str], done: Done, *, opinion: bool = False) -> None:
        """Have a thought; `done` is called in the event loop, with a fault if nothing came of it."""
        order = Order(game, spec, start, list(moves), self.seconds, opinion)
        self._opinions += opinion
        self._jobs.put_nowait(_Job(OPINION if opinion else MOVE, next(self._numbers), order, done))

    async def _work(self) -> None:
        """One process, begun again whenever it is gone."""
        process: asyncio.subprocess.Process | None = None
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_READY_SECONDS):
                    while self._jobs.empty():
                        await asyncio.sleep(0.05)
            process = await self._begin()  # before anybody needs it
            while True:
                job = await self._jobs.get()
                thought = Thought(fault="no thought")
                for _ in range(2):  # a process may die of something that the next does not
                    if process is None or process.returncode is not None:
                        process = await self._begin()
                    thought, alive = await self._think(process, job.order)
                    if alive:
                        break
                    _end(process)
                    process = None
                self._opinions -= job.order.analyse
                if thought.fault:
                    _log.warning("thought", extra={"spec": job.order.spec, "fault": thought.fault})
                try:
                    job.done(thought)
                except Exception:
                    _log.exception("thought")
        finally:
            if process is not None:
                _end(process)
                with contextlib.suppress(asyncio.CancelledError):
                    await process.wait()

    async def _begin(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "alphadiamond.server.bot_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE,
        )

    async def _think(self, process: asyncio.subprocess.Process, order: Order) -> tuple[Thought, bool]:
        """The thought, and whether the process is still good."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode(order) + b"\n")
            await process.stdin.drain()
            line = await asyncio.wait_for(process.stdout.readline(), order.seconds + _GRACE)
            return self._decoder.decode(line), True
        except TimeoutError:
            return Thought(fault="it did not answer in time"), False
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            return Thought(fault=f"its process ended ({type(error).__name__})"), False


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
