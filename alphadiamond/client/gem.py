"""A cut diamond that turns: facets of a brilliant, shaded by a light that stands still."""

import math

import numpy as np
import numpy.typing as npt
import pygame
import pygame.gfxdraw

from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import mix

_SIDES = 8
_OVERSAMPLING = 2
_LIGHT = np.array([-0.45, 0.62, 0.64])
_LIGHT_2 = np.array([0.75, -0.2, 0.62])


def _ring(radius: float, height: float, turn: float) -> npt.NDArray[np.float64]:
    angles = (np.arange(_SIDES) + turn) / _SIDES * math.tau
    return np.stack([radius * np.cos(angles), np.full(_SIDES, height), radius * np.sin(angles)], axis=1)


def _facets() -> list[npt.NDArray[np.float64]]:
    """Table, crown, girdle and pavilion, each facet's corners in order."""
    table, crown, girdle = _ring(0.56, 0.50, 0.0), _ring(0.84, 0.30, 0.5), _ring(1.0, 0.10, 0.0)
    culet = np.array([0.0, -1.02, 0.0])
    facets = [table]
    for k in range(_SIDES):
        after = (k + 1) % _SIDES
        facets.append(np.array([table[k], table[after], crown[k]]))
        facets.append(np.array([table[k], crown[k], girdle[k], crown[k - 1]]))
        facets.append(np.array([crown[k], girdle[after], girdle[k]]))
        facets.append(np.array([girdle[k], girdle[after], culet]))
    return facets


_FACETS = _facets()


def draw_gem(
    surface: pygame.Surface, painter: Painter, centre: tuple[float, float], radius: float, angle: float
) -> None:
    """`angle` in radians; the gem leans a little towards the viewer."""
    theme = painter.theme
    size = round(radius * 2.3)
    big = size * _OVERSAMPLING
    canvas = painter.sprite(("gem", big), lambda: pygame.Surface((big, big), pygame.SRCALPHA))
    canvas.fill((0, 0, 0, 0))
    tilt = 0.30
    c, s = math.cos(angle), math.sin(angle)
    spin = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    turn = lean @ spin
    seen = []
    for facet in _FACETS:
        points = facet @ turn.T
        normal = np.cross(points[1] - points[0], points[2] - points[0])
        normal = normal / (np.linalg.norm(normal) or 1.0)
        outward = points.mean(axis=0)
        if normal @ outward < 0:
            normal = -normal
        seen.append((float(points[:, 2].mean()), points, normal))
    seen.sort(key=lambda one: one[0])
    unit = radius * _OVERSAMPLING
    deep = mix(theme.accent_2, (12, 16, 70), 0.62) if theme.dark else mix(theme.accent_2, (60, 80, 190), 0.3)
    for _, points, normal in seen:
        front = normal[2] > 0
        light = max(0.0, float(normal @ _LIGHT))
        sparkle = max(0.0, float(normal @ _LIGHT_2)) ** 3
        hue = 0.5 + 0.5 * math.sin(3.4 * float(normal[0]) + 2.1 * float(normal[1]) + 0.6)
        colour = mix(deep, mix(theme.accent, theme.accent_2, hue), 0.35 + 0.75 * light)
        colour = mix(colour, (255, 255, 255), 0.85 * light**3 + 0.7 * sparkle)
        corners = [(big / 2 + x * unit, big / 2 - (y + 0.22) * unit) for x, y, _ in points]
        pygame.gfxdraw.filled_polygon(canvas, corners, (*colour, 172 if front else 200))
        if front:
            pygame.draw.polygon(canvas, (*mix(colour, (255, 255, 255), 0.7), 255), corners, max(2, big // 420))
    painter.glow(surface, centre, radius * 1.9, theme.accent_2, 0.34)
    painter.glow(surface, centre, radius * 1.3, theme.accent, 0.30)
    painter.blit(surface, pygame.transform.smoothscale(canvas, (size, size)), centre)
