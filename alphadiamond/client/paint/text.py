"""Text in the bundled fonts, rendered once and kept; every word in the window passes through here."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pygame

from alphadiamond.client.paint.look import Look
from alphadiamond.client.theme import TYPE, Colour

FONTS = Path(__file__).parents[1] / "assets" / "fonts"
_FILES = {
    "regular": "Inter-Regular.otf",
    "semibold": "Inter-SemiBold.otf",
    "display": "InterDisplay-Bold.otf",
    "mono": "JetBrainsMono-Regular.ttf",
}
_KEPT = 1500


@dataclass(frozen=True)
class Drawn:
    """Where a text came to stand and the box it was meant for; the tests read these."""

    text: str
    rect: pygame.Rect
    box: pygame.Rect
    clip: pygame.Rect


@cache
def _font(weight: str, size: int) -> pygame.font.Font:
    return pygame.font.Font(FONTS / _FILES[weight], size)


class TextPainter:
    def __init__(self, look: Look) -> None:
        self._look = look
        self.said = look.words or str
        """Puts a text into the language of whoever reads it."""
        self._surfaces: dict[tuple[str, str, Colour, float], pygame.Surface] = {}
        self._wrapped: dict[tuple[str, str, int], list[str]] = {}
        self.log: list[Drawn] | None = None
        """Set to a list to record every text drawn."""

    def font(self, style: str, factor: float = 1.0) -> pygame.font.Font:
        size, weight = TYPE[style]
        scale = self._look.text_scale if size < 28 else (self._look.scale * (self._look.text + 2) / 3)
        return _font(weight, max(9, round(size * scale * factor)))

    def size(self, text: str, style: str = "body", factor: float = 1.0) -> tuple[int, int]:
        return self.font(style, factor).size(self.said(text))

    def width(self, text: str, style: str = "body", *, own: bool = False) -> int:
        """`own` is what a person types, which is in no language."""
        return self.font(style).size(text)[0] if own else self.size(text, style)[0]

    def height(self, style: str = "body") -> int:
        return self.font(style).get_linesize()

    def render(self, text: str, style: str, colour: Colour, factor: float = 1.0) -> pygame.Surface:
        return self._render(self.said(text), style, colour, factor)

    def _render(self, text: str, style: str, colour: Colour, factor: float = 1.0) -> pygame.Surface:
        key = (text, style, colour, factor)
        if key not in self._surfaces:
            if len(self._surfaces) >= _KEPT:
                self._surfaces.clear()
            self._surfaces[key] = self.font(style, factor).render(text, True, colour).convert_alpha()
        return self._surfaces[key]

    def draw(
        self,
        surface: pygame.Surface,
        text: str,
        box: pygame.Rect,
        style: str = "body",
        colour: Colour | None = None,
        *,
        align: str = "left",
        valign: str = "middle",
        fit: bool = False,
        alpha: float = 1.0,
        own: bool = False,
    ) -> pygame.Rect:
        """One line inside a box; `fit` shortens text that comes from outside (names, paths) in its middle."""
        if not text:
            return pygame.Rect(box.topleft, (0, 0))
        if not own:
            text = self.said(text)
        if fit:
            text = self._fitted(text, style, box.width)
        rendered = self._render(text, style, colour or self._look.theme.text)
        rect = rendered.get_rect()
        rect.y = {"top": box.top, "middle": box.centery - rect.height // 2, "bottom": box.bottom - rect.height}[valign]
        rect.x = {"left": box.left, "center": box.centerx - rect.width // 2, "right": box.right - rect.width}[align]
        if alpha < 1.0:
            rendered.set_alpha(round(255 * max(0.0, alpha)))
            surface.blit(rendered, rect)
            rendered.set_alpha(255)
        else:
            surface.blit(rendered, rect)
        if self.log is not None:
            self.log.append(Drawn(text, rect.copy(), pygame.Rect(box), surface.get_clip()))
        return rect

    def paragraph(
        self,
        surface: pygame.Surface,
        text: str,
        box: pygame.Rect,
        style: str = "body",
        colour: Colour | None = None,
        *,
        align: str = "left",
        valign: str = "top",
    ) -> pygame.Rect:
        """Wrapped text; returns the space it took."""
        lines = self.wrap(text, style, box.width)
        step = self.line_step(style)
        height = step * len(lines)
        top = {"top": box.top, "middle": box.centery - height // 2, "bottom": box.bottom - height}[valign]
        for number, line in enumerate(lines):
            row = pygame.Rect(box.left, top + number * step, box.width, step)
            self.draw(surface, line, row, style, colour, align=align, own=True)
        taken = pygame.Rect(box.left, top, box.width, height)
        if self.log is not None:
            self.log.append(Drawn(self.said(text), taken, pygame.Rect(box), surface.get_clip()))
        return taken

    def line_step(self, style: str) -> int:
        return round(self.font(style).get_height() * 1.22)

    def paragraph_height(self, text: str, style: str, width: int) -> int:
        return self.line_step(style) * len(self.wrap(text, style, width))

    def wrap(self, text: str, style: str, width: int) -> list[str]:
        text = self.said(text)
        key = (text, style, width)
        if key not in self._wrapped:
            if len(self._wrapped) >= _KEPT:
                self._wrapped.clear()
            self._wrapped[key] = self._wrap(text, style, width)
        return self._wrapped[key]

    def _wrap(self, text: str, style: str, width: int) -> list[str]:
        lines = []
        for part in text.split("\n"):
            line = ""
            for word in part.split(" "):
                longer = f"{line} {word}" if line else word
                if line and self.width(longer, style, own=True) > width:
                    lines.append(line)
                    line = word
                else:
                    line = longer
            lines.append(line)
        return [self._fitted(line, style, width) for line in lines]

    def fitted(self, text: str, style: str, width: int) -> str:
        """The text, or its beginning and end about an ellipsis."""
        return self._fitted(self.said(text), style, width)

    def _fitted(self, text: str, style: str, width: int) -> str:
        if self.width(text, style, own=True) <= width:
            return text
        low, high = 0, len(text)
        while low < high:  # the most letters that fit
            middle = (low + high + 1) // 2
            if self.width(_shortened(text, middle), style, own=True) <= width:
                low = middle
            else:
                high = middle - 1
        return _shortened(text, low)


def _shortened(text: str, letters: int) -> str:
    head = (letters + 1) // 2
    tail = letters - head
    return f"{text[:head]}…{text[len(text) - tail :] if tail else ''}"
