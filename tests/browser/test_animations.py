"""Animations are decoration: whatever happens in the middle of one, the board shows the position and can be played."""

import random
from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest

from alphadiamond.base.drawing import Ply
from alphadiamond.games import load
from alphadiamond.games.records import parse_records
from alphadiamond.server.board_snapshots import describe
from tests.browser.visits import DESKTOP, PHONE, Visitor, until
from tests.outside.domineering.game import GAME as DOMINEERING

Visit = Callable[..., Visitor]

KINDS: Final[dict[str, tuple[str, Callable[[Ply], bool]]]] = {
    "fall": ("connect_four", lambda ply: ply.how == "fall"),
    "slide": ("dame", lambda ply: ply.how == "slide"),
    "jump": ("dame", lambda ply: ply.how == "jump" and len(ply.captured) == 1),
    "several jumps": ("dame", lambda ply: ply.how == "jump" and len(ply.captured) > 1),
    "slide along a line": ("diamond_chase", lambda ply: not ply.captured and not ply.lost),
    "capture": ("diamond_chase", lambda ply: bool(ply.captured)),
    "loss": ("diamond_chase", lambda ply: bool(ply.lost)),
    "step in a maze": ("labyrinth", lambda ply: len(set(ply.path)) == 2),
}

FROZEN: Final = """
    window.middle = null; // the part of an animation at which it stops; null: they run
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
        const made = animate.apply(this, how);
        if (window.middle !== null) {
            made.pause();
            made.currentTime = window.middle * made.effect.getComputedTiming().endTime;
        }
        return made;
    };
    window.flying = () => document.getAnimations().filter((one) => one.effect.target.matches(".board .piece"));
"""

PICTURE: Final = """() => {
    const svg = document.querySelector(".board svg");
    const screen = svg.getScreenCTM().inverse();
    return [...svg.querySelectorAll(".piece:not(.held)")].map((node) => {
        const { a, e, f } = screen.multiply(node.getScreenCTM());
        const seat = [0, 1].find((number) => node.classList.contains(`seat-${number}`));
        return [Math.round(e), Math.round(f), seat, Math.round(100 * a * getComputedStyle(node).opacity)];
    });
}"""
"""Where the pieces are seen, of which seat, and how much of them, in hundredths."""

ASK: Final = """async (message) => (await import("/js/app.js")).app.ask(message)"""

RECORD: Final = """async (code) => (await fetch(`/api/records/${code}`)).text()"""

RECONNECT: Final = """async () => {
    const { connection } = (await import("/js/app.js")).app;
    const back = new Promise((resolve) => { const end = connection.on("game", () => { end(); resolve(); }); });
    connection.drop();
    await back;
}"""


def line_to(start: Any, drawing: Any, wanted: Callable[[Ply], bool]) -> list[str]:
    """The moves of a short game whose last one is of the wanted kind, and after which the game goes on."""
    found: list[list[str]] = []
    for seed in range(300):
        rng, position, moves = random.Random(seed), start, list[str]()
        while position.outcome is None and len(moves) < 8:
            ply = drawing.ply(position, rng.choice(list(position.moves())))
            position, moves = ply.after, [*moves, str(ply.move)]
            if len(moves) > 1 and position.outcome is None and wanted(ply):
                found.append(moves)
                break
    return min(found, key=len)


