"""A question over whatever is going on."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pygame

from alphadiamond.client.scene import Scene
from alphadiamond.client.widgets import Button, Label, Paragraph

if TYPE_CHECKING:
    from alphadiamond.client.app import App

Choice = tuple[str, str, Callable[[], None]]
"""Text, kind of button, action; the question closes first."""


class ConfirmScene(Scene):
    overlay = True

    def __init__(self, app: "App", title: str, text: str, choices: Sequence[Choice]) -> None:
        super().__init__(app)
        self.title, self.text, self.choices = title, text, choices

    def build(self) -> None:
        painter = self.painter
        pad = self.px(32)
        texts = [painter.text.width(text, "strong") + self.px(44) for text, _, _ in self.choices]
        button = max(texts)
        width = max(self.px(480), button * len(self.choices) + self.gap * (len(self.choices) - 1) + 2 * pad)
        width = min(width, self.area.width - 2 * self.margin)
        body = painter.text.paragraph_height(self.text, "body", width - 2 * pad)
        title = painter.text.line_step("heading")
        control = painter.look.control()
        height = pad + title + self.gap + body + self.px(24) + control + pad
        self.box = pygame.Rect(0, 0, width, height)
        self.box.center = self.area.center
        inner = self.box.inflate(-2 * pad, -2 * pad)
        self.add(Label("title", pygame.Rect(inner.left, inner.top, inner.width, title), self.title, style="heading"))
        self.add(
            Paragraph(
                "text",
                pygame.Rect(inner.left, inner.top + title + self.gap, inner.width, body),
                self.text,
                colour="muted",
            )
        )
        right = inner.right
        for number, (text, kind, action) in reversed(list(enumerate(self.choices))):
            rect = pygame.Rect(right - button, inner.bottom - control, button, control)
            self.add(Button(f"choice{number}", rect, text, self._chosen(action), kind=kind))
            right = rect.left - self.gap
        self.widgets[2:] = self.widgets[:1:-1]  # the keyboard goes from left to right

    def _chosen(self, action: Callable[[], None]) -> Callable[[], None]:
        def choose() -> None:
            self.app.pop()
            action()

        return choose

    def paint(self, surface: pygame.Surface) -> None:
        self.painter.solid(surface, self.box)
