"""The application: the page, what can be read over HTTP, and the WebSocket; with the headers that browsers want."""

import ipaddress
import mimetypes
import time
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

import alphadiamond
from alphadiamond.server import queries, records
from alphadiamond.server.accounts import key_of
from alphadiamond.server.board_snapshots import describe
from alphadiamond.server.dispatcher import Dispatcher, info_of
from alphadiamond.server.limits import Buckets, Counts
from alphadiamond.server.settings import ServeSettings
from alphadiamond.server.sockets import serve_socket

STATIC: Final = Path(__file__).parent / "static"
FONTS: Final = Path(alphadiamond.__file__).parent / "client" / "assets" / "fonts"
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")
_REQUESTS_PER_SECOND: Final = 20.0
_REQUESTS_AT_ONCE: Final = 200.0
_FILES_PER_SECOND: Final = 100.0
_FILES_AT_ONCE: Final = 2000.0
"""The page is some forty files, and many people may open it at once behind one address."""
_ASKED: Final = ("/api/", "/health", "/metrics")
_RECORDS: Final = 1000

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


def make_app(dispatcher: Dispatcher, settings: ServeSettings) -> ASGIApp:
    for kind, suffix in (("text/javascript", ".js"), ("image/svg+xml", ".svg"), ("font/otf", ".otf")):
        mimetypes.add_type(kind, suffix)  # some systems know better, and browsers then refuse to run a script
    connections = Counts(settings.connections, settings.connections_per_address)
    names = frozenset((*_LOCAL, settings.host, *(name.lower() for name in settings.names)))

    async def socket(websocket: WebSocket) -> None:
        if not _same_origin(websocket):
            dispatcher.metrics.add("turned_away")
            await websocket.close()  # before it is accepted: 403
            return
        address = _address(websocket)  # behind a proxy only known here
        if not connections.take(address):
            dispatcher.metrics.add("turned_away")
            await websocket.close()
            return
        try:
            await serve_socket(websocket, dispatcher, address, rate=settings.messages_per_second)
        finally:
            connections.give_back(address)

    async def health(request: Request) -> Response:
        state = "stopping" if dispatcher.stopping else "ok"
        found = {
            "status": state,
            "version": alphadiamond.__version__,
            "games": len(dispatcher.game_manager.going),
            "connections": len(dispatcher.sessions),
        }
        return _json(found, status=503 if dispatcher.stopping else 200)

    async def metrics(request: Request) -> Response:
        if "x-forwarded-for" in request.headers or not _is_loopback(_address(request)):
            raise HTTPException(404)
        return PlainTextResponse(dispatcher.metrics.text(), media_type="text/plain; version=0.0.4")

    async def games(request: Request) -> Response:
        return _json({"games": [info_of(game) for game in dispatcher.games.values()], "bots": dispatcher.bot_infos()})

    async def drawing(request: Request) -> Response:
        game = dispatcher.games.get(request.path_params["game"])
        return _found(None if game is None else describe(game, request.query_params.get("start", "")))

    async def leaderboard(request: Request) -> Response:
        game = request.path_params["game"]
        if game not in dispatcher.games:
            raise HTTPException(404)
        return _json(await dispatcher.reader.ask(lambda connection: queries.leaderboard(connection, game)))

    async def profile(request: Request) -> Response:
        key = key_of(request.path_params["name"])
        return _found(await dispatcher.reader.ask(lambda connection: queries.profile(connection, key)))

    async def history(request: Request) -> Response:
        key, text = key_of(request.path_params["name"]), request.query_params.get("before", "")
        if text and not (text.isascii() and text.isdigit() and len(text) < 18):
            raise HTTPException(400, "before: expected a number")
        before = int(text) if text else None
        return _found(await dispatcher.reader.ask(lambda connection: queries.games_of(connection, key, before)))

    async def curve(request: Request) -> Response:
        key, game = key_of(request.path_params["name"]), request.path_params["game"]
        return _found(await dispatcher.reader.ask(lambda connection: queries.curve(connection, key, game)))

    async def versus(request: Request) -> Response:
        one, two = (key_of(request.path_params[name]) for name in ("one", "two"))
        return _found(await dispatcher.reader.ask(lambda connection: queries.versus(connection, one, two)))

    async def record(request: Request) -> Response:
        code = request.path_params["code"]
        text = await dispatcher.reader.ask(lambda connection: records.record_of(connection, dispatcher.games, code))
        return _download(text, f"{code}.txt")

    async def all_records(request: Request) -> Response:
        key = key_of(request.path_params["name"])
        found = await dispatcher.reader.ask(
            lambda connection: list(records.records_of(connection, dispatcher.games, person=key, most=_RECORDS))
        )
        return _download("\n".join(found) if found else None, "games.txt")

    routes = [
        WebSocketRoute("/ws", socket),
        Route("/health", health),
        Route("/metrics", metrics),
        Route("/api/games", games),
        Route("/api/drawings/{game}", drawing),
        Route("/api/leaderboard/{game}", leaderboard),
        Route("/api/people/{name}", profile),
        Route("/api/people/{name}/games", history),
        Route("/api/people/{name}/curve/{game}", curve),
        Route("/api/people/{name}/records", all_records),
        Route("/api/versus/{one}/{two}", versus),
        Route("/api/records/{code}", record),
        Mount("/fonts", _Files(directory=FONTS)),
        Mount("/", _Files(directory=STATIC, html=True)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _error})  # type: ignore[dict-item]
    return Guard(app, names=names, proxies=frozenset(settings.proxies))


class _Files(StaticFiles):
    """Files that a browser keeps and asks about each time, so that a new server's page is never mixed with an old."""

    def file_response(self, *args: Any, **keywords: Any) -> Response:
        response = super().file_response(*args, **keywords)
        response.headers["cache-control"] = "no-cache"
        return response


class Guard:
    """What every request meets first: where it really comes from, by which name, how often, and the headers."""

    def __init__(self, app: ASGIApp, *, names: frozenset[str], proxies: frozenset[str]) -> None:
        self._app = app
        self._names = names
        self._proxies = proxies
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
            elif not self._bucket_of(scope["path"]).take(_address(connection), time.monotonic()):
                refused = PlainTextResponse("too many requests\n", 429, {"retry-after": "10"})
        if scope["type"] == "websocket":
            if refused is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return
        await (refused or self._app)(scope, receive, _with_headers(send))

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


def _same_origin(websocket: WebSocket) -> bool:
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


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _json(found: Any, *, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(found), status, headers, media_type="application/json")


def _found(found: Any) -> Response:
    if found is None:
        raise HTTPException(404)
    return _json(found)


def _download(text: str | None, name: str) -> Response:
    if text is None:
        raise HTTPException(404)
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


async def _error(request: Request, error: HTTPException) -> Response:
    return PlainTextResponse(f"{error.detail}\n", error.status_code, error.headers)