class Match:
    """Two people; the first sees animations and is to move after the line, whose last ply is the other's."""

    def __init__(self, visit: Visit, game: str, wanted: Callable[[Ply], bool]) -> None:
        self.game = load(game)
        self.start = self.game.start()
        self.drawing = self.game.drawing_for(self.start)
        self.line = line_to(self.start, self.drawing, wanted)
        self.seat = len(self.line) % 2
        self.ada, self.bob = visit(moving=True), visit()
        self.page: Any = self.ada.page
        self.ada.context.add_init_script(FROZEN)
        self.ada.introduce(f"Ada {id(self)}")
        self.bob.page.goto(self.ada.invite(game, side=self.game.drawing.side_names[self.seat].capitalize()))
        self.bob.page.get_by_role("button", name="Accept").click()
        self.bob.be(f"Bob {id(self)}")
        self.code = self.ada.code()
        if self.game.seeded:  # the server has drawn a board of its own
            (record,) = parse_records(self.page.evaluate(RECORD, self.code))
            self.start = next(iter(record.positions()))
            self.drawing = self.game.drawing_for(self.start)
            mine = self.game.sides[self.seat]
            self.line = line_to(self.start, self.drawing, lambda ply: wanted(ply) and ply.side != mine)
        self.plies = 0
        self.flipped = self.seat == 1 and not self.drawing.columns

    def play(self, plies: int) -> None:
        """On along the line until so many have been played."""
        for ply in range(self.plies, plies):
            mover = self.ada if ply % 2 == self.seat else self.bob
            mover.page.evaluate(ASK, {"type": "move", "game": self.code, "ply": ply, "move": self.line[ply]})
            self.page.locator(f".moves li:nth-child({ply + 1})").wait_for()
        self.plies = plies

    def expected(self, at: int) -> list[list[int]]:
        drawing, turn = self.drawing, -1 if self.flipped else 1
        return sorted(
            [round(100 * turn * x), round(-100 * turn * y), self.game.sides.index(side), 100]
            for square, side in drawing.pieces(self.position(at)).items()
            for x, y in [drawing.points[square]]
        )

    def position(self, at: int) -> Any:
        position = self.start
        for move in self.line[:at]:
            position = position.play(self.game.parse_move(move))
        return position

    def picture(self) -> list[list[int]]:
        return sorted(self.page.evaluate(PICTURE))

    def check(self, at: int | None = None) -> None:
        """The picture is that of the position, and what can be picked is what can move in it."""
        at = self.plies if at is None else at
        assert self.picture() == self.expected(at)
        assert self.page.evaluate("flying().length") == 0
        self.check_spots(at)

    def check_spots(self, at: int) -> None:
        position, drawing = self.position(at), self.drawing
        mine = at == self.plies and at % 2 == self.seat
        first = sorted({drawing.spots(move)[0] for move in position.moves()}) if mine else []
        spots = self.page.locator(".spot.can").evaluate_all("found => found.map((one) => Number(one.dataset.spot))")
        assert sorted(spots) == first
        if not mine or self.one_click:
            return
        self.page.locator(".spot.can").first.click()
        assert self.page.locator(".spot.picked").count() == 1
        assert self.page.locator(".spot[aria-label$='can go here']").count() >= 1
        assert self.picture() == self.expected(at)
        self.page.keyboard.press("Escape")
        assert self.page.locator(".spot.picked").count() == 0

    def freeze(self, middle: float | None) -> None:
        self.page.evaluate("(middle) => { window.middle = middle; }", middle)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    @property
    def one_click(self) -> bool:
        """Whether a click is a whole move."""
        return bool(self.drawing.columns) or self.drawing.surface == "maze"

    def turn(self) -> None:
        self.press("Turn the board")
        self.flipped = not self.flipped and not self.drawing.columns

    def take_off(self) -> None:
        """The last ply of the line again, stopped in the middle."""
        self.press("Back")
        self.check(self.plies - 1)
        self.press("On")
        self.check_flying()

    def check_flying(self) -> None:
        assert self.page.evaluate("flying().length") >= 1
        assert self.picture() != self.expected(self.plies)

    def take_back(self) -> None:
        """The first player's last move and the answer to it."""
        self.page.evaluate(ASK, {"type": "offer", "game": self.code, "what": "takeback"})
        self.bob.page.get_by_role("button", name="Accept").click()
        self.page.locator(f".moves li:nth-child({self.plies - 1})").wait_for(state="detached")
        self.plies -= 2

    def land(self) -> None:
        """Let everything that is on its way arrive, one ply after the other."""
        self.freeze(None)
        until(self.page, "() => !flying().map((one) => one.finish()).length")


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_happens_in_the_middle_of_an_animation_the_board_shows_the_position_and_can_be_played(
    visit: Visit, kind: str
) -> None:
    match = Match(visit, *KINDS[kind])
    whole = len(match.line)
    match.play(whole - 2)
    for middle in (0.3, 0.9):
        match.land()
        match.check()
        match.freeze(middle)
        _live(match, whole)
        _again(match, whole)
        _scrolling(match, whole)
        _sizes(match, middle)
        match.take_off()
        match.take_back()
        match.check()
    match.play(whole)
    match.check_flying()
    match.ada.play(random.Random(1))  # a click in the air
    assert len(match.ada.moves()) == whole + 1


