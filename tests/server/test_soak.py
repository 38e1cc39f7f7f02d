"""A server left alone for a while: short-lived people, bots, watchers, hostile clients and restarts, with fast clocks.

ALPHADIAMOND_SOAK_SECONDS says how long; all of it goes over 127.0.0.1, and so many at a time as `CROWD` says. Beside
them, in the half without restarts, ALPHADIAMOND_SOAK_GAMES go on at a move a second each; how long their moves take is
printed, since that depends on the machine.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

import psutil
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError
from alphadiamond.server import storage
from tests.server.server_process import ServerProcess, pair, run
from tests.server.test_killing import Witness, compare, play

SECONDS = float(os.environ.get("ALPHADIAMOND_SOAK_SECONDS", "600"))
GAMES = int(os.environ.get("ALPHADIAMOND_SOAK_GAMES", "500"))
SPEED = 20
CROWD = {"pairs": 6, "with bots": 2, "watchers": 2, "hostile": 2}
TERMS = m.Terms("diamond_chase", rated=True, clock=m.Clock(60, 1))
MOST_GROWTH = 30_000_000
"""Bytes that the last life of the server may add to its memory in its second half."""
EXPECTED = ("connection", "stopping", "name", "late", "over", "unknown", "limit")
"""Refusals that clocks, restarts and leaving in the middle bring about; any other fails the test."""
PATIENCE = 20.0
ELSEWHERE = ("127.0.0.2", 0) if sys.platform == "linux" else None
"""Where hostile clients come from, whose address may then ask for nothing more: others' may."""
GARBAGE = (b"\x16\x03\x01\x02\x00" + bytes(200), b"GET / HTTP/1.1\r\nHost: x\r\nX: ", b"GET /ws HTTP/1.1\r\n\r\n")


class Crowd:
    """Everybody who comes and goes until told to stop."""

    def __init__(self, server: ServerProcess, seed: int) -> None:
        self.server = server
        self.witness = Witness()
        self.done: Counter[str] = Counter()
        self.going = True
        self._rng = random.Random(seed)
        self._numbers = itertools.count()

    def tasks(self) -> Iterator[asyncio.Task[None]]:
        acts = {
            "pairs": self._pair,
            "with bots": self._with_bot,
            "watchers": self._watch,
            "hostile": self._misbehave,
        }
        for kind, count in CROWD.items():
            for _ in range(count):
                yield asyncio.create_task(self._again_and_again(kind, acts[kind]))

    async def _again_and_again(self, kind: str, act: Callable[[], Awaitable[None]]) -> None:
        while self.going:
            try:
                async with asyncio.timeout(PATIENCE):
                    await act()
                self.done[kind] += 1
            except TimeoutError:  # a kill took what was waited for
                self.done["given up"] += 1
            except OnlineError as error:
                if error.code not in EXPECTED:
                    raise
                self.done[error.code] += 1
                await asyncio.sleep(0.05)

    def _somebody(self) -> Client:
        self.done["people"] += 1
        return Client(self.server.address, name=f"Soak {next(self._numbers)}")

    async def _pair(self) -> None:
        rng = self._rng
        async with self._somebody() as one, self._somebody() as two:
            first, second = await pair(one, two, TERMS)
            sides = (
                play(one, first, self.witness, rng, rng.randrange(4, 30)),
                play(two, second, self.witness, rng, rng.randrange(4, 60)),
            )
            with contextlib.suppress(TimeoutError):  # some leave in the middle: their clocks decide
                await asyncio.wait_for(asyncio.gather(*sides), rng.choice((0.3, 10.0)))

    async def _with_bot(self) -> None:
        async with self._somebody() as one:
            view = await one.play_bot("@random", m.Terms("diamond_chase", clock=m.Clock(60)))
            await play(one, view, self.witness, self._rng, self._rng.randrange(4, 30))

    async def _watch(self) -> None:
        async with Client(self.server.address) as guest:
            await guest.enter_lobby()
            for code in list(self.witness.moves)[-3:]:
                self.witness.saw(await guest.watch(code))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(guest.change(), 0.5)
            for view in guest.games.values():
                self.witness.saw(view)

    async def _misbehave(self) -> None:
        with contextlib.suppress(OSError, WebSocketException, asyncio.IncompleteReadError):
            if self._rng.random() < 0.5:
                _, writer = await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=ELSEWHERE)
                writer.write(self._rng.choice(GARBAGE))
                await writer.drain()
                await asyncio.sleep(0.1)
                writer.close()
            else:
                async with connect(self.server.address, local_addr=ELSEWHERE) as socket:
                    for text in ('{"type": "hello"}', "{", '{"type": "move"}', *['{"type": "lobby"}'] * 100):
                        await socket.send(text)
        await asyncio.sleep(0.1)


