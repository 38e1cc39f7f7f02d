"""Figures for docs/guides/site.md: `python -m tests.site.measure` prints the cost of rounding in the exam, and speed.

The exam is taken by the bare policy in Node, in each precision; speed is measured in Chromium, in a worker.
"""

import statistics
import tempfile
from pathlib import Path

from alphadiamond.arena.exam import Exam
from alphadiamond.games import load
from alphadiamond.resources import champion_of
from alphadiamond.site.builder import build
from alphadiamond.site.networks import PRECISIONS
from tests.browser.browsing import launched
from tests.browser.test_site import BELOW, Host
from tests.site import fixtures
from tests.site.test_engine import ALL, WITH_EXAM, compared

_SPEED = """([worker, question]) => new Promise((resolve, reject) => {
  const made = new Worker(worker, { type: "module" });
  made.onmessage = (event) => resolve(event.data);
  made.onerror = (event) => reject(event.message);
  made.postMessage(question);
})"""


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


def speeds() -> None:
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        root = Path(folder)
        (root / BELOW).parent.mkdir(parents=True)
        build(root / BELOW)
        (root / "blank.html").write_text("<!doctype html><title>blank</title>")
        (root / "speed.mjs").write_text((Path(__file__).parent / "speed.mjs").read_text())
        host = Host(root)
        page = browser.new_page()
        page.goto(host.address("blank.html"))
        for name in WITH_EXAM:
            for simulations in (100, 1000):
                question = {
                    "base": host.address(),
                    "name": name,
                    "network": f"networks/{name}.bin",
                    "simulations": simulations,
                    "rounds": 15,
                }
                times = page.evaluate(_SPEED, [host.address("speed.mjs"), question])
                middle, best = statistics.median(times[5:]), min(times)
                print(
                    f"  {name}: {simulations} simulations in {middle:.0f} ms (best {best:.0f}), "
                    f"{1000 * simulations / middle:,.0f} a second (best {1000 * simulations / best:,.0f})"
                )
        host.shutdown()


if __name__ == "__main__":
    exam_costs()
    print("Chromium, one core")
    speeds()
