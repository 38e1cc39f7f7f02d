"""A board of nodes and lines, drawn large once per size and scaled down: glass facets, lit edges, empty sockets."""

import pygame

from alphadiamond.base.drawing import Drawing
from alphadiamond.client.board.art import Art
from alphadiamond.client.board.geometry import Geometry
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import Colour, mix

_OVERSAMPLING = 3
_SPREAD = 7.0
"""Units over which the tint of the lines goes from one colour to the middle."""


class GraphArt(Art):
    def draw_board(self) -> None:
        size = min(self.view.rect.width, self.view.rect.height)
        board = self.painter.sprite(
            ("board", self.view.drawing.game.name, size),
            lambda: board_sprite(self.painter, self.geometry, self.view.drawing, size),
        )
        self.painter.blit(self.surface, board, self.geometry.centre)
        if self.view.names:
            self._draw_names()

    def _draw_names(self) -> None:
        geometry, painter, drawing = self.geometry, self.painter, self.view.drawing
        for square, (dx, dy) in enumerate(drawing.labels):
            x, y = geometry.point(square)
            sprite = painter.text.render(drawing.names[square], "caption", painter.theme.faint, 0.88)
            painter.blit(self.surface, sprite, (x + dx * geometry.bead, y + dy * geometry.bead))


def tint_at(painter: Painter, x: float, y: float) -> Colour:
    """The edges run from one accent at the upper left to the other at the lower right."""
    return mix(painter.theme.line, painter.theme.line_2, (x - y + _SPREAD) / (2 * _SPREAD))


def board_sprite(painter: Painter, geometry: Geometry, drawing: Drawing, size: int) -> pygame.Surface:
    """Everything of the board that never moves, `size` pixels square."""
    theme = painter.theme
    big = size * _OVERSAMPLING
    unit = geometry.unit * _OVERSAMPLING
    points = drawing.points

    def at(square: int) -> tuple[float, float]:
        x, y = points[square]
        return big / 2 + x * unit, big / 2 - y * unit

    layer = pygame.Surface((big, big), pygame.SRCALPHA)
    layer.fill((*theme.line, 0))
    strength = 1.0 if theme.dark else 1.6
    for facet in drawing.facets:
        _facet(layer, [at(square) for square in facet.squares], getattr(theme, facet.colour), facet.strength * strength)

    glow = pygame.Surface((big // 6, big // 6), pygame.SRCALPHA)
    glow.fill((*theme.line, 0))
    lines = layer.copy()
    lines.fill((*theme.line, 0))
    solid = theme.high_contrast
    width = max(2, round((0.052 if not solid else 0.07) * unit))
    for a, b in drawing.lines:
        for k in range(24):
            (ax, ay), (bx, by) = points[a], points[b]
            x0, y0 = ax + (bx - ax) * k / 24, ay + (by - ay) * k / 24
            x1, y1 = ax + (bx - ax) * (k + 1) / 24, ay + (by - ay) * (k + 1) / 24
            colour = tint_at(painter, x0, y0)
            start = (big / 2 + x0 * unit, big / 2 - y0 * unit)
            end = (big / 2 + x1 * unit, big / 2 - y1 * unit)
            _thick(lines, (*colour, 235), start, end, width)
            small = [(px / 6, py / 6) for px, py in (start, end)]
            pygame.draw.line(glow, (*colour, 120), small[0], small[1], max(2, width // 3))
    if not theme.high_contrast:
        soft = pygame.transform.smoothscale(glow, (big // 40, big // 40))
        soft = pygame.transform.smoothscale(soft, (size, size))
        nearer = pygame.transform.smoothscale(glow, (big // 18, big // 18))
        nearer = pygame.transform.smoothscale(nearer, (size, size))
    layer.blit(lines, (0, 0))
    board = pygame.transform.smoothscale(layer, (size, size))
    result = pygame.Surface((size, size), pygame.SRCALPHA)
    result.fill((*theme.line, 0))
    if not theme.high_contrast:
        soft.set_alpha(round(255 * theme.glow * 0.9))
        nearer.set_alpha(round(200 * theme.glow))
        result.blit(soft, (0, 0))
        result.blit(nearer, (0, 0))
    result.blit(board, (0, 0))
    for x, y in points:
        centre = (size / 2 + x * geometry.unit, size / 2 - y * geometry.unit)
        painter.socket(result, centre, geometry.socket, theme.node, tint_at(painter, x, y))
    return result.convert_alpha()


def _facet(layer: pygame.Surface, points: list[tuple[float, float]], colour: Colour, alpha: float) -> None:
    pane = pygame.Surface(layer.get_size(), pygame.SRCALPHA)
    pygame.draw.polygon(pane, (*colour, round(255 * min(1.0, alpha))), points)
    layer.blit(pane, (0, 0))


def _thick(
    layer: pygame.Surface, colour: tuple[int, int, int, int], a: tuple[float, float], b: tuple[float, float], width: int
) -> None:
    length = max(1e-6, ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    nx, ny = -uy * width / 2, ux * width / 2
    ends = (a[0] - ux, a[1] - uy), (b[0] + ux, b[1] + uy)
    corners = [(ends[0][0] + nx, ends[0][1] + ny), (ends[1][0] + nx, ends[1][1] + ny)]
    corners += [(ends[1][0] - nx, ends[1][1] - ny), (ends[0][0] - nx, ends[0][1] - ny)]
    pygame.draw.polygon(layer, colour, corners)
