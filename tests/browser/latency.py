"""From the pointer to the picture: what the page does for a press, a step of a drag and a drop, in processor time.

    python -m tests.browser.latency        # needs a browser; see docs/guides/page.md

A browser draws the next frame once the page has done its work for an event: scripts, styles, layout. If that takes less
than a frame (16.7 ms at 60 a second) the next picture shows it. Counted is the processor time of the page's main
thread, by the browser's own measurement, so that other programs on the machine do not count. The server hears of a move
only after that: the picture does not wait for it.
"""

import random
import statistics
import tempfile
from pathlib import Path
from typing import Any

from tests.browser.visits import Visitor, launched
from tests.server.server_process import ServerProcess

MOVES = 12
FRAME = 1000 / 60
KINDS = ("press", "step of a drag", "drop")


def measure(visitor: Visitor, game: str, held: list[Any]) -> dict[str, list[float]]:
    """Milliseconds of the page's main thread for each event, by kind."""
    page: Any = visitor.page
    visitor.choose(game, bot="@random")
    visitor.begin()
    page.locator(".board").wait_for()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}

    def used() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    def timed(kind: str, act: Any) -> None:
        before = used()
        act()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found[kind].append(used() - before)

    rng = random.Random(1)
    for _ in range(MOVES):
        if not visitor.wait_for_turn():
            break
        page.wait_for_timeout(500)  # until the opponent's piece has arrived
        spots = page.locator(".spot.can")
        x, y = middle(spots.nth(rng.randrange(spots.count())))
        page.mouse.move(x, y)
        timed("press", page.mouse.down)
        if game != "connect_four":
            timed("step of a drag", lambda x=x, y=y: page.mouse.move(x + 10, y + 10))
            goal = page.locator(".spot[aria-label$='can go here']").first
            there = middle(goal)
            timed("step of a drag", lambda there=there: page.mouse.move(*there))
        timed("drop", page.mouse.up)
        while held:
            held.pop()()
    return found


def hold_moves(page: Any) -> list[Any]:
    """Moves that are on their way; each is sent when it is called."""
    held: list[Any] = []

    def relay(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(
            lambda text: held.append(lambda: server.send(text)) if '"move"' in text else server.send(text)
        )
        server.on_message(socket.send)

    page.route_web_socket("**/ws", relay)
    return held


def middle(spot: Any) -> tuple[float, float]:
    box = spot.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def main() -> None:
    with tempfile.TemporaryDirectory() as where, launched() as browser:
        server = ServerProcess(Path(where), bot_processes=1).start()
        try:
            visitor = Visitor(browser, f"http://127.0.0.1:{server.port}/", moving=True)
            held = hold_moves(visitor.page)
            visitor.introduce("Latency")
            for game in ("diamond_chase", "connect_four", "dame"):
                visitor.open()
                for kind, times in measure(visitor, game, held).items():
                    if times:
                        print(
                            f"{game:14} {kind:15} n={len(times):3}  median {statistics.median(times):5.1f} ms  "
                            f"longest {max(times):5.1f} ms  beyond a frame: {sum(one > FRAME for one in times)}"
                        )
            visitor.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
