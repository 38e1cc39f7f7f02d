"""A real browser, if there is one, and people who use the page in it."""

import contextlib
import os
import random
import shutil
from collections.abc import Iterator
from typing import Any

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
PATIENCE = 180_000
"""Milliseconds: the machine may be busy with something else."""


def browser_path() -> str | None:
    """Where a browser is; the environment variable BROWSER_PATH says it where it cannot be found."""
    return os.environ.get("BROWSER_PATH") or next((path for name in NAMES if (path := shutil.which(name))), None)


def missing() -> str:
    """What has to be installed, or nothing."""
    try:
        import axe_playwright_python  # noqa: F401
        import playwright  # noqa: F401
    except ImportError:
        return "Playwright is not installed: pip install '.[browser]'"
    if browser_path() is None:
        return "no browser is installed: apt-get install chromium, or name one with BROWSER_PATH"
    return ""


@contextlib.contextmanager
def launched() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), headless=True, args=list(FLAGS))
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser of their own; `faults` holds what went wrong in their pages."""

    def __init__(
        self,
        browser: Any,
        address: str,
        *,
        phone: bool = False,
        dark: bool = True,
        moving: bool = False,
        locale: str = "en-GB",
    ) -> None:
        self.address = address
        self.context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,
            has_touch=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if moving else "reduce",
            accept_downloads=True,
            locale=locale,
        )
        self.context.set_default_timeout(PATIENCE)
        self.faults: list[str] = []
        self.page = self.window()

    def window(self) -> Any:
        """Another window of the same person."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        return page

    def close(self) -> None:
        self.context.close()

    def open(self, place: str = "play", page: Any = None) -> None:
        (page or self.page).goto(f"{self.address}#{place}")

    def be(self, name: str) -> None:
        """Take a name in the dialog that asks for one."""
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_role("button", name="Take this name").click()
        self.page.get_by_role("link", name=f"Your profile: {name}").wait_for()

    def introduce(self, name: str) -> None:
        """Begin at the lobby under a name."""
        self.open()
        self.page.get_by_role("button", name="Choose a name").click()
        self.be(name)

    def choose(self, game: str, *, way: str = "A bot", bot: str = "", side: str = "", clock: str = "") -> None:
        """Fill in the form for a new game."""
        self.page.locator(f"input[value={game}]").check(force=True)
        self.page.get_by_label(way, exact=True).check(force=True)
        if bot:
            self.page.get_by_label("Bot", exact=True).select_option(bot)
        if side:
            self.page.get_by_label(side, exact=True).check(force=True)
        if clock:
            self.page.get_by_label("Clock", exact=True).select_option(label=clock)

    def begin(self, words: str = "Play") -> None:
        self.page.get_by_label("New game").get_by_role("button", name=words, exact=True).click()

    def invite(self, game: str, *, side: str = "", clock: str = "") -> str:
        """Make a link."""
        self.choose(game, way="A friend", side=side, clock=clock)
        self.begin("Make a link")
        return str(self.page.locator(".link-text").text_content()).strip()

    def code(self) -> str:
        """Of the game that is shown."""
        self.page.locator(".board").wait_for()
        return str(self.page.url).rpartition("/")[2]

    def status(self, page: Any = None) -> str:
        return str((page or self.page).locator(".status").text_content())

    def moves(self, page: Any = None) -> list[str]:
        """The texts of the list of moves."""
        return [str(text) for text in (page or self.page).locator(".move > span:not(.move-number)").all_text_contents()]

    def wait_for_turn(self, page: Any = None) -> bool:
        """Until it is this person's move, or the game is over; whether it is their move."""
        page = page or self.page
        page.locator(".status.mine, .status.over").wait_for()
        return bool(page.locator(".status.mine").count())

    def heard(self) -> str:
        """What a screen reader was given last."""
        return " ".join(self.page.locator("#say-1, #say-2").all_text_contents()).strip()

    def play(self, rng: random.Random, page: Any = None) -> None:
        """A random move, square by square."""
        page = page or self.page
        before = len(self.moves(page))
        page.locator(".spot.can").first.wait_for()  # the opponent's move may still be on its way
        pick(page.locator(".spot.can"), rng)
        for _ in range(10):
            goals = page.locator(".spot[aria-label$='can go here']")
            if not goals.count():
                break
            pick(goals, rng)
        page.locator(f".moves li:nth-child({before + 1})").wait_for()


def until(page: Any, expression: str) -> None:
    """Playwright's own waiting for a condition is forbidden by the page's policy, unless it holds at once."""
    for _ in range(2000):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(expression)


def pick(found: Any, rng: random.Random) -> None:
    """One of them; the middle of a column may be covered by nothing, so a click goes straight to its button."""
    found.nth(rng.randrange(found.count())).click()


def play_out(one: Visitor, two: Visitor, *, seed: int, plies: int = 10_000) -> int:
    """Two people play random moves until the end, or for so many; how many they were."""
    rng = random.Random(seed)
    for ply in range(plies):
        for _ in range(600):
            done = one.page.locator(".status.over").count() and two.page.locator(".status.over").count()
            mover = next((who for who in (one, two) if who.page.locator(".status.mine").count()), None)
            if done or mover is not None:
                break
            one.page.wait_for_timeout(20)
        if done:
            return ply
        assert mover is not None
        mover.play(rng)
    return plies


def serious(page: Any) -> list[str]:
    """What an accessibility check finds that matters."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']} ({', '.join(str(node['target']) for node in one['nodes'][:3])})"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
