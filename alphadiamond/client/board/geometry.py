"""Where the nodes lie in a rectangle, and which of them is meant."""

import math
from dataclasses import dataclass

import pygame

from alphadiamond.games.diamond_chase.board import COORDINATES, NODES, Node

Point = tuple[float, float]
_REACH = 6.02
"""Board units from the centre to the rectangle's edge: the tips, a bead's radius and a little air."""
BEAD = 0.37
"""Radius of a bead in board units."""
SOCKET = 0.17


@dataclass(frozen=True)
class Geometry:
    centre: Point
    unit: float
    """Pixels of one board unit."""

    @classmethod
    def within(cls, rect: pygame.Rect) -> "Geometry":
        return cls((rect.centerx, rect.centery), min(rect.width, rect.height) / 2 / _REACH)

    def point(self, node: Node) -> Point:
        x, y = COORDINATES[node]
        return self.centre[0] + float(x) * self.unit, self.centre[1] - float(y) * self.unit

    @property
    def bead(self) -> float:
        return max(7.0, BEAD * self.unit)

    @property
    def socket(self) -> float:
        return max(4.0, SOCKET * self.unit)

    def node_at(self, point: Point) -> Node | None:
        """The nearest node, if it is near enough to be meant."""
        distance, node = min((math.dist(point, self.point(node)), node) for node in range(NODES))
        return node if distance <= 0.52 * self.unit else None


def neighbour_towards(node: Node, direction: tuple[int, int]) -> Node | None:
    """The node that an arrow key means: the nearest within 60 degrees of the direction, straight ones preferred."""
    x, y = COORDINATES[node]
    best, best_cost = None, math.inf
    for other in range(NODES):
        if other == node:
            continue
        dx, dy = COORDINATES[other][0] - x, y - COORDINATES[other][1]
        length = math.hypot(dx, dy)
        along = (dx * direction[0] + dy * direction[1]) / length
        if along < 0.45:
            continue
        cost = length * (1 + 2.2 * (1 - along))
        if cost < best_cost:
            best, best_cost = other, cost
    return best
