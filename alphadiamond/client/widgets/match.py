"""Who meets whom: two pieces facing each other, their names, and how it went so far."""

import math
from typing import Any

import pygame

from alphadiamond.client.paint import Painter
from alphadiamond.client.widgets.base import Widget


class MatchUp(Widget):
    focusable = False

    def __init__(self, key: str, rect: pygame.Rect, names: dict[Any, str], note: str) -> None:
        super().__init__(key, rect)
        self.names, self.note = names, note
        self._time = 0.0

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, MatchUp):
            self._time = old._time

    def update(self, dt: float) -> None:
        super().update(dt)
        self._time += dt

    @staticmethod
    def height_for(painter: Painter) -> int:
        """The least it needs."""
        return painter.px(96) + painter.text.line_step("strong") + painter.text.line_step("caption")

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme, rect = painter.theme, self.rect
        name, small = painter.text.line_step("strong"), painter.text.line_step("caption")
        radius = min(painter.px(46), (rect.height - name - small) * 0.26, rect.width * 0.11)
        middle = rect.top + (rect.height - name - small - painter.px(8)) // 2
        half = rect.width // 2
        painter.text.draw(
            surface,
            "–",
            pygame.Rect(rect.centerx - half // 4, middle - name, half // 2, 2 * name),
            "heading",
            theme.faint,
            align="center",
        )
        still = painter.look.motion.reduced
        for number, (side, name_text) in enumerate(sorted(self.names.items())):
            sway = 0.0 if still else math.sin(self._time * 1.6 + number * math.pi) * painter.px(3)
            centre = (rect.left + half * (0.5 + number), middle + sway)
            painter.glow(surface, centre, radius * 2.4, theme.bead(side), 0.55)
            painter.piece(surface, centre, radius, side)
            box = pygame.Rect(rect.left + half * number, round(middle + radius * 1.5), half, name).inflate(
                -painter.px(8), 0
            )
            painter.text.draw(surface, name_text, box, "strong", theme.text, align="center", fit=True)
        box = pygame.Rect(rect.left, rect.bottom - small, rect.width, small)
        painter.text.draw(surface, self.note, box, "caption", theme.muted, align="center", fit=True)
