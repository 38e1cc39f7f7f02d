"""One process that serves: everything put together, begun, and ended in order."""

import asyncio
import contextlib
import errno
import logging
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import uvicorn

from alphadiamond.base.compilation import announce_compilation
from alphadiamond.base.game import Game
from alphadiamond.console import print_written
from alphadiamond.files import data_directory
from alphadiamond.games import all_games
from alphadiamond.online import messages as m
from alphadiamond.server import backups, control, logs
from alphadiamond.server.app import make_app
from alphadiamond.server.audit import audit
from alphadiamond.server.board_snapshots import describe, scene_of
from alphadiamond.server.bot_pool import BotPool
from alphadiamond.server.dispatcher import Dispatcher
from alphadiamond.server.errors import ServerError
from alphadiamond.server.http_limits import Arrivals, guarded
from alphadiamond.server.limits import Counts
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.players import bots_of
from alphadiamond.server.settings import ServeSettings
from alphadiamond.server.sockets import LONGEST
from alphadiamond.server.storage import FILE, Store

RESTART: Final = 1012
_SWITCH: Final = 0.0005
"""Seconds a busy event loop may keep the writing thread waiting; Python's own 5 ms would show in every move."""
_GOODBYE_SECONDS: Final = 0.5
_PING_SECONDS: Final = 20.0
_log = logging.getLogger("alphadiamond.server")


def run(settings: ServeSettings, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve until told to stop."""
    directory = Path(settings.directory) if settings.directory is not None else data_directory() / "online"
    if settings.backup:
        backups.back_up(directory / FILE, Path(settings.backup))
        print_written(settings.backup)
        return
    if settings.audit:
        found = audit(directory / FILE)
        if found.faults:
            raise ServerError(str(found))
        print(found)
        return
    if settings.moderate:
        print(control.ask(directory, settings.moderate))
        return
    logs.set_up(settings.log)
    announce_compilation()
    sys.setswitchinterval(_SWITCH)
    _raise_file_limit()
    asyncio.run(serve(settings, directory, ready or _say))


def _raise_file_limit() -> None:
    """Every connection is a file, and many systems, not Windows, give a process 1,024 unless it asks for more."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _say(address: str) -> None:
    print(f"AlphaDiamond is at {address} (Ctrl-C ends it)", flush=True)


async def serve(settings: ServeSettings, directory: Path, ready: Callable[[str], None]) -> None:
    listening = _listen(settings)
    metrics = Metrics()
    broken: list[BaseException] = []

    def failed(error: BaseException) -> None:
        broken.append(error)
        _log.critical("the database cannot be written", extra={"fault": str(error)})
        server.should_exit = True

    def troubled(error: BaseException | None) -> None:
        if error is None:
            _log.warning("the database is written again")
        else:
            _log.error("the database cannot be written; moves wait", extra={"fault": str(error)})
        dispatcher.trouble(error is not None)

    def measured(statements: int, seconds: float) -> None:
        metrics.add("commits")
        metrics.writing.add(seconds)

    store = Store(directory, failed=failed, troubled=troubled, measured=measured)
    games = {game.name: game for game in all_games()}
    for game in games.values():
        _precompile(game)
    bots = [bot for game in games.values() for bot in bots_of(game, more=settings.bots)]
    bot_pool = BotPool(settings.bot_processes, seconds=settings.think_seconds)
    dispatcher = Dispatcher(settings, games=games, bots=bots, store=store, bot_pool=bot_pool, metrics=metrics)
    counts = Counts(settings.connections, settings.connections_per_address, free=frozenset(settings.proxies))
    metrics.gauges |= {
        "games": ("Games going on.", lambda: len(dispatcher.game_manager.going)),
        "connections": ("WebSocket connections.", lambda: len(dispatcher.sessions)),
        "sockets": ("Connections of any kind.", lambda: counts.all),
        "thoughts_waiting": ("Thoughts that wait for a process.", lambda: bot_pool.queued),
        "tasks": ("Tasks of the event loop.", lambda: len(asyncio.all_tasks())),
    }
    arrivals = Arrivals(settings.handshakes_per_second, free=frozenset(settings.proxies))
    http, websocket = guarded(counts, metrics, arrivals)
    config = uvicorn.Config(
        make_app(dispatcher, settings),
        http=http,
        ws=websocket,
        ws_max_size=LONGEST,
        ws_ping_interval=_PING_SECONDS,
        ws_ping_timeout=_PING_SECONDS,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=16_384,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    server = _Server(config, dispatcher, back_in=settings.back_in)
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: _say_trouble(metrics, loop, context))
    dispatcher.start()
    backing_up = asyncio.create_task(
        backups.keep_backing_up(directory, hours=settings.backup_hours, keep=settings.backups)
    )
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    _log.info("serving", extra={"address": address, "games": list(games), "bots": len(bots), "pid": os.getpid()})
    if settings.seconds:
        asyncio.get_running_loop().call_later(settings.seconds, server.end)
    try:
        async with control.Control(dispatcher.moderation, dispatcher.people).listening(directory):
            await server.serve_at(listening, lambda: ready(address))
    finally:
        backing_up.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await backing_up
        await dispatcher.stop()
        _log.info("stopped")
    if broken:
        kept = "; what was acknowledged is there" if store.path.exists() else "; bring back a backup"
        raise ServerError(f"{store.path}: cannot be written ({broken[0]}){kept}")


def _say_trouble(metrics: Metrics, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What nobody has caught. Without files no connection is accepted: one line, and asyncio tries again by itself."""
    error = context.get("exception")
    if isinstance(error, OSError):
        metrics.trouble(str(context.get("message", "trouble")), error)
    else:
        loop.default_exception_handler(context)


def _precompile(game: Game) -> None:
    """Have compiled what a move needs before anybody waits for one."""
    start = position = game.sample_start()
    for _ in range(2):
        position = position.play(position.moves()[0])
    str(position), position.outcome, position.moves()
    describe(game)
    scene_of(game.drawing_for(start), position, position.moves()[0])


class _Server(uvicorn.Server):
    """Says goodbye before it goes."""

    def __init__(self, config: uvicorn.Config, dispatcher: Dispatcher, *, back_in: float) -> None:
        super().__init__(config)
        self._dispatcher = dispatcher
        self._back_in = back_in
        self._ready: Callable[[], None] | None = None

    async def serve_at(self, listening: socket.socket, ready: Callable[[], None]) -> None:
        self._ready = ready
        with self.capture_signals():
            await self._serve([listening])
            self._captured_signals.clear()  # it has been seen to: an orderly end is no failure

    def end(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._ready is not None:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        self._dispatcher.stopping = True
        goodbye = m.encode(m.Stopping(back_in=round(1000 * self._back_in)))

        async def gone() -> None:
            while self._dispatcher.sessions:
                await asyncio.sleep(0.01)

        written = asyncio.Event()
        self._dispatcher.when_written(written.set)  # first what they still have to hear
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(written.wait(), _GOODBYE_SECONDS)
        for session in list(self._dispatcher.sessions):
            session.send(goodbye)
            session.close(RESTART, "the server stops")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(gone(), _GOODBYE_SECONDS)
        await super().shutdown(sockets)


def _listen(settings: ServeSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((settings.host, settings.port))
        made.listen(1024)
    except OSError as error:
        made.close()
        what = "taken" if error.errno == errno.EADDRINUSE else error.strerror
        raise ServerError(f"port {settings.port} of {settings.host} is {what}; give another with port=") from None
    made.setblocking(False)
    return made
