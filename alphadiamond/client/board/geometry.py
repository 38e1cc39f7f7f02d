"""Where the squares lie in a rectangle, and which of them is meant."""

import math
from dataclasses import dataclass

import pygame

from alphadiamond.base.drawing import CELLS, CHECKERS, MAZE, Drawing, Spot, Square

Point = tuple[float, float]
_ABOVE = 0.7
"""How far above the upper row of columns a click still means them."""


@dataclass(frozen=True)
class Geometry:
    drawing: Drawing
    centre: Point
    unit: float
    """Pixels of one unit of the drawing."""

    @classmethod
    def within(cls, rect: pygame.Rect, drawing: Drawing) -> "Geometry":
        return cls(drawing, (rect.centerx, rect.centery), min(rect.width, rect.height) / 2 / drawing.reach)

    def at(self, x: float, y: float) -> Point:
        return self.centre[0] + x * self.unit, self.centre[1] - y * self.unit

    def point(self, square: Square) -> Point:
        return self.at(*self.drawing.points[square])

    def spot_point(self, spot: Spot) -> Point:
        """Where a click on a spot would go: a square, or the middle of a column."""
        if not self.drawing.columns:
            return self.point(spot)
        ends = self.drawing.columns[spot]
        (x, low), (_, high) = self.drawing.points[ends[0]], self.drawing.points[ends[-1]]
        return self.at(x, (low + high) / 2)

    def above(self, column: Spot) -> Point:
        """Where a piece is held before it falls."""
        x, y = self.drawing.points[self.drawing.columns[column][-1]]
        return self.at(x, y + 1)

    @property
    def bead(self) -> float:
        return max(7.0, self.drawing.radius * self.unit)

    @property
    def socket(self) -> float:
        return max(4.0, self.drawing.hole * self.unit)

    def spot_at(self, point: Point) -> Spot | None:
        """The nearest spot, if it is near enough to be meant."""
        if self.drawing.columns:
            return self._column_at(point)
        count = len(self.drawing.points)
        distance, square = min((self._distance(point, self.point(square)), square) for square in range(count))
        return square if distance <= self.drawing.touch * self.unit else None

    def _distance(self, a: Point, b: Point) -> float:
        if self.drawing.surface in (CHECKERS, CELLS, MAZE):
            return max(abs(a[0] - b[0]), abs(a[1] - b[1]))
        return math.dist(a, b)

    def _column_at(self, point: Point) -> Spot | None:
        for number, column in enumerate(self.drawing.columns):
            x, low = self.point(column[0])
            high = self.point(column[-1])[1]
            inside = high - (1 + _ABOVE) * self.unit <= point[1] <= low + 0.6 * self.unit
            if abs(point[0] - x) <= self.unit / 2 and inside:
                return number
        return None


def neighbour_towards(drawing: Drawing, spot: Spot, direction: tuple[int, int]) -> Spot | None:
    """The spot that an arrow key means: the nearest within 60 degrees of the direction, straight ones preferred."""
    if drawing.columns:
        beside = spot + direction[0]
        return beside if direction[0] and 0 <= beside < len(drawing.columns) else None
    x, y = drawing.points[spot]
    best, best_cost = None, math.inf
    for other, (there_x, there_y) in enumerate(drawing.points):
        if other == spot:
            continue
        dx, dy = there_x - x, y - there_y
        length = math.hypot(dx, dy)
        along = (dx * direction[0] + dy * direction[1]) / length
        if along < 0.45:
            continue
        cost = length * (1 + 2.2 * (1 - along))
        if cost < best_cost:
            best, best_cost = other, cost
    return best
