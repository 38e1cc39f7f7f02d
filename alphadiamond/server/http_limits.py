"""The sockets below the application, with limits that uvicorn leaves to others.

Connections are counted by address from their first byte on, and how many come in a second; each request has to be
complete within some seconds, and each answer has to be read on; a WebSocket's client who sends pings and never reads
the answers is cut off. Answers that no application makes have the headers of the others.
"""

import asyncio
import contextlib
import time
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from alphadiamond.server.limits import Buckets, Counts, place_of
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.web_guard import HEADERS

_REQUEST_SECONDS: Final = 10.0
_UNREAD_SECONDS: Final = 30.0
"""For which an answer may wait for whoever does not read it."""
_MOST_UNSENT: Final = 1 << 20


class Arrivals:
    """New connections of each address; proxies of ours speak for many and are let through."""

    def __init__(self, per_second: float, *, free: frozenset[str] = frozenset()) -> None:
        self._buckets = Buckets(per_second, 10 * per_second)
        self._free = frozenset(map(place_of, free))

    def take(self, address: str) -> bool:
        return place_of(address) in self._free or self._buckets.take(address, time.monotonic())


def guarded(
    counts: Counts, metrics: Metrics, arrivals: Arrivals
) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """The two protocols, sharing one count."""

    class GuardedHttp(H11Protocol):
        """HTTP, and where every connection begins."""

        _counted = ""
        _patience: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            if not arrivals.take(address) or not counts.take(address):
                metrics.add("turned_away")
                transport.abort()
                return
            self._counted = address
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.transport.get_protocol() is not self:
                return  # it has become a WebSocket, which takes as long as it likes
            if self._answering:
                self._be_patient()
            elif self._patience is None and not self.transport.is_closing():
                self._wait()  # another request on the same connection has begun

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self._patience is None and self.conn.trailing_data[0]:
                self._wait()

        @property
        def _answering(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _wait(self) -> None:
            self._patience = self.loop.call_later(_REQUEST_SECONDS, self._give_up)

        def _give_up(self) -> None:
            self._patience = None
            if not self._answering:
                self.transport.abort()

        def send_400_response(self, msg: str) -> None:
            metrics.add("refused")
            body = f"{msg}\n".encode("ascii", "replace")
            headers = [
                *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                (b"content-type", b"text/plain; charset=utf-8"),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
            ]
            with contextlib.suppress(h11.LocalProtocolError):  # an answer has begun already
                for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
                    self.transport.write(self.conn.send(event) or b"")
            self.transport.close()

        def handle_websocket_upgrade(self, event: Any) -> None:
            self._be_patient()
            self._is_read()
            super().handle_websocket_upgrade(event)
            protocol = self.transport.get_protocol()
            if isinstance(protocol, GuardedWebSocket):
                protocol.counted, self._counted = self._counted, ""

        def pause_writing(self) -> None:
            super().pause_writing()
            self._unread = self.loop.call_later(_UNREAD_SECONDS, self._cut_off)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._is_read()

        def _cut_off(self) -> None:
            metrics.add("cut_off")
            self.transport.abort()

        def _is_read(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
                self._unread = None

        def connection_lost(self, exc: Exception | None) -> None:
            self._be_patient()
            self._is_read()
            if self._counted:
                counts.give_back(self._counted)
                self._counted = ""
            super().connection_lost(exc)

        def _be_patient(self) -> None:
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

    class GuardedWebSocket(WebSocketsSansIOProtocol):
        """WebSockets whose connection the application can end at once."""

        counted = ""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            respond = self.conn.send_response

            def with_headers(response: Any) -> None:
                for name, value in HEADERS.items():
                    if name not in response.headers:
                        response.headers[name] = value
                respond(response)

            self.conn.send_response = with_headers  # type: ignore[method-assign]

        def handle_connect(self, event: Any) -> None:
            super().handle_connect(event)
            if hasattr(self, "scope"):  # the application's task has not begun yet
                self.scope["abort"] = self.transport.abort  # type: ignore[typeddict-unknown-key]

        def handle_ping(self) -> None:
            if self.transport.get_write_buffer_size() > _MOST_UNSENT:
                metrics.add("cut_off")
                self.transport.abort()
                return
            super().handle_ping()

        def keepalive_timeout(self) -> None:
            super().keepalive_timeout()
            self.transport.abort()  # who does not answer pings may not read a goodbye either

        def connection_lost(self, exc: Exception | None) -> None:
            if self.counted:
                counts.give_back(self.counted)
                self.counted = ""
            super().connection_lost(exc)

    return GuardedHttp, GuardedWebSocket
