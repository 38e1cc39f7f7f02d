"""The sockets below the application, with limits that uvicorn leaves to others.

Connections are counted by address from their first byte on; a request has to be complete within some seconds; a
WebSocket's client who sends pings and never reads the answers is cut off.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from alphadiamond.server.limits import Counts
from alphadiamond.server.metrics import Metrics

_REQUEST_SECONDS: Final = 10.0
_MOST_UNSENT: Final = 1 << 20


def guarded(counts: Counts, metrics: Metrics) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """The two protocols, sharing one count."""

    class GuardedHttp(H11Protocol):
        """HTTP, and where every connection begins."""

        _counted = ""
        _patience: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            if not counts.take(address):
                metrics.add("turned_away")
                transport.abort()
                return
            self._counted = address
            self._patience = self.loop.call_later(_REQUEST_SECONDS, self._give_up)

        def _give_up(self) -> None:
            if self.cycle is None:
                self.transport.abort()

        def handle_websocket_upgrade(self, event: Any) -> None:
            self._be_patient()
            super().handle_websocket_upgrade(event)
            protocol = self.transport.get_protocol()
            if isinstance(protocol, GuardedWebSocket):
                protocol.counted, self._counted = self._counted, ""

        def connection_lost(self, exc: Exception | None) -> None:
            self._be_patient()
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
