"""What players think, in rows: each move with its score and, where the game is solved, its exact value."""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import ink_on
from alphadiamond.client.widgets.base import Widget


@dataclass(frozen=True)
class Line:
    """One row: a move, or in the side-by-side view a player with its move."""

    text: str
    score: str
    share: float
    """How long the bar is, 0 to 1."""
    exact: str = ""
    tone: str = "accent"
    """The theme's colour of the bar."""
    exact_tone: str = "muted"
    move: str = ""
    """Beside a player's name, its choice."""


class AnalysisPanel(Widget):
    focusable = False

    def __init__(self, key: str, rect: pygame.Rect) -> None:
        super().__init__(key, rect)
        self.headline = ""
        self.chances: tuple[float, float, float] | None = None
        """Win, draw and loss for the side that moves first."""
        self.lines: Sequence[Line] = ()
        self.variation = ""
        self.message = ""
        self.wide = False
        """Whether the first column holds players' names."""
        self.letters = 5
        """How long the text of a move can be."""

    def rows_that_fit(self, painter: Painter) -> int:
        step = painter.text.line_step("mono") + painter.px(6)
        head = painter.text.line_step("caption") + painter.px(34)
        tail = 2 * painter.text.line_step("caption") + painter.px(8)
        return max(1, (self.rect.height - head - tail) // step)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme, rect = painter.theme, self.rect
        if self.message:
            painter.text.paragraph(surface, self.message, rect, "body", theme.muted, align="center", valign="middle")
            return
        top = rect.top
        small = painter.text.line_step("caption")
        painter.text.draw(
            surface, self.headline, pygame.Rect(rect.left, top, rect.width, small), "caption", theme.muted, fit=True
        )
        top += small + painter.px(4)
        if self.chances is not None:
            self._draw_chances(surface, painter, pygame.Rect(rect.left, top, rect.width, painter.px(20)))
        top += painter.px(28)
        step = painter.text.line_step("mono") + painter.px(6)
        rows = self.lines[: self.rows_that_fit(painter)]
        for line in rows:
            self._draw_line(surface, painter, pygame.Rect(rect.left, top, rect.width, step), line)
            top += step
        if self.variation:
            box = pygame.Rect(rect.left, rect.bottom - 2 * small, rect.width, 2 * small)
            lines = painter.text.wrap(self.variation, "caption", rect.width)[:2]
            for number, text in enumerate(lines):
                row = pygame.Rect(box.left, box.top + number * small, box.width, small)
                painter.text.draw(surface, text, row, "caption", theme.muted)

    def _draw_chances(self, surface: pygame.Surface, painter: Painter, box: pygame.Rect) -> None:
        """Win, draw and loss of the first side as one divided strip with its percentages."""
        assert self.chances is not None
        theme = painter.theme
        win, draw, loss = self.chances
        parts = ((win, theme.bead(0)), (draw, theme.faint), (loss, theme.bead(1)))
        painter.pane(surface, box, theme.faint, 0.45, 0.0, radius=6)
        clip = surface.get_clip()
        left = float(box.left)
        for share, colour in parts:
            part = pygame.Rect(round(left), box.top, round(left + share * box.width) - round(left), box.height)
            if part.width > 0:
                surface.set_clip(part.clip(clip))
                painter.pane(surface, box, colour, 0.85, 0.0, radius=6)
                surface.set_clip(clip)
                text = f"{100 * share:.0f} %"
                if painter.text.width(text, "caption") + 8 < part.width:
                    painter.text.draw(surface, text, part, "caption", ink_on(colour), align="center")
            left += share * box.width

    def _draw_line(self, surface: pygame.Surface, painter: Painter, box: pygame.Rect, line: Line) -> None:
        theme = painter.theme
        gap = painter.px(8)
        first = round(box.width * 0.48) if self.wide else painter.text.width("8" * (self.letters + 4), "mono")
        exact = painter.text.width("loses in 88", "caption") if any(one.exact for one in self.lines) else 0
        score = painter.text.width("88,888", "caption")
        place = pygame.Rect(box.left, box.top, first, box.height)
        style = "caption" if self.wide else "mono"
        if line.move:
            width = painter.text.width("8" * self.letters, "mono")
            beside = pygame.Rect(place.right - width, place.top, width, place.height)
            painter.text.draw(surface, line.move, beside, "mono", theme.text)
            place = pygame.Rect(place.left, place.top, place.width - width - gap, place.height)
        painter.text.draw(surface, line.text, place, style, theme.text, fit=True)
        bar = pygame.Rect(
            box.left + first + gap,
            0,
            box.width - first - exact - score - 2 * gap - (gap if exact else 0),
            painter.px(6),
        )
        bar.centery = box.centery
        if bar.width > painter.px(10):
            painter.pane(surface, bar, theme.faint, 0.3, 0.0, radius=3)
            filled = pygame.Rect(bar.left, bar.top, max(bar.height, round(bar.width * line.share / 4) * 4), bar.height)
            painter.pane(surface, filled, getattr(theme, line.tone), 0.95, 0.0, radius=3)
        place = pygame.Rect(box.right - exact - score - (gap if exact else 0), box.top, score, box.height)
        painter.text.draw(surface, line.score, place, "caption", theme.muted, align="right", fit=True)
        if line.exact:
            place = pygame.Rect(box.right - exact, box.top, exact, box.height)
            painter.text.draw(surface, line.exact, place, "caption", getattr(theme, line.exact_tone), align="right")
