"""A cut diamond that turns: facets of a brilliant, shaded by a light that stands still."""

import math

import numpy as np
import numpy.typing as npt
import pygame

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
_CORNERS = np.concatenate(_FACETS)
_FIRST = np.cumsum([0, *(len(facet) for facet in _FACETS)])


def _normals() -> npt.NDArray[np.float64]:
    """[facets, 3] outward, of unit length."""
    found = []
    for facet in _FACETS:
        normal = np.cross(facet[1] - facet[0], facet[2] - facet[0])
        found.append(normal / np.linalg.norm(normal) * np.sign(normal @ facet.mean(axis=0)))
    return np.array(found)


_NORMALS = _normals()


def draw_gem(
    surface: pygame.Surface, painter: Painter, centre: tuple[float, float], radius: float, angle: float
) -> None:
    """`angle` in radians; the gem leans a little towards the viewer, and its far edges shine through."""
    theme = painter.theme
    size = round(radius * 2.16)
    big = size * _OVERSAMPLING
    canvas = painter.sprite(("gem", big), lambda: pygame.Surface((big, big), pygame.SRCALPHA))
    canvas.fill((*theme.accent, 0))
    tilt = 0.30
    c, s = math.cos(angle), math.sin(angle)
    spin = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    turn = (lean @ spin).T
    points, normals = _CORNERS @ turn, _NORMALS @ turn
    unit = radius * _OVERSAMPLING
    flat = np.stack([big / 2 + points[:, 0] * unit, big / 2 - (points[:, 1] + 0.22) * unit], axis=1)
    light = np.clip(normals @ _LIGHT, 0, 1)
    sparkle = np.clip(normals @ _LIGHT_2, 0, 1) ** 3
    hue = 0.5 + 0.5 * np.sin(3.4 * normals[:, 0] + 2.1 * normals[:, 1] + 0.6)
    deep = mix(theme.accent_2, (12, 16, 70), 0.58) if theme.dark else mix(theme.accent_2, (60, 80, 190), 0.3)
    edges = []
    for number in range(len(_FACETS)):
        corners = flat[_FIRST[number] : _FIRST[number + 1]].tolist()
        colour = mix(deep, mix(theme.accent, theme.accent_2, float(hue[number])), 0.30 + 0.80 * float(light[number]))
        colour = mix(colour, (255, 255, 255), 0.85 * float(light[number]) ** 3 + 0.7 * float(sparkle[number]))
        if normals[number, 2] > 0:
            pygame.draw.polygon(canvas, (*colour, 232), corners)
            edges.append((corners, mix(colour, (255, 255, 255), 0.65)))
        elif number % 2 == 0:
            edges.insert(0, (corners, mix(deep, theme.accent, 0.55)))
    width = max(2, big // 380)
    for corners, colour in edges:
        pygame.draw.polygon(canvas, (*colour, 255), corners, width)
    painter.glow(surface, centre, radius * 1.9, theme.accent_2, 0.36)
    painter.glow(surface, centre, radius * 1.3, theme.accent, 0.32)
    painter.blit(surface, pygame.transform.smoothscale(canvas, (size, size)), centre)
