"""Moves as a tree: the main line, and under the move that it replaces each other line in a block of its own."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pygame

from alphadiamond.client.motion import Approach, clamp
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import mix
from alphadiamond.client.widgets.base import Widget
from alphadiamond.play.variations import Node, Variations


@dataclass(frozen=True)
class _Cell:
    """A move in its place, from the top left of the whole tree."""

    node: Node
    rect: pygame.Rect
    number: str
    level: int


class MoveTree(Widget):
    """Left and right go along a line, up and down to the other moves at a place; a click goes to any."""

    def __init__(
        self,
        key: str,
        rect: pygame.Rect,
        tree: Variations,
        on_go: Callable[[Node], None],
        *,
        painter: Painter,
        marks: Mapping[Node, str],
        empty: str,
    ) -> None:
        """`marks` holds `?` or `??` for moves that gave something away."""
        super().__init__(key, rect)
        self.tree, self.on_go, self.marks, self.empty = tree, on_go, marks, empty
        self._step = painter.text.line_step("mono") + painter.px(4)
        self._indent, self._gap, self._pad = painter.px(16), painter.px(2), painter.px(5)
        self._bars: list[tuple[int, int, int]] = []
        """Of each other line its left edge, its top and its bottom."""
        self._x = self._y = 0
        self._cells = list(self._place(painter, tree.root, 0, 0))
        self._height = self._y + self._step if self._cells else 0
        self._scroll = Approach(half_life=0.06)
        self._pointed: Node | None = None
        self._follow()
        self._scroll.value = self._scroll.target

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, MoveTree) and old.tree is self.tree:
            self._scroll.value = old._scroll.value

    # Where everything stands

    def _place(self, painter: Painter, node: Node, ply: int, level: int) -> Iterator[_Cell]:
        """The moves after a node, one after the other, and in between blocks for what else was tried there."""
        numbered = True
        while node.children:
            main, *others = node.children
            yield self._cell(painter, main, ply, level, numbered)
            numbered = bool(others)
            for other in others:
                self._newline(level + 1)
                top = self._y
                yield self._cell(painter, other, ply, level + 1, True)
                yield from self._place(painter, other, ply + 1, level + 1)
                self._bars.append((self._left(level + 1) - self._indent // 2, top, self._y + self._step))
            if others and main.children:
                self._newline(level)
            node, ply = main, ply + 1

    def _left(self, level: int) -> int:
        """Lines in lines in lines stop moving to the right before nothing has room."""
        return min(level, 6) * self._indent

    def _newline(self, level: int) -> None:
        self._x, self._y = self._left(level), self._y + self._step

    def _cell(self, painter: Painter, node: Node, ply: int, level: int, numbered: bool) -> _Cell:
        number = self._number(node, ply, numbered)
        width = painter.text.width(number + self._text(node), "mono") + 2 * self._pad
        if self._x + width > self.rect.width - painter.px(6) and self._x > self._left(level):
            self._newline(level)
        rect = pygame.Rect(self._x, self._y, min(width, self.rect.width - self._x), self._step)
        self._x += width + self._gap
        return _Cell(node, rect, number, level)

    def _number(self, node: Node, ply: int, numbered: bool) -> str:
        assert node.ply is not None
        place = ply + int(self.tree.start.side)
        if place % 2 == 0:
            return f"{place // 2 + 1}. "
        return f"{place // 2 + 1}... " if numbered else ""

    def _text(self, node: Node) -> str:
        assert node.ply is not None
        return node.ply.text + self.marks.get(node, "")

    def place_of(self, node: Node) -> pygame.Rect:
        """Where a move stands now."""
        cell = next(one for one in self._cells if one.node is node)
        return cell.rect.move(self.rect.left, self.rect.top - round(self._scroll.value))

    @property
    def _most(self) -> float:
        return max(0.0, self._height - self.rect.height)

    def _follow(self) -> None:
        """Scroll so that what is looked at can be seen."""
        here = next((one.rect for one in self._cells if one.node is self.tree.at), None)
        if here is not None:
            low = min(self._scroll.target, max(0, here.top - self._step))
            self._scroll.target = max(low, here.bottom + self._step - self.rect.height)
        self._scroll.target = clamp(self._scroll.target, 0, self._most)

    # Hands

    def _at(self, point: tuple[int, int]) -> Node | None:
        if not self.rect.collidepoint(point):
            return None
        place = (point[0] - self.rect.left, point[1] - self.rect.top + round(self._scroll.value))
        return next((one.node for one in self._cells if one.rect.collidepoint(place)), None)

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self._scroll.target = clamp(self._scroll.target - event.y * self._step * 2, 0, self._most)
            return True
        if event.type == pygame.MOUSEMOTION:
            self._pointed = self._at(event.pos)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            node = self._at(event.pos)
            if node is not None:
                self.on_go(node)
            return True
        return False

    def key_down(self, event: pygame.event.Event) -> bool:
        at = self.tree.at
        beside = at.parent.children if at.parent is not None else [at]
        here = beside.index(at)
        wanted: dict[int, Node | None] = {
            pygame.K_LEFT: at.parent,
            pygame.K_RIGHT: at.children[0] if at.children else None,
            pygame.K_UP: beside[here - 1] if here else None,
            pygame.K_DOWN: beside[here + 1] if here + 1 < len(beside) else None,
        }
        node = wanted.get(event.key)
        if node is None:
            return False
        self.on_go(node)
        return True

    def update(self, dt: float) -> None:
        super().update(dt)
        self._scroll.update(dt)
        if not self.hovered:
            self._pointed = None

    # The picture

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme, rect = painter.theme, self.rect
        if not self._cells:
            painter.text.paragraph(surface, self.empty, rect, "body", theme.faint, align="center", valign="middle")
        clip = surface.get_clip()
        surface.set_clip(rect.clip(clip))
        shift = round(self._scroll.value)
        for x, top, bottom in self._bars:
            place = pygame.Rect(rect.left + x, rect.top + top - shift, painter.px(2), bottom - top - painter.px(3))
            painter.pane(surface, place, theme.accent_2, 0.55, 0.0, radius=1)
        for cell in self._cells:
            box = cell.rect.move(rect.left, rect.top - shift)
            if box.bottom >= rect.top and box.top <= rect.bottom:
                self._draw_cell(surface, painter, cell, box)
        surface.set_clip(clip)
        if self._most:
            length = max(painter.px(24), round(rect.height**2 / self._height))
            top = rect.top + round((rect.height - length) * self._scroll.value / self._most)
            knob = pygame.Rect(rect.right - painter.px(4), top, painter.px(4), length)
            painter.pane(surface, knob, theme.muted, 0.5, 0.0, radius=2)
        if self.focused:
            painter.focus(surface, rect.inflate(painter.px(6), painter.px(6)))

    def _draw_cell(self, surface: pygame.Surface, painter: Painter, cell: _Cell, box: pygame.Rect) -> None:
        theme, node = painter.theme, cell.node
        assert node.ply is not None
        if node is self.tree.at:
            painter.pane(surface, box.inflate(0, -painter.px(2)), theme.accent, 0.22, 0.7, radius=6)
        elif node is self._pointed:
            painter.pane(surface, box.inflate(0, -painter.px(2)), theme.accent, 0.08, 0.2, radius=6)
        colour = mix(theme.text, theme.bead(node.ply.side), 0.25)
        if cell.level:
            colour = mix(colour, theme.muted, 0.45)
        mark = self.marks.get(node, "")
        left = box.left + self._pad
        for text, shade in (
            (cell.number, theme.faint),
            (node.ply.text, colour),
            (mark, theme.danger if mark == "??" else theme.gold),
        ):
            place = pygame.Rect(left, box.top, max(0, box.right - left), box.height)
            if text.strip() and place.width:
                painter.text.draw(surface, text.rstrip(), place, "mono", shade, fit=True)
            left += painter.text.width(text, "mono")
