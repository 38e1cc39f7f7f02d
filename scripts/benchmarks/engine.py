"""The engine from outside: positions a second through its pipes, beside the batched search called from Python."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

from alphadiamond.agents import make_agent
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from benchmarks.rates import Row, rates

ROOT = Path(__file__).parents[2]
PLACES, SIMULATIONS, BATCHES = 128, 200, 16


def measure(*, repeats: int, seed: int) -> list[Row]:
    """With one thread that searches, as the batched search has it, and with what the engine takes by itself."""
    return [
        _beside("engine, one search", "searches=1", repeats=repeats, seed=seed),
        _beside("engine, a search a core", "searches=0", repeats=repeats, seed=seed),
    ]


def _beside(name: str, setting: str, *, repeats: int, seed: int) -> Row:
    spec = f"neural:simulations={SIMULATIONS},device=cpu"
    agent = make_agent(spec, game=GAME)
    client = Client(f"player={spec}", f"places={PLACES}", setting)
    rng = np.random.default_rng(seed)
    drawn: dict[str, list[Position]] = {}

    def positions(who: str) -> list[Position]:
        """New ones for every turn, since both keep what the network said; the same for both."""
        mine, other = drawn.setdefault(who, []), drawn.setdefault("other" if who == "ours" else "ours", [])
        if not mine:
            fresh = _middle_games(rng, PLACES * BATCHES)
            mine += fresh
            other += fresh
        taken = mine[: PLACES * BATCHES]
        del mine[: PLACES * BATCHES]
        return taken

    def engine() -> float:
        return float(client.ask(positions("ours")))

    def alone() -> float:
        todo = positions("other")
        for first in range(0, len(todo), PLACES):
            agent.analyse_many(todo[first : first + PLACES])
        return float(len(todo))

    inside, outside = rates(engine, alone, repeats=repeats)
    client.close()
    return Row(f"{name}, {PLACES} places, {SIMULATIONS} simulations", inside, "positions/s", outside, "batched search")


class Client:
    """The engine in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, str(ROOT / "scripts" / "engine.py"), *arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, positions: list[Position]) -> int:
        """Have all of them answered."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        lines = [json.dumps({"id": i, "position": str(one)}).encode() + b"\n" for i, one in enumerate(positions)]
        sending = threading.Thread(target=self._send, args=(lines,))
        sending.start()
        for _ in positions:
            answer = json.loads(self._process.stdout.readline())
            assert "error" not in answer, answer
        sending.join()
        return len(positions)

    def _send(self, lines: list[bytes]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.writelines(lines)
        self._process.stdin.flush()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _middle_games(rng: np.random.Generator, count: int) -> list[Position]:
    found: list[Position] = []
    while len(found) < count:
        position = Position.start()
        for _ in range(int(rng.integers(8, 24))):
            moves = position.moves()
            if not moves:
                break
            position = position.play(moves[int(rng.integers(len(moves)))])
        if position.moves():
            found.append(Position.parse(str(position)))
    return found
