"""The window: milliseconds a frame at 1280x800, drawn by the CPU, while a player searches in its own process."""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.games import all_games
from alphadiamond.games.diamond_chase.game import GAME
from benchmarks.rates import Row

_SIZE = (1280, 800)
_WARM = 90
_FRAMES = 240


def measure(*, repeats: int, seed: int) -> list[Row]:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from alphadiamond.agents import PlayerSpec
    from alphadiamond.client.app import App
    from alphadiamond.client.scenes.game import GameScene
    from alphadiamond.client.scenes.title import TitleScene
    from alphadiamond.client.settings import Settings
    from alphadiamond.client.showcase import sample_record
    from alphadiamond.play.opponents import is_neural
    from alphadiamond.play.session import Session

    with tempfile.TemporaryDirectory() as directory:
        app = App(headless=True, size=_SIZE, settings=Settings(), directory=Path(directory), seed=seed)
        app.stack.append(TitleScene(app))
        title = _frames(app, repeats)
        _wait(app)
        networks = [level for level in app.roster.specs() if is_neural(level)]
        able = bool(networks) and app.roster.fault(networks[0]) == ""
        rival = "neural:seconds=1000" if able else "mcts:seconds=1000"
        record = sample_record(moves=11, second="human", game=GAME)
        app.push(GameScene(app, Session.of_record(record)))
        idle = _frames(app, repeats)

        def think() -> None:
            """A search by time ends when its tree is full: then the same position again."""
            scene = app.scene
            if not scene.thinking():
                scene = GameScene(app, Session.of_record(record))
                scene.session.second = rival
                app.replace(scene)
                while not scene.thinking():
                    app.frame(1 / 60)

        busy = _frames(app, repeats, before=think)
        boards = {}
        for game in all_games():
            app.use_game(game)
            app.replace(GameScene(app, Session.of_record(sample_record(moves=11, second="human", game=game))))
            boards[game.title] = _frames(app, repeats)
        app.close()
    name = PlayerSpec.parse(rival).name
    rows = []
    for column, kind in enumerate(("", ", processor time alone")):
        for share, words in ((50, "median"), (99, "99th percentile")):
            measured, beside = (
                float(np.percentile(busy[:, column], share)),
                float(np.percentile(idle[:, column], share)),
            )
            what = f"a frame while {name} searches, {words}{kind}"
            rows.append(Row(what, measured, "ms", beside, "with nobody thinking"))
    for title_of, times in boards.items():
        middle, slow = (float(np.percentile(times[:, 1], share)) for share in (50, 99))
        what = f"a frame of a game of {title_of}, processor time alone, median"
        rows.append(Row(what, middle, "ms", slow, "99th percentile"))
    rows.append(Row("a frame of the title, median", float(np.percentile(title[:, 0], 50)), "ms"))
    return rows


def _wait(app: Any) -> None:
    """Until it is known which players can be had."""
    end = time.monotonic() + 60
    while app.analysts_busy_checking() and time.monotonic() < end:
        app.frame(1 / 60)
        time.sleep(0.01)


def _frames(app: Any, repeats: int, *, before: Callable[[], None] = lambda: None) -> npt.NDArray[np.float64]:
    """[frames, 2] milliseconds on the clock and of this thread's processor time, after frames that fill the caches.

    `before` is called before each frame and not counted.
    """
    times = []
    for number in range(_WARM + _FRAMES * repeats):
        before()
        clock, processor = time.perf_counter(), time.thread_time()
        app.frame(1 / 60)
        if number >= _WARM:
            times.append((1000 * (time.perf_counter() - clock), 1000 * (time.thread_time() - processor)))
        time.sleep(0.001)
    return np.array(times)