def gauges(server: ServerProcess) -> dict[str, float]:
    status, data, _ = server.get("/metrics")
    assert status == 200
    return {name: float(value) for name, value in re.findall(r"^alphadiamond_(\w+) (\S+)$", data.decode(), re.M)}


async def quiet(server: ServerProcess, tasks: float) -> dict[str, float]:
    """Everybody is gone: the server forgets them, and ends their games by the clocks."""
    found: dict[str, float] = {}
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(180):
            while True:
                found = await asyncio.to_thread(gauges, server)
                if not found["games"] + found["connections"] + found["thoughts_waiting"] and found["tasks"] <= tasks:
                    break
                await asyncio.sleep(0.2)
    return {name: found[name] for name in ("games", "connections", "thoughts_waiting", "tasks")}


async def many_games(server: ServerProcess, seconds: float) -> dict[str, Any]:
    """Games of people in another process, all of them without clocks; what came of it."""
    from benchmarks.server import clients, environment

    command = clients(server.address, GAMES, server.pid, seed=5, seconds=seconds)
    made = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, env=environment())
    try:
        said, _ = await made.communicate()
    finally:
        if made.returncode is None:  # something else has failed
            made.kill()
    assert made.returncode == 0
    return dict(json.loads(said))


def worth_telling(found: dict[str, Any]) -> str:
    times = ", ".join(f"{name} {1000 * found[name]:.1f} ms" for name in ("median", "p99", "longest"))
    return f"{GAMES} games beside: {found['moves']:,} moves, {found['rate']:.0f} a second, {times}"


@pytest.mark.slow
@pytest.mark.timeout(2 * SECONDS + 900)
def test_a_server_that_is_left_alone_keeps_what_it_told_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "scripts")
    from benchmarks.server import lost

    server = ServerProcess(
        tmp_path,
        messages_per_second=50,
        bot_processes=1,
        speed=SPEED,
        back_in=0.2,
        connections_per_address=100_000,
        correspondence_days=0.01,  # the games beside end by it
    ).start()
    crowd = Crowd(server, seed=3)
    rng = random.Random(4)

    async def wait(seconds: float, tasks: list[asyncio.Task[None]]) -> None:
        """As long as nobody in the crowd has met something that must not be."""
        ended, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in ended:
            task.result()

    async def soak() -> tuple[int, int, int, dict[str, Any]]:
        loop = asyncio.get_running_loop()
        began = loop.time()
        idle = (await asyncio.to_thread(gauges, server))["tasks"]
        tasks = list(crowd.tasks())
        while loop.time() - began < 0.5 * SECONDS:  # lives that end at any moment
            await wait(rng.uniform(0.01, 0.04) * SECONDS, tasks)
            if rng.random() < 0.5:
                assert await asyncio.to_thread(server.stop) == 0
            else:
                await asyncio.to_thread(server.kill)
            await asyncio.to_thread(compare, server, crowd.witness)
            await asyncio.to_thread(server.start)
            crowd.done["restarts"] += 1
        process = psutil.Process(server.pid)  # and one that goes on
        left = SECONDS - (loop.time() - began)
        beside = asyncio.create_task(many_games(server, left))
        tasks.append(beside)
        await wait(left / 2, tasks)
        half = process.memory_info().rss
        await wait(left / 2, tasks)
        whole = process.memory_info().rss
        crowd.going = False
        await asyncio.gather(*tasks)
        found = await quiet(server, idle)
        assert (found["games"], found["connections"], found["thoughts_waiting"]) == (0, 0, 0), found
        assert found["tasks"] <= idle, f"{found['tasks']} tasks are left, {idle} is what an idle server has"
        assert whole - half < MOST_GROWTH, f"{half:,} bytes became {whole:,}"
        return half, whole, round(found["tasks"]), beside.result()

    try:
        half, whole, tasks, beside = run(soak(), seconds=2 * SECONDS + 600)
        moves, finished = compare(server, crowd.witness)
        print(f"{dict(crowd.done)}; {moves:,} moves told, {finished:,} games finished, all there")
        with contextlib.closing(storage.connect(server.database, read_only=True)) as database:
            endings = dict(database.execute("SELECT ending, count(*) FROM games GROUP BY ending"))
        print(f"endings: {endings}")
        print(f"memory {half:,} and {whole:,} bytes, {tasks} tasks")
        print(worth_telling(beside))
        assert lost(server.database, beside["told"]) == 0
        assert beside["moves"] > 0
        assert crowd.done["restarts"] > 1
        assert all(crowd.done[kind] for kind in CROWD)
        assert endings.keys() >= {"time", "resignation"}, "clocks have run out, too"
    finally:
        code = server.stop()
    assert code == 0
    assert "Traceback" not in server.log
