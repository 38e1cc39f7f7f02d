"""A board without a game: lines as a tree, a position of one's own, what a bot thinks, and a link that holds it."""

from collections.abc import Callable

import pytest

from tests.browser.visits import Visitor, serious

Visit = Callable[..., Visitor]


def play(visitor: Visitor, number: int = 0) -> None:
    """One of the possible moves; until the tree shows it."""
    page = visitor.page
    before = page.locator(".tree-move").count()
    page.locator(".spot.can").nth(number).click()
    page.locator(".spot[aria-label$='can go here']").first.click()
    page.locator(".tree-move").nth(before).wait_for()


@pytest.mark.parametrize(("phone", "dark"), [(True, False), (False, True)])
def test_variations_are_tried_asked_about_and_shared_by_a_link(visit: Visit, phone: bool, dark: bool) -> None:
    kim, lou = visit(phone=phone, dark=dark), visit()
    page = kim.page
    kim.introduce(f"Kim {int(phone)}")
    kim.open("analysis/dame")
    page.locator(".board").wait_for()
    play(kim)
    play(kim)
    page.get_by_role("button", name="Back", exact=True).click()
    play(kim, 2)
    assert page.locator(".variation .tree-move").count() == 1
    page.locator(".analysis").get_by_role("button", name="This position").click()
    page.locator(".analysis tbody tr").first.wait_for()
    assert page.locator(".arrow").count() >= 1
    assert not serious(page)
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    before = page.locator(".tree").text_content()
    lou.page.goto(page.url)
    lou.page.locator(".tree-move").nth(2).wait_for()
    assert lou.page.locator(".tree").text_content() == before
    page.get_by_role("button", name="Make this the main line").click()
    assert page.locator(".tree").text_content() != before
    page.get_by_role("button", name="Remove this move").click()
    assert page.locator(".variation").count() == 0
    assert page.locator(".tree-move").count() == 2


@pytest.mark.parametrize("game", ["dame", "connect_four"])
def test_a_position_is_set_up_by_hand_or_pasted_and_bad_ones_get_one_line(visit: Visit, game: str) -> None:
    max_ = visit()
    page = max_.page
    max_.open(f"analysis/{game}")
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_role("button", name="Empty board").click()
    places = {"dame": ("c3", "d4"), "connect_four": ("column 1", "column 1")}[game]
    page.locator(f".spot[aria-label^='{places[0]}']").click()
    if game == "dame":
        page.locator("fieldset").filter(has_text="Put down").get_by_label("Black").check(force=True)
        page.locator(f".spot[aria-label^='{places[1]}']").click()
    else:
        page.locator(f".spot[aria-label^='{places[1]}']").click()
        page.get_by_role("button", name="Use this position").click()  # two of one side: it cannot be
        page.locator(".toast.trouble").first.wait_for()
        page.locator("fieldset").filter(has_text="Put down").get_by_label("Nothing").check(force=True)
        page.locator(f".spot[aria-label^='{places[1]}']").click()
        page.locator("fieldset").filter(has_text="To move").get_by_label("Red").check(force=True)
    page.get_by_role("button", name="Use this position").click()
    page.get_by_role("heading", name="Set up a position").wait_for(state="detached")
    text = {"dame": "....../....../...b../..w.../....../...... w", "connect_four": "x...... o"}[game]
    assert str(page.locator(".link-text").text_content()).endswith(text)
    page.get_by_role("button", name="Paste a position").click()
    page.get_by_label("A position in the game's notation").fill("nonsense")
    page.get_by_role("dialog").get_by_role("button", name="Use this position").click()
    page.get_by_role("alert").get_by_text("nonsense").wait_for()
    page.keyboard.press("Escape")
    for link in (f"analysis/{game}/nonsense", "analysis/none/x", f"analysis/{game}/" + "x" * 7000):
        max_.open(link)
        page.reload()
        page.get_by_role("heading", name="No such position").wait_for()
