"""The window: milliseconds a frame at 1280x800, drawn by the CPU, while a player searches in its own process."""

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import Row

_SIZE = (1280, 800)
_WARM = 90
_FRAMES = 240


def measure(*, repeats: int, seed: int) -> list[Row]:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from alphadiamond.client.app import App
    from alphadiamond.client.scenes.game import GameScene
    from alphadiamond.client.scenes.title import TitleScene
    from alphadiamond.client.session import Session
    from alphadiamond.client.settings import Settings
    from alphadiamond.client.showcase import sample_moves
    from alphadiamond.game import GameRecord, Position

    with tempfile.TemporaryDirectory() as directory:
        app = App(headless=True, size=_SIZE, settings=Settings(), directory=Path(directory), seed=seed)
        app.stack.append(TitleScene(app))
        title = _frames(app, repeats)
        _wait(app)
        networks = [level for level in app.roster.specs() if level.startswith("neural")]
        able = bool(networks) and app.roster.fault(networks[0]) == ""
        rival = "neural:seconds=1000" if able else "mcts:seconds=1000"
        record = GameRecord.of(Position.start(), sample_moves(11), green="human", red="human")
        scene = GameScene(app, Session.of_record(record))
        app.push(scene)
        idle = _frames(app, repeats)
        scene.session.red = rival
        busy = _frames(app, repeats)
        searching = scene.thinking()
        app.close()
    assert searching, f"{rival} had found its move before the frames were counted"
    name = rival.partition(":")[0]
    return [
        Row(f"a frame of the game while {name} searches, median", *_pair(busy, idle, 50)),
        Row(f"a frame of the game while {name} searches, 99th percentile", *_pair(busy, idle, 99)),
        Row("a frame of the title, median", float(np.percentile(title, 50)), "ms"),
        Row("a frame of the title, 99th percentile", float(np.percentile(title, 99)), "ms"),
    ]


def _pair(busy: list[float], idle: list[float], share: int) -> tuple[float, str, float, str]:
    return float(np.percentile(busy, share)), "ms", float(np.percentile(idle, share)), "with nobody thinking"


def _wait(app: Any) -> None:
    """Until it is known which players can be had."""
    end = time.monotonic() + 60
    while app.analysts_busy_checking() and time.monotonic() < end:
        app.frame(1 / 60)
        time.sleep(0.01)


def _frames(app: Any, repeats: int) -> list[float]:
    """Milliseconds of each of many frames, after some that fill the caches."""
    times = []
    for number in range(_WARM + _FRAMES * repeats):
        started = time.perf_counter()
        app.frame(1 / 60)
        if number >= _WARM:
            times.append(1000 * (time.perf_counter() - started))
        time.sleep(0.001)
    return times
