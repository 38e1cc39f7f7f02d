"""A board of light and dark squares with draughtsmen, who slide, and jump in arcs over what they take."""

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pygame

from alphadiamond.base.drawing import Square
from alphadiamond.client.board.art import Art
from alphadiamond.client.board.geometry import Geometry, Point
from alphadiamond.client.motion import clamp, ease_in_out
from alphadiamond.client.paint import Painter
from alphadiamond.client.paint.painter import lerp_points
from alphadiamond.client.paint.shapes import surface_of
from alphadiamond.client.theme import ink_on, mix

if TYPE_CHECKING:
    from alphadiamond.client.board.view import Flight

_FRAME = 0.30
"""The wooden frame around the squares, in squares; the names stand on it."""


class CheckersArt(Art):
    def draw_board(self) -> None:
        size = min(self.view.rect.width, self.view.rect.height)
        sprite = self.painter.sprite(
            ("checkers", self.view.drawing.game.name, size), lambda: board_sprite(self.painter, self.geometry, size)
        )
        self.painter.blit(self.surface, sprite, self.geometry.centre)
        if self.view.names:
            left, bottom, _, top = extent(self.geometry)
            drawing, geometry, painter = self.view.drawing, self.geometry, self.painter
            ink = mix(self.theme.deep, ink_on(self.theme.deep if self.theme.dark else (0, 0, 0)), 0.75)
            for number, name in enumerate(drawing.column_names):
                point = geometry.at(left + number + 0.5, bottom - _FRAME / 2)
                painter.blit(self.surface, painter.text.render(name, "caption", ink, 0.88), point)
            for number, name in enumerate(drawing.row_names):
                point = geometry.at(left - _FRAME / 2, top - number - 0.5)
                painter.blit(self.surface, painter.text.render(name, "caption", ink, 0.88), point)

    def _tint(self, square: Square, colour: tuple[int, int, int], strength: float, edge: float = 0.0) -> None:
        unit = self.geometry.unit
        x, y = self.geometry.point(square)
        box = pygame.Rect(round(x - unit / 2), round(y - unit / 2), round(unit), round(unit))
        self.painter.pane(self.surface, box, colour, strength, edge, radius=3, edge_width=2.5)

    def draw_last(self) -> None:
        view = self.view
        if view.last is None or (view.flight is not None and not view.flight.landed):
            return
        for square in view.last.path:
            self._tint(square, self.theme.gold, 0.20, 0.35)

    def draw_targets(self) -> None:
        """A capture is compulsory: whoever must take glows, so that nobody wonders why others cannot be picked."""
        view, geometry = self.view, self.geometry
        if view.playable and not view.busy and view.compulsory:
            pulse = 0.5 + 0.5 * math.sin(self.time * 4)
            for square in view.movable:
                self._tint(square, self.theme.gold, round(0.16 + 0.16 * pulse, 1), 0.8)
                self.painter.glow(self.surface, geometry.point(square), geometry.unit * 0.9, self.theme.gold, 0.4)
        for square in view.picked[1:]:
            self._tint(square, self.theme.gold, 0.30, 0.8)
        super().draw_targets()

    def draw_movable(self, point: Point, strength: float) -> None:
        width = max(2.0, self.geometry.unit * 0.035)
        self.painter.ring(self.surface, point, self.geometry.bead * 1.10, width, self.theme.accent, strength)

    def draw_piece(self, centre: Point, side: Any, glow: float, *, size: float = 1.0, height: float = 0.0) -> None:
        """`height` lifts it above its shadow, in squares."""
        geometry, painter = self.geometry, self.painter
        bead = geometry.bead
        if glow > 0.02:
            painter.glow(self.surface, centre, bead * 1.9, self.theme.accent, 0.45 * glow)
        shadow = (centre[0] + bead * 0.05, centre[1] + bead * (0.14 + 0.2 * height))
        painter.disc(self.surface, shadow, bead * (1.02 + 0.1 * height), (0, 0, 0), 0.40 - 0.16 * clamp(height))
        lifted = (centre[0], centre[1] - height * geometry.unit * 0.62)
        painter.piece(self.surface, lifted, bead * size, side)

    def _taken(self, flight: "Flight") -> dict[Square, int]:
        """Each man that is taken with the number of the jump that takes him."""
        points = self.view.drawing.points
        hops = list(itertools.pairwise(flight.ply.path))
        found = {}
        for square in flight.ply.captured:
            away = [math.dist(lerp_points(points[a], points[b], 0.5), points[square]) for a, b in hops]
            found[square] = away.index(min(away))
        return found

    def left_by(self, flight: "Flight", square: Square) -> bool:
        if super().left_by(flight, square):
            return True
        taken = self._taken(flight)
        hops = len(flight.ply.path) - 1
        return square in taken and flight.tween.progress * hops > taken[square] + 0.55

    def draw_flight(self, flight: "Flight", progress: float) -> None:
        geometry, ply = self.geometry, flight.ply
        hops = list(itertools.pairwise(ply.path))
        for square, hop in self._taken(flight).items():  # a man that has been jumped over shrinks away
            gone = clamp((progress * len(hops) - hop - 0.55) / 0.45)
            if 0 < gone < 1:
                radius = geometry.bead * (1 - gone)
                self.painter.piece(self.surface, geometry.point(square), radius, ply.side.other, 1 - gone)
        number = min(len(hops) - 1, int(progress * len(hops)))
        t = ease_in_out(clamp(progress * len(hops) - number))
        a, b = (geometry.point(square) for square in hops[number])
        height = math.sin(math.pi * t) if ply.how == "jump" else 0.12 * math.sin(math.pi * t)
        self.draw_piece(lerp_points(a, b, t), ply.side, 0.6, size=1 + 0.14 * height, height=height)

    def draw_vanishing(self, flight: "Flight", t: float) -> None:
        pass  # what is taken goes while it is jumped over

    def draw_marks(self) -> None:
        pulse = 0.5 + 0.5 * math.sin(self.time * 4)
        for square, colour in self.view.marks.items():
            self._tint(square, colour, 0.0, round(0.5 + 0.5 * pulse, 1))

    def draw_focus(self) -> None:
        unit = self.geometry.unit
        x, y = self.geometry.point(self.view.cursor)
        box = pygame.Rect(round(x - unit * 0.46), round(y - unit * 0.46), round(unit * 0.92), round(unit * 0.92))
        self.painter.focus(self.surface, box, radius=4)


