"""A maze on the page: a step by a click and by a digit, the fog, and the moves that nobody sees in it."""

from collections.abc import Callable

from tests.browser.browsing import Visitor


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
    page.wait_for_function(f"document.querySelectorAll('.move').length > {before}")
    assert page.locator(".mist").count() == 0
    page.get_by_role("button", name="Fog").click()
    hidden = page.locator(".mist").count()
    assert hidden > 20
    assert page.locator(".move", has_text="·").count() >= 1
    assert page.locator(".spot[aria-label$='in the fog']").count() == hidden
    trails = page.locator(".footprints").evaluate_all("paths => paths.map((path) => path.getAttribute('d'))")
    assert len(trails) == 2
    assert all(trail.startswith("M") for trail in trails), "both begin on a corner, which is seen"


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
