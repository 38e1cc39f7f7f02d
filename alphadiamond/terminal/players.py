"""Players in this process, built once, who can be hurried with Ctrl-C."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from alphadiamond.agents import Agent, make_agent
from alphadiamond.agents.base import Stop
from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError


class Players:
    def __init__(self, game: Game, seed: int | None = None) -> None:
        self._game = game
        self.seed = seed
        self._agents: dict[str, Agent] = {}
        self._building = threading.Lock()

    def prepare(self, spec: str) -> None:
        """Build a player beside whatever else is done; why one cannot be had is said when it is asked for."""

        def build() -> None:
            with contextlib.suppress(AlphaDiamondError):
                self.get(spec)

        threading.Thread(target=build, daemon=True).start()

    def get(self, spec: str) -> Agent:
        """Raises AgentError, and nothing else that a person could not understand, where there is no such player."""
        with self._building:
            if spec not in self._agents:
                self._agents[spec] = make_agent(spec, game=self._game, seed=self.seed)
            return self._agents[spec]

    def reset(self) -> None:
        for agent in self._agents.values():
            agent.reset()


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
