"""A line of text over the board: the position or the link to be opened there."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

from alphadiamond.client import clipboard
from alphadiamond.client.layout import Space, centred, columns
from alphadiamond.client.scene import Scene
from alphadiamond.client.widgets import Button, Label, Paragraph, TextField
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.play.variations import Variations, read_variations

if TYPE_CHECKING:
    from alphadiamond.client.app import App

_LONGEST = 20_000


class PasteScene(Scene):
    overlay = True

    def __init__(self, app: "App", text: str, on_open: Callable[[Variations], None]) -> None:
        """What is in the clipboard stands in the field already, where it is a position or a link; else `text` does."""
        super().__init__(app)
        self.on_open = on_open
        self.text, self.fault = text, ""
        copied = clipboard.read().strip()
        if copied and self._read(copied[:_LONGEST]) is not None:
            self.text = copied
        self.fault = ""
        self.focus_key = "text"

    def build(self) -> None:
        painter, gap, pad = self.painter, self.gap, self.px(32)
        width = min(self.px(720), self.area.width - 2 * self.margin)
        said = self.fault or "The text of a position of any game, or a link from this board or a server's page."
        words = painter.text.paragraph_height(said, "body", width - 2 * pad)
        title, control = painter.text.line_step("heading"), painter.look.control()
        self.box = centred((width, 2 * pad + title + gap + words + gap + control + self.px(24) + control), self.area)
        space = Space(self.box.inflate(-2 * pad, -2 * pad))
        self.add(Label("title", space.top(title, gap), "Open a position", style="heading"))
        self.add(Paragraph("said", space.top(words, gap), said, colour="danger" if self.fault else "muted"))
        place = space.top(control)
        self.add(TextField("text", place, self.text, self._typed, on_enter=self.open, most=_LONGEST))
        cancel, done = columns(space.bottom(control), 2, gap)
        self.add(Button("cancel", cancel, "Cancel", self.back))
        self.add(Button("open", done, "Show", self.open, icon="check", kind="primary"))

    def _typed(self, text: str) -> None:
        self.text = text

    def _read(self, text: str) -> Variations | None:
        try:
            return read_variations(text, self.app.game)
        except (AlphaDiamondError, ValueError) as error:
            said = " ".join(str(error).split())
            self.fault = said[:1].upper() + said[1:] + "."
            return None

    def open(self) -> None:
        found = self._read(self.text)
        if found is None:
            self.app.sounds.play("refuse")
            self.refresh()
            return
        self.app.pop()
        self.on_open(found)

    def paint(self, surface: pygame.Surface) -> None:
        self.painter.solid(surface, self.box)
