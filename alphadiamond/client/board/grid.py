"""An upright board of round holes: pieces stand behind its face, and where they fall they fall behind it."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pygame

from alphadiamond.base.drawing import Square
from alphadiamond.client.board.art import Art
from alphadiamond.client.board.geometry import Geometry, Point
from alphadiamond.client.motion import clamp
from alphadiamond.client.paint import Painter
from alphadiamond.client.paint.shapes import surface_of
from alphadiamond.client.theme import mix

if TYPE_CHECKING:
    from alphadiamond.client.board.view import Arrow, Flight

_HOLE = 0.42
"""Radius of a hole, in cells; a piece is a little larger, so that it fills it."""
_EDGE = 0.16
"""The frame around the cells."""
_LANDING = 0.66
"""The share of a fall that is over when the piece first touches the ground."""
_BOUNCE = 0.055
"""How high it comes up again, as a share of how far it fell."""

_WHITE = (255, 255, 255)


def fallen(t: float) -> float:
    """How far a piece has fallen at `t` of its time: faster and faster, then up a little and down for good."""
    if t < _LANDING:
        return (t / _LANDING) ** 2
    again = (t - _LANDING) / (1 - _LANDING)
    return 1 - _BOUNCE * 4 * again * (1 - again)


class GridArt(Art):
    def draw_board(self) -> None:
        """The dark inside of the box, and what is held above it."""
        self.left, self.bottom, self.right, self.top = _extent(self.geometry)
        painter, theme = self.painter, self.theme
        a = self.geometry.at(self.left + _EDGE, self.top - _EDGE)
        b = self.geometry.at(self.right - _EDGE, self.bottom + _EDGE)
        box = pygame.Rect(round(a[0]), round(a[1]), round(b[0] - a[0]), round(b[1] - a[1]))
        inside = mix(theme.plate, (0, 0, 0), 0.72) if theme.dark else mix(theme.plate, (255, 255, 255), 0.80)
        painter.pane(self.surface, box, inside, 1.0, 0.0, radius=10)

    def draw_last(self) -> None:
        pass  # shown on the face of the board

    def draw_arrows(self) -> None:
        pass  # they would lie behind the face

    def draw_targets(self) -> None:
        """The piece that would fall, held above the column that is pointed at, and the place it would fall to."""
        view, geometry = self.view, self.geometry
        if not view.playable or view.busy:
            return
        spot = view.pointed if view.pointed is not None else view.cursor if view.focused else None
        if spot is None or spot not in view.movable:
            return
        move = view.targets(spot)[0]
        landing = geometry.point(view.path(move)[-1])
        side = view.position.side
        pulse = 0.5 + 0.5 * math.sin(self.time * 4.5)
        if view.drawing.columns:
            x, y = geometry.above(spot)
            self.draw_piece((x, y + geometry.unit * 0.03 * math.sin(self.time * 2.4)), side, 0.6)
        self.painter.piece(self.surface, landing, geometry.bead, side, 0.30 + 0.15 * pulse)

    def draw_piece(self, centre: Point, side: Any, glow: float, *, size: float = 1.0) -> None:
        self.painter.piece(self.surface, centre, self.geometry.bead * size, side)

    def draw_movable(self, point: Point, strength: float) -> None:
        pass  # the column is what can be picked

    def left_by(self, flight: "Flight", square: Square) -> bool:
        return False

    def draw_flight(self, flight: "Flight", progress: float) -> None:
        geometry, ply = self.geometry, flight.ply
        x, floor = geometry.point(ply.path[-1])
        if ply.how != "fall":
            self.painter.piece(self.surface, (x, floor), geometry.bead * (0.6 + 0.4 * progress), ply.side, progress)
            return
        start = geometry.above(self.view.drawing.spot_of(ply.path[-1]))[1]
        y = start + (floor - start) * fallen(progress)
        speed = clamp(progress / _LANDING) if progress < _LANDING else 0.0
        for k in range(4, 0, -1):  # what the eye keeps of a fast piece
            behind = y - k * 0.11 * geometry.unit * speed
            if behind > start and speed > 0.2:
                self.painter.disc(self.surface, (x, behind), geometry.bead * 0.92, self.theme.bead(ply.side), 0.08)
        self.draw_piece((x, y), ply.side, 0.8)

    def draw_front(self) -> None:
        size = min(self.view.rect.width, self.view.rect.height)
        key = ("face", size, self.view.drawing.game.name)
        self.painter.blit(
            self.surface,
            self.painter.sprite(key, lambda: face(self.painter, self.geometry, size)),
            self.geometry.centre,
        )
        if self.view.names:
            self.draw_edge_names(self.left + _EDGE, self.top, self.right - _EDGE, self.bottom - 0.27, self.theme.muted)
        self._draw_column()
        self._draw_last_ring()
        self._draw_arrow_rings()

    def _draw_column(self) -> None:
        """A breath of light over the column that is pointed at."""
        view, geometry = self.view, self.geometry
        spot = view.pointed if view.pointed is not None else view.cursor if view.focused else None
        if spot is None or not view.drawing.columns or spot not in view.movable:
            return
        column = view.drawing.columns[spot]
        x, low = geometry.point(column[0])
        high = geometry.point(column[-1])[1]
        unit = geometry.unit
        box = pygame.Rect(round(x - unit / 2), round(high - unit / 2), round(unit), round(low - high + unit))
        self.painter.pane(self.surface, box, (255, 255, 255), 0.07, 0.22, radius=10)

    def _draw_last_ring(self) -> None:
        view, geometry = self.view, self.geometry
        if view.last is None or view.lit or (view.flight is not None and not view.flight.landed):
            return
        point = geometry.point(view.last.path[-1])
        width = max(2.0, geometry.unit * 0.05)
        self.painter.ring(self.surface, point, geometry.unit * _HOLE, width, _WHITE, 0.9)

    def _draw_arrow_rings(self) -> None:
        for arrow in reversed(self.view.arrows):
            point = self.geometry.point(self.view.path(arrow.move)[-1])
            width = self.geometry.unit * (0.04 + 0.06 * arrow.weight)
            self.painter.disc(
                self.surface, point, self.geometry.unit * 0.30 * arrow.weight, arrow.colour, 0.22 + 0.3 * arrow.weight
            )
            self.painter.ring(
                self.surface, point, self.geometry.unit * (_HOLE - 0.05), width, arrow.colour, 0.4 + 0.6 * arrow.weight
            )

    def draw_lit_square(self, point: Point, pulse: float) -> None:
        """White, since a side may be gold itself."""
        unit = self.geometry.unit
        self.painter.glow(self.surface, point, unit * (0.72 + 0.08 * pulse), _WHITE, 0.5)
        self.painter.ring(self.surface, point, unit * _HOLE, max(3.0, unit * 0.085), _WHITE, 0.8 + 0.2 * pulse)

    def label_point(self, arrow: "Arrow") -> Point:
        return self.geometry.point(self.view.path(arrow.move)[-1])

    def draw_hint(self) -> None:
        """An arrow from above, and a ring where the piece would come to lie."""
        view, geometry, gold = self.view, self.geometry, self.theme.gold
        if not view.hint:
            return
        pulse = 0.5 + 0.5 * math.sin(self.time * 5)
        point = geometry.point(view.hint[-1])
        if view.drawing.columns:
            x, y = geometry.above(view.drawing.spot_of(view.hint[-1]))
            tip = (x, y + geometry.unit * 0.62)
            start = (x, y - geometry.unit * (0.42 - 0.08 * pulse))
            self.painter.arrow(self.surface, start, tip, geometry.unit * 0.26, gold, 0.95, gap=0)
        self.painter.glow(self.surface, point, geometry.bead * 2.2, gold, 0.3 + 0.3 * pulse)
        width = max(2.5, geometry.unit * 0.07)
        self.painter.ring(self.surface, point, geometry.unit * (_HOLE - 0.02 + 0.03 * pulse), width, gold, 1.0)

    def draw_focus(self) -> None:
        view, geometry = self.view, self.geometry
        if not view.drawing.columns:
            super().draw_focus()
            return
        column = view.drawing.columns[view.cursor]
        x, low = geometry.point(column[0])
        high = geometry.point(column[-1])[1]
        unit = geometry.unit
        box = pygame.Rect(
            round(x - unit * 0.48), round(high - unit * 0.48), round(unit * 0.96), round(low - high + unit * 0.96)
        )
        self.painter.focus(self.surface, box, radius=8)

    def draw_drag(self) -> None:
        pass  # nothing is dragged here


def _extent(geometry: Geometry) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of the face, in units."""
    xs, ys = zip(*geometry.drawing.points, strict=True)
    half = 0.5 + _EDGE
    return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


