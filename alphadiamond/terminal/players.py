"""Players in a process of their own, built once, who can be hurried with Ctrl-C."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Final

from alphadiamond.agents import Agent
from alphadiamond.agents.base import Stop
from alphadiamond.agents.remote import RemoteAgent
from alphadiamond.base.game import Game
from alphadiamond.engine.workers import engine_runner

_THREADS: Final = 2  # somebody may get ready while another thinks
_PATIENCE: Final = 60.0
"""Seconds for a player who does not listen, or is still loading, when it is hurried: then its process is ended."""


class Players:
    def __init__(self, game: Game, seed: int | None = None, *, process: bool = True) -> None:
        self._game = game
        self.seed = seed
        self._runner = engine_runner(threads=_THREADS, nice=0, process=process)
        self._agents: dict[str, RemoteAgent] = {}

    def prepare(self, spec: str) -> None:
        """Build a player beside whatever else is done; why one cannot be had is said when it is asked for."""
        self._runner.ask({"action": "check", "player": spec, "game": self._game.name}, lambda answer: None)

    def get(self, spec: str) -> Agent:
        """Raises AgentError, and nothing else that a person could not understand, where there is no such player."""
        if spec not in self._agents:
            agent = RemoteAgent(self._runner, game=self._game, player=spec, seed=self.seed, patience=_PATIENCE)
            agent.spec = spec
            agent.check_there()
            self._agents[spec] = agent
        return self._agents[spec]

    def reset(self) -> None:
        for agent in self._agents.values():
            agent.reset()

    def close(self) -> None:
        self._runner.close()


@contextlib.contextmanager
def hurried_by_ctrl_c() -> Iterator[Stop]:
    """The first Ctrl-C asks for an answer now; the second is the usual one."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    pressed = 0

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed += 1
        if pressed > 1:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed > 0
    finally:
        signal.signal(signal.SIGINT, before)
