"""Numbers to look at: a tile, a table of results, and the latest results as a row of beads."""

import itertools
from collections.abc import Sequence

import pygame

from alphadiamond.client.motion import Approach, clamp
from alphadiamond.client.paint import Painter
from alphadiamond.client.statistics import Row
from alphadiamond.client.theme import ink_on
from alphadiamond.client.widgets.base import Widget


class Tile(Widget):
    """A large number with a word below."""

    focusable = False

    def __init__(self, key: str, rect: pygame.Rect, value: str, text: str) -> None:
        super().__init__(key, rect)
        self.value, self.text = value, text

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        painter.panel(surface, self.rect)
        big, small = painter.text.line_step("heading"), painter.text.line_step("caption")
        top = self.rect.centery - (big + small) // 2
        painter.text.draw(
            surface,
            self.value,
            pygame.Rect(self.rect.left, top, self.rect.width, big),
            "heading",
            painter.theme.accent,
            align="center",
        )
        box = pygame.Rect(self.rect.left + 6, top + big, self.rect.width - 12, small)
        painter.text.draw(surface, self.text, box, "caption", painter.theme.muted, align="center", fit=True)


class WinTable(Widget):
    """Rows of results with a bar of wins, draws and losses; the wheel and the arrows scroll."""

    def __init__(self, key: str, rect: pygame.Rect, rows: Sequence[Row]) -> None:
        super().__init__(key, rect)
        self.rows = list(rows)
        self._scroll = Approach(half_life=0.05)
        self._step = 30

    @property
    def focusable(self) -> bool:  # type: ignore[override]
        return bool(self.rows)

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, WinTable):
            self._scroll = old._scroll

    def _move(self, rows: float) -> bool:
        before = self._scroll.target
        most = max(0.0, len(self.rows) - (self.rect.height / self._step - 1))
        self._scroll.target = clamp(before + rows, 0, most)
        return self._scroll.target != before

    def mouse(self, event: pygame.event.Event) -> bool:
        return event.type == pygame.MOUSEWHEEL and self._move(-event.y)

    def key_down(self, event: pygame.event.Event) -> bool:
        steps = {pygame.K_UP: -1, pygame.K_DOWN: 1}
        return event.key in steps and self._move(steps[event.key])

    def update(self, dt: float) -> None:
        super().update(dt)
        self._scroll.update(dt)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme, rect = painter.theme, self.rect
        if not self.rows:
            painter.text.paragraph(
                surface,
                "Play a game against a player, and it will count here.",
                rect,
                "body",
                theme.muted,
                align="center",
                valign="middle",
            )
            return
        step = painter.text.line_step("body") + painter.px(8)
        edges = [0.0, 0.30, 0.62, 0.74, 0.86, 1.0]
        columns = [
            pygame.Rect(rect.left + round(rect.width * a), 0, round(rect.width * (b - a)) - painter.px(10), step)
            for a, b in itertools.pairwise(edges)
        ]
        for number, (column, text) in enumerate(
            zip(columns, ("Against", "Won, drawn, lost", "Games", "Plies", "Exact"), strict=True)
        ):
            box = pygame.Rect(column.left, rect.top, column.width, step)
            painter.text.draw(
                surface, text, box, "label", theme.faint, align="left" if number < 2 else "right", fit=True
            )
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(rect.left, rect.top + step, rect.width, rect.height - step).clip(clip))
        for number, row in enumerate(self.rows):
            top = round(rect.top + step * (number + 1 - self._scroll.value))
            if top > rect.bottom or top < rect.top:
                continue
            boxes = [pygame.Rect(column.left, top, column.width, step) for column in columns]
            painter.text.draw(surface, row.name, boxes[0], "strong" if number == 0 else "body", theme.text, fit=True)
            self._draw_bar(surface, painter, boxes[1].inflate(0, -round(step * 0.42)), row)
            painter.text.draw(surface, str(row.games), boxes[2], "body", theme.text, align="right")
            painter.text.draw(surface, f"{row.length:.0f}", boxes[3], "body", theme.muted, align="right")
            exact = f"{100 * row.accuracy:.0f} %" if row.accuracy is not None else "–"
            painter.text.draw(surface, exact, boxes[4], "body", theme.muted, align="right")
        surface.set_clip(clip)
        if self.focused:
            painter.focus(surface, rect.inflate(painter.px(6), painter.px(6)))

    def _draw_bar(self, surface: pygame.Surface, painter: Painter, box: pygame.Rect, row: Row) -> None:
        theme = painter.theme
        clip = surface.get_clip()
        left = float(box.left)
        for count, colour in ((row.won, theme.good), (row.drawn, theme.faint), (row.lost, theme.danger)):
            width = box.width * count / max(1, row.games)
            part = pygame.Rect(round(left), box.top, round(left + width) - round(left), box.height)
            if part.width:
                surface.set_clip(part.clip(clip))
                painter.pane(surface, box, colour, 0.85, 0.0, radius=6)
                surface.set_clip(clip)
                if painter.text.width(str(count), "caption") + 6 < part.width:
                    painter.text.draw(surface, str(count), part, "caption", ink_on(colour), align="center")
            left += width


class Timeline(Widget):
    """The latest results, the newest at the right."""

    focusable = False

    def __init__(self, key: str, rect: pygame.Rect, results: Sequence[str]) -> None:
        super().__init__(key, rect)
        self.results = list(results)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        radius = painter.px(6)
        step = painter.px(19)
        if not self.results:
            return
        width = painter.text.width("Latest", "label")
        box = pygame.Rect(self.rect.left, self.rect.top, width, self.rect.height)
        painter.text.draw(surface, "Latest", box, "label", theme.faint)
        left = box.right + painter.px(16)
        fit = max(1, (self.rect.right - left - 2 * radius) // step)
        colours = {"won": theme.good, "drawn": theme.faint, "lost": theme.danger}
        for number, result in enumerate(self.results[-fit:]):
            centre = (left + radius + number * step, self.rect.centery)
            if result == "won":
                painter.disc(surface, centre, radius, colours[result])
            elif result == "drawn":
                painter.disc(surface, centre, radius * 0.6, colours[result])
            else:
                painter.ring(surface, centre, radius * 0.85, 2, colours[result])
