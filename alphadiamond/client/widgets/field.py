"""A line of text to be typed."""

from collections.abc import Callable

import pygame

from alphadiamond.client import clipboard
from alphadiamond.client.paint import Painter
from alphadiamond.client.widgets.base import Widget

_PASSED_ON = (
    *(pygame.K_TAB, pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_UP, pygame.K_DOWN),
    *(pygame.K_F11,),
)
"""Keys that mean something to the scene."""


class TextField(Widget):
    typing = True

    def __init__(
        self,
        key: str,
        rect: pygame.Rect,
        text: str,
        action: Callable[[str], None],
        *,
        on_enter: Callable[[], None],
        hint: str = "",
        most: int = 120,
    ) -> None:
        """`hint` is shown where nothing has been typed yet."""
        super().__init__(key, rect)
        self.text, self.action, self.on_enter, self.hint, self.most = text, action, on_enter, hint, most
        self.at = len(text)
        """Where the next letter goes."""
        self._time = 0.0

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, TextField):
            self.at, self._time = min(old.at, len(self.text)), old._time

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.at = len(self.text)
            return True
        return False

    def press(self) -> None:
        self.on_enter()

    def text_input(self, text: str) -> None:
        text = "".join(letter for letter in text if letter.isprintable())[: self.most - len(self.text)]
        if text:
            self._set(self.text[: self.at] + text + self.text[self.at :], self.at + len(text))

    def _set(self, text: str, at: int) -> None:
        self.text, self.at, self._time = text, at, 0.0
        self.action(text)

    def key_down(self, event: pygame.event.Event) -> bool:
        if event.key in _PASSED_ON:
            return False
        if event.key == pygame.K_BACKSPACE and self.at:
            self._set(self.text[: self.at - 1] + self.text[self.at :], self.at - 1)
        elif event.key == pygame.K_DELETE and self.at < len(self.text):
            self._set(self.text[: self.at] + self.text[self.at + 1 :], self.at)
        elif event.key == pygame.K_v and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self.text_input(clipboard.read())
        elif event.key == pygame.K_u and event.mod & pygame.KMOD_CTRL:
            self._set(self.text[self.at :], 0)
        else:
            moves = {pygame.K_LEFT: self.at - 1, pygame.K_RIGHT: self.at + 1, pygame.K_HOME: 0}
            moves[pygame.K_END] = len(self.text)
            self.at = max(0, min(len(self.text), moves.get(event.key, self.at)))
            self._time = 0.0
        return True

    def update(self, dt: float) -> None:
        super().update(dt)
        self._time += dt

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme, rect = painter.theme, self.rect
        painter.pane(surface, rect, theme.glass, 0.10 if theme.dark else 0.7, 0.4, edge_colour=theme.edge)
        inner = rect.inflate(-2 * painter.px(12), 0)
        clip = surface.get_clip()
        surface.set_clip(inner.inflate(4, 0).clip(clip))
        before = painter.text.width(self.text[: self.at], "body", own=True)
        shift = max(0, before - inner.width + painter.px(4))
        place = pygame.Rect(inner.left - shift, inner.top, inner.width + shift, inner.height)
        if self.text:
            painter.text.draw(surface, self.text, place, "body", theme.text, own=True)
        elif self.hint:
            painter.text.draw(surface, self.hint, place, "body", theme.faint, fit=True)
        if self.focused and self._time % 1.1 < 0.6:
            x, tall = place.left + before + 1, painter.text.height("body") * 0.5
            painter.stroke(surface, (x, rect.centery - tall), (x, rect.centery + tall), 2, theme.accent, 1.0)
        surface.set_clip(clip)
        if self.focused:
            painter.focus(surface, rect)
