"""Figures for docs/guides/site.md: `python -m tests.site.measure` prints the cost of rounding in the exam, what a first
visit loads, how long the page is held up, and speed.

The exam is taken by the bare policy in Node, in each precision; speed is measured by processor time in Node, and by the
clock in a worker in Chromium, and in Firefox where it is installed.
"""

import contextlib
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from alphadiamond.arena.exam import Exam
from alphadiamond.games import BUILT_IN, load
from alphadiamond.resources import champion_of
from alphadiamond.site.builder import build
from alphadiamond.site.networks import PRECISIONS
from tests.browser.test_site import BELOW, Host, begin, kept, play_on
from tests.browser.visits import FLAGS, Visitor, browser_path, launched
from tests.site import fixtures
from tests.site.test_engine import ALL, NODE, WITH_EXAM, compared

_PAGE = """<!doctype html><title>speed</title><link rel="icon" href="data:,"><script type="module">
const worker = new Worker("speed.mjs", { type: "module" });
worker.onmessage = ({ data }) => fetch(`answer?${data}`);
worker.onerror = (event) => fetch(`answer?${event.message}`);
worker.postMessage(JSON.parse(decodeURIComponent(location.search.slice(1))));
</script>"""
_FIREFOX = ("firefox", "firefox-esr")


def exam_costs() -> None:
    print("exam, bare policy: share of positions in which the move keeps the value")
    for name in WITH_EXAM:
        game = load(name)
        exam = Exam.load(game=game)
        with tempfile.TemporaryDirectory() as folder:
            wanted = dict.fromkeys(PRECISIONS, ALL)
            fixtures.write_exam(game, Path(folder), checkpoint=champion_of(game), precisions=wanted)
            found = compared(name, Path(folder))["exam"]
        for precision in PRECISIONS:
            one = found[precision]
            kept = sum(bool(exam.keeping[k, action]) for k, action in enumerate(one["choices"]))
            share = f"{100 * kept / len(exam):.2f} %, {one['different']} of {len(exam)} choices differ"
            print(f"  {name} {precision}: {share}, logits off by {one['worst']:.2g} at the most")


@contextlib.contextmanager
def made() -> Iterator[Path]:
    """A folder for a host, with the site in it."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / BELOW).parent.mkdir(parents=True)
        build(root / BELOW)
        yield root


def processor_speeds() -> None:
    print("Node, a second of processor time: simulations of a search; evaluations with vectors, with plain loops")
    with made() as root:
        for name in BUILT_IN:
            command = [str(NODE), str(Path(__file__).parent / "cpu_speed.mjs"), str(root / BELOW), name]
            found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            print(f"  {name}: {found['simulations']:,}; {found['vectors']:,}, {found['loops']:,}")


def visits() -> None:
    """Of a first visit: the bytes until the first move, and the longest task of the page while the champion thinks."""
    print("a first visit in Chromium: bytes until the first move; the page's longest task over the next moves")
    with made() as root, launched() as browser:
        for name in BUILT_IN:
            host = Host(root)
            who = Visitor(browser, host.address(), moving=True)
            begin(who, name, "@champion")
            who.wait_for_turn()
            kept(who)
            loaded = sum(host.sent.values())
            browser.start_tracing(page=who.page, categories=["toplevel"])
            play_on(who, random.Random(1), plies=4)
            who.wait_for_turn()
            longest = max(_tasks(json.loads(browser.stop_tracing())["traceEvents"]))
            print(f"  {name}: {loaded:,} bytes; {longest[0]:.1f} ms of processor time, {longest[1]:.1f} by the clock")
            who.close()
            host.shutdown()


def _tasks(events: list[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """Milliseconds of the tasks of the page's own thread: of processor time, and by the clock."""
    place = ("pid", "tid")
    pages = {
        tuple(map(one.get, place))
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    for one in events:
        if one["ph"] == "X" and "RunTask" in one["name"] and tuple(map(one.get, place)) in pages:
            yield one.get("tdur", 0) / 1000, one["dur"] / 1000


def speeds(browser: str, command: list[str]) -> None:
    """In a browser that a command opens at an address; the page tells the host how long each search took."""
    print(f"{browser}, a worker")
    with made() as root:
        (root / "speed.html").write_text(_PAGE)
        (root / "answer").write_text("")
        (root / "speed.mjs").write_text((Path(__file__).parent / "speed.mjs").read_text())
        host = Host(root)
        for name in BUILT_IN:
            for simulations in (100, 1000):
                question = {
                    "base": host.address(),
                    "name": name,
                    "network": f"networks/{name}.bin",
                    "simulations": simulations,
                    "rounds": 15,
                }
                times = _answer(host, [*command, host.address(f"speed.html?{quote(json.dumps(question))}")])
                middle, best = statistics.median(times[5:]), min(times)
                print(
                    f"  {name}: {simulations} simulations in {middle:.0f} ms (best {best:.0f}), "
                    f"{1000 * simulations / middle:,.0f} a second (best {1000 * simulations / best:,.0f})"
                )
        host.shutdown()


def _answer(host: Host, command: list[str]) -> list[float]:
    host.sent.clear()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [word.replace("PROFILE", profile) for word in command]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (found := [path for path in host.sent if path.startswith("/answer?")]):
            if running.poll() is not None:
                sys.exit(f"error: {command[0]} ended without an answer")
            time.sleep(0.1)
        running.terminate()
        running.wait()
    return [float(text) for text in found[0].partition("?")[2].split(",")]


if __name__ == "__main__":
    exam_costs()
    processor_speeds()
    if found := browser_path():
        visits()
        speeds("Chromium", [found, "--headless", *FLAGS, "--user-data-dir=PROFILE"])
    for name in filter(shutil.which, _FIREFOX):
        speeds("Firefox", [name, "--headless", "--no-remote", "--profile", "PROFILE"])
        break
