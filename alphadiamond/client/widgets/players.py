"""A player of the game: name, pieces left, captures, clock, and whose turn it is."""

import math
from typing import Any, Final

import pygame

from alphadiamond.base.drawing import Tally
from alphadiamond.client.motion import Approach
from alphadiamond.client.paint import Painter
from alphadiamond.client.widgets.base import Widget

_SHORT: Final = 10.0
"""Seconds below which tenths are shown."""


class PlayerCard(Widget):
    focusable = False

    def __init__(self, key: str, rect: pygame.Rect, side: Any, tally: Tally) -> None:
        super().__init__(key, rect)
        self.side = side
        self.name = ""
        self.note = ""
        self.tally = tally
        self.captures: int | None = 0
        """None in a game without any."""
        self.seconds: float | None = 0.0
        """None where there is no clock."""
        self.countdown = False
        """Whether these are the seconds that are left."""
        self.active = False
        self.thinking = False
        self._lit = Approach(half_life=0.08)
        self._count = Approach(half_life=0.12)
        self._pips = Approach(tally.of, tally.of, half_life=0.1)
        self._time = 0.0

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, PlayerCard):
            self._lit, self._count, self._pips, self._time = old._lit, old._count, old._pips, old._time

    def update(self, dt: float) -> None:
        super().update(dt)
        self._time += dt
        self._lit.target = float(self.active)
        self._lit.update(dt)
        self._count.target = self.captures or 0
        self._count.update(dt)
        self._pips.target = self.tally.left
        self._pips.update(dt)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme, rect = painter.theme, self.rect
        colour = theme.bead(self.side)
        strong = theme.high_contrast
        painter.pane(
            surface,
            rect,
            theme.glass,
            0.09 if theme.dark else 0.5,
            0.22 if not strong else 0.7,
            radius=12,
            edge_colour=theme.edge,
        )
        painter.pane(surface, rect, colour, 0.13, 0.95, radius=12, alpha=self._lit.value, edge_width=2.0)
        radius = min(rect.height * 0.24, painter.px(19))
        centre = (rect.left + painter.px(14) + radius, rect.centery)
        pulse = 0.5 + 0.5 * math.sin(self._time * 3)
        painter.glow(surface, centre, radius * 2.3, colour, (0.25 + 0.5 * self._lit.value * (0.6 + 0.4 * pulse)))
        painter.piece(surface, centre, radius, self.side)
        clock, hurry = self._clock()
        right = painter.text.width("00:00", "mono") + painter.px(14)
        left = round(centre[0] + radius + painter.px(14))
        width = rect.right - right - left - painter.px(8)
        tall, small = painter.text.height("strong"), painter.text.height("caption")
        top = rect.centery - (tall + small + painter.px(3)) // 2
        painter.text.draw(surface, self.name, pygame.Rect(left, top, width, tall), "strong", theme.text, fit=True)
        below = pygame.Rect(left, top + tall + painter.px(3), width, small)
        if self.tally.of:
            self._draw_pips(surface, painter, below, colour)
        else:
            painter.text.draw(surface, self.tally.words, below, "caption", theme.muted, fit=True)
        box = pygame.Rect(rect.right - right, top, right - painter.px(14), tall)
        shade = theme.danger if hurry else theme.text if self.active else theme.muted
        painter.text.draw(surface, clock, box, "mono", shade, align="right")
        box = pygame.Rect(rect.right - right, below.top, right - painter.px(14), small)
        if self.thinking:
            self._draw_dots(surface, painter, box)
        elif self.tally.figure:
            painter.text.draw(surface, self.tally.figure, box, "label", theme.gold, align="right")
        elif self.captures is not None:
            score = round(self._count.value)
            shade = theme.gold if score else theme.faint
            painter.text.draw(surface, f"+{score}", box, "label", shade, align="right")

    def _clock(self) -> tuple[str, bool]:
        """The time in words, and whether it is short: `4:05`, or `9.3` when it gets short."""
        if self.seconds is None:
            return "", False
        if self.countdown and self.seconds < _SHORT:
            return f"{math.floor(10 * self.seconds) / 10:.1f}", True
        seconds = math.ceil(self.seconds) if self.countdown else int(self.seconds)
        return f"{seconds // 60}:{seconds % 60:02}", False

    def _draw_pips(
        self, surface: pygame.Surface, painter: Painter, box: pygame.Rect, colour: tuple[int, int, int]
    ) -> None:
        """A place for each that there was at first, filled where it is left; a bar stands where the game is lost."""
        radius = max(3.5, box.height * 0.27)
        bar = self.tally.bar
        for k in range(self.tally.of):
            centre = (box.left + radius + k * radius * 2.9 + (radius * 1.6 if bar and k >= bar else 0), box.centery)
            alive = max(0.0, min(1.0, self._pips.value - k))
            painter.ring(surface, centre, radius, 1.25, painter.theme.faint, 0.8)
            if alive > 0.02:
                painter.disc(surface, centre, max(1, radius * alive), colour, alive)
        if not bar:
            return
        x = box.left + radius * (0.35 + 2.9 * bar)
        painter.stroke(
            surface,
            (x, box.top + box.height * 0.12),
            (x, box.bottom - box.height * 0.12),
            1.5,
            painter.theme.faint,
            0.9,
        )

    def _draw_dots(self, surface: pygame.Surface, painter: Painter, box: pygame.Rect) -> None:
        radius = painter.px(3)
        for k in range(3):
            beat = max(0.0, math.sin(self._time * 5 - k * 0.8))
            centre = (box.right - radius - (2 - k) * radius * 3.4, box.centery)
            painter.disc(surface, centre, radius, painter.theme.accent, 0.3 + 0.7 * beat)
