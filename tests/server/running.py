"""A server in a process of its own, and people who play on it."""

import asyncio
import os
import random
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, View

T = TypeVar("T")

ROOT = Path(__file__).parents[2]
CHASE = m.Terms("diamond_chase")


class ServerProcess:
    """Started with its settings; the port stays the same when it is started again."""

    def __init__(self, directory: Path, **settings: object) -> None:
        self.directory = directory
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._settings = {"directory": directory / "data", "port": self.port, "people_per_address": 100_000, **settings}
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0

    @property
    def database(self) -> Path:
        return self.directory / "data" / "online.sqlite"

    @property
    def address(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text()

    def start(self) -> "ServerProcess":
        self._starts += 1
        command = [sys.executable, str(ROOT / "scripts" / "serve.py")]
        command += [f"{key}={value}" for key, value in self._settings.items()]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.directory.mkdir(parents=True, exist_ok=True)
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, cwd=self.directory, env=environment
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline().decode()
        assert re.fullmatch(r"AlphaDiamond is at http://127\.0\.0\.1:\d+/ \(Ctrl-C ends it\)\n", line), self.log
        return self

    def kill(self) -> None:
        """SIGKILL: nothing is said and nothing is written any more."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._close()

    def stop(self, *, seconds: float = 60) -> int:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(seconds)
        self._close()
        return code

    def _close(self) -> None:
        assert self._process is not None
        if self._process.stdout is not None:
            self._process.stdout.close()

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


def run(work: Coroutine[Any, Any, T], *, seconds: float = 90) -> T:
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
