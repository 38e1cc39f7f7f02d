"""The page in the language of whoever reads it."""

import random
from collections.abc import Callable

import pytest

from tests.browser.visits import Visitor, serious

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("phone", [True, False])
def test_a_german_browser_gets_german_until_another_language_is_chosen(visit: Visit, phone: bool) -> None:
    uwe = visit(phone=phone, locale="de-AT")
    page = uwe.page
    uwe.open()
    page.get_by_role("heading", name="Spielen", exact=True).wait_for()
    assert page.evaluate("document.documentElement.lang") == "de"
    page.get_by_role("button", name="Name wählen").click()
    page.get_by_label("Name", exact=True).fill("..")
    page.get_by_role("button", name="Diesen Namen nehmen").click()
    page.get_by_text("Dieser Name ist vergeben oder nicht erlaubt.").wait_for()
    page.get_by_label("Name", exact=True).fill(f"Uwe {int(phone)}")
    page.get_by_role("button", name="Diesen Namen nehmen").click()
    page.get_by_role("link", name="Dein Profil").wait_for()
    uwe.choose("connect_four", way="Ein Bot", bot="@random")
    page.get_by_label("Neue Partie").get_by_role("button", name="Spielen", exact=True).click()
    uwe.wait_for_turn()
    rng = random.Random(3)
    while uwe.wait_for_turn():
        uwe.play(rng)
    assert any(word in uwe.status() for word in ("vier in einer Reihe nach", "das Brett ist voll"))
    assert not serious(page)
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    page.get_by_role("button", name="Sprache: Deutsch").click()
    page.get_by_role("button", name="Language: English").wait_for()
    page.get_by_text("four in a row after").or_(page.get_by_text("the board is full")).first.wait_for()
    page.reload()
    page.get_by_role("button", name="Language: English").wait_for()
