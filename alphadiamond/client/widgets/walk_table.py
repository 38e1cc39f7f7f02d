"""What path finders have explored, gone and paid so far, side by side."""

from collections.abc import Mapping

import pygame

from alphadiamond.base.ways import Walk, Ways
from alphadiamond.client.paint import Painter
from alphadiamond.client.widgets.base import Widget

_EDGES = (0.0, 0.40, 0.53, 0.66, 0.79, 1.0)
_HEADS = ("", "Cells", "Steps", "Cost", "Efficiency")


class WalkTable(Widget):
    focusable = False

    def __init__(self, key: str, rect: pygame.Rect, ways: Ways) -> None:
        super().__init__(key, rect)
        self._ways = ways
        self._rows: list[tuple[str, tuple[str, str, str, str], bool]] = []

    def show(self, walks: Mapping[str, Walk], frame: int) -> None:
        self._rows = []
        for name, walk in walks.items():
            moment = walk.at(frame)
            done = frame >= walk.frames - 1
            share = walk.efficiency
            told = "stuck" if share is None else f"{100 * share:.0f} %"
            gone = bool(moment.path)
            texts = (
                str(len(set(moment.explored))),
                str(len(moment.path) - 1) if gone else "–",
                str(moment.paid) if gone else "–",
                told if done else "–",
            )
            self._rows.append((self._ways.finders[name], texts, done))

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        painter.panel(surface, self.rect)
        inner = self.rect.inflate(-2 * painter.px(14), -2 * painter.px(12))
        step = min(inner.height // (len(self._rows) + 1), painter.text.line_step("body") + painter.px(12))
        best = max((texts[3] for _, texts, done in self._rows if done), key=_number, default="")
        top = inner.centery - step * (len(self._rows) + 1) // 2
        for number, (title, texts, done) in enumerate([("", _HEADS[1:], False), *self._rows]):
            y = top + number * step
            for column, text in enumerate((title, *texts)):
                left = inner.left + round(inner.width * _EDGES[column])
                right = inner.left + round(inner.width * _EDGES[column + 1])
                box = pygame.Rect(left, y, right - left - painter.px(4), step)
                if number == 0:
                    painter.text.draw(surface, text, box, "caption", theme.faint, align="right", fit=True)
                    continue
                colour = theme.text if done or column == 0 else theme.muted
                if done and column == 4:
                    colour = theme.good if text == best and text.endswith("%") else theme.gold
                style = "label" if column == 0 else "body"
                align = "left" if column == 0 else "right"
                painter.text.draw(surface, text, box, style, colour, align=align, fit=True)


def _number(text: str) -> int:
    return int(text.split()[0]) if text.endswith("%") else -1
