"""A server in a process of its own, and people who play on it."""

import asyncio
import os
import random
import socket
import sys
import urllib.request
from collections.abc import Coroutine
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, View
from alphadiamond.server import main
from alphadiamond.server.settings import ServeSettings
from alphadiamond.settings import check
from tests import warm

T = TypeVar("T")

CHASE = m.Terms("diamond_chase")


def _serve(settings: dict[str, object], log: str, ready: Connection) -> None:
    """In a process of its own, from where the script hands over."""
    with open(log, "ab") as file:
        os.dup2(file.fileno(), 2)
    warm.install()
    made = ServeSettings(**settings)  # type: ignore[arg-type]
    check(made)
    try:
        main.run(made, ready=lambda address: ready.send(address))
    except AlphaDiamondError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


class ServerProcess:
    """Started with its settings; the port stays the same when it is started again.

    Processes come from one that has imported everything (see `tests.warm`), its own too.
    """

    def __init__(self, directory: Path, **settings: object) -> None:
        self.directory = directory
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._settings = {
            "directory": str(directory / "data"),
            "port": self.port,
            "people_per_address": 100_000,
            "bot_games_per_address": 100_000,
            "rated_at_home": True,
            "handshakes_per_second": 100_000,
            "messages_per_address": 1_000_000,
            **settings,
        }
        self._process: Any = None

    @property
    def database(self) -> Path:
        return self.directory / "data" / "online.sqlite"

    @property
    def address(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def pid(self) -> int:
        return int(self._process.pid)

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text()

    def start(self) -> "ServerProcess":
        self.directory.mkdir(parents=True, exist_ok=True)
        here, there = warm.CONTEXT.Pipe(duplex=False)
        log = str(self.directory / "log")
        self._process = warm.CONTEXT.Process(target=_serve, args=(self._settings, log, there))
        self._process.start()
        there.close()
        try:
            assert here.recv() == f"http://127.0.0.1:{self.port}/"
        except EOFError:
            raise AssertionError(self.log) from None
        finally:
            here.close()
        return self

    def kill(self) -> None:
        """SIGKILL: nothing is said and nothing is written any more."""
        self._process.kill()
        self._process.join()

    def stop(self, *, seconds: float = 120) -> int:
        if self._process.is_alive():
            self._process.terminate()
        return self.join(seconds=seconds)

    def join(self, *, seconds: float = 120) -> int:
        """Wait until it has ended by itself."""
        self._process.join(seconds)
        assert self._process.exitcode is not None
        return int(self._process.exitcode)

    def get(self, path: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read(), dict(answer.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), dict(error.headers)

    def json(self, path: str) -> Any:
        status, data, _ = self.get(path)
        assert status == 200, (path, status, data)
        return msgspec.json.decode(data)


def run(work: Coroutine[Any, Any, T], *, seconds: float = 300) -> T:
    async def limited() -> T:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(limited())


async def pair(one: Client, two: Client, terms: m.Terms = CHASE) -> tuple[View, View]:
    """A game between two, by a challenge link."""
    challenge = await one.challenge(terms)
    second = await two.accept(challenge.challenge)
    while second.code not in one.games:
        await one.change()
    return one.games[second.code], second


async def play_on(client: Client, view: View, *, rng: random.Random, plies: int = 100_000) -> None:
    """Random moves whenever it is one's turn, until the end or until so many plies are played."""
    while not view.over and len(view.moves) < plies:
        if view.mine:
            await client.move(view, rng.choice(view.legal)[0])
        else:
            await client.change()


async def play_both(
    one: Client, two: Client, first: View, second: View, *, plies: int = 100_000, seed: int = 1
) -> None:
    await asyncio.gather(
        play_on(one, first, rng=random.Random(seed), plies=plies),
        play_on(two, second, rng=random.Random(seed + 1), plies=plies),
    )


async def settle(client: Client, view: View, plies: int) -> None:
    """Wait until a client has seen so many moves, or the end."""
    while len(view.moves) < plies and not view.over:
        await client.change()
