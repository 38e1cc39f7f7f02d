"""The frame of every scene that is a page: a back button, a heading, and a body below."""

import pygame

from alphadiamond.client.layout import Space
from alphadiamond.client.scene import Scene
from alphadiamond.client.widgets import IconButton, Label


class PageScene(Scene):
    heading = ""
    subtitle = ""
    controls = True
    """Whether there is something to press; a picture in a file has no use for it."""

    def build_page(self) -> pygame.Rect:
        """Add the head and return the space for the body."""
        painter, margin = self.painter, self.margin
        size = painter.look.control()
        height = max(size, painter.text.line_step("heading"))
        space = Space(self.area.inflate(-2 * margin, -2 * margin))
        head = Space(space.top(height))
        back = head.left(size, self.gap)
        back.height = size
        if self.controls:
            self.add(IconButton("back", back, "back", self.back, tip="Back (Esc)"))
        self.add(Label("heading", head.rest, self.heading, style="heading"))
        if self.subtitle:
            place = space.top(painter.text.line_step("body"))
            place.left, place.width = head.rest.left, head.rest.width
            self.add(Label("subtitle", place, self.subtitle, colour="muted"))
        space.top(self.px(18))
        return space.rest
