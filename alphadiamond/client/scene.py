"""What a scene is: widgets laid out in the window, a focus for the keyboard, and one step back on Esc."""

import math
from typing import TYPE_CHECKING, TypeVar

import pygame

from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import SPACE
from alphadiamond.client.widgets import Widget

if TYPE_CHECKING:
    from alphadiamond.client.app import App

W = TypeVar("W", bound=Widget)
_DIRECTIONS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}


class Scene:
    """Subclasses say in `build` what is where; it is called again whenever the size or the content changes."""

    overlay = False
    """Whether the scene below stays visible, shaded."""
    music = ""
    status_rect: pygame.Rect | None = None
    """Where a line at the foot tells how things stand, which messages in passing leave free."""

    def __init__(self, app: "App") -> None:
        self.app = app
        self.widgets: list[Widget] = []
        self.focus_key = ""
        self._held: Widget | None = None
        self._stale = True
        self._pointer = (-1, -1)

    # What subclasses write

    def build(self) -> None:
        """Add the widgets."""

    def tick(self, dt: float) -> None:
        """Let time pass."""

    def paint(self, surface: pygame.Surface) -> None:
        """Draw what lies under the widgets."""

    def paint_over(self, surface: pygame.Surface) -> None:
        """Draw what lies over the widgets."""

    def shortcut(self, key: int) -> bool:
        """A key that no widget wanted."""
        return False

    def back(self) -> None:
        """Esc, and the back button."""
        self.app.pop()

    def entered(self) -> None:
        """Became the top scene."""

    def left(self) -> None:
        """Was taken off the stack."""

    def dropped(self, path: str) -> bool:
        """A file was dropped on the window; True if this scene has taken care of it."""
        return False

    # Layout

    @property
    def painter(self) -> Painter:
        return self.app.painter

    @property
    def area(self) -> pygame.Rect:
        return self.app.surface.get_rect()

    def px(self, length: float) -> int:
        return self.painter.px(length)

    @property
    def margin(self) -> int:
        return self.px(SPACE.xl)

    @property
    def gap(self) -> int:
        return self.px(SPACE.m)

    def add(self, widget: W) -> W:
        self.widgets.append(widget)
        return widget

    def refresh(self) -> None:
        """Build again before the next frame."""
        self._stale = True

    def layout(self) -> None:
        if not self._stale:
            return
        self._stale = False
        old = {widget.key: widget for widget in self.widgets}
        self.widgets = []
        self.build()
        for widget in self.widgets:
            before = old.get(widget.key)
            if before is not None and before is not widget:
                widget.adopt(before)
            if before is not None and before is self._held:
                self._held = widget
        if self._held is not None and self._held not in self.widgets:
            self._held = None
        if not any(widget.key == self.focus_key and widget.can_focus for widget in self.widgets):
            first = next((widget for widget in self.widgets if widget.can_focus), None)
            self.focus_key = first.key if first else ""
        self._show_focus()
        self._point(self._pointer)

    @property
    def focused(self) -> Widget | None:
        return next((widget for widget in self.widgets if widget.key == self.focus_key), None)

    def focus(self, key: str) -> None:
        self.focus_key = key
        self._show_focus()

    def _show_focus(self) -> None:
        for widget in self.widgets:
            shown = self.app.keyboard or widget.typing
            widget.focused = shown and widget.key == self.focus_key and widget.can_focus

    # Events

    def handle(self, event: pygame.event.Event) -> None:
        self.layout()
        if event.type == pygame.KEYDOWN:
            self._key(event)
        elif event.type == pygame.TEXTINPUT:
            if self.focused is not None and self.focused.can_focus:
                self.focused.text_input(event.text)
        elif event.type == pygame.MOUSEMOTION:
            self._point(event.pos)
            target = self._held or self._under(event.pos)
            if target is not None:
                target.mouse(event)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._pointer = event.pos
            target = self._under(event.pos)
            if target is not None and target.enabled:
                self._held = target
                if target.focusable:
                    self.focus_key = target.key
                target.mouse(event)
            self._show_focus()
        elif event.type == pygame.MOUSEBUTTONUP:
            held, self._held = self._held, None
            if held is not None:
                held.mouse(event)
        elif event.type == pygame.MOUSEWHEEL:
            target = self._under(self._pointer)
            if target is not None:
                target.mouse(event)

    def covered(self) -> None:
        """Another scene is put over this one, and has the pointer from now on."""
        self._held = None
        self._point((-1, -1))

    def _under(self, point: tuple[int, int]) -> Widget | None:
        found = [widget for widget in self.widgets if not widget.container and widget.rect.collidepoint(point)]
        return found[-1] if found else None

    def _point(self, point: tuple[int, int]) -> None:
        self._pointer = point
        under = self._under(point)
        for widget in self.widgets:
            widget.set_hover(widget is under)

    def _key(self, event: pygame.event.Event) -> None:
        self._show_focus()
        focused = self.focused
        if focused is not None and focused.can_focus and focused.key_down(event):
            return
        if event.key == pygame.K_ESCAPE:
            self.app.sounds.play("click")
            self.back()
        elif event.key == pygame.K_TAB:
            self._step_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            if self.shortcut(event.key):
                return
            if focused is not None and focused.can_focus:
                focused.press()
        elif event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            return
        elif not self.shortcut(event.key) and event.key in _DIRECTIONS:
            self._move_focus(_DIRECTIONS[event.key])

    def _step_focus(self, step: int) -> None:
        able = [widget for widget in self.widgets if widget.can_focus]
        if not able:
            return
        keys = [widget.key for widget in able]
        here = keys.index(self.focus_key) if self.focus_key in keys else -1 if step > 0 else 0
        there = able[(here + step) % len(keys)]
        there.tabbed(step)
        self.focus(there.key)

    def _move_focus(self, direction: tuple[int, int]) -> None:
        """To the nearest widget that way; sideways distance counts double."""
        here = self.focused
        if here is None:
            self._step_focus(1)
            return
        best, best_cost = None, math.inf
        for widget in self.widgets:
            if widget is here or not widget.can_focus:
                continue
            dx, dy = widget.rect.centerx - here.rect.centerx, widget.rect.centery - here.rect.centery
            along = dx * direction[0] + dy * direction[1]
            aside = abs(dx * direction[1]) + abs(dy * direction[0])
            beyond = (
                (
                    widget.rect.left >= here.rect.right - 4
                    if direction[0] > 0
                    else widget.rect.right <= here.rect.left + 4
                )
                if direction[0]
                else (
                    widget.rect.top >= here.rect.bottom - 4
                    if direction[1] > 0
                    else widget.rect.bottom <= here.rect.top + 4
                )
            )
            cost = along + 2 * aside
            if along > 0 and beyond and cost < best_cost:
                best, best_cost = widget, cost
        if best is not None:
            self.focus(best.key)

    # Frames

    def update(self, dt: float, *, visible: bool = True) -> None:
        """Also of a scene that others lie over; one that is not seen is laid out when it is."""
        self.tick(dt)
        if self not in self.app.stack:  # it has put another one in its place
            return
        if visible:
            self.layout()
        for widget in self.widgets:
            widget.update(dt)

    def draw(self, surface: pygame.Surface) -> None:
        self.paint(surface)
        for widget in self.widgets:
            widget.draw(surface, self.painter)
        self.paint_over(surface)
        self._draw_tip(surface)

    def _draw_tip(self, surface: pygame.Surface) -> None:
        """What the pointed or focused widget does, in a bubble beside it."""
        widget = next((one for one in self.widgets if one.tip and (one.hover.value > 0.9 or one.focused)), None)
        if widget is None:
            return
        painter = self.painter
        width, height = painter.text.size(widget.tip, "caption")
        box = pygame.Rect(0, 0, width + painter.px(20), height + painter.px(12))
        box.midbottom = (widget.rect.centerx, widget.rect.top - painter.px(8))
        if box.top < painter.px(4):
            box.midtop = (widget.rect.centerx, widget.rect.bottom + painter.px(8))
        box.clamp_ip(surface.get_rect().inflate(-painter.px(8), -painter.px(8)))
        theme = painter.theme
        painter.pane(surface, box, theme.sky[0] if theme.dark else theme.text, 0.96, 0.5, edge_colour=theme.edge)
        log, painter.text.log = painter.text.log, None  # a tip may lie over other text
        painter.text.draw(
            surface, widget.tip, box, "caption", theme.text if theme.dark else (255, 255, 255), align="center"
        )
        painter.text.log = log
