"""On one's own profile: another name, a recovery code, all data as a file, and leaving for good."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.visits import Visitor, serious

Visit = Callable[..., Visitor]


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).last.click()


def own_profile(visitor: Visitor, name: str) -> None:
    visitor.page.get_by_role("link", name=f"Your profile: {name}").click()
    visitor.page.get_by_role("heading", name="Your name and data").wait_for()


def test_somebody_is_renamed_and_takes_out_all_data(visit: Visit) -> None:
    ada, bob = visit(), visit()
    bob.introduce("Bob Taken")
    ada.introduce("Ada Before")
    page = ada.page
    own_profile(ada, "Ada Before")
    assert not serious(page)
    page.get_by_role("button", name="Change the name").click()
    page.get_by_label("New name", exact=True).fill("Bob Taken")
    press(page, "Change the name")
    page.get_by_text("Bob Taken is taken.").wait_for()
    page.get_by_label("New name", exact=True).fill("Ada After")
    press(page, "Change the name")
    page.get_by_role("link", name="Your profile: Ada After").wait_for()
    page.get_by_role("heading", name="Ada After", exact=True).wait_for()
    page.get_by_role("heading", name="Your name and data").wait_for()
    with page.expect_download() as download:
        press(page, "Take out all data")
    assert download.value.suggested_filename == "data.jsonl"
    lines = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert [line["name"] for line in lines if line["kind"] == "person"] == ["Ada After"]


def test_a_recovery_code_is_shown_once_and_brings_somebody_back_in_another_browser(visit: Visit) -> None:
    cleo, later = visit(), visit()
    cleo.introduce("Cleo")
    page = cleo.page
    own_profile(cleo, "Cleo")
    press(page, "Make a recovery code")
    page.get_by_text("shown now and never again").wait_for()
    press(page, "Make a recovery code")
    code = page.locator("output").inner_text()
    assert not serious(page)
    press(page, "I have written it down")
    page.locator("dialog").wait_for(state="detached")
    assert code not in page.content()

    def come_back(text: str) -> None:
        later.page.get_by_role("button", name="Choose a name").click()
        press(later.page, "I have a key or a code")
        later.page.get_by_label("Your key or recovery code", exact=True).fill(text)
        press(later.page, "Go on as that person")

    later.open()
    come_back("no code")
    later.page.get_by_text("This recovery code is not valid").wait_for()
    press(later.page, "Cancel")
    come_back(code.lower())
    later.page.get_by_role("link", name="Your profile: Cleo").wait_for()
    page.get_by_role("button", name="Choose a name").wait_for()  # the old key is void
    later.page.reload()
    later.page.get_by_role("link", name="Your profile: Cleo").wait_for()  # and the new one is kept


def test_whoever_types_their_name_is_deleted_and_nobody_by_a_single_click(visit: Visit) -> None:
    dora = visit(locale="de-DE")
    page = dora.page
    dora.open()
    page.get_by_role("button", name="Name wählen").click()
    page.get_by_label("Name", exact=True).fill("Dora")
    press(page, "Diesen Namen nehmen")
    page.get_by_role("link", name="Dein Profil: Dora").click()
    press(page, "Alles löschen")
    press(page, "Endgültig löschen")  # nothing typed
    box = page.get_by_label("Gib zur Bestätigung deinen Namen ein: Dora")
    box.fill("dora")
    press(page, "Endgültig löschen")
    page.get_by_text("Das ist nicht dein Name.").wait_for()
    assert not serious(page)
    press(page, "Abbrechen")
    page.get_by_role("link", name="Dein Profil: Dora").wait_for()
    press(page, "Alles löschen")
    box.fill("Dora")
    press(page, "Endgültig löschen")
    page.locator(".toast", has_text="Du bist hier gelöscht.").wait_for()
    page.get_by_role("button", name="Name wählen").wait_for()
    assert page.evaluate("localStorage.getItem('alphadiamond.token')") is None
    dora.open("person/Dora")
    page.get_by_role("heading", name="Niemand mit diesem Namen").wait_for()