def _live(match: Match, whole: int) -> None:
    """One's own move is in the air, and the answer waits for it."""
    match.play(whole)
    match.check_flying()
    match.take_back()
    match.check()
    match.play(whole)
    match.check_flying()
    match.page.evaluate(RECONNECT)
    match.check()
    match.take_back()
    match.play(whole)
    own = match.picture()
    match.page.evaluate("flying().forEach((one) => one.finish())")
    until(match.page, "flying().length > 0")
    assert match.picture() not in (own, match.expected(whole))
    match.check_spots(whole)
    if match.one_click:
        match.turn()
    match.check()


def _again(match: Match, whole: int) -> None:
    """The last ply alone is in the air."""
    match.take_off()
    match.take_back()
    match.check()
    match.play(whole)
    match.take_off()
    match.page.evaluate(RECONNECT)
    match.check()
    match.take_off()
    match.turn()
    match.check()


def _scrolling(match: Match, whole: int) -> None:
    match.take_off()
    match.press("Back")
    match.check(whole - 1)
    match.press("Back")
    match.press("On")
    match.press("On")
    match.check_flying()
    match.press("To the beginning")
    match.check(0)
    match.press("On")
    match.press("Back")
    match.press("To the end")
    match.check()


def _sizes(match: Match, middle: float) -> None:
    """A board of another size flies on."""
    for size in (PHONE, DESKTOP):
        match.take_off()
        match.page.set_viewport_size(size)
        match.check_flying()
        match.land()
        match.check()
        match.freeze(middle)


def test_a_double_click_is_one_move_however_fast_the_answer_comes(visit: Visit) -> None:
    may = visit(moving=True)
    may.introduce("May")
    may.choose("connect_four", bot="@random", side="Yellow")
    may.begin()
    may.wait_for_turn()
    column = may.page.locator(".spot.can").nth(3)
    column.dblclick(delay=1)
    may.page.locator(".moves li").nth(1).wait_for()
    column.click(click_count=2, delay=60)  # its second half comes after the answer
    may.page.locator(".moves li").nth(3).wait_for()
    may.page.wait_for_timeout(300)
    assert len(may.moves()) == 4
    assert may.status() == "Your move"


def test_a_piece_in_the_hand_follows_it_on_a_turned_board_and_is_laid_back_when_the_position_changes(
    visit: Visit,
) -> None:
    match = Match(visit, *KINDS["slide"])
    match.play(len(match.line))
    match.land()

    def flip() -> None:
        match.page.get_by_role("button", name="Turn the board").dispatch_event("click")  # the mouse is busy
        match.flipped = not match.flipped

    for happen, held in ((flip, True), (match.take_back, False), (lambda: match.page.evaluate(RECONNECT), False)):
        box = match.page.locator(".spot.can").first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        match.page.mouse.move(x, y)
        match.page.mouse.down()
        match.page.mouse.move(x + 40, y - 70)
        assert match.picture() != match.expected(match.plies)
        happen()
        assert match.picture() == match.expected(match.plies)
        match.page.mouse.move(x + 50, y - 80)
        assert (match.picture() != match.expected(match.plies)) == held
        match.page.mouse.move(2, 2)
        match.page.mouse.up()
        match.check()


def test_a_piece_that_comes_from_outside_is_put_down_on_a_board_without_columns(visit: Visit) -> None:
    # A game that says nothing about its drawing is drawn as cells; here stones are laid on some of them.
    drawing = msgspec.to_builtins(describe(DOMINEERING))
    board = "." * len(drawing["names"])
    scenes = []
    for number in range(3):
        board = board[:number] + str(number % 2) + board[number + 1 :]
        scenes.append({"pieces": board, "seat": number % 2, "path": [number], "how": drawing["how"]})
    pia = visit(moving=True)
    pia.open()
    seen = pia.page.evaluate(
        """async ([drawing, scenes]) => {
            const { Board } = await import("/js/board/board.js");
            const board = new Board(drawing);
            document.body.append(board.element); // main is made anew when the lobby comes, and a removed board is still
            const seen = [];
            for (const scene of scenes) {
                board.show(scene, { moving: true });
                const flying = board.element.getAnimations({ subtree: true });
                await Promise.all(flying.map((one) => one.finished));
                await new Promise(requestAnimationFrame);
                seen.push([flying.length, board.element.querySelectorAll(".piece").length]);
            }
            return seen;
        }""",
        [drawing, scenes],
    )
    assert seen == [[1, 1], [1, 2], [1, 3]]
