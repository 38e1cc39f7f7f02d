"""A list that scrolls, with rows of a title and a note."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from alphadiamond.client.motion import Approach, clamp
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import mix
from alphadiamond.client.widgets.base import Widget


@dataclass(frozen=True)
class Item:
    title: str
    note: str = ""
    icon: str = ""
    enabled: bool = True
    """Rows that are not enabled are shown with their note and cannot be taken."""
    right: str = ""


class ItemList(Widget):
    """Up and down move the choice, Enter takes it; a click chooses, and takes what is chosen already."""

    def __init__(
        self,
        key: str,
        rect: pygame.Rect,
        items: Sequence[Item],
        chosen: int,
        on_choose: Callable[[int], None],
        *,
        on_take: Callable[[int], None] | None = None,
        row_height: int,
        empty: str = "Nothing here yet",
    ) -> None:
        super().__init__(key, rect)
        self.items, self.chosen, self.on_choose, self.on_take = list(items), chosen, on_choose, on_take
        self.row_height, self.empty = row_height, empty
        self._scroll = Approach(half_life=0.05)
        self._pointed = -1
        self.show(chosen)
        self._scroll.value = self._scroll.target

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, ItemList) and len(old.items) == len(self.items) and old.row_height == self.row_height:
            self._scroll = old._scroll
            self._scroll.target = clamp(self._scroll.target, 0, self._most)
            self.show(self.chosen)

    @property
    def _most(self) -> float:
        return max(0.0, len(self.items) * self.row_height - self.rect.height)

    def show(self, number: int) -> None:
        """Scroll so that a row is in view."""
        if not 0 <= number < len(self.items):
            return
        top = number * self.row_height
        low = min(self._scroll.target, top)
        self._scroll.target = clamp(max(low, top + self.row_height - self.rect.height), 0, self._most)

    def _at(self, y: float) -> int:
        number = int((y - self.rect.top + self._scroll.value) // self.row_height)
        return number if 0 <= number < len(self.items) else -1

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self._scroll.target = clamp(self._scroll.target - event.y * self.row_height * 0.8, 0, self._most)
            return True
        if event.type == pygame.MOUSEMOTION:
            self._pointed = self._at(event.pos[1])
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            number = self._at(event.pos[1])
            if number >= 0:
                if number == self.chosen:
                    self.press()
                else:
                    self._choose(number)
            return True
        return False

    def _choose(self, number: int) -> None:
        self.chosen = number
        self.show(number)
        self.on_choose(number)

    def press(self) -> None:
        if self.on_take and 0 <= self.chosen < len(self.items) and self.items[self.chosen].enabled:
            self.on_take(self.chosen)

    def key_down(self, event: pygame.event.Event) -> bool:
        steps = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -5, pygame.K_PAGEDOWN: 5}
        if event.key not in steps or not self.items:
            return False
        wanted = int(clamp(self.chosen + steps[event.key], 0, len(self.items) - 1))
        if wanted == self.chosen:
            return False  # at the end the focus may move on
        self._choose(wanted)
        return True

    def update(self, dt: float) -> None:
        super().update(dt)
        self._scroll.update(dt)
        if not self.hovered:
            self._pointed = -1

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        if not self.items:
            painter.text.paragraph(surface, self.empty, self.rect, "body", theme.muted, align="center", valign="middle")
            if self.focused:
                painter.focus(surface, self.rect)
            return
        clip = surface.get_clip()
        surface.set_clip(self.rect.clip(clip))
        gap = painter.px(3)
        bar = painter.px(10) if self._most else 0
        first = int(self._scroll.value // self.row_height)
        last = int((self._scroll.value + self.rect.height) // self.row_height)
        for number in range(max(0, first), min(len(self.items), last + 1)):
            top = round(self.rect.top + number * self.row_height - self._scroll.value)
            row = pygame.Rect(self.rect.left, top + gap, self.rect.width - bar, self.row_height - 2 * gap)
            self._draw_row(surface, painter, row, number)
        surface.set_clip(clip)
        if self._most:
            length = max(painter.px(24), round(self.rect.height**2 / (len(self.items) * self.row_height)))
            top = self.rect.top + round((self.rect.height - length) * self._scroll.value / self._most)
            knob = pygame.Rect(self.rect.right - painter.px(5), top, painter.px(4), length)
            painter.pane(surface, knob, theme.muted, 0.6, 0.0, radius=2)
        if self.focused:
            painter.focus(surface, self.rect.inflate(painter.px(4), painter.px(4)))

    def _draw_row(self, surface: pygame.Surface, painter: Painter, row: pygame.Rect, number: int) -> None:
        theme, item = painter.theme, self.items[number]
        strong = theme.high_contrast
        if number == self.chosen:
            painter.pane(surface, row, theme.accent, 0.20, 0.75 if not strong else 1.0)
        elif number == self._pointed:
            painter.pane(surface, row, theme.accent, 0.08, 0.25)
        pad = painter.px(12)
        inner = row.inflate(-2 * pad, 0)
        colour = theme.text if item.enabled else theme.faint
        if item.icon:
            size = painter.px(22)
            tint = theme.accent if item.enabled else theme.faint
            painter.icon(surface, item.icon, (inner.left + size // 2, row.centery), 22, tint)
            inner = pygame.Rect(inner.left + size + pad, inner.top, inner.width - size - pad, inner.height)
        if item.right:
            width = painter.text.width(item.right, "label")
            box = pygame.Rect(inner.right - width, row.top, width, row.height)
            painter.text.draw(surface, item.right, box, "label", theme.muted, align="right")
            inner = pygame.Rect(inner.left, inner.top, inner.width - width - pad, inner.height)
        if item.note:
            tall, small = painter.text.height("strong"), painter.text.height("caption")
            top = row.centery - (tall + small) // 2
            box = pygame.Rect(inner.left, top, inner.width, tall)
            painter.text.draw(surface, item.title, box, "strong", colour, fit=True)
            box = pygame.Rect(inner.left, top + tall, inner.width, small)
            note = theme.muted if item.enabled else mix(theme.faint, theme.danger, 0.35)
            painter.text.draw(surface, item.note, box, "caption", note, fit=True)
        else:
            painter.text.draw(surface, item.title, inner, "strong", colour, fit=True)