def extent(geometry: Geometry) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of the squares, in units."""
    xs, ys = zip(*geometry.drawing.points, strict=True)
    return min(xs) - 0.5, min(ys) - 0.5, max(xs) + 0.5, max(ys) + 0.5


def _grain(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Wood in [-1, 1]: long waves along x that never quite repeat, different in every square."""
    cell = np.floor(x) * 12.9898 + np.floor(y) * 78.233
    shift = np.modf(np.sin(cell) * 43758.5453)[0] * 3
    rings = 9 * y + 0.9 * np.sin(1.7 * x + shift * 4) + shift * 5 + 0.35 * np.sin(6.1 * x + 3 * y)
    found: npt.NDArray[np.float32] = (0.6 * np.sin(rings) + 0.4 * np.sin(2.7 * rings + 1.3 * x)).astype(np.float32)
    return found


def board_sprite(painter: Painter, geometry: Geometry, size: int) -> pygame.Surface:
    """Frame and squares, lit from the upper left."""
    theme = painter.theme
    left, bottom, right, top = extent(geometry)
    unit = geometry.unit
    axis = (np.arange(size, dtype=np.float32) + 0.5 - size / 2) / unit
    x, y = np.meshgrid(axis, -axis)
    pixel = 1 / unit
    flat = theme.high_contrast
    corner = 0.14
    out_x = np.maximum(left - _FRAME + corner - x, x - right - _FRAME + corner)
    out_y = np.maximum(bottom - _FRAME + corner - y, y - top - _FRAME + corner)
    edge = np.hypot(np.maximum(out_x, 0), np.maximum(out_y, 0)) + np.minimum(np.maximum(out_x, out_y), 0) - corner
    inside = (x > left) & (x < right) & (y > bottom) & (y < top)
    column, row = np.floor(x - left), np.floor(y - bottom)
    used = {(round(px - left - 0.5), round(py - bottom - 0.5)) for px, py in geometry.drawing.points}
    odd = next(iter(used))
    dark = (column + row) % 2 == (odd[0] + odd[1]) % 2
    pale, deep = np.asarray(theme.pale, np.float32), np.asarray(theme.deep, np.float32)
    frame = deep * 0.62 if theme.dark else deep * 0.74
    colour = np.where(inside[..., None], np.where(dark[..., None], deep, pale), frame)
    if not flat:
        grain = _grain(x - left, y - bottom)
        light = 1.0 + 0.06 * (y - x) / (top - bottom) + 0.045 * grain
        near = np.minimum.reduce([x - left - column, column + 1 - x + left, y - bottom - row, row + 1 - y + bottom])
        seam = np.clip(1 - near / 0.022, 0, 1) * inside
        light = light * (1 - 0.22 * seam)
        bevel = np.clip(1 - np.abs(edge + 0.03) / 0.03, 0, 1)
        light = light + 0.35 * bevel * np.sign(y - x)
        groove = np.maximum.reduce([left - x, x - right, bottom - y, y - top])
        light = light * (1 - 0.4 * np.clip(1 - np.abs(groove - 0.015) / 0.02, 0, 1) * ~inside)
        colour = colour * light[..., None]
    image = np.zeros((size, size, 4), np.float32)
    image[..., :3] = np.clip(colour, 0, 255)
    image[..., 3] = np.clip(0.5 - edge / pixel, 0, 1)
    if flat:
        line = (np.clip(1 - np.abs(edge + 0.02) / 0.02, 0, 1))[..., None]
        image[..., :3] = image[..., :3] * (1 - line) + np.asarray(theme.edge, np.float32) * line
    return surface_of(image)
