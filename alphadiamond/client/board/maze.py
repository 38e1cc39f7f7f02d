"""A maze by torchlight: walls of stone, runners who carry the light, trails, traps that spring, and the way ahead."""

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pygame

from alphadiamond.base.drawing import BONUS, HOMES, TRAP, WALL, Square
from alphadiamond.client.board import maze_sprites
from alphadiamond.client.board.checkers import CheckersArt, extent
from alphadiamond.client.board.geometry import Point
from alphadiamond.client.board.maze_sprites import Torch
from alphadiamond.client.motion import ease_in_out
from alphadiamond.client.paint.painter import lerp_points
from alphadiamond.client.theme import Colour, mix

if TYPE_CHECKING:
    from alphadiamond.client.board.view import Flight

_APART: Final = 0.17
"""How far two runners in one cell stand from its middle, in cells."""
_TRAIL: Final = 0.07
"""How far the trails of both lie apart, in cells."""


class MazeArt(CheckersArt):
    """The squares are the cells of a grid, row by row from the top left."""

    # Stone and light

    @property
    def _ground(self) -> dict[Square, str]:
        flight = self.view.flight
        return flight.ground if flight is not None and not flight.landed else self.view.ground

    @property
    def _shape(self) -> tuple[int, int]:
        drawing = self.view.drawing
        return len({y for _, y in drawing.points}), len({x for x, _ in drawing.points})

    def _cells(self, squares: Sequence[Square]) -> npt.NDArray[np.bool_]:
        """[rows, columns] which cells are among these squares."""
        found = np.zeros(self._shape, dtype=np.bool_)
        for square in squares:
            found[self._cell(square)] = True
        return found

    def _cell(self, square: Square) -> tuple[int, int]:
        return divmod(square, self._shape[1])

    def _hidden(self, square: Square) -> bool:
        return self.view.seen is not None and square not in self.view.seen

    def draw_board(self) -> None:
        view, painter, unit = self.view, self.painter, self.geometry.unit
        size = min(view.rect.width, view.rect.height)
        walls = tuple(square for square, kind in self._ground.items() if kind == WALL)
        torches = self._torches()
        key = (walls, size, view.seen, tuple(torches))
        lit = painter.latest(f"maze of {view.key}", key, lambda: self._lit(walls, torches, size))
        painter.blit(self.surface, lit, self.geometry.centre)
        self._draw_overlay()
        self._draw_search()
        for square, kind in self._ground.items():
            if not self._hidden(square):
                self._draw_item(square, kind)
        self._draw_names()
        self._draw_trails()
        flicker = 0.5 + 0.3 * math.sin(self.time * 7.3) + 0.2 * math.sin(self.time * 12.7 + 1)
        for (row, column), colour, strength in torches:
            if strength > 0.5:
                point = self.geometry.point(row * self._shape[1] + column)
                painter.glow(self.surface, point, unit * 2.1, mix(colour, (255, 190, 90), 0.6), 0.06 + 0.05 * flicker)

    def _lit(self, walls: tuple[Square, ...], torches: list[Torch], size: int) -> pygame.Surface:
        """The maze as it is seen by these torches, and what is not seen of it covered."""
        painter, theme, unit = self.painter, self.theme, self.geometry.unit
        cells = self._cells(walls)
        stone = painter.sprite(("stone", walls, size), lambda: maze_sprites.maze_sprite(theme, cells, size, unit))
        ambient = 1.0 if theme.high_contrast else 0.40 if theme.dark else 0.80
        light = maze_sprites.light_field(cells, torches, ambient)
        made = stone.copy()
        made.blit(maze_sprites.light_sprite(light, size, unit), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        if self.view.seen is not None:
            rows, columns = self._shape
            hidden = ~self._cells([square for square in self.view.seen if square < rows * columns])
            mist = maze_sprites.mist_sprite(theme, hidden, size, unit)
            made.blit(mist, mist.get_rect(center=(size // 2, size // 2)))
        return made

    def _torches(self) -> list[Torch]:
        """Of the runners, who take their light along on their way, and a little from the homes."""
        view, theme = self.view, self.theme
        found = []
        for square, kind in self._ground.items():
            if kind in HOMES:
                found.append((self._cell(square), theme.bead(int(kind)), 0.35))
        flight = view.flight
        for side, square in self._runners():
            if self._hidden(square):
                continue
            colour = theme.bead(side)
            if flight is not None and not flight.landed and side == flight.ply.side and len(flight.ply.path) > 1:
                t = round(6 * ease_in_out(flight.tween.progress)) / 6
                found.append((self._cell(flight.ply.path[0]), colour, 0.8 * (1 - t)))
                found.append((self._cell(flight.ply.path[-1]), colour, 0.8 * t))
            else:
                found.append((self._cell(square), colour, 0.8))
        return found

    def _draw_names(self) -> None:
        if not self.view.names:
            return
        left, bottom, _, top = extent(self.geometry)
        drawing, geometry, painter = self.view.drawing, self.geometry, self.painter
        ink = (214, 216, 240) if self.theme.dark else (74, 56, 40)
        away = maze_sprites.FRAME / 2
        for number, name in enumerate(drawing.column_names):
            point = geometry.at(left + number + 0.5, bottom - away)
            painter.blit(self.surface, painter.text.render(name, "caption", ink, 0.88), point, 0.8)
        for number, name in enumerate(drawing.row_names):
            point = geometry.at(left - away, top - number - 0.5)
            painter.blit(self.surface, painter.text.render(name, "caption", ink, 0.88), point, 0.8)

    # What lies there

    def _draw_item(self, square: Square, kind: str) -> None:
        painter, theme, unit = self.painter, self.theme, self.geometry.unit
        point = self.geometry.point(square)
        if kind == BONUS and square in self.view.entered:
            return
        if kind in HOMES:
            self._draw_home(point, theme.bead(int(kind)))
        elif kind == TRAP:
            sprung = square in self.view.entered
            key = ("trap", round(unit, 1), sprung)
            sprite = painter.sprite(key, lambda: maze_sprites.trap_sprite(theme, unit, sprung=sprung))
            if sprung:
                painter.glow(self.surface, point, unit * 0.75, theme.danger, 0.30)
            painter.blit(self.surface, sprite, point)
        elif kind == BONUS:
            wave = math.sin(self.time * 2.2 + square)
            shadow = pygame.Rect(0, 0, round(unit * 0.30), round(unit * 0.11))
            shadow.center = (round(point[0]), round(point[1] + unit * 0.33))
            painter.pane(self.surface, shadow, (0, 0, 0), 0.40, radius=40)
            raised = (point[0], point[1] - unit * (0.06 + 0.035 * wave))
            painter.glow(self.surface, raised, unit * 0.72, theme.gold, 0.42 + 0.12 * wave)
            sprite = painter.sprite(("crystal", round(unit, 1)), lambda: maze_sprites.crystal_sprite(theme, unit))
            painter.blit(self.surface, sprite, raised)

    def _draw_home(self, point: Point, colour: Colour) -> None:
        """A gate of light in the colour of whoever is to come through it."""
        unit, painter = self.geometry.unit, self.painter
        pulse = 0.5 + 0.5 * math.sin(self.time * 1.8)
        painter.glow(self.surface, point, unit * 0.95, colour, 0.30 + 0.16 * pulse)
        for inset, fill, edge in ((0.10, 0.20, 0.95), (0.26, 0.16, 0.55)):
            box = pygame.Rect(0, 0, round(unit * (1 - 2 * inset)), round(unit * (1 - 2 * inset)))
            box.center = (round(point[0]), round(point[1]))
            painter.pane(self.surface, box, colour, fill, edge, radius=8, edge_width=max(1.5, unit * 0.035))

    def _draw_overlay(self) -> None:
        """Numbers of steps over the floor, the nearer the brighter."""
        view, unit, painter = self.view, self.geometry.unit, self.painter
        if not view.distances:
            return
        most = max(1, *view.distances.values())
        for square, steps in view.distances.items():
            if self._hidden(square):
                continue
            x, y = self.geometry.point(square)
            near = 1 - steps / most
            box = pygame.Rect(0, 0, round(unit * 0.94), round(unit * 0.94))
            box.center = (round(x), round(y))
            painter.pane(self.surface, box, (0, 214, 255), round(0.08 + 0.34 * near, 2), 0.0, radius=5)
            if unit > 26:
                ink = mix(self.theme.accent, (255, 255, 255), 0.55)
                where = (x + unit * 0.28, y + unit * 0.28)
                painter.blit(self.surface, painter.text.render(str(steps), "caption", ink, 0.8), where, 0.85)

    def _draw_search(self) -> None:
        """What a path finder has explored, the latest brightest, and what waits."""
        moment, unit = self.view.moment, self.geometry.unit
        if moment is None:
            return
        order = {square: number for number, square in enumerate(moment.explored)}
        count = len(moment.explored)
        for square, number in order.items():
            fresh = max(0.0, 1 - (count - 1 - number) / 12)
            self._tint(square, self.theme.accent_2, round(0.30 + 0.30 * fresh, 1), round(0.2 + 0.6 * fresh, 1))
        waits = set(moment.frontier) if not moment.path else ()  # what waited does not matter once a way is found
        for square in waits:
            point = self.geometry.point(square)
            self.painter.ring(self.surface, point, unit * 0.30, max(1.5, unit * 0.06), self.theme.gold, 0.9)
        points = [self.geometry.point(square) for square in moment.path]
        for a, b in itertools.pairwise(points):
            self.painter.stroke(self.surface, a, b, max(2.0, unit * 0.13), self.theme.bead(self.view.walker), 0.9)
        for point in points:
            self.painter.disc(self.surface, point, max(1.5, unit * 0.065), self.theme.bead(self.view.walker), 0.9)

    # Trails and ways

    def _draw_trails(self) -> None:
        """Where both have been, fainter the longer ago, each a little beside the middle of the passage; in a fog only
        the steps of which both ends are seen."""
        for side, path in self.view.trails.items():
            points = self._beside(path, int(side))
            colour = self.theme.bead(side)
            for number, (a, b) in enumerate(itertools.pairwise(points)):
                if self._hidden(path[number]) or self._hidden(path[number + 1]):
                    continue
                fresh = (number + 1) / (len(path) - 1)
                for k in range(3):
                    place = lerp_points(a, b, (k + 0.5) / 3)
                    self.painter.disc(
                        self.surface, place, max(1.5, self.geometry.unit * 0.045), colour, 0.16 + 0.44 * fresh**2
                    )

    def _beside(self, path: Sequence[Square], number: int) -> list[Point]:
        aside = self.geometry.unit * _TRAIL * (1 if number else -1)
        return [(x + aside, y + aside) for x, y in map(self.geometry.point, path)]

    def _draw_way(self, points: Sequence[Point], colour: Colour, strength: float) -> None:
        """A dashed line from the first point to the last."""
        unit, width = self.geometry.unit, max(2.0, self.geometry.unit * 0.06)
        for a, b in itertools.pairwise(points):
            dashes = max(2, round(math.dist(a, b) / (unit * 0.33)))
            for k in range(dashes):
                ends = lerp_points(a, b, (k + 0.2) / dashes), lerp_points(a, b, (k + 0.8) / dashes)
                self.painter.stroke(self.surface, *ends, width, colour, strength)

    def _draw_best(self) -> None:
        """The cheapest ways that there were, once the game is over."""
        for side, path in self.view.best_ways.items():
            colour = mix(self.theme.bead(side), self.theme.gold, 0.72)
            self._draw_way(self._beside(path, 1 - int(side)), colour, 0.9)

    def draw_last(self) -> None:
        last, flight = self.view.last, self.view.flight
        if last is None or (flight is not None and not flight.landed) or len(last.path) < 2:
            return
        if not self._hidden(last.path[0]):
            self._tint(last.path[0], self.theme.gold, 0.10, 0.35)

    # The runners

    def _runners(self) -> list[tuple[Any, Square]]:
        """Each side with its cell, the one to move last."""
        view = self.view
        if view.moment is not None:
            path = view.moment.path
            return [(view.walker, path[-1] if path else view.drawing.names.index(self._first_name()))]
        flight = view.flight
        position = flight.ply.before if flight is not None and not flight.landed else view.position
        names = view.drawing.names
        sides = [position.side.other, position.side]
        return [(side, names.index(name)) for side in sides for name in view.drawing.standing(position, side)]

    def _first_name(self) -> str:
        view = self.view
        return view.drawing.standing(view.position, view.walker)[0]

    def draw_pieces(self) -> None:
        view, geometry = self.view, self.geometry
        self._draw_best()
        flight = view.flight if view.flight is not None and not view.flight.landed else None
        runners = self._runners()
        together = len({square for _, square in runners}) < len(runners)
        breathe = 0.85 + 0.15 * math.sin(self.time * 2.4)
        for side, square in runners:
            if self._hidden(square) and (flight is None or self._hidden(flight.ply.path[-1])):
                continue
            if flight is not None and side == flight.ply.side and len(flight.ply.path) > 1:
                self.draw_flight(flight, flight.tween.progress)
                continue
            x, y = geometry.point(square)
            if together and flight is None:
                x += geometry.unit * _APART * (1 if int(side) else -1)
            own = view.playable and side == view.position.side
            self.draw_piece((x, y), side, breathe if own else 0.2, size=0.82 if together else 1.0)
            if own:
                self.draw_movable((x, y), 0.5 * breathe)

    def draw_piece(self, centre: Point, side: Any, glow: float, *, size: float = 1.0, height: float = 0.0) -> None:
        geometry, painter = self.geometry, self.painter
        bead = geometry.bead * size
        painter.disc(self.surface, (centre[0], centre[1] + bead * 0.22), bead * 1.02, (0, 0, 0), 0.42)
        painter.glow(self.surface, centre, bead * 2.2, self.theme.bead(side), 0.30 + 0.30 * glow)
        painter.piece(self.surface, (centre[0], centre[1] - height * geometry.unit), bead, side)

    def draw_flight(self, flight: "Flight", progress: float) -> None:
        geometry, ply = self.geometry, flight.ply
        t = ease_in_out(progress)
        a, b = geometry.point(ply.path[0]), geometry.point(ply.path[-1])
        for k in range(4, 0, -1):
            behind = lerp_points(a, b, max(0.0, t - 0.07 * k))
            self.painter.disc(self.surface, behind, geometry.bead * (0.7 - 0.12 * k), self.theme.bead(ply.side), 0.14)
        self.draw_piece(lerp_points(a, b, t), ply.side, 0.8, height=0.10 * math.sin(math.pi * t))

    def draw_drag(self) -> None:
        view = self.view
        if view.drag is not None and view.selected is not None:
            self.draw_piece(view.drag, view.position.side, 0.8, size=1.1)

    # What can be done

    def draw_targets(self) -> None:
        """Where one can step, and from a cell that is pointed at the cheapest way there with its cost."""
        view, geometry, painter, theme = self.view, self.geometry, self.painter, self.theme
        if not view.playable or view.busy:
            return
        pulse = 0.5 + 0.5 * math.sin(self.time * 4.5)
        width = max(1.5, geometry.unit * 0.035)
        for square in view.movable:
            point = geometry.point(square)
            painter.ring(self.surface, point, geometry.unit * 0.17, width, theme.accent, 0.55 + 0.3 * pulse)
        way = view.way
        if way is None:
            return
        points = [geometry.point(square) for square in way.path]
        self._draw_way(points, theme.accent, 0.85)
        end = points[-1]
        painter.glow(self.surface, end, geometry.unit * 0.7, theme.accent, 0.4 + 0.2 * pulse)
        painter.ring(self.surface, end, geometry.unit * 0.30, max(2, geometry.unit * 0.05), theme.accent, 0.9)

    def draw_front(self) -> None:
        """What a way would cost, on a label beside its end."""
        way = self.view.way
        if way is None or self.view.busy or not self.view.playable:
            return
        painter, theme, unit = self.painter, self.theme, self.geometry.unit
        sprite = painter.text.render(way.text, "label", theme.text)
        box = sprite.get_rect().inflate(painter.px(14), painter.px(6))
        x, y = self.geometry.point(way.path[-1])
        box.center = (round(x), round(y - unit * 0.62))
        box.clamp_ip(self.view.rect)
        fill = theme.sky[0] if theme.dark else (255, 255, 255)
        painter.pane(self.surface, box, fill, 0.92, 0.9, edge_colour=theme.accent, radius=9)
        painter.blit(self.surface, sprite, box.center)
