"""The frame of every scene that is a page: a back button, a heading, and a body below."""

import pygame

from alphadiamond.client.scene import Scene
from alphadiamond.client.widgets import IconButton, Label


class PageScene(Scene):
    heading = ""
    subtitle = ""

    def build_page(self) -> pygame.Rect:
        """Add the head and return the space for the body."""
        painter, margin = self.painter, self.margin
        size = painter.look.control()
        self.add(IconButton("back", pygame.Rect(margin, margin, size, size), "back", self.back, tip="Back (Esc)"))
        left = margin + size + self.gap
        text = painter.text.line_step("heading")
        height = max(size, text)
        width = self.area.width - left - margin
        self.add(Label("heading", pygame.Rect(left, margin, width, height), self.heading, style="heading"))
        top = margin + height
        if self.subtitle:
            line = painter.text.line_step("body")
            self.add(Label("subtitle", pygame.Rect(left, top, width, line), self.subtitle, colour="muted"))
            top += line
        top += self.px(18)
        return pygame.Rect(margin, top, self.area.width - 2 * margin, self.area.height - top - margin)
