"""How a board is drawn, whatever it is: what lies under the pieces, the pieces, and what is shown over them.

Each kind of surface has its own subclass beside this file. They read the view and change nothing in it.
"""

import itertools
import math
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.base.drawing import Square
from alphadiamond.client.board.geometry import Geometry, Point
from alphadiamond.client.motion import clamp, ease_in_out, ease_out
from alphadiamond.client.paint import Painter
from alphadiamond.client.paint.painter import lerp_points
from alphadiamond.client.theme import Colour

if TYPE_CHECKING:
    from alphadiamond.client.board.view import Arrow, BoardView, Flight


class Art:
    """One frame of one view; the methods are in the order in which they draw."""

    def __init__(self, view: "BoardView", surface: pygame.Surface, painter: Painter) -> None:
        self.view, self.surface, self.painter = view, surface, painter
        self.geometry: Geometry = view.geometry
        self.theme = painter.theme
        self.time = view.time

    def draw(self) -> None:
        self.draw_board()
        self.draw_last()
        self.draw_arrows()
        self.draw_targets()
        self.draw_pieces()
        self.draw_front()
        self.draw_lit()
        self.draw_hint()
        self.draw_marks()
        if self.view.focused:
            self.draw_focus()
        self.draw_drag()

    def draw_board(self) -> None:
        raise NotImplementedError

    def draw_front(self) -> None:
        """What lies before the pieces."""

    # The last move, and moves that are suggested

    def draw_last(self) -> None:
        last, flight = self.view.last, self.view.flight
        if last is None or (flight is not None and not flight.landed):
            return
        geometry, painter, gold = self.geometry, self.painter, self.theme.gold
        for first, second in itertools.pairwise(last.path):
            a, b = geometry.point(first), geometry.point(second)
            for k in range(1, 9):  # a trail that grows towards where the piece went
                painter.disc(
                    self.surface,
                    lerp_points(a, b, k / 9),
                    geometry.bead * (0.06 + 0.012 * k),
                    gold,
                    0.25 + 0.06 * k,
                )
        a, b = geometry.point(last.path[0]), geometry.point(last.path[-1])
        painter.ring(self.surface, a, geometry.socket * 1.5, max(1.5, geometry.unit * 0.035), gold, 0.75)
        if last.path[-1] in self.view.pieces:
            painter.ring(self.surface, b, geometry.bead * 1.18, max(1.5, geometry.unit * 0.045), gold, 0.95)

    def arrow_path(self, move: Any) -> list[Point]:
        """Where an arrow for a move runs."""
        return [self.geometry.point(square) for square in self.view.path(move)]

    def draw_arrows(self) -> None:
        for arrow in reversed(self.view.arrows):
            self.draw_arrow(arrow)

    def draw_arrow(self, arrow: "Arrow") -> None:
        width, strength = self.geometry.unit * (0.12 + 0.16 * arrow.weight), 0.35 + 0.55 * arrow.weight
        for a, b in itertools.pairwise(self.arrow_path(arrow.move)):
            self.painter.arrow(self.surface, a, b, width, arrow.colour, strength, gap=self.geometry.bead * 0.9)

    def label_point(self, arrow: "Arrow") -> Point:
        geometry = self.geometry
        path = self.arrow_path(arrow.move)
        a, b = path[-2], path[-1]
        x, y = lerp_points(a, b, 0.5)
        length = math.dist(a, b)
        if length < 2.2 * geometry.unit:  # a short arrow would vanish under its label, so that stands beside it
            aside = 0.42 * geometry.unit
            from_centre = (x - geometry.centre[0], y - geometry.centre[1])
            outward = 1 if from_centre[1] * (b[0] - a[0]) >= from_centre[0] * (b[1] - a[1]) else -1
            x -= (b[1] - a[1]) / length * aside * outward
            y += (b[0] - a[0]) / length * aside * outward
        return x, y

    def draw_arrow_labels(self) -> None:
        """Over the pieces: what each arrow is worth."""
        painter, theme = self.painter, self.theme
        for arrow in reversed(self.view.arrows):
            if not arrow.label:
                continue
            sprite = painter.text.render(arrow.label, "caption", theme.text, 0.9)
            box = sprite.get_rect().inflate(painter.px(10), painter.px(3))
            x, y = self.label_point(arrow)
            box.center = (round(x), round(y))
            fill = theme.sky[0] if theme.dark else (255, 255, 255)
            painter.pane(self.surface, box, fill, 0.88, 0.8, edge_colour=arrow.colour, radius=8)
            painter.blit(self.surface, sprite, box.center)

    # What can be done

    def draw_targets(self) -> None:
        """Where the picked piece may go: gold where it takes something, red where it would be lost itself."""
        view = self.view
        picked = view.picked
        if not picked and view.playable and not view.busy and view.pointed in view.movable:
            picked = (view.pointed,)
        if not picked:
            return
        strength = 1.0 if view.picked else 0.45
        for square, (theirs, own) in view.goals(picked).items():
            self.draw_target(self.geometry.point(square), theirs, own, strength)

    def draw_target(self, point: Point, theirs: int, own: int, strength: float) -> None:
        geometry, painter, theme = self.geometry, self.painter, self.theme
        pulse = 0.5 + 0.5 * math.sin(self.time * 4.5)
        colour = theme.gold if theirs else theme.danger if own else theme.accent
        painter.glow(self.surface, point, geometry.bead * (1.6 + 0.25 * pulse), colour, 0.5 * strength)
        painter.ring(
            self.surface,
            point,
            geometry.bead * 0.78,
            max(2, geometry.unit * 0.05),
            colour,
            strength * (0.7 + 0.3 * pulse),
        )
        if theirs or own:
            text = f"+{theirs}" if theirs else "!"
            shade = theme.sky[0] if theme.dark else (255, 255, 255)
            painter.disc(self.surface, point, geometry.bead * 0.70, shade, 0.9 * strength)
            painter.blit(self.surface, painter.text.render(text, "label", colour), point, strength)
        else:
            painter.disc(self.surface, point, max(2, geometry.bead * 0.22), colour, strength)

    # Pieces

    def standing(self) -> dict[Square, Any]:
        """Whose pieces stand on squares of their own at this moment."""
        flight = self.view.flight
        return flight.pieces if flight is not None and not flight.landed else self.view.pieces

    def draw_pieces(self) -> None:
        view, geometry, painter = self.view, self.geometry, self.painter
        flight = view.flight
        flying = flight is not None and not flight.landed
        breathe = 0.85 + 0.15 * math.sin(self.time * 2.4)
        for square, side in self.standing().items():
            if flying and flight is not None and self.left_by(flight, square):
                continue
            point = geometry.point(square)
            if square == view.selected and view.drag is not None:
                painter.piece(self.surface, point, geometry.bead, side, 0.3)
                continue
            glow = view.glow[square].value
            self.draw_piece(point, side, glow * breathe)
            if 0.05 < glow < 0.9 and square != view.selected:
                self.draw_movable(point, glow * breathe)
            if square == view.selected:
                self.draw_selection(point)
        if flight is not None:
            if flying:
                self.draw_flight(flight, flight.tween.progress)
            else:
                self.draw_vanishing(flight, flight.vanish.progress)

    def left_by(self, flight: "Flight", square: Square) -> bool:
        """Whether a square is already empty while a piece is on its way."""
        return len(flight.ply.path) > 1 and square == flight.ply.path[0]

    def draw_movable(self, point: Point, strength: float) -> None:
        geometry = self.geometry
        width = max(1.5, geometry.unit * 0.03)
        self.painter.ring(self.surface, point, geometry.bead * 1.16, width, self.theme.text, strength * 0.75)

    def draw_flight(self, flight: "Flight", progress: float) -> None:
        geometry, ply = self.geometry, flight.ply
        t = ease_in_out(progress)
        a, b = geometry.point(ply.path[0]), geometry.point(ply.path[-1])
        colour = self.theme.bead(ply.side)
        for k in range(5, 0, -1):  # a comet's tail
            behind = lerp_points(a, b, max(0.0, t - 0.05 * k))
            self.painter.disc(self.surface, behind, geometry.bead * (0.85 - 0.12 * k), colour, 0.10)
        lift = math.sin(math.pi * t)
        self.draw_piece(lerp_points(a, b, t), ply.side, 0.8, size=1 + 0.10 * lift)

    def draw_vanishing(self, flight: "Flight", t: float) -> None:
        geometry, ply = self.geometry, flight.ply
        for squares, side in ((ply.captured, ply.side.other), (ply.lost, ply.side)):
            for square in squares:
                radius = geometry.bead * (1 - ease_out(t))
                self.painter.piece(self.surface, geometry.point(square), radius, side, clamp(1.2 - t))

    def draw_piece(self, centre: Point, side: Any, glow: float, *, size: float = 1.0) -> None:
        geometry, painter = self.geometry, self.painter
        painter.glow(self.surface, centre, geometry.bead * 2.3, self.theme.bead(side), 0.34 + 0.5 * glow)
        shadow = (centre[0], centre[1] + geometry.bead * 0.16)
        painter.disc(self.surface, shadow, geometry.bead * 1.03, (0, 0, 0), 0.28)
        painter.piece(self.surface, centre, geometry.bead * size, side)

    def draw_selection(self, point: Point) -> None:
        geometry = self.geometry
        width = max(2, geometry.unit * 0.055)
        self.painter.ring(self.surface, point, geometry.bead * 1.24, width, self.theme.gold, 1.0, soft=6)

    # Over the pieces

    def draw_lit(self) -> None:
        """The reason of an ending, in rings that breathe."""
        view, geometry = self.view, self.geometry
        if not view.lit or (view.flight is not None and not view.flight.landed):
            return
        pulse = 0.5 + 0.5 * math.sin(self.time * 4)
        for square in view.lit:
            self.draw_lit_square(geometry.point(square), pulse)

    def draw_lit_square(self, point: Point, pulse: float) -> None:
        geometry = self.geometry
        self.painter.glow(self.surface, point, geometry.bead * (1.9 + 0.3 * pulse), self.theme.gold, 0.45)
        width = max(2.5, geometry.unit * 0.075)
        self.painter.ring(self.surface, point, geometry.bead * 0.98, width, self.theme.gold, 0.75 + 0.25 * pulse)

    def draw_hint(self) -> None:
        hint = self.view.hint
        if not hint:
            return
        geometry, painter, gold = self.geometry, self.painter, self.theme.gold
        pulse = 0.5 + 0.5 * math.sin(self.time * 5)
        centre = geometry.point(hint[0])
        width = max(2, geometry.unit * 0.06)
        painter.glow(self.surface, centre, geometry.bead * 2.8, gold, 0.3 + 0.3 * pulse)
        painter.ring(self.surface, centre, geometry.bead * (1.25 + 0.12 * pulse), width, gold, 1.0)
        for first, second in itertools.pairwise(hint):
            a, b = geometry.point(first), geometry.point(second)
            painter.arrow(self.surface, a, b, geometry.unit * 0.26, gold, 0.95, gap=geometry.bead * 0.9)
            painter.ring(self.surface, b, geometry.bead * (0.9 + 0.1 * pulse), width, gold, 1.0)

    def draw_marks(self) -> None:
        pulse = 0.5 + 0.5 * math.sin(self.time * 4)
        for square, colour in self.view.marks.items():
            self.painter.ring(
                self.surface,
                self.geometry.point(square),
                self.geometry.bead * 1.3,
                max(2, self.painter.px(3)),
                colour,
                0.5 + 0.5 * pulse,
                soft=8,
            )

    def draw_focus(self) -> None:
        self.painter.ring(
            self.surface,
            self.geometry.point(self.view.cursor),
            self.geometry.bead * 1.42,
            max(2, self.painter.px(3)),
            self.theme.gold,
            1.0,
        )

    def draw_drag(self) -> None:
        view = self.view
        if view.drag is None or view.selected is None or view.selected not in view.pieces:
            return
        side = view.position.side
        self.painter.glow(self.surface, view.drag, self.geometry.bead * 2.6, self.theme.bead(side), 0.7)
        self.painter.piece(self.surface, view.drag, self.geometry.bead * 1.12, side)

    # Small helps for subclasses

    def draw_edge_names(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Names of columns below the board and of rows to the left of it; the edges are those of the cells."""
        drawing, geometry, painter = self.view.drawing, self.geometry, self.painter
        columns, rows = drawing.column_names, drawing.row_names
        for number, name in enumerate(columns):
            x = left + (right - left) * (number + 0.5) / len(columns)
            painter.blit(self.surface, painter.text.render(name, "label", colour, 0.88), geometry.at(x, bottom))
        for number, name in enumerate(rows):
            y = top + (bottom - top) * (number + 0.5) / len(rows)
            painter.blit(self.surface, painter.text.render(name, "label", colour, 0.88), geometry.at(left, y))
