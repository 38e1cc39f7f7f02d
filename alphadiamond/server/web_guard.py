"""What every request meets first: where it really comes from, by which name, how often; and the headers of answers."""

import ipaddress
import sqlite3
import time
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from alphadiamond.server.limits import Buckets
from alphadiamond.server.metrics import Metrics

_REQUESTS_PER_SECOND: Final = 20.0
_REQUESTS_AT_ONCE: Final = 200.0
_FILES_PER_SECOND: Final = 100.0
_FILES_AT_ONCE: Final = 2000.0
"""The page is some forty files, and many people may open it at once behind one address."""
_ASKED: Final = ("/api/", "/health", "/metrics")

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    def __init__(
        self,
        app: ASGIApp,
        *,
        names: frozenset[str],
        proxies: frozenset[str],
        metrics: Metrics,
        handshakes_per_second: float = 1000.0,
    ) -> None:
        self._app = app
        self._names = names
        self._proxies = proxies
        self._metrics = metrics
        self._handshakes = Buckets(handshakes_per_second, 10 * handshakes_per_second)
        self._requests = Buckets(_REQUESTS_PER_SECOND, _REQUESTS_AT_ONCE)
        self._files = Buckets(_FILES_PER_SECOND, _FILES_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if self._proxies:
            self._believe(scope, connection)
        refused: Response | None = None
        if _host_of(connection.headers.get("host", "")) not in self._names:
            # A name that is not ours is somebody else's page that points here.
            refused = PlainTextResponse("unknown host; the setting `names` says which are known\n", 421)
        elif scope["type"] == "http":
            if scope["method"] not in ("GET", "HEAD"):
                refused = PlainTextResponse("for reading only\n", 405)
            elif not self._bucket_of(scope["path"]).take(address_of(connection), time.monotonic()):
                refused = PlainTextResponse("too many requests\n", 429, {"retry-after": "10"})
        elif not self._handshakes.take(address_of(connection), time.monotonic()):
            self._metrics.add("turned_away")
            refused = PlainTextResponse("too many connections\n", 429, {"retry-after": "10"})
        if scope["type"] == "websocket":
            if refused is not None:
                await receive()
            await (refused or self._app)(scope, receive, send)  # with headers by `http_limits`
            return
        try:
            await (refused or self._app)(scope, receive, _with_headers(send))
        except (OSError, sqlite3.Error) as error:  # no more files, a disk that does not answer
            self._metrics.trouble("a request cannot be answered", error)
            answer = PlainTextResponse("the server cannot answer that just now\n", 503, {"retry-after": "10"})
            await answer(scope, receive, _with_headers(send))

    def _bucket_of(self, path: str) -> Buckets:
        """Questions cost more than files."""
        return self._requests if path.startswith(_ASKED) else self._files

    def _believe(self, scope: Scope, connection: HTTPConnection) -> None:
        """The last address that a proxy of ours has seen itself."""
        if scope.get("client") and scope["client"][0] in self._proxies:
            told = [part.strip() for part in connection.headers.get("x-forwarded-for", "").split(",")]
            while len(told) > 1 and told[-1] in self._proxies:
                told.pop()
            try:
                scope["client"] = (str(ipaddress.ip_address(told[-1])), 0)
            except ValueError:
                return


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *_HEADERS]
        await send(message)

    return sending


def is_same_origin(websocket: HTTPConnection) -> bool:
    """Browsers say which page asks; other programs say nothing."""
    origin = websocket.headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc == websocket.headers.get("host", "")
    except ValueError:
        return False


def _host_of(text: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{text}").hostname or "").lower()
    except ValueError:
        return ""


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
