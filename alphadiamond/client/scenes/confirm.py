"""A question over whatever is going on."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

from alphadiamond.client.layout import Space, centred
from alphadiamond.client.scene import Scene
from alphadiamond.client.widgets import Button, Label, Paragraph

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class ConfirmScene(Scene):
    """`yes` is the word on the button that does it; the question closes first."""

    overlay = True

    def __init__(
        self,
        app: "App",
        title: str,
        text: str,
        yes: str,
        action: Callable[[], None],
        *,
        kind: str = "primary",
        no: str = "Play on",
    ) -> None:
        super().__init__(app)
        self.title, self.text = title, text
        self._choices = ((no, "glass", self.app.pop), (yes, kind, self._do))
        self._action = action

    def build(self) -> None:
        painter = self.painter
        pad = self.px(32)
        button = max(painter.text.width(text, "strong") + self.px(44) for text, _, _ in self._choices)
        width = min(max(self.px(480), 2 * button + self.gap + 2 * pad), self.area.width - 2 * self.margin)
        body = painter.text.paragraph_height(self.text, "body", width - 2 * pad)
        title = painter.text.line_step("heading")
        control = painter.look.control()
        height = pad + title + self.gap + body + self.px(24) + control + pad
        self.box = centred((width, height), self.area)
        space = Space(self.box.inflate(-2 * pad, -2 * pad))
        self.add(Label("title", space.top(title, self.gap), self.title, style="heading"))
        self.add(Paragraph("text", space.top(body), self.text, colour="muted"))
        row = Space(space.bottom(control))
        right = row.right(button, self.gap)
        for number, (place, (text, kind, action)) in enumerate(
            zip((row.right(button), right), self._choices, strict=True)
        ):
            self.add(Button(f"choice{number}", place, text, action, kind=kind))

    def _do(self) -> None:
        self.app.pop()
        self._action()

    def paint(self, surface: pygame.Surface) -> None:
        self.painter.solid(surface, self.box)
