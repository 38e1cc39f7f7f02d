"""A maze on the page: a step by a click and by a digit, the fog, and the moves that nobody sees in it."""

import itertools
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.visits import Visitor, until
from tests.games.labyrinth.test_rules import FIRST

DECIDED = f"{FIRST} g6 g7 196 148 19 b"
"""Its moves win by 10, by 4, and lose by 12."""


def trails(page: Any) -> list[list[list[str]]]:
    """What is drawn of where each runner has been: its lines, and their points."""
    drawn = page.locator(".footprints").evaluate_all("paths => paths.map((path) => path.getAttribute('d'))")
    return [[line.split("L") for line in path.split("M")[1:]] for path in drawn]


def margins_are_told(who: Visitor, *, german: bool = False) -> None:
    """In the table and on the board, in the page of analysis."""
    page = who.page
    who.open(f"analysis/labyrinth/{quote(DECIDED, safe='')}")
    page.evaluate("language => localStorage.setItem('alphadiamond.language', language)", "de" if german else "en")
    page.reload()
    page.get_by_role("button", name="Diese Stellung" if german else "This position").click()
    rows = page.locator(".analysis tbody tr")
    rows.first.wait_for()
    wins, loses = ("gewinnt um", "verliert um") if german else ("wins by", "loses by")
    assert rows.locator("td:nth-child(2)").all_text_contents() == [f"{wins} 10", f"{wins} 4", f"{loses} 12"]
    assert sorted(page.locator(".tag-text").all_text_contents()) == ["+10", "+4", "−12"]
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


def test_a_runner_steps_by_click_and_digit_and_a_fog_hides_the_rest(visit: Callable[..., Visitor]) -> None:
    ada = visit()
    page = ada.page
    ada.introduce("Ariadne")
    ada.choose("labyrinth", bot="@beginner", side="Green")
    ada.begin()
    page.locator(".board").wait_for()
    page.locator(".status.mine").wait_for()
    assert "plies left" in str(page.locator(".status").text_content())
    page.locator(".spot.can").first.click()
    page.locator(".move >> nth=1").wait_for()
    page.locator(".status.mine").wait_for()
    assert page.locator(".footprints").count() == 2
    before = page.locator(".move").count()
    page.locator(".board .spot[tabindex='0']").focus()
    for digit in "12346789":
        page.keyboard.press(digit)
    until(page, f"document.querySelectorAll('.move').length > {before}")
    assert ada.wait_for_turn()
    assert page.locator(".mist").count() == 0
    page.get_by_role("button", name="Fog").click()
    hidden = page.locator(".mist").count()
    assert hidden > 20
    assert page.locator(".move", has_text="·").count() >= 1
    assert page.locator(".spot[aria-label$='in the fog']").count() == hidden
    page.locator(".board .spot[tabindex='0']").focus()
    page.keyboard.press("p")
    assert "Red is somewhere in the fog." in ada.heard(), "who listens hears no more than is seen"
    page.keyboard.press("l")
    assert ada.heard() == "Last move, red: unseen."


def test_the_cheapest_way_is_shown_and_a_click_far_away_is_its_first_step(visit: Callable[..., Visitor]) -> None:
    ada = visit()
    page = ada.page
    ada.introduce("Theseus")
    ada.choose("labyrinth", bot="@beginner", side="Green")
    ada.begin()
    page.locator(".status.mine").wait_for()
    home = page.locator(".board .spot").nth(80)
    home.hover()
    assert len(str(page.locator(".way-ahead").get_attribute("points")).split()) > 8
    assert int(str(page.locator(".way-cost").text_content())) >= 40
    home.click()
    page.locator(".move >> nth=0").wait_for()
    page.locator(".status.mine").wait_for()
    page.mouse.move(0, 0)
    assert page.locator(".way-ahead").count() == 0


def test_no_trail_is_drawn_across_the_fog(visit: Callable[..., Visitor]) -> None:
    """Walked until the opponent, who has come out of the fog, has been seen at both ends of what is not seen."""
    ada = visit()
    page = ada.page
    ada.introduce("Hypatia")
    ada.choose("labyrinth", bot="@beginner", side="Green")
    ada.begin()
    fog = page.get_by_role("button", name="Fog", exact=True)
    while True:
        assert ada.wait_for_turn(), "at home, and the opponent has not come out of the fog"
        before = len(ada.moves())
        page.locator(".board .spot").nth(80).click()
        page.locator(f".moves li:nth-child({before + 1})").wait_for()
        assert ada.wait_for_turn()
        clear = trails(page)
        fog.click()
        foggy = trails(page)
        fog.click()
        assert len(clear) == len(foggy) == 2
        for (whole,), parts in zip(clear, foggy, strict=True):
            strokes = {stroke for part in parts for stroke in itertools.pairwise(part)}
            assert strokes <= set(itertools.pairwise(whole)), "a stroke that is no step"
        if len(foggy[1]) > 1 and foggy[1][0][-1] != foggy[1][1][0]:
            return


@pytest.mark.parametrize(("german", "phone"), [(False, False), (True, True)])
def test_the_perfect_player_tells_margins(visit: Callable[..., Visitor], german: bool, phone: bool) -> None:
    ada = visit(phone=phone)
    ada.introduce("Daedalus" if german else "Icarus")
    margins_are_told(ada, german=german)
