"""The client for programs that have a loop of their own, such as the window: it lives in a thread and never waits."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError


@dataclass(frozen=True)
class Failed:
    """A request that was refused, or a server that does not let us in."""

    code: str
    message: str
    request: m.Request | None = None


class Link:
    """`send` requests and `poll` for what happened; games are in `client.games`, which only the thread changes."""

    def __init__(
        self, address: str, *, name: str | None = None, token: str | None = None, recovery: str | None = None
    ) -> None:
        self._events: queue.SimpleQueue[m.ServerMessage | Failed] = queue.SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._arguments = (address, name, token, recovery)
        self.client: Client | None = None
        self._thread = threading.Thread(target=self._work, name="online", daemon=True)
        self._thread.start()
        self._ready.wait()

    @property
    def connected(self) -> bool:
        return self.client is not None and self.client.connected.is_set()

    @property
    def token(self) -> str | None:
        return self.client.token if self.client is not None else None

    def send(self, request: m.Request) -> None:
        """Ask for something; a refusal comes as `Failed`, everything else as events."""
        self._submit(self._ask(request))

    def move(self, code: str, move: str) -> None:
        """Play, across lost connections if need be."""
        assert self.client is not None
        ply = len(self.client.games[code].state.moves)
        self._submit(self._ask(m.Move(game=code, ply=ply, move=move), insist=True))

    def poll(self) -> list[m.ServerMessage | Failed]:
        """What has happened since the last time."""
        found = []
        with contextlib.suppress(queue.Empty):
            while True:
                found.append(self._events.get_nowait())
        return found

    @property
    def trouble(self) -> str:
        """Why there is no connection, as far as is known."""
        return self.client.trouble if self.client is not None else ""

    def close(self, *, wait: bool = True) -> None:
        """Say good-bye; a server that hangs can make that take seconds, for which a window does not wait."""
        if self._thread.is_alive():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._loop.stop)
            if wait:
                self._thread.join()

    def _submit(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop)

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        address, name, token, recovery = self._arguments
        self.client = Client(address, name=name, token=token, recovery=recovery)
        self._ready.set()
        task = self._loop.create_task(self._listen(self.client))
        try:
            self._loop.run_forever()
        finally:
            task.cancel()
            self._loop.run_until_complete(asyncio.gather(task, self.client.close(), return_exceptions=True))
            left = asyncio.all_tasks(self._loop)
            for other in left:
                other.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            self._loop.close()

    async def _listen(self, client: Client) -> None:
        try:
            await client.open()
            while True:
                self._events.put(await client.next_event())
        except OnlineError as error:
            self._events.put(Failed(error.code, str(error)))
        except AlphaDiamondError as error:
            self._events.put(Failed("connection", str(error)))

    async def _ask(self, request: m.Request, *, insist: bool = False) -> None:
        assert self.client is not None
        try:
            await (self.client.insist(request) if insist else self.client.ask(request))
        except OnlineError as error:
            self._events.put(Failed(error.code, str(error), request))
