"""Pictures of the page for the documents: `python -m tests.browser.pictures docs/pictures`.

A second argument makes only those whose name holds it. People choose by fixed seeds and some bots do not, so that the
pictures are much the same each time. Needs Pillow, which matplotlib brings.
"""

import io
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from PIL import Image

from tests.browser.visits import Visitor, launched, missing
from tests.server.server_process import ServerProcess

_QUALITY: Final = 88
"""As the window's pictures."""


def keep(page: Any, path: Path) -> None:
    page.evaluate("document.getElementById('toasts').replaceChildren()")
    page.wait_for_timeout(1500)
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(path, quality=_QUALITY, optimize=True)
    print(f"{path}: {path.stat().st_size // 1024} kB")


def begin(who: Visitor, game: str, bot: str, *, side: str, plies: int, seed: int, clock: str = "") -> None:
    who.open()
    who.choose(game, bot=bot, side=side, clock=clock)
    who.begin()
    rng = random.Random(seed)
    for _ in range(plies):
        if not who.wait_for_turn():
            return
        who.play(rng)
    who.wait_for_turn()


def lobby(who: Visitor, path: Path) -> None:
    who.open()
    who.page.locator(".card-picture svg").first.wait_for()
    keep(who.page, path)


def graph(who: Visitor, path: Path) -> None:
    begin(who, "diamond_chase", "@medium", side="Green", plies=4, seed=3, clock="10 min + 5 s")
    who.page.locator(".spot.can").nth(1).click()
    keep(who.page, path)


def grid(who: Visitor, path: Path) -> None:
    begin(who, "connect_four", "@minimax-4", side="Yellow", plies=3, seed=8)
    who.page.locator(".spot.can").nth(4).hover()
    keep(who.page, path)


def checkers(who: Visitor, path: Path) -> None:
    begin(who, "dame", "@random", side="White", plies=2, seed=2)
    if who.page.locator(".status.mine").count():
        who.page.locator(".spot.can").first.click()
    keep(who.page, path)


def replay(who: Visitor, path: Path) -> None:
    begin(who, "dame", "@minimax-2", side="White", plies=100, seed=6)
    who.page.get_by_label("Ask", exact=True).select_option("@perfect")
    who.page.get_by_role("button", name="Whole game").click()
    who.page.locator(".analysis .chart").wait_for()
    who.page.locator("button[aria-disabled=false]", has_text="Whole game").wait_for()
    who.page.set_viewport_size({"width": 1280, "height": 1000})
    for _ in range(5):
        who.page.get_by_role("button", name="Back", exact=True).click()
    keep(who.page, path)


def profile(who: Visitor, path: Path) -> None:
    for seed, bot in enumerate(("@random", "@medium", "@random", "@random")):
        who.open()
        who.page.locator("input[value=dame]").check(force=True)
        who.page.get_by_label("Rated", exact=True).check(force=True)
        begin(who, "dame", bot, side="", plies=100, seed=seed)
    who.page.get_by_role("link", name="Your profile").click()
    who.page.locator(".chart").wait_for()
    keep(who.page, path)


SHOTS: Final[list[tuple[str, bool, bool, Callable[[Visitor, Path], None]]]] = [
    ("lobby-desktop-dark", False, True, lobby),
    ("lobby-phone-light", True, False, lobby),
    ("graph-desktop-dark", False, True, graph),
    ("graph-phone-light", True, False, graph),
    ("grid-desktop-light", False, False, grid),
    ("grid-phone-dark", True, True, grid),
    ("checkers-desktop-light", False, False, checkers),
    ("checkers-phone-dark", True, True, checkers),
    ("replay-desktop-dark", False, True, replay),
    ("profile-phone-dark", True, True, profile),
]


def main(directory: Path, wanted: str = "") -> None:
    if fault := missing():
        sys.exit(f"error: {fault}")
    with tempfile.TemporaryDirectory() as data, launched() as browser:
        server = ServerProcess(Path(data), bot_processes=1).start()
        others = [Visitor(browser, f"http://127.0.0.1:{server.port}/") for _ in range(2)]
        others[0].introduce("Nora")
        for game, clock in (("dame", "5 min + 3 s"), ("connect_four", "No clock")):
            others[0].choose(game, way="Anybody", clock=clock)
            others[0].begin("Offer a game")
        others[1].introduce("Otto")
        begin(others[1], "diamond_chase", "@medium", side="Green", plies=4, seed=1)
        for number, (name, phone, dark, shoot) in enumerate(SHOTS):
            if wanted not in name:
                continue
            who = Visitor(browser, f"http://127.0.0.1:{server.port}/", phone=phone, dark=dark)
            who.introduce(("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hal", "Ida", "Jo")[number])
            shoot(who, directory / f"page-{name}.jpg")
            who.close()
        server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
