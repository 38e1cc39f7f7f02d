"""The engine as the project itself uses it: in a process of its own, or in threads of this one."""

import dataclasses
import functools
import json
import queue
import sys
import threading
from typing import Final

from alphadiamond.agents.answers import Answer
from alphadiamond.engine.engine import Engine, encoded
from alphadiamond.engine.settings import EngineSettings
from alphadiamond.runner import Link, ProcessLink, Runner
from alphadiamond.runner.links import Ended, Heard

NICE: Final = 5
"""How far players give way to whoever waits for them, where they share a core."""


def engine_runner(*, threads: int = 1, nice: int = NICE, process: bool = True) -> Runner:
    """A runner with so many threads for its players."""
    settings = EngineSettings(threads=threads, searches=1)
    if not process:
        return Runner(functools.partial(ThreadLink, settings))
    arguments = {"nice": nice, **dataclasses.asdict(settings)}
    command = [sys.executable, "-m", "alphadiamond.engine", json.dumps(arguments)]

    def connect(heard: Heard, ended: Ended) -> Link:
        return ProcessLink(command, heard, ended)

    return Runner(connect)


class ThreadLink:
    """The engine in threads of this process, where starting another would take too long."""

    def __init__(self, settings: EngineSettings, heard: Heard, ended: Ended) -> None:
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self._engine = Engine(settings, self._answers)
        self._heard, self._ended = heard, ended
        self._lines = 0
        self._engine.start()
        threading.Thread(target=self._tell, daemon=True).start()

    def send(self, line: bytes) -> None:
        self._lines += 1
        self._engine.take(line, self._lines)

    def kill(self) -> None:
        self._engine.leave()
        self._answers.put(None)

    def _tell(self) -> None:
        while (answer := self._answers.get()) is not None:
            self._heard(encoded(answer))
        self._ended("closed")
