"""For everybody: keys alone, screen readers, small screens, dark and light; and names that are nothing but names."""

import hashlib
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from alphadiamond.server.tokens import new_token
from tests.browser.visits import Visitor, serious
from tests.server.server_process import ServerProcess

Visit = Callable[..., Visitor]
HOSTILE = '<img src=x onerror="window.hurt=1"><svg onload="window.hurt=1">'


@pytest.mark.parametrize("game", ["connect_four", "dame"])
def test_a_whole_game_is_played_with_keys_alone_and_everything_is_said(visit: Visit, game: str) -> None:
    lea = visit()
    page = lea.page
    lea.introduce(f"Lea {game[:4]}")
    lea.choose(game, bot="@random")  # the form itself is native; what follows is not
    lea.page.get_by_label("New game").get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator(".board").wait_for()
    for _ in range(60):  # from the beginning of the page
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('spot')"):
            break
    else:
        raise AssertionError("the board is not reached by the Tab key")
    rng = random.Random(2)
    asked = False
    while lea.wait_for_turn():
        before = len(lea.moves())
        for _ in range(rng.randrange(1, 4)):
            page.keyboard.press("n")
        page.keyboard.press("Enter")
        for _ in range(8):
            if not page.locator(".spot[aria-label$='can go here']").count():
                break
            page.keyboard.press("n")
            page.keyboard.press("Enter")
        page.locator(f".moves li:nth-child({before + 1})").wait_for()
        if not asked and lea.wait_for_turn():
            asked = True
            assert "Your move." in lea.heard()
            page.keyboard.press("l")
            assert "Last move" in lea.heard()
            page.keyboard.press("p")
            assert ("from below" if game == "connect_four" else "White has") in lea.heard()
            page.keyboard.press("c")
            assert lea.heard() == "There are no clocks."
            page.keyboard.press("m")
            assert lea.heard().startswith("Free columns:" if game == "connect_four" else "What can move:")
            here = page.evaluate("document.activeElement.getAttribute('aria-label')")
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowRight")
            assert page.evaluate("document.activeElement.getAttribute('aria-label')") != here
            ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert ring == "solid"
            page.keyboard.press("?")
            page.get_by_role("dialog", name="Keys on the board").wait_for()
            page.keyboard.press("Escape")
            assert page.evaluate("document.activeElement.classList.contains('spot')")
    assert lea.heard().startswith(("You win", "You lose", "Draw"))


@pytest.mark.parametrize(("phone", "dark"), [(True, True), (True, False), (False, True), (False, False)])
def test_an_accessibility_check_finds_nothing_serious_and_nothing_is_cut_off(
    visit: Visit, phone: bool, dark: bool
) -> None:
    mia = visit(phone=phone, dark=dark)
    page = mia.page
    found: dict[str, list[str]] = {}

    def look(place: str) -> None:
        page.wait_for_timeout(300)
        if faults := serious(page):
            found[place] = faults
        wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], f"{place} is wider than the screen: {wide}"

    mia.open()
    page.locator(".card-picture svg").first.wait_for()
    look("lobby")
    page.get_by_role("button", name="Choose a name").click()
    look("dialog")
    mia.be(f"Mia with a long name {'p' if phone else 'w'}{int(dark)}")
    for game, bot in (("diamond_chase", "@medium"), ("connect_four", "@random"), ("dame", "@random")):
        mia.open()
        mia.choose(game, bot=bot)
        mia.begin()
        mia.wait_for_turn()
        mia.play(random.Random(1))
        look(game)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.locator(".status.over").wait_for()
    look("over")
    page.get_by_label("Ask", exact=True).select_option("@medium")
    page.get_by_role("button", name="This position").click()
    page.locator(".analysis table").wait_for()
    look("analysis")
    mia.open("leaders/dame")
    page.get_by_role("heading", name="Leaders").wait_for()
    look("leaders")
    mia.open("play")
    mia.invite("dame")
    look("challenge")
    page.get_by_role("link", name="Your profile").click()
    page.get_by_role("heading", name="Your key").wait_for()
    look("profile")
    assert not found


def test_dark_and_light_follow_the_system_until_they_are_chosen(visit: Visit) -> None:
    ned = visit(dark=False)
    ned.open()
    dark, light = (ned.page.locator(f"html[data-theme={name}]") for name in ("dark", "light"))
    switch = ned.page.get_by_role("button", name="Colours: as the system")
    switch.wait_for()
    light.wait_for()
    ned.page.emulate_media(color_scheme="dark")
    dark.wait_for()
    switch.click()
    ned.page.get_by_role("button", name="Colours: dark").click()
    light.wait_for()
    ned.page.reload()
    ned.page.get_by_role("button", name="Colours: light").wait_for()
    light.wait_for()


def test_a_name_with_markup_is_shown_as_text_wherever_it_appears(visit: Visit, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1)
    server.start()
    server.stop()
    token = new_token()
    with sqlite3.connect(server.database) as database:  # no server would take such a name; one with a fault might
        number = database.execute("SELECT max(id) + 1 FROM people").fetchone()[0]
        row = (number, HOSTILE, HOSTILE.lower(), hashlib.sha256(token.encode()).digest(), int(1000 * time.time()))
        database.execute("INSERT INTO people (id, name, key, token, bot, created) VALUES (?, ?, ?, ?, 0, ?)", row)
    database.close()
    server.start()
    mal, oda = visit(server), visit(server)
    mal.open()
    mal.page.evaluate("token => localStorage.setItem('alphadiamond.token', token)", token)
    mal.page.reload()
    mal.page.get_by_role("link", name="Your profile").wait_for()
    oda.introduce("Oda")
    mal.choose("dame", way="Anybody", side="White")
    mal.begin("Offer a game")
    oda.page.locator("#main").get_by_role("button", name="Play <img").wait_for()
    oda.page.locator(".people").get_by_text(HOSTILE, exact=True).wait_for()
    oda.page.locator("#main").get_by_role("button", name="Play <img").click()
    for who in (mal, oda):
        who.page.locator(".player").get_by_text(HOSTILE, exact=True).wait_for()
    mal.wait_for_turn()
    mal.play(random.Random(1))
    oda.wait_for_turn()
    assert HOSTILE in oda.heard()
    oda.page.get_by_role("link", name=HOSTILE).click()
    oda.page.get_by_role("heading", name=HOSTILE).wait_for()
    oda.open("person/%3Cimg%20src%3Dx%20onerror%3D%22window.hurt%3D1%22%3E")
    oda.page.get_by_text("Nobody of that name").wait_for()
    for who in (mal, oda):
        assert who.page.evaluate("window.hurt") is None
        assert who.page.locator("main img, main script").count() == 0
    assert server.stop() == 0
