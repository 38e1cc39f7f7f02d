"""The application: the page, what can be read over HTTP, and the WebSocket; with the headers that browsers want."""

import mimetypes
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

import alphadiamond
from alphadiamond.server import exports, queries, records
from alphadiamond.server.board_snapshots import describe
from alphadiamond.server.dispatcher import Dispatcher, info_of
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.limits import Buckets, Counts
from alphadiamond.server.names import key_of
from alphadiamond.server.openapi import description
from alphadiamond.server.profiles import Profiles
from alphadiamond.server.settings import ServeSettings
from alphadiamond.server.sockets import BURST, serve_socket
from alphadiamond.server.web_guard import Guard, address_of, is_loopback, is_same_origin

STATIC: Final = Path(__file__).parent / "static"
FONTS: Final = Path(alphadiamond.__file__).parent / "client" / "assets" / "fonts"
_STREAMS: Final = 20
_STREAMS_EACH: Final = 2
"""Long downloads at once, in all and to one address."""
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")


def make_app(dispatcher: Dispatcher, settings: ServeSettings) -> ASGIApp:
    for kind, suffix in (("text/javascript", ".js"), ("image/svg+xml", ".svg"), ("font/otf", ".otf")):
        mimetypes.add_type(kind, suffix)  # some systems know better, and browsers then refuse to run a script
    web = dispatcher.web
    streams = Counts(_STREAMS, _STREAMS_EACH)
    connections = Counts(settings.connections, settings.connections_per_address)
    messages = Buckets(settings.messages_per_address, BURST * settings.messages_per_address)
    names = frozenset((*_LOCAL, settings.host, *(name.lower() for name in settings.names)))

    async def socket(websocket: WebSocket) -> None:
        address = address_of(websocket)  # behind a proxy only known here
        refused = None
        if not is_same_origin(websocket):
            refused = PlainTextResponse("pages of another origin cannot connect\n", 403)
        elif not connections.take(address):
            refused = PlainTextResponse("too many connections\n", 403)
        if refused is not None:
            dispatcher.metrics.add("turned_away")
            await websocket.send_denial_response(refused)
            return
        try:
            rate = settings.messages_per_second
            await serve_socket(websocket, dispatcher, address, rate=rate, together=messages)
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
        if "x-forwarded-for" in request.headers or not is_loopback(address_of(request)):
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
        now = dispatcher.now()
        return _json(await web.ask(lambda connection: queries.leaderboard(connection, game, now)))

    async def profile(request: Request) -> Response:
        key = key_of(request.path_params["name"])
        return _found(await web.ask(lambda connection: queries.profile(connection, key)))

    async def history(request: Request) -> Response:
        key, text = key_of(request.path_params["name"]), request.query_params.get("before", "")
        if text and not (text.isascii() and text.isdigit() and len(text) < 18):
            raise HTTPException(400, "before: expected a number")
        before = int(text) if text else None
        return _found(await web.ask(lambda connection: queries.games_of(connection, key, before)))

    async def curve(request: Request) -> Response:
        key, game = key_of(request.path_params["name"]), request.path_params["game"]
        return _found(await web.ask(lambda connection: queries.curve(connection, key, game)))

    profiles = Profiles(dispatcher.games, web)

    async def results(request: Request) -> Response:
        return _found(await profiles.results(key_of(request.path_params["name"]), request.path_params["game"]))

    async def puzzles(request: Request) -> Response:
        key = key_of(request.path_params["name"])
        person = await web.ask(lambda connection: queries.number_of(connection, key))
        return _found(None if person is None else await dispatcher.puzzles.standings(person, web))

    async def versus(request: Request) -> Response:
        one, two = (key_of(request.path_params[name]) for name in ("one", "two"))
        return _found(await web.ask(lambda connection: queries.versus(connection, one, two)))

    async def record(request: Request) -> Response:
        code = request.path_params["code"]
        text = await web.ask(lambda connection: records.record_of(connection, dispatcher.games, code))
        return _download(text, f"{code}.txt")

    async def all_records(request: Request) -> Response:
        key = key_of(request.path_params["name"])
        person = await web.ask(lambda connection: queries.number_of(connection, key))
        if person is None:
            raise HTTPException(404)
        return stream(request, exports.records(web, dispatcher.games, person), "games.txt", "text/plain")

    async def export(request: Request) -> Response:
        """All that is kept about whoever has the token."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        try:
            person = await dispatcher.people.by_token(token.strip() if kind.lower() == "bearer" else "")
        except RefusedError:
            raise HTTPException(401, "send your token: Authorization: Bearer ad_...") from None
        return stream(request, exports.all_data(web, dispatcher.games, person.id), "data.jsonl", "application/jsonl")

    def stream(request: Request, pages: AsyncIterator[str], name: str, kind: str) -> Response:
        """A long answer, made page by page as it is taken; few at once, and each ends when the other side hangs up."""
        address = address_of(request)
        if not streams.take(address):
            raise HTTPException(429, "too many downloads at once", {"retry-after": "10"})
        return _Stream(pages, name, kind, lambda: streams.give_back(address))

    async def openapi(request: Request) -> Response:
        return _json(description())

    routes = [
        WebSocketRoute("/ws", socket),
        Route("/health", health),
        Route("/metrics", metrics),
        Route("/api/openapi.json", openapi),
        Route("/api/export", export),
        Route("/api/games", games),
        Route("/api/drawings/{game}", drawing),
        Route("/api/leaderboard/{game}", leaderboard),
        Route("/api/people/{name}", profile),
        Route("/api/people/{name}/games", history),
        Route("/api/people/{name}/curve/{game}", curve),
        Route("/api/people/{name}/results/{game}", results),
        Route("/api/people/{name}/puzzles", puzzles),
        Route("/api/people/{name}/records", all_records),
        Route("/api/versus/{one}/{two}", versus),
        Route("/api/records/{code}", record),
        Mount("/fonts", _Files(directory=FONTS)),
        Mount("/", _Files(directory=STATIC, html=True)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _error})  # type: ignore[dict-item]
    return Guard(
        app,
        names=names,
        proxies=frozenset(settings.proxies),
        metrics=dispatcher.metrics,
        handshakes_per_second=settings.handshakes_per_second,
    )


class _Stream(StreamingResponse):
    """Says when it is over, however it ended."""

    def __init__(self, pages: AsyncIterator[str], name: str, kind: str, ended: Callable[[], None]) -> None:
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        super().__init__(pages, headers=headers, media_type=kind)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


class _Files(StaticFiles):
    """Files that a browser keeps and asks about each time, so that a new server's page is never mixed with an old."""

    def file_response(self, *args: Any, **keywords: Any) -> Response:
        response = super().file_response(*args, **keywords)
        response.headers["cache-control"] = "no-cache"
        return response


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
