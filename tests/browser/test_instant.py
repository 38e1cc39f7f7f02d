"""A move is seen before the server has answered, pieces stay where they are dropped, and whoever is away is called."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.visits import Visitor, until

Visit = Callable[..., Visitor]
_ELSEWHERE = """
window.notes = [];
window.tones = 0;
window.Notification = class {
  static permission = "granted";
  static requestPermission() { return Promise.resolve("granted"); }
  constructor(title, options) { window.notes.push([title, options.body]); }
  close() {}
};
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...rest) { window.tones += 1; return start.apply(this, rest); };
let away = false;
Object.defineProperty(document, "hidden", { get: () => away });
window.lookAway = (yes) => { away = yes; document.dispatchEvent(new Event("visibilitychange")); };
"""


def together(visit: Visit, game: str, *, names: tuple[str, str], **options: Any) -> tuple[Visitor, Visitor]:
    """Two people in one game; the first has the first side and these options."""
    one, two = visit(**options), visit()
    one.introduce(names[0])
    two.introduce(names[1])
    drawing = {"dame": "White", "connect_four": "Yellow", "diamond_chase": "Green"}
    link = one.invite(game, side=drawing[game])
    two.page.goto(link)
    two.page.get_by_role("button", name="Accept").click()
    assert one.wait_for_turn()
    two.page.locator(".board").wait_for()
    return one, two


def standing(visitor: Visitor) -> list[str]:
    """What is said of every place, without what can be done there."""
    labels = visitor.page.locator(".spot").evaluate_all("nodes => nodes.map(node => node.getAttribute('aria-label'))")
    return [label.removesuffix(", can move").removesuffix(", can go here") for label in labels]


def test_a_move_is_seen_before_the_server_answers_and_taken_back_when_it_refuses(visit: Visit) -> None:
    ann = visit()
    held: list[Any] = []
    refuse = {"now": False}

    def relay(socket: Any) -> None:
        server = socket.connect_to_server()

        def from_page(text: str) -> None:
            message = json.loads(text)
            if message["type"] != "move":
                server.send(text)
            elif refuse["now"]:
                error = {"type": "error", "code": "illegal", "message": "not this time", "id": message["id"]}
                socket.send(json.dumps(error))
            else:
                held.append(lambda: server.send(text))

        socket.on_message(from_page)
        server.on_message(socket.send)

    ann.page.route_web_socket("**/ws", relay)
    ann.introduce("Ann")
    ann.choose("dame", bot="@random", side="White")
    ann.begin()
    assert ann.wait_for_turn()
    before = standing(ann)
    page = ann.page

    def click() -> None:
        page.locator(".spot.can").first.click()
        page.locator(".spot[aria-label$='can go here']").first.click()

    refuse["now"] = True
    click()
    page.locator(".toast").get_by_text("Not this time.").wait_for()
    assert ann.wait_for_turn()
    assert standing(ann) == before

    refuse["now"] = False
    click()
    page.locator(".status").get_by_text("Your move is on its way…").wait_for()
    after = standing(ann)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 2
    assert ann.moves() == []
    assert len(held) == 1
    held[0]()
    page.locator(".moves li:nth-child(1)").wait_for()
    assert ann.wait_for_turn()


@pytest.mark.parametrize("game", ["dame", "connect_four"])
def test_a_premove_is_played_at_once_and_an_impossible_one_is_let_go(visit: Visit, game: str) -> None:
    bea, cid = together(visit, game, names=(f"Bea {game[:4]}", f"Cid {game[:4]}"))
    page = cid.page
    spots = {"dame": ["c5", "d4"], "connect_four": ["column 4"]}[game]
    for name in spots:
        page.locator(f".spot[aria-label^='{name}']").click()
    page.locator(".status").get_by_text("Your move is set; it is played at once").wait_for()
    bea.play(random.Random(2))
    bea.page.locator(".moves li:nth-child(2)").wait_for()
    assert cid.moves()[1] == {"dame": "c5-d4", "connect_four": "4"}[game]
    if game == "connect_four":
        return
    assert bea.wait_for_turn()
    for name in ("a5", "f2"):
        page.locator(f".spot[aria-label^='{name}']").click()
    bea.play(random.Random(2))
    page.locator(".moves li:nth-child(3)").wait_for()
    assert cid.wait_for_turn()
    assert cid.heard().endswith("What you had set is not possible now.")
    assert len(cid.moves()) == 3


def test_a_finger_drags_a_piece_which_stays_where_it_is_dropped(visit: Visit) -> None:
    dot, _ = together(visit, "dame", names=("Dot", "Edd"), phone=True, moving=True)
    page = dot.page
    piece = page.locator(".spot.can").first
    piece.scroll_into_view_if_needed()
    box = piece.bounding_box()
    name = str(piece.get_attribute("aria-label"))[:2]
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    step = box["width"]

    def send(kind: str, *points: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    scrolled = page.evaluate("scrollY")
    send("touchStart", (x, y))
    send("touchMove", (x + step / 2, y - step / 2))
    goal = page.locator(".spot[aria-label$='can go here']").first
    goal.wait_for()
    there = goal.bounding_box()
    x2, y2 = there["x"] + there["width"] / 2, there["y"] + there["height"] / 2
    send("touchMove", (x2, y2))
    send("touchEnd")
    assert page.evaluate("document.getAnimations().filter(one => !(one instanceof CSSAnimation)).length") == 0
    page.locator(".moves li:nth-child(1)").wait_for()
    assert dot.moves()[0].startswith(name)
    assert page.evaluate("scrollY") == scrolled


def test_whoever_looks_elsewhere_is_called_and_sound_can_be_switched_off(visit: Visit) -> None:
    fay, gil = together(visit, "connect_four", names=("Fay", "Gil"))
    page = gil.page
    page.evaluate(_ELSEWHERE)
    page.get_by_role("button", name="Notifications: off").click()
    page.get_by_role("button", name="Notifications: on").wait_for()
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("lookAway(true)")
    fay.play(random.Random(1))
    until(page, "notes.length === 1 && tones > 0")
    assert page.evaluate("notes[0][0]") == "Your move"
    assert "Fay: " in page.evaluate("notes[0][1]")
    until(page, "document.title.startsWith('● Your move')")
    until(page, "!document.title.includes('Your move')")
    page.evaluate("lookAway(false)")
    assert page.title().startswith("Your move: Fay – Gil")
    page.get_by_role("button", name="Sound: on").click()
    page.get_by_role("button", name="Sound: off").wait_for()
    tones = page.evaluate("tones")
    gil.play(random.Random(1))
    assert fay.wait_for_turn()
    fay.play(random.Random(1))
    assert gil.wait_for_turn()
    assert page.evaluate("tones") == tones


def test_a_person_is_challenged_by_name_and_after_the_game_the_next_opponent_is_one_click_away(visit: Visit) -> None:
    hal, ida = visit(), visit()
    hal.introduce("Hal")
    ida.introduce("Ida")
    hal.open("person/Ida")
    hal.page.get_by_role("link", name="Challenge", exact=True).click()
    hal.choose("dame", way="A friend", side="White")
    hal.begin("Challenge")
    hal.page.get_by_text("Ida has been told.").wait_for()
    ida.page.locator(".toast").get_by_text("Hal challenges you to Dame.").wait_for()
    ida.page.get_by_role("link", name="Look").click()
    ida.page.get_by_role("button", name="Accept").click()
    assert hal.wait_for_turn()
    hal.play(random.Random(1))
    assert ida.wait_for_turn()
    ida.play(random.Random(1))
    for who, words in ((hal, "Resign"),):
        who.page.get_by_role("button", name=words).click()
        who.page.get_by_role("dialog").get_by_role("button", name=words).click()
    for who in (hal, ida):
        who.page.locator(".status.over").wait_for()
        who.page.get_by_role("button", name="Rematch").wait_for()
    hal.page.get_by_role("button", name="New opponent").click()
    hal.page.get_by_role("button", name="Withdraw").wait_for()
    hal.choose("dame", bot="@random")
    hal.begin()
    hal.wait_for_turn()
    hal.page.get_by_role("button", name="Abort").click()
    hal.page.locator(".status.over").wait_for()
    first = hal.code()
    hal.page.get_by_role("button", name="Next: ").click()
    until(hal.page, f"!location.hash.includes('{first}')")
    hal.page.locator(".status:not(.over)").wait_for()
