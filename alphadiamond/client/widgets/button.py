"""Buttons: filled for the one thing to do, glass for the others, and round ones with an icon."""

from collections.abc import Callable

import pygame

from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import Colour, mix
from alphadiamond.client.widgets.base import Widget


class Button(Widget):
    def __init__(
        self,
        key: str,
        rect: pygame.Rect,
        text: str,
        action: Callable[[], None],
        *,
        icon: str = "",
        kind: str = "glass",
        style: str = "strong",
        enabled: bool = True,
        note: str = "",
        align: str = "center",
        on: bool = False,
        tip: str = "",
    ) -> None:
        """`kind` is primary, glass, quiet or danger; `on` shows a switch that is in."""
        super().__init__(key, rect)
        self.text, self.action, self.icon, self.kind, self.style = text, action, icon, kind, style
        self.note, self.align, self.on, self.tip = note, align, on, tip
        self.enabled = enabled
        self._held = False

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, Button):  # a new layout between press and release costs nobody a click
            self._held = old._held

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._held = True
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._held:
            self._held = False
            if self.rect.collidepoint(event.pos):
                self.press()
            return True
        return False

    def press(self) -> None:
        if self.enabled:
            self.action()

    def _colours(self, painter: Painter) -> tuple[Colour, Colour]:
        """Of the text and of the icon."""
        theme = painter.theme
        if not self.enabled:
            return theme.faint, theme.faint
        if self.kind == "primary":
            return theme.on_accent, theme.on_accent
        if self.kind == "danger":
            return theme.danger, theme.danger
        if self.on:
            return theme.accent, theme.accent
        return theme.text, mix(theme.accent, theme.text, self.hover.value * 0.5)

    def _face(self, surface: pygame.Surface, painter: Painter) -> None:
        theme, rect, hover = painter.theme, self.rect, self.hover.value
        if self.kind == "primary" and self.enabled:
            if not theme.high_contrast:
                centre = rect.center
                painter.glow(surface, centre, rect.width * 0.62, theme.accent, 0.10 + 0.12 * hover)
            painter.pane(surface, rect, theme.accent, 0.96, 0.0, to=mix(theme.accent, theme.accent_2, 0.85))
            painter.pane(surface, rect, (255, 255, 255), 0.22, 0.5, alpha=hover)
        elif self.kind == "quiet":
            painter.pane(surface, rect, theme.accent, 0.12, 0.2, alpha=hover)
        else:
            tint = theme.danger if self.kind == "danger" else theme.glass
            strong = not theme.dark or theme.high_contrast
            painter.pane(
                surface,
                rect,
                tint,
                0.55 if strong and theme.dark is False else 0.13,
                0.30 if not strong else 0.6,
                edge_colour=theme.danger if self.kind == "danger" else theme.edge,
            )
            painter.pane(surface, rect, theme.accent, 0.16, 0.75, alpha=hover if self.enabled else 0.0)
            if self.on:
                painter.pane(surface, rect, theme.accent, 0.16, 0.8)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        self._face(surface, painter)
        text_colour, icon_colour = self._colours(painter)
        pad = painter.px(12)
        inner = self.rect.inflate(-2 * pad, 0)
        size = 20
        if self.icon:
            width = painter.px(size)
            gap = painter.px(8) if self.text else 0
            total = width + gap + painter.text.width(self.text, self.style)
            left = inner.left if self.align == "left" else max(inner.left, self.rect.centerx - total // 2)
            painter.icon(surface, self.icon, (left + width // 2, self.rect.centery), size, icon_colour)
            inner = pygame.Rect(left + width + gap, self.rect.top, inner.right - left - width - gap, self.rect.height)
        align = "left" if self.icon else self.align
        if self.note:
            height = painter.text.height(self.style)
            small = painter.text.height("caption")
            top = self.rect.centery - (height + small) // 2
            row = pygame.Rect(inner.left, top, inner.width, height)
            painter.text.draw(surface, self.text, row, self.style, text_colour, align=align)
            row = pygame.Rect(inner.left, top + height, inner.width, small)
            painter.text.draw(surface, self.note, row, "caption", painter.theme.muted, align=align)
        elif self.text:
            painter.text.draw(surface, self.text, inner, self.style, text_colour, align=align)
        if self.focused:
            painter.focus(surface, self.rect)


class IconButton(Button):
    """A square with an icon; `tip` says what it does when pointed at or focused."""

    def __init__(
        self,
        key: str,
        rect: pygame.Rect,
        icon: str,
        action: Callable[[], None],
        *,
        tip: str,
        enabled: bool = True,
        on: bool = False,
        kind: str = "glass",
    ) -> None:
        super().__init__(key, rect, "", action, icon=icon, enabled=enabled, on=on, kind=kind, tip=tip)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        self._face(surface, painter)
        size = min(22, self.rect.height / painter.look.scale * 0.55)
        painter.icon(surface, self.icon, self.rect.center, size, self._colours(painter)[1])
        if self.focused:
            painter.focus(surface, self.rect)
