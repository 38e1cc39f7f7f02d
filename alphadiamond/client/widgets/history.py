"""The moves of a game in two columns, and the evaluation over it as a curve; both lead to any point."""

import itertools
from collections.abc import Callable, Sequence

import pygame

from alphadiamond.base.drawing import Ply
from alphadiamond.client.motion import Approach, clamp
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import mix
from alphadiamond.client.widgets.base import Widget


class MoveList(Widget):
    """Up and down, or the wheel, move through the game; a click goes to a ply."""

    def __init__(self, key: str, rect: pygame.Rect, on_look: Callable[[int], None], *, row_height: int) -> None:
        super().__init__(key, rect)
        self.on_look, self.row_height = on_look, row_height
        self.plies: Sequence[Ply] = ()
        self.marks: Sequence[str] = ()
        """For each ply: ``, `?` or `??`."""
        self.ply = 0
        """How many plies have been played in what is shown."""
        self._scroll = Approach(half_life=0.06)
        self._pointed: int | None = None
        self._shown = -1

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, MoveList):
            self._scroll, self._shown = old._scroll, old._shown

    @property
    def _offset(self) -> int:
        """1 if the game began with the second side."""
        return int(self.plies[0].side) if self.plies else 0

    @property
    def _rows(self) -> int:
        return (len(self.plies) + self._offset + 1) // 2

    @property
    def _most(self) -> float:
        return max(0.0, self._rows * self.row_height - self.rect.height)

    def cell(self, painter: Painter, ply: int) -> pygame.Rect:
        """Where ply number `ply` (from 0) stands, scrolled or not."""
        row, column = divmod(ply + self._offset, 2)
        number = painter.text.width("888.", "mono") + painter.px(10)
        width = (self.rect.width - number - painter.px(8)) // 2
        top = round(self.rect.top + row * self.row_height - self._scroll.value)
        return pygame.Rect(self.rect.left + number + column * width, top, width, self.row_height)

    def _ply_at(self, point: tuple[int, int]) -> int | None:
        row = int((point[1] - self.rect.top + self._scroll.value) // self.row_height)
        column = 0 if point[0] < self.rect.left + self.rect.width * 0.57 else 1
        ply = row * 2 + column - self._offset
        return ply if 0 <= ply < len(self.plies) else None

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self._scroll.target = clamp(self._scroll.target - event.y * self.row_height * 2, 0, self._most)
            return True
        if event.type == pygame.MOUSEMOTION:
            self._pointed = self._ply_at(event.pos)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            ply = self._ply_at(event.pos)
            if ply is not None:
                self.on_look(ply + 1)
            return True
        return False

    def key_down(self, event: pygame.event.Event) -> bool:
        steps = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -10, pygame.K_PAGEDOWN: 10}
        if event.key not in steps:
            return False
        wanted = int(clamp(self.ply + steps[event.key], 0, len(self.plies)))
        if wanted == self.ply:
            return False
        self.on_look(wanted)
        return True

    def update(self, dt: float) -> None:
        super().update(dt)
        if self.ply != self._shown:  # follow the game, and let the wheel look elsewhere in between
            self._shown = self.ply
            top = (max(0, self.ply - 1) + self._offset) // 2 * self.row_height
            low = min(self._scroll.target, top)
            self._scroll.target = max(low, top + self.row_height - self.rect.height)
        self._scroll.target = clamp(self._scroll.target, 0, self._most)
        self._scroll.update(dt)
        if not self.hovered:
            self._pointed = None

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        if not self.plies:
            painter.text.paragraph(
                surface, "Moves will appear here", self.rect, "body", theme.faint, align="center", valign="middle"
            )
        clip = surface.get_clip()
        surface.set_clip(self.rect.clip(clip))
        number_width = painter.text.width("888.", "mono")
        for row in range(self._rows):
            top = round(self.rect.top + row * self.row_height - self._scroll.value)
            if top > self.rect.bottom or top + self.row_height < self.rect.top:
                continue
            box = pygame.Rect(self.rect.left, top, number_width, self.row_height)
            painter.text.draw(surface, f"{row + 1}.", box, "mono", theme.faint, align="right")
            for ply in (row * 2 - self._offset, row * 2 + 1 - self._offset):
                if 0 <= ply < len(self.plies):
                    self._draw_ply(surface, painter, ply)
        surface.set_clip(clip)
        if self._most:
            length = max(painter.px(24), round(self.rect.height**2 / (self._rows * self.row_height)))
            top = self.rect.top + round((self.rect.height - length) * self._scroll.value / self._most)
            knob = pygame.Rect(self.rect.right - painter.px(4), top, painter.px(4), length)
            painter.pane(surface, knob, theme.muted, 0.5, 0.0, radius=2)
        if self.focused:
            painter.focus(surface, self.rect)

    def _draw_ply(self, surface: pygame.Surface, painter: Painter, ply: int) -> None:
        theme, played = painter.theme, self.plies[ply]
        cell = self.cell(painter, ply)
        box = cell.inflate(-painter.px(4), -painter.px(2))
        if ply + 1 == self.ply:
            painter.pane(surface, box, theme.accent, 0.22, 0.7, radius=6)
        elif ply == self._pointed:
            painter.pane(surface, box, theme.accent, 0.08, 0.2, radius=6)
        later = ply + 1 > self.ply
        colour = mix(theme.text, theme.bead(played.side), 0.25) if not later else theme.faint
        inner = box.inflate(-painter.px(10), 0)
        mark = self.marks[ply] if ply < len(self.marks) else ""
        if mark:
            width = painter.text.width("??", "label")
            place = pygame.Rect(inner.right - width, inner.top, width, inner.height)
            painter.text.draw(
                surface, mark, place, "label", theme.danger if mark == "??" else theme.gold, align="right"
            )
            inner = pygame.Rect(inner.left, inner.top, inner.width - width - painter.px(4), inner.height)
        painter.text.draw(surface, played.text, inner, "mono", colour, fit=True)


