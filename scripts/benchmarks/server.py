"""The server under load, over real sockets on loopback: simulated people in one process, the server in another.

Every game makes one move a second. The time is from the moment a client hands its move to the socket to the moment its
opponent has read it, in the clients' process; in between the server has checked it and synced it to disk. Afterwards
the database is replayed: every move that a client was told of has to be there.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.rates import Row

ROOT = Path(__file__).parents[2]
LEVELS = (500, 1000, 1500, 2000, 3000)
"""Games at once; the first is the one that is asked for, and the others, unless repeats=1, show how far it goes."""
WARM, SECONDS = 5.0, 20.0
LIMIT = 0.050
TERMS = {"game": "diamond_chase"}


def measure(*, repeats: int, seed: int) -> list[Row]:
    rows: list[Row] = []
    beyond = 0.0
    for games in LEVELS if repeats > 1 else LEVELS[:1]:
        found = _level(games, seed)
        if games == LEVELS[0]:
            rows += [
                Row(f"{games} games, a move a second each: 99th percentile to the opponent", found["p99"] * 1e3, "ms"),
                Row(f"{games} games: median", found["median"] * 1e3, "ms"),
                Row(f"{games} games: longest", found["longest"] * 1e3, "ms"),
                Row(f"{games} games: moves made", found["moves"], "moves"),
                Row(f"{games} games: moves lost", found["lost"], "moves"),
                Row(f"{games} games: the server's share of a core", found["cpu"], "cores"),
            ]
        elif found["p99"] <= LIMIT and not found["lost"]:
            rows.append(Row(f"{games} games: 99th percentile", found["p99"] * 1e3, "ms"))
            rows.append(Row(f"{games} games: the server's share of a core", found["cpu"], "cores"))
        if found["p99"] > LIMIT or found["lost"] or found["rate"] < 0.95 * games:
            rows.append(Row(f"{games} games are too many: 99th percentile", found["p99"] * 1e3, "ms"))
            break
        beyond = found["rate"]
    return [*rows, Row("moves a second within 50 ms", beyond, "moves/s")]


def _level(games: int, seed: int) -> dict[str, Any]:
    """One server and its clients, each in a process of its own."""
    with tempfile.TemporaryDirectory() as directory:
        script = str(ROOT / "scripts" / "serve.py")
        settings = ["port=0", f"directory={directory}", "log=warning", "bot_processes=1", "connections=1000000"]
        settings += ["connections_per_address=1000000", "people_per_address=1000000", "handshakes_per_second=100000"]
        settings += ["messages_per_address=1000000"]
        server = subprocess.Popen([sys.executable, script, *settings], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[3]
            command = clients(address.replace("http", "ws") + "ws", games, server.pid, seed=seed)
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment())
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
            server.stdout.close()
        found: dict[str, Any] = json.loads(done.stdout)
        found["lost"] = lost(Path(directory) / "online.sqlite", found.pop("told"))
        return found


def clients(address: str, games: int, pid: int, *, seed: int, seconds: float = SECONDS) -> list[str]:
    """The command that plays on a server, whose process is `pid`, and prints what came of it."""
    return [sys.executable, __file__, address, str(games), str(seed), str(pid), str(seconds)]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'scripts'}"}


def lost(database: Path, told: dict[str, int]) -> int:
    """Moves that clients were told of and that are not in the database; all of them if it is not sound."""
    from alphadiamond.server.audit import audit
    from alphadiamond.server.storage import connect

    if audit(database).faults:
        return sum(told.values())
    with contextlib.closing(connect(database, read_only=True)) as connection:
        sql = "SELECT code, count(*) FROM games JOIN moves ON moves.game = games.id GROUP BY code"
        stored = dict(connection.execute(sql))
    return sum(max(0, plies - stored.get(code, 0)) for code, plies in told.items())


@dataclass
class _Load:
    """What the clients see together."""

    rng: random.Random
    times: list[float] = field(default_factory=list)
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    """Moves of each game that somebody has heard of."""
    counting: bool = False
    moves: int = 0
    going: bool = True


async def _person(
    address: str, name: str, inbox: "asyncio.Queue[dict[str, object]]", load: _Load, gate: object
) -> None:
    """One connection that answers every move of its opponent, a second after the game's last."""
    import msgspec
    from websockets.asyncio.client import connect

    ticks: dict[str, float] = {}

    async with connect(address, compression=None, ping_interval=None, max_size=None) as socket:
        await socket.send(json.dumps({"type": "hello", "name": name}))
        await socket.recv()
        sending: set[asyncio.Task[None]] = set()

        async def write() -> None:
            while True:
                await socket.send(json.dumps(await inbox.get()))

        async def move(code: str, ply: int, legal: list[tuple[str, list[int]]]) -> None:
            tick = ticks[code] = max(ticks.get(code, 0.0) + 2.0, time.perf_counter())
            await asyncio.sleep(tick - time.perf_counter())
            if load.going:
                load.sent[code, ply] = time.perf_counter()
                chosen = load.rng.choice(legal)[0]
                request = {"type": "move", "game": code, "ply": ply, "move": chosen}
                await socket.send(msgspec.json.encode(request), text=True)

        def start(code: str, ply: int, legal: list[tuple[str, list[int]]]) -> None:
            task = asyncio.create_task(move(code, ply, legal))
            sending.add(task)
            task.add_done_callback(sending.discard)

        writing = asyncio.create_task(write())
        seat = 0
        async for data in socket:
            now = time.perf_counter()
            event = msgspec.json.decode(data)
            kind, code = event["type"], event.get("game")
            if kind == "game":
                seat = event["seat"]
                phase = now + load.rng.uniform(0, 1)  # seat 0 moves on even seconds of its game, seat 1 on odd ones
                ticks[code] = phase + seat - 2.0
                if event.get("turn") == seat:
                    start(code, len(event["moves"]), event["legal"])
            elif kind == "moved":
                if event["turn"] == seat or (event["turn"] is None and (code, event["ply"]) in load.sent):
                    began = load.sent.pop((code, event["ply"]), None)
                    load.told[code] = event["ply"] + 1
                    if began is not None and load.counting:
                        load.times.append(now - began)
                        load.moves += 1
                if event["turn"] == seat:
                    start(code, event["ply"] + 1, event["legal"])
            elif kind == "ended":
                await socket.send(json.dumps({"type": "offer", "game": code, "what": "rematch"}))
            elif kind == "challenged":
                gate.set_result(event["challenge"]["challenge"])
            elif kind == "error" and event["code"] not in ("not_allowed", "late"):
                raise AssertionError(event)
        writing.cancel()


