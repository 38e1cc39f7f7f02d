"""The board itself, drawn large once per size and scaled down: glass facets, lit edges, empty sockets."""

import pygame

from alphadiamond.client.board.geometry import Geometry
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import Colour, mix
from alphadiamond.games.diamond_chase.board import COORDINATES, EDGES, NODE_IDS, NODE_NAMES, NODES

_OVERSAMPLING = 3
_CORNERS = (("n", "nw", "ni", "ne"), ("w", "wn", "wi", "ws"), ("s", "sw", "si", "se"), ("e", "en", "ei", "es"))
_LABELS = {  # where each node's name stands beside it, in bead radii
    "n": (1.75, -0.1),
    "s": (1.75, 0.1),
    "w": (0, -1.75),
    "e": (0, -1.75),
    "nw": (-1.8, -0.5),
    "ne": (1.8, -0.5),
    "sw": (-1.8, 0.5),
    "se": (1.8, 0.5),
    "wn": (-0.9, -1.6),
    "en": (0.9, -1.6),
    "ws": (-0.9, 1.6),
    "es": (0.9, 1.6),
    "ni": (1.6, 0.85),
    "si": (1.6, -0.85),
    "wi": (0.85, -1.55),
    "ei": (-0.85, -1.55),
    "cn": (1.6, -0.75),
    "cs": (1.6, 0.75),
    "cw": (-0.9, -1.5),
    "ce": (0.9, -1.5),
    "c": (0.95, -0.95),
}


def tint_at(painter: Painter, x: float, y: float) -> Colour:
    """The edges run from one accent at the upper left to the other at the lower right."""
    return mix(painter.theme.line, painter.theme.line_2, (x - y + 7) / 14)


def board_sprite(painter: Painter, geometry: Geometry, size: int) -> pygame.Surface:
    """Everything of the board that never moves, `size` pixels square."""
    theme = painter.theme
    big = size * _OVERSAMPLING
    unit = geometry.unit * _OVERSAMPLING

    def at(node: str | int) -> tuple[float, float]:
        x, y = COORDINATES[NODE_IDS[node] if isinstance(node, str) else node]
        return big / 2 + float(x) * unit, big / 2 - float(y) * unit

    layer = pygame.Surface((big, big), pygame.SRCALPHA)
    layer.fill((*theme.line, 0))
    strength = 1.0 if theme.dark else 1.6
    _facet(layer, [at(tip) for tip in "nesw"], theme.line, 0.045 * strength)
    for corner in _CORNERS:
        _facet(layer, [at(name) for name in corner], theme.line_2, 0.10 * strength)
    _facet(layer, [at(name) for name in ("cn", "ce", "cs", "cw")], theme.line, 0.10 * strength)

    glow = pygame.Surface((big // 6, big // 6), pygame.SRCALPHA)
    glow.fill((*theme.line, 0))
    lines = layer.copy()
    lines.fill((*theme.line, 0))
    solid = theme.glow < 0.3
    width = max(2, round((0.052 if not solid else 0.07) * unit))
    for a, b in EDGES:
        for k in range(24):
            (ax, ay), (bx, by) = COORDINATES[a], COORDINATES[b]
            x0, y0 = ax + (bx - ax) * k / 24, ay + (by - ay) * k / 24
            x1, y1 = ax + (bx - ax) * (k + 1) / 24, ay + (by - ay) * (k + 1) / 24
            colour = tint_at(painter, float(x0), float(y0))
            start = (big / 2 + x0 * unit, big / 2 - y0 * unit)
            end = (big / 2 + x1 * unit, big / 2 - y1 * unit)
            _thick(lines, (*colour, 235), start, end, width)
            small = [(px / 6, py / 6) for px, py in (start, end)]
            pygame.draw.line(glow, (*colour, 120), small[0], small[1], max(2, width // 3))
    if theme.glow > 0.3:
        soft = pygame.transform.smoothscale(glow, (big // 40, big // 40))
        soft = pygame.transform.smoothscale(soft, (size, size))
        nearer = pygame.transform.smoothscale(glow, (big // 18, big // 18))
        nearer = pygame.transform.smoothscale(nearer, (size, size))
    layer.blit(lines, (0, 0))
    board = pygame.transform.smoothscale(layer, (size, size))
    result = pygame.Surface((size, size), pygame.SRCALPHA)
    result.fill((*theme.line, 0))
    if theme.glow > 0.3:
        soft.set_alpha(round(255 * theme.glow * 0.9))
        nearer.set_alpha(round(200 * theme.glow))
        result.blit(soft, (0, 0))
        result.blit(nearer, (0, 0))
    result.blit(board, (0, 0))
    for node in range(NODES):
        x, y = COORDINATES[node]
        centre = (size / 2 + float(x) * geometry.unit, size / 2 - float(y) * geometry.unit)
        painter.socket(result, centre, geometry.socket, theme.node, tint_at(painter, float(x), float(y)))
    return result.convert_alpha()


def label_point(geometry: Geometry, node: int) -> tuple[float, float]:
    dx, dy = _LABELS[NODE_NAMES[node]]
    x, y = geometry.point(node)
    return x + dx * geometry.bead, y + dy * geometry.bead


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
