"""A connection as a WebSocket: reading with a limit on how fast, writing that never makes anybody else wait."""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from alphadiamond.online import messages as m
from alphadiamond.server.dispatcher import Dispatcher
from alphadiamond.server.limits import Bucket, Buckets
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.session import Session

LONGEST: Final = 8192
"""Bytes of a client's message."""
POLICY: Final = 1008
_HELLO_SECONDS: Final = 10.0
_MOST_UNSENT: Final = 1 << 20
"""Bytes that wait for a client who does not read; beyond, it is cut off."""
_GOODBYE_SECONDS: Final = 2.0
_LINGER_SECONDS: Final = 1.0
"""After our goodbye; whoever goes on sending is not listened to for longer."""
BURST: Final = 4.0
"""Seconds' worth of messages that may come at once."""
_WAIT_SECONDS: Final = 0.1
_STRIKES: Final = 10
"""Messages beyond the limit that are answered with an error before the connection is closed."""
_log = logging.getLogger("alphadiamond.server")


class SocketSession(Session):
    """One WebSocket."""

    def __init__(self, socket: WebSocket, address: str, metrics: Metrics) -> None:
        super().__init__(address)
        self._socket = socket
        self._metrics = metrics
        self.abort: Callable[[], None] = socket.scope.get("abort", lambda: None)
        self._unsent: deque[bytes] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None

    def send(self, data: bytes) -> None:
        if self.closed or self._closing is not None:
            return
        self._unsent.append(data)
        self._bytes += len(data)
        if self._bytes > _MOST_UNSENT:
            self._unsent.clear()
            self.cut_off("does not read")
            return
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()

    def cut_off(self, reason: str) -> None:
        """End the connection at once, without waiting for whoever is on the other side."""
        self._metrics.add("cut_off")
        _log.info("cut off", extra={"address": self.address, "reason": reason})
        self.closed = True
        self.abort()
        self._wake.set()

    @property
    def ending(self) -> bool:
        """Whether there is a last word to be said."""
        return self._closing is not None and not self.closed

    async def write(self) -> None:
        """Send what there is, until the end."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while not self.closed:
                await self._wake.wait()
                self._wake.clear()
                while self._unsent and not self.closed:
                    data = self._unsent.popleft()
                    await self._socket.send({"type": "websocket.send", "text": data.decode()})
                    self._bytes -= len(data)
                if self._closing is not None:
                    code, reason = self._closing
                    await self._socket.close(code, reason)
                    return

    async def read(self, dispatcher: Dispatcher, *, rate: float, together: Buckets) -> None:
        """Hand every message to the dispatcher, until the end."""
        bucket = Bucket(rate, rate * BURST, time.monotonic())
        strikes = 0
        while not self.closed and self._closing is None:
            event: Any = await asyncio.wait_for(self._socket.receive(), None if self.greeted else _HELLO_SECONDS)
            if event["type"] == "websocket.disconnect":
                return
            dispatcher.metrics.add("messages")
            while not together.take(self.address, time.monotonic()):  # nothing more is read from here meanwhile
                await asyncio.sleep(_WAIT_SECONDS)
                if self.closed or self._closing is not None:
                    return
            if not bucket.take(time.monotonic()):
                strikes += 1
                if strikes > _STRIKES:
                    dispatcher.metrics.add("cut_off")
                    self.close(POLICY, "too fast")
                    return
                self.tell(m.Error(code="too_fast", message="too many messages: slow down, or be cut off"))
                continue
            try:
                text = event.get("text")
                request = m.read_request(text if text is not None else event.get("bytes") or b"")
            except (msgspec.MsgspecError, RecursionError, ValueError) as error:
                dispatcher.metrics.add("refused")
                self.tell(m.Error(code="bad_message", message=str(error)[:200]))
                continue
            await dispatcher.handle(self, request)


async def serve_socket(
    socket: WebSocket, dispatcher: Dispatcher, address: str, *, rate: float, together: Buckets
) -> None:
    """From the handshake to the end; `rate` is for each connection, `together` for all from one address."""
    await socket.accept()
    session = SocketSession(socket, address, dispatcher.metrics)
    dispatcher.sessions.add(session)
    writing = asyncio.create_task(session.write())
    try:
        await session.read(dispatcher, rate=rate, together=together)
    except TimeoutError:
        session.close(POLICY, "say hello")
    except WebSocketDisconnect:
        pass
    except RuntimeError:  # the other side of the library's word for a connection that is gone
        if not session.closed:
            raise
    finally:
        if session.ending:
            try:
                await asyncio.wait_for(asyncio.shield(writing), _GOODBYE_SECONDS)
            except TimeoutError:
                session.cut_off("does not read")
            asyncio.get_running_loop().call_later(_LINGER_SECONDS, session.abort)
        dispatcher.leave(session)
        writing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writing
