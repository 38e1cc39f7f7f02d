"""A board of squares for any game: a piece on one of them is a disc, one that covers several a tile. Where something
lies on the ground, walls and floor take the place of light and dark squares."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.base.drawing import BONUS, HOMES, TRAP, WALL, Square
from alphadiamond.client.board.checkers import CheckersArt
from alphadiamond.client.board.geometry import Point
from alphadiamond.client.motion import ease_out
from alphadiamond.client.theme import Colour, ink_on, mix

if TYPE_CHECKING:
    from alphadiamond.client.board.view import Arrow, Flight

_GAP = 0.08
"""Between a tile and the edge of its squares."""


class CellsArt(CheckersArt):
    @property
    def _blocks(self) -> tuple[tuple[Square, ...], ...]:
        flight = self.view.flight
        return flight.blocks if flight is not None and not flight.landed else self.view.blocks

    def draw_board(self) -> None:
        super().draw_board()
        flight = self.view.flight
        ground = flight.ground if flight is not None and not flight.landed else self.view.ground
        for square, kind in ground.items():
            self._draw_ground(square, kind)

    def _draw_ground(self, square: Square, kind: str) -> None:
        unit, painter, theme, surface = self.geometry.unit, self.painter, self.theme, self.surface
        point = self.geometry.point(square)
        corners = [(round(point[0] + way * unit / 2), round(point[1] + way * unit / 2)) for way in (-1, 1)]
        box = pygame.Rect(corners[0], (corners[1][0] - corners[0][0], corners[1][1] - corners[0][1]))
        floor = mix(theme.pale, theme.deep, 0.12)
        if kind == WALL:
            brick = mix(theme.deep, (0, 0, 0), 0.55)
            pygame.draw.rect(surface, mix(theme.deep, (0, 0, 0), 0.78), box)
            painter.pane(surface, box.inflate(-2, -2), mix(brick, theme.deep, 0.5), 1.0, 0.0, radius=3, to=brick)
            return
        pygame.draw.rect(surface, floor, box)
        pygame.draw.rect(surface, mix(floor, (0, 0, 0), 0.16), box, 1)
        if kind in HOMES:
            colour = theme.bead(self.view.drawing.game.sides[HOMES.index(kind)])
            painter.pane(surface, box.inflate(-round(unit * 0.1), -round(unit * 0.1)), colour, 0.45, 1.0, edge_width=3)
        elif kind == TRAP:
            self._draw_star(point, 0.34, mix(theme.danger, (0, 0, 0), 0.30), 8, 0.45)
            painter.disc(surface, point, unit * 0.10, floor)
        elif kind == BONUS:
            self._draw_star(point, 0.34, mix(theme.gold, (0, 0, 0), 0.12), 4, 0.42)

    def _draw_star(self, centre: Point, size: float, colour: Colour, rays: int, waist: float) -> None:
        """A star with so many rays; `waist` is how far it goes in between them."""
        edge = mix(colour, (0, 0, 0), 0.55)
        for shade, grown in ((edge, 1.14), (colour, 1.0)):
            corners = []
            for number in range(2 * rays):
                radius = self.geometry.unit * size * grown * (waist if number % 2 else 1.0)
                turn = math.pi * number / rays
                corners.append((centre[0] + radius * math.sin(turn), centre[1] - radius * math.cos(turn)))
            pygame.draw.polygon(self.surface, shade, corners)

    def standing(self) -> dict[Square, Any]:
        covered = {square for block in self._blocks for square in block}
        return {square: side for square, side in super().standing().items() if square not in covered}

    def draw_pieces(self) -> None:
        flight, owners = self.view.flight, super().standing()
        for block in self._blocks:
            if block[0] in owners and not (flight and not flight.landed and self.left_by(flight, block[0])):
                self._draw_tile(block, owners[block[0]])
        super().draw_pieces()

    def _box(self, squares: Sequence[Square], size: float = 1.0) -> pygame.Rect:
        """Over all of these squares."""
        xs, ys = zip(*map(self.geometry.point, squares), strict=True)
        across = self.geometry.unit * (1 - 2 * _GAP)
        box = pygame.Rect(0, 0, round((max(xs) - min(xs) + across) * size), round((max(ys) - min(ys) + across) * size))
        box.center = (round((min(xs) + max(xs)) / 2), round((min(ys) + max(ys)) / 2))
        return box

    def _draw_tile(self, squares: Sequence[Square], side: Any, strength: float = 1.0, size: float = 1.0) -> None:
        unit, painter, theme = self.geometry.unit, self.painter, self.theme
        box = self._box(squares, size)
        colour = theme.bead(side)
        if strength == 1.0:
            painter.pane(self.surface, box.move(round(unit * 0.03), round(unit * 0.05)), (0, 0, 0), 0.32, radius=10)
        light = mix(colour, (255, 255, 255), 0.0 if theme.name == "high contrast" else 0.22)
        painter.pane(
            self.surface,
            box,
            light,
            1.0,
            0.9,
            radius=10,
            alpha=strength,
            to=mix(colour, (0, 0, 0), 0.12),
            edge_colour=mix(colour, (0, 0, 0), 0.45),
            edge_width=2,
        )
        if painter.look.marks:  # told by more than its colour
            painter.blit(self.surface, painter.text.render(side.letter.upper(), "strong", ink_on(colour)), box.center)

    # Moves

    def left_by(self, flight: "Flight", square: Square) -> bool:
        return flight.ply.path[0] in flight.pieces and super().left_by(flight, square)

    def draw_flight(self, flight: "Flight", progress: float) -> None:
        """A piece that stood there slides; one that comes from outside is put down on all squares it will cover."""
        ply = flight.ply
        if ply.path[0] in flight.pieces and len(ply.path) > 1:
            super().draw_flight(flight, progress)
            return
        block = next((block for block in self.view.blocks if ply.path[0] in block), ())
        t = ease_out(progress)
        if block:
            self._draw_tile(block, ply.side, 0.3 + 0.69 * t, 1.12 - 0.12 * t)
            return
        centre = self.geometry.point(ply.path[-1])
        self.painter.piece(self.surface, centre, self.geometry.bead * (1.2 - 0.2 * t), ply.side, t)

    def draw_targets(self) -> None:
        """What a person who points at a square would put there."""
        super().draw_targets()
        view, unit = self.view, self.geometry.unit
        if view.picked and view.picked[0] not in view.pieces:
            self._tint(view.picked[0], self.theme.gold, 0.30, 0.8)
        if view.picked or not view.playable or view.busy:
            return
        spot = view.pointed if view.pointed is not None else view.cursor if view.focused else None
        if spot is None or spot in view.pieces or spot not in view.movable:
            return
        if all(len(view.path(move)) == 1 for move in view.targets(spot)):
            pulse = 0.5 + 0.5 * math.sin(self.time * 4.5)
            point = self.geometry.point(spot)
            self.painter.piece(self.surface, point, self.geometry.bead, view.position.side, 0.30 + 0.15 * pulse)
        else:
            x, y = self.geometry.point(spot)
            box = pygame.Rect(0, 0, round(unit * 0.8), round(unit * 0.8))
            box.center = (round(x), round(y))
            self.painter.pane(self.surface, box, self.theme.bead(view.position.side), 0.3, 0.7)

    def _is_put(self, move: Any) -> bool:
        """Whether a move brings a piece from outside, which no arrow can show."""
        path = self.view.path(move)
        return len(path) == 1 or path[0] not in self.view.pieces

    def draw_arrows(self) -> None:
        for arrow in reversed(self.view.arrows):
            if not self._is_put(arrow.move):
                self.draw_arrow(arrow)
                continue
            box = self._box(self.view.path(arrow.move))
            strength = 0.10 + 0.30 * arrow.weight
            self.painter.pane(self.surface, box, arrow.colour, strength, 0.5 + 0.5 * arrow.weight, edge_width=3)

    def label_point(self, arrow: "Arrow") -> Point:
        return self._box(self.view.path(arrow.move)).center if self._is_put(arrow.move) else super().label_point(arrow)
