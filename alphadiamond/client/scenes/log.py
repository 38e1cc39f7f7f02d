"""The logs of a game, one letter a step, and their Huffman codes: the tree, the codes, bits before and after."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.base import huffman
from alphadiamond.client.layout import Space, columns
from alphadiamond.client.paint import Painter
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.theme import Colour
from alphadiamond.client.widgets import Label, Panel, Paragraph, Widget
from alphadiamond.client.widgets.code_tree import CodeTree, letter_colour
from alphadiamond.console import count_of
from alphadiamond.play.opponents import titles_of
from alphadiamond.play.session import HUMAN, Session

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class LogScene(PageScene):
    heading = "The log, coded"
    subtitle = "The commoner a letter, the shorter its code"

    def __init__(self, app: "App", session: Session) -> None:
        super().__init__(app)
        assert session.drawing.ways is not None
        self.session, self.ways = session, session.drawing.ways
        self.letters = "".join(self.ways.letters)
        self.codings = {side: huffman.code(self.ways.log(session.plies, side)) for side in session.game.sides}

    def build(self) -> None:
        body = self.build_page()
        for side, box in zip(self.codings, columns(body, len(self.codings), self.px(20)), strict=True):
            self._build_side(side, box)

    def _build_side(self, side: Any, box: pygame.Rect) -> None:
        painter, coding = self.painter, self.codings[side]
        self.add(Panel(f"panel-{side}", box))
        pad = self.px(18)
        space = Space(box.inflate(-2 * pad, -2 * pad))
        name = titles_of(self.session.seats)[int(side)]
        name = self.session.drawing.side_name(side).capitalize() + (" · person" if name == HUMAN else f" · {name}")
        place = space.top(painter.text.line_step("strong"), self.px(6))
        self.add(Label(f"name-{side}", place, name, style="strong", fit=True))
        if not coding.text:
            text = "No step has been made, so that there is nothing to code."
            self.add(Paragraph(f"empty-{side}", space.rest, text, colour="muted"))
            return
        letters = LogLetters(f"log-{side}", space.rest, coding, self.letters)
        height = letters.height_for(painter, space.rest.width)
        letters.rect = space.top(height, self.px(10))
        self.add(letters)
        small = painter.text.line_step("body")
        said = f"{coding.bits_before} bits plain, {coding.bits_after} coded: {100 * coding.saving:.0f} % saved"
        self.add(Label(f"bits-{side}", space.bottom(small), said, style="strong", colour="good", fit=True))
        rows = space.bottom(small * len(coding.codes), self.px(10))
        counts = Counter(coding.text)
        for number, (letter, code) in enumerate(coding.codes.items()):
            row = Space(pygame.Rect(rows.left, rows.top + number * small, rows.width, small))
            colour = "text"
            text = f"{letter}  {self.ways.letters[letter]}, {count_of(counts[letter], 'time')}"
            self.add(Label(f"code-{side}-{letter}", row.right(row.rest.width // 4), code, style="mono", align="right"))
            self.add(Label(f"letter-{side}-{letter}", row.rest, text, colour=colour, fit=True))
        self.add(CodeTree(f"tree-{side}", space.rest, coding.tree, self.letters))


class LogLetters(Widget):
    """The letters of a log, each on a tile with its code below it."""

    focusable = False

    def __init__(self, key: str, rect: pygame.Rect, coding: huffman.Coding, letters: str) -> None:
        super().__init__(key, rect)
        self._coding, self._letters = coding, letters

    def _tile(self, painter: Painter) -> tuple[int, int]:
        return painter.px(24), painter.text.height("label") + painter.text.height("caption") + painter.px(4)

    def _across(self, painter: Painter, width: int) -> int:
        return max(1, width // self._tile(painter)[0])

    def height_for(self, painter: Painter, width: int) -> int:
        return -(-len(self._coding.text) // self._across(painter, width)) * self._tile(painter)[1]

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        wide, tall = self._tile(painter)
        across = self._across(painter, self.rect.width)
        upper = painter.text.height("label")
        for number, letter in enumerate(self._coding.text):
            box = pygame.Rect(
                self.rect.left + number % across * wide, self.rect.top + number // across * tall, wide, tall
            )
            colour: Colour = letter_colour(painter, self._letters, letter)
            painter.pane(surface, box.inflate(-3, -3), colour, 0.16, 0.5, radius=5)
            head, foot = (pygame.Rect(box.left, box.top + y, wide, h) for y, h in ((1, upper), (upper, tall - upper)))
            painter.text.draw(surface, letter, head, "label", colour, align="center")
            painter.text.draw(surface, self._coding.codes[letter], foot, "caption", painter.theme.muted, align="center")
