"""Puzzles on the page: a try, what would have been right, and the next one."""

from collections.abc import Callable

import pytest

from tests.browser.visits import Visitor, serious

Visit = Callable[..., Visitor]


@pytest.mark.parametrize(("phone", "dark"), [(True, True), (False, False)])
def test_a_puzzle_is_tried_given_up_and_counts_for_a_rating(visit: Visit, phone: bool, dark: bool) -> None:
    pia = visit(phone=phone, dark=dark)
    page = pia.page
    pia.introduce(f"Pia {int(phone)}")
    pia.open("puzzles/dame")
    page.locator(".status").wait_for()
    assert pia.status().startswith("White to move: ")
    page.locator(".spot.can").first.click()
    goals = page.locator(".spot[aria-label$='can go here']")
    while goals.count():
        goals.first.click()
    page.locator(".status.good, .status.bad").wait_for()
    assert pia.status().startswith(("Right", "Not this time. Right: "))
    assert not serious(page)
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    page.get_by_role("button", name="Next puzzle").click()
    page.get_by_role("button", name="Give up").click()
    page.locator(".status.bad").wait_for()
    assert page.locator(".arrow.good").count() >= 1
    page.get_by_text(" wrong").wait_for()
    page.get_by_role("link", name="Your profile").click()
    page.get_by_role("heading", name="Puzzles").wait_for()
