"""Pictures of the page without a server: `python -m tests.browser.site_pictures docs/pictures`.

People choose by fixed seeds and some players do not, so that the pictures are much the same each time.
"""

import random
import sys
import tempfile
from pathlib import Path

from alphadiamond.site.builder import build
from tests.browser.pictures import keep
from tests.browser.test_site import BELOW, Host, begin, play_on
from tests.browser.visits import Visitor, launched, missing


def lobby(who: Visitor, path: Path) -> None:
    """Of somebody who has been here before."""
    who.open()
    who.page.evaluate(
        """() => {
          const day = Math.floor((Date.now() - new Date().getTimezoneOffset() * 60000) / 86400000);
          const solved = (day, streak) => ({ day, solved: true, streak });
          const known = { diamond_chase: solved(day, 6), dame: solved(day - 1, 2) };
          localStorage.setItem("alphadiamond.local.puzzles", JSON.stringify(known));
        }"""
    )
    who.page.reload()
    who.page.locator(".card-picture svg").first.wait_for()
    keep(who.page, path)


def thinking(who: Visitor, path: Path) -> None:
    begin(who, "connect_four", "@strong", side="Yellow")
    play_on(who, random.Random(4), plies=3)
    who.wait_for_turn()
    who.page.get_by_label("Ask", exact=True).select_option("@champion")
    who.page.get_by_role("button", name="This position").click()
    who.page.locator(".analysis table").wait_for()
    keep(who.page, path)


def graph(who: Visitor, path: Path) -> None:
    begin(who, "diamond_chase", "@champion", side="Green")
    play_on(who, random.Random(3), plies=4)
    who.wait_for_turn()
    keep(who.page, path)


def maze(who: Visitor, path: Path) -> None:
    begin(who, "labyrinth", "@intuition", side="Green")
    play_on(who, random.Random(3), plies=4)
    who.wait_for_turn()
    who.page.set_viewport_size({"width": 1280, "height": 1000})
    who.page.get_by_role("button", name="This position").click()
    who.page.locator(".analysis tbody tr").last.scroll_into_view_if_needed()
    keep(who.page, path)


def puzzle(who: Visitor, path: Path) -> None:
    who.open("puzzle/dame")
    who.page.locator(".spot.can").first.wait_for()
    keep(who.page, path)


SHOTS = [
    ("lobby-desktop-dark", False, True, lobby),
    ("lobby-phone-light", True, False, lobby),
    ("thinking-desktop-dark", False, True, thinking),
    ("graph-phone-dark", True, True, graph),
    ("maze-desktop-light", False, False, maze),
    ("puzzle-phone-light", True, False, puzzle),
]


def main(directory: Path, wanted: str = "") -> None:
    if fault := missing():
        sys.exit(f"error: {fault}")
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        (Path(folder) / BELOW).parent.mkdir(parents=True)
        build(Path(folder) / BELOW)
        host = Host(Path(folder))
        for name, phone, dark, shoot in SHOTS:
            if wanted in name:
                who = Visitor(browser, host.address(), phone=phone, dark=dark)
                shoot(who, directory / f"site-{name}.jpg")
                who.close()
        host.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