def face(painter: Painter, geometry: Geometry, size: int) -> pygame.Surface:
    """The front of the board: lit from above, with holes whose rims catch the light, and two feet."""
    theme = painter.theme
    unit = geometry.unit
    left, bottom, right, top = _extent(geometry)
    axis = (np.arange(size, dtype=np.float32) + 0.5 - size / 2) / unit
    x, y = axis[None, :], -axis[:, None]
    pixel = 1 / unit
    corner = 0.28
    inside_x = np.maximum(left + corner - x, x - right + corner)
    inside_y = np.maximum(bottom + corner - y, y - top + corner)
    outside = np.hypot(np.maximum(inside_x, 0), np.maximum(inside_y, 0)) + np.minimum(np.maximum(inside_x, inside_y), 0)
    edge = outside - corner
    """How far outside the face, negative within."""
    cover = np.clip(0.5 - edge / pixel, 0, 1)
    nearest = np.full((size, size), 9.0, np.float32)
    down = np.zeros((size, size), np.float32)
    for px, py in geometry.drawing.points:
        dx, dy = x - px, y - py
        away = np.hypot(dx, dy)
        closer = away < nearest
        nearest = np.where(closer, away, nearest)
        down = np.where(closer, np.broadcast_to(dy, away.shape), down)
    hole = np.clip(0.5 + (nearest - _HOLE) / pixel, 0, 1)
    flat = theme.high_contrast
    base = np.asarray(theme.plate, np.float32)
    height = (y - bottom) / (top - bottom)
    shade = (
        np.full((size, size), 1.0, np.float32) if flat else np.broadcast_to(0.80 + 0.30 * height, (size, size)).copy()
    )
    if not flat:
        rim = np.clip(1 - np.abs(nearest - _HOLE - 0.035) / 0.045, 0, 1)
        shade = shade - 0.26 * rim * np.clip(down / _HOLE, -1, 1)  # dark above a hole, bright below it
        border = np.clip(1 - np.abs(edge + 0.05) / 0.05, 0, 1)
        shade = shade + 0.22 * border * np.clip(0.3 + (y - (top + bottom) / 2) / (top - bottom) * 2, -1, 1)
    image = np.zeros((size, size, 4), np.float32)
    image[..., :3] = np.clip(base * shade[..., None], 0, 255)
    if flat:
        line = np.clip(1.2 - np.abs(nearest - _HOLE - 0.03) / 0.03, 0, 1)[..., None]
        image[..., :3] = image[..., :3] * (1 - line) + np.asarray(theme.edge, np.float32) * line
    solid = (cover * hole).astype(np.float32)
    within = np.clip(1 - (_HOLE - nearest) / 0.12, 0, 1) * np.clip(down / _HOLE + 0.35, 0, 1)
    shadow = within * cover * (0.0 if flat else 0.42)  # the face casts a shadow on the pieces behind it
    alpha = solid + shadow * (1 - solid)
    image[..., :3] *= np.divide(solid, alpha, out=np.zeros_like(solid), where=alpha > 0)[..., None]
    image[..., 3] = alpha
    return surface_of(image)
