"""Short messages in passing, at the foot of the window."""

from dataclasses import dataclass

import pygame

from alphadiamond.client.motion import clamp, ease_out
from alphadiamond.client.paint import Painter

_SECONDS = 4.0
_MOST = 3


@dataclass
class _Toast:
    text: str
    age: float = 0.0


class Toasts:
    def __init__(self) -> None:
        self._toasts: list[_Toast] = []
        self.boxes: list[pygame.Rect] = []
        """Where they were drawn last."""

    def add(self, text: str) -> None:
        if not any(toast.text == text for toast in self._toasts):
            self._toasts.append(_Toast(text))
            del self._toasts[:-_MOST]

    def update(self, dt: float) -> None:
        for toast in self._toasts:
            toast.age += dt
        self._toasts = [toast for toast in self._toasts if toast.age < _SECONDS]

    def draw(self, surface: pygame.Surface, painter: Painter, *, above: pygame.Rect | None = None) -> None:
        bottom = surface.get_height() - painter.px(28) if above is None else above.top - painter.px(20)
        log, painter.text.log = painter.text.log, None  # they may lie over other text
        self.boxes.clear()
        for toast in reversed(self._toasts):
            width = min(painter.text.width(toast.text, "label"), surface.get_width() * 3 // 4)
            lines = len(painter.text.wrap(toast.text, "label", width))
            height = painter.text.line_step("label") * lines
            box = pygame.Rect(0, 0, width + painter.px(44), height + painter.px(20))
            rise = ease_out(clamp(toast.age / 0.25))
            box.midbottom = (surface.get_width() // 2, round(bottom + painter.px(16) * (1 - rise)))
            alpha = min(rise, clamp((_SECONDS - toast.age) / 0.4))
            self.boxes.append(box)
            painter.solid(surface, box, alpha=alpha)
            if alpha > 0.6:
                inner = box.inflate(-painter.px(40), -painter.px(20))
                painter.text.paragraph(surface, toast.text, inner, "label", painter.theme.text, align="center")
            bottom = box.top - painter.px(10)
        painter.text.log = log