class Graph(Widget):
    """The first side's prospects over the game, 1 at the top; left and right, or a click, go to a ply."""

    def __init__(self, key: str, rect: pygame.Rect, on_look: Callable[[int], None]) -> None:
        super().__init__(key, rect)
        self.on_look = on_look
        self.values: Sequence[float] = ()
        """One for each position, the start included."""
        self.marks: Sequence[str] = ()
        self.ply = 0
        self.source = ""
        """Whose evaluation it is."""
        self._held = False

    def _plot(self) -> pygame.Rect:
        return self.rect.inflate(-12, -12)

    def _x(self, ply: float) -> float:
        plot = self._plot()
        return plot.left + plot.width * ply / max(1, len(self.values) - 1)

    def _ply_at(self, x: float) -> int:
        plot = self._plot()
        return int(
            clamp(round((x - plot.left) / max(1, plot.width) * max(1, len(self.values) - 1)), 0, len(self.values) - 1)
        )

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONUP:
            self._held = False
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._held = True
        if self._held and self.values and event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION):
            ply = self._ply_at(event.pos[0])
            if ply != self.ply:
                self.on_look(ply)
            return True
        return False

    def key_down(self, event: pygame.event.Event) -> bool:
        step = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key)
        if step is None or not self.values:
            return False
        wanted = int(clamp(self.ply + step, 0, len(self.values) - 1))
        if wanted == self.ply:
            return False
        self.on_look(wanted)
        return True

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        strong = theme.high_contrast
        painter.pane(
            surface,
            self.rect,
            theme.glass,
            0.07 if theme.dark else 0.4,
            0.2 if not strong else 0.7,
            edge_colour=theme.edge,
        )
        plot = self._plot()
        middle = plot.centery
        pygame.draw.line(surface, mix(theme.sky[1], theme.faint, 0.6), (plot.left, middle), (plot.right, middle))
        if len(self.values) > 1:
            points = [
                (self._x(k), middle - clamp(value, -1, 1) * plot.height / 2) for k, value in enumerate(self.values)
            ]
            for (ax, ay), (bx, by) in itertools.pairwise(points):
                up = ay + by < 2 * middle
                painter.polygon(
                    surface,
                    [(ax, middle), (ax, ay), (bx, by), (bx, middle)],
                    theme.bead(0 if up else 1),
                    0.16,
                )
            painter.polyline(surface, points, theme.text, 2.0)
            for k, mark in enumerate(self.marks):
                if mark and k + 1 < len(points):
                    painter.disc(surface, points[k + 1], painter.px(3), theme.danger if mark == "??" else theme.gold)
            here = points[int(clamp(self.ply, 0, len(points) - 1))]
            pygame.draw.line(surface, theme.accent, (here[0], plot.top), (here[0], plot.bottom))
            painter.glow(surface, here, painter.px(12), theme.accent, 0.8)
            painter.disc(surface, here, painter.px(4), theme.accent)
        if self.source:
            place = pygame.Rect(plot.left, plot.top - painter.px(2), plot.width, painter.text.height("caption"))
            painter.text.draw(surface, self.source, place, "caption", theme.faint, fit=True)
        if self.focused:
            painter.focus(surface, self.rect)


class EvaluationBar(Widget):
    """Who is better, at a glance: the first side's share from below."""

    focusable = False

    def __init__(self, key: str, rect: pygame.Rect) -> None:
        super().__init__(key, rect)
        self.value = 0.0
        """The first side's expected result in [-1, 1]."""
        self._shown = Approach(half_life=0.12)

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, EvaluationBar):
            self._shown = old._shown

    def update(self, dt: float) -> None:
        super().update(dt)
        self._shown.target = self.value
        self._shown.update(dt)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        rect = self.rect
        share = clamp(0.5 + self._shown.value / 2, 0.02, 0.98)
        split = rect.bottom - round(rect.height * share / 2) * 2
        painter.pane(surface, rect, theme.bead(1), 0.85, 0.0, radius=4)
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(rect.left, split, rect.width, rect.bottom - split).clip(clip))
        painter.pane(surface, rect, theme.bead(0), 1.0, 0.0, radius=4)
        surface.set_clip(clip)
        painter.pane(surface, rect, theme.edge, 0.0, 0.4, radius=4)
        pygame.draw.line(surface, theme.text, (rect.left - 3, rect.centery), (rect.right + 2, rect.centery))
