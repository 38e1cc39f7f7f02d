"""Words and panes that are looked at, not pressed."""

import pygame

from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import Colour
from alphadiamond.client.widgets.base import Widget


class Panel(Widget):
    """A sheet of glass that other widgets lie on."""

    focusable = False
    container = True

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        painter.panel(surface, self.rect)


class Label(Widget):
    focusable = False

    def __init__(
        self,
        key: str,
        rect: pygame.Rect,
        text: str,
        *,
        style: str = "body",
        colour: str = "text",
        align: str = "left",
        fit: bool = False,
    ) -> None:
        """`colour` is the name of one of the theme's."""
        super().__init__(key, rect)
        self.text, self.style, self.colour, self.align, self.fit = text, style, colour, align, fit

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        colour: Colour = getattr(painter.theme, self.colour)
        painter.text.draw(surface, self.text, self.rect, self.style, colour, align=self.align, fit=self.fit)


class Paragraph(Label):
    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        colour: Colour = getattr(painter.theme, self.colour)
        painter.text.paragraph(surface, self.text, self.rect, self.style, colour, align=self.align)


class ProgressBar(Widget):
    focusable = False

    def __init__(self, key: str, rect: pygame.Rect, share: float) -> None:
        super().__init__(key, rect)
        self.share = share

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        painter.pane(
            surface, self.rect, theme.glass if theme.dark else theme.edge, 0.2, 0.4, radius=6, edge_colour=theme.edge
        )
        done = pygame.Rect(self.rect)
        done.width = max(self.rect.height, round(self.rect.width * min(1.0, self.share)))
        if self.share > 0:
            painter.pane(surface, done, theme.accent, 0.95, 0.0, radius=6, to=theme.accent_2)