async def _clients(address: str, games: int, seed: int, pid: int, seconds: float) -> dict[str, Any]:
    load = _Load(random.Random(seed))
    tasks: list[asyncio.Task[None]] = []
    loop = asyncio.get_running_loop()

    async def pair(number: int) -> None:
        inboxes: list[asyncio.Queue[dict[str, object]]] = [asyncio.Queue(), asyncio.Queue()]
        gate: asyncio.Future[str] = loop.create_future()
        for side, inbox in enumerate(inboxes):
            tasks.append(asyncio.create_task(_person(address, f"p{number} {side}", inbox, load, gate)))
        await inboxes[0].put({"type": "challenge", "terms": {**TERMS, "seat": number % 2}})
        await inboxes[1].put({"type": "accept", "challenge": await gate})

    for first in range(0, games, 25):  # not all at once
        await asyncio.gather(*(pair(number) for number in range(first, min(first + 25, games))))
    await asyncio.sleep(WARM)
    load.counting, began, worked = True, time.perf_counter(), _worked(pid)
    await asyncio.sleep(seconds)
    load.counting, seconds, worked = False, time.perf_counter() - began, _worked(pid) - worked
    load.going = False
    await asyncio.sleep(2.0)  # what is on its way
    for task in tasks:
        if task.done():
            task.result()
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
    times = sorted(load.times)
    assert times, "nobody moved"
    return {
        "p99": times[int(0.99 * len(times))],
        "median": times[len(times) // 2],
        "longest": times[-1],
        "moves": load.moves,
        "rate": load.moves / seconds,
        "cpu": worked / seconds,
        "told": load.told,
    }


def _worked(pid: int) -> float:
    """Processor seconds of a process so far; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    import gc
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    address, games, seed, pid, seconds = sys.argv[1:]
    gc.freeze()
    print(json.dumps(asyncio.run(_clients(address, int(games), int(seed), int(pid), float(seconds)))))


if __name__ == "__main__":
    main()
