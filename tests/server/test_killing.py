"""SIGKILL at random moments under load: what was acknowledged is there, and clients go on by themselves."""

import asyncio
import contextlib
import os
import random
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError, View
from alphadiamond.server.audit import audit
from alphadiamond.server.storage import connect
from tests.server.server_process import ServerProcess, pair, run

TERMS = m.Terms("diamond_chase", rated=True)


class Witness:
    """What the clients were told is so."""

    def __init__(self) -> None:
        self.moves: dict[str, list[str]] = {}
        self.results: dict[str, tuple[str, str]] = {}

    def saw(self, view: View) -> None:
        known = self.moves.setdefault(view.code, [])
        length = min(len(known), len(view.moves))
        assert view.moves[:length] == known[:length], "a move that was told has changed"
        if len(view.moves) > len(known):
            self.moves[view.code] = list(view.moves)
        if view.result is not None and view.ending is not None:
            assert self.results.setdefault(view.code, (view.result, view.ending)) == (view.result, view.ending)


async def play(client: Client, view: View, witness: Witness, rng: random.Random, resigns_at: int) -> None:
    """One side of a game, until it is over."""
    while not view.over:
        try:
            if view.mine and len(view.moves) >= resigns_at:
                await client.insist(m.Resign(game=view.code))
            elif view.mine:
                await client.move(view, rng.choice(view.legal)[0])
            else:
                await client.change()  # as long as it takes on a busy machine: the whole has a limit
        except OnlineError as error:
            if error.code not in ("late", "over", "connection"):
                raise
            await asyncio.sleep(0.01)
        witness.saw(view)


async def games(server: ServerProcess, number: int, witness: Witness, going: asyncio.Event, seed: int) -> None:
    """Two people who play game after game."""
    rng = random.Random(seed)
    async with (
        Client(server.address, name=f"One {number}") as one,
        Client(server.address, name=f"Two {number}") as two,
    ):
        while going.is_set():
            try:
                first, second = await asyncio.wait_for(pair(one, two, TERMS), 60)
            except (OnlineError, TimeoutError, StopIteration, RuntimeError):  # killed in between: once more
                await asyncio.sleep(0.05)
                continue
            resigns_at = rng.randrange(5, 60)
            await asyncio.gather(
                play(one, first, witness, rng, resigns_at), play(two, second, witness, rng, resigns_at)
            )


def compare(server: ServerProcess, witness: Witness) -> tuple[int, int]:
    """Everything that anybody was told is in the database, and the database agrees with itself."""
    found = audit(server.database)
    assert not found.faults, found.faults[:5]
    finished = 0
    with contextlib.closing(connect(server.database, read_only=True)) as connection:
        for code, told in witness.moves.items():
            sql = "SELECT move FROM moves JOIN games ON games.id = moves.game WHERE code = ? ORDER BY ply"
            stored = [move for (move,) in connection.execute(sql, (code,))]
            assert stored[: len(told)] == told
        for code, (result, ending) in witness.results.items():
            sql = "SELECT result, ending FROM games WHERE code = ?"
            assert connection.execute(sql, (code,)).fetchone() == (result, ending)
            finished += 1
    return sum(map(len, witness.moves.values())), finished


def kill_and_compare(directory: Path, *, kills: int, pairs: int, seed: int) -> None:
    server = ServerProcess(directory, messages_per_second=10_000, bot_processes=1).start()
    witness = Witness()
    rng = random.Random(seed)

    async def everything() -> None:
        going = asyncio.Event()
        going.set()
        players = [asyncio.create_task(games(server, i, witness, going, seed + i)) for i in range(pairs)]
        try:
            for number in range(kills):
                told = sum(map(len, witness.moves.values()))
                while sum(map(len, witness.moves.values())) < told + 20:  # clients have gone on by themselves
                    await asyncio.sleep(0.01)
                    for player in players:
                        if player.done():
                            player.result()
                await asyncio.sleep(rng.uniform(0, 0.3))
                await asyncio.to_thread(server.kill)
                moves, finished = await asyncio.to_thread(compare, server, witness)
                await asyncio.to_thread(server.start)
                print(f"kill {number + 1}: {moves} moves told, {finished} games finished, all there", flush=True)
        finally:
            going.clear()  # or they would go on after a failure
        await asyncio.gather(*players)

    try:
        run(everything(), seconds=300 + 60 * kills)
        moves, finished = compare(server, witness)
        assert finished > 0
        print(f"in the end: {moves} moves told, {finished} games finished, all there; {audit(server.database)}")
    finally:
        code = server.stop()
    assert code == 0


def test_nothing_acknowledged_is_lost_when_the_server_is_killed_three_times(tmp_path: Path) -> None:
    kill_and_compare(tmp_path, kills=3, pairs=4, seed=1)


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed_a_hundred_times(tmp_path: Path) -> None:
    """ALPHADIAMOND_KILLS says how often instead."""
    kill_and_compare(tmp_path, kills=int(os.environ.get("ALPHADIAMOND_KILLS", "100")), pairs=20, seed=2)
