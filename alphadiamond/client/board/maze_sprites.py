"""Stone, iron and light for a maze: sprites that are computed once for a maze, a size and a theme."""

import math
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pygame

from alphadiamond.client.paint.shapes import surface_of
from alphadiamond.client.theme import Colour, Theme, mix

Field = npt.NDArray[np.float32]
Torch: TypeAlias = tuple[tuple[int, int], Colour, float]
"""The cell it is in (row, column), a colour that its light has a little of, and its strength."""
FRAME: Final = 0.32
"""The wall round the maze, in cells."""
_HEIGHT: Final = 0.15
"""How far the top of a wall lies above its foot, in cells."""
_ROUND: Final = 0.20
"""The radius of a wall's corner."""
_FINE: Final = 8
"""Points of light a cell; between them it is smooth."""
_REACH: Final = 2.3
"""Steps after which a torch gives a third of its light."""
_WARM: Final = (1.0, 0.86, 0.62)


def wall_depth(x: Field, y: Field, walls: npt.NDArray[np.bool_]) -> Field:
    """[like x] how deep a point lies in a wall, below 0 outside; `walls` has a margin of one cell on every side."""
    row = np.clip(np.floor(y).astype(int) + 1, 0, walls.shape[0] - 1)
    column = np.clip(np.floor(x).astype(int) + 1, 0, walls.shape[1] - 1)
    across, down = x - np.floor(x), y - np.floor(y)
    padded = np.pad(walls, 1, constant_values=True)

    def wall(dr: int, dc: int) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = padded[row + 1 + dr, column + 1 + dc]
        return found

    sides = {(-1, 0): down, (1, 0): 1 - down, (0, -1): across, (0, 1): 1 - across}
    depth = np.full(x.shape, 1.0, np.float32)
    for (dr, dc), away in sides.items():
        depth = np.where(wall(dr, dc), depth, np.minimum(depth, away))
    for dr in (-1, 1):
        for dc in (-1, 1):
            a, b = sides[dr, 0], sides[0, dc]
            outer = ~wall(dr, 0) & ~wall(0, dc) & (a < _ROUND) & (b < _ROUND)
            rounded = _ROUND - np.hypot(_ROUND - a, _ROUND - b)
            depth = np.where(outer, np.minimum(depth, rounded), depth)
            inner = wall(dr, 0) & wall(0, dc) & ~wall(dr, dc)
            depth = np.where(inner, np.minimum(depth, np.hypot(a, b)), depth)
    found: Field = np.where(wall(0, 0), depth, -1.0).astype(np.float32)
    return found


def _noise(x: Field, y: Field) -> Field:
    """[like x] a number in [-1, 1] for every whole x and y, the same each time."""
    spread = np.sin(np.floor(x) * 127.1 + np.floor(y) * 311.7) * 43758.5453
    found: Field = (2 * (spread - np.floor(spread)) - 1).astype(np.float32)
    return found


def _rough(x: Field, y: Field) -> Field:
    """Grain of stone."""
    return 0.6 * _noise(x * 23, y * 23) + 0.4 * _noise(x * 61, y * 61)


def _blurred(image: Field, radius: int) -> Field:
    for axis in (0, 1):
        padded = np.pad(image, [(radius + 1, radius) if one == axis else (0, 0) for one in (0, 1)], mode="edge")
        total = np.cumsum(padded, axis=axis, dtype=np.float64)
        size = image.shape[axis]
        high, low = (np.take(total, np.arange(size) + at, axis=axis) for at in (2 * radius + 1, 0))
        image = ((high - low) / (2 * radius + 1)).astype(np.float32)
    return image


def stone_colours(theme: Theme) -> tuple[Colour, Colour]:
    """Floor and walls in full light."""
    if theme.high_contrast:
        return (0, 0, 0), (150, 150, 150)
    return ((186, 176, 178), (98, 110, 178)) if theme.dark else ((232, 222, 202), (176, 150, 120))


def maze_sprite(theme: Theme, walls: npt.NDArray[np.bool_], size: int, unit: float) -> pygame.Surface:
    """Flagstones between raised walls, in full light; `walls` [rows, columns], `size` pixels of a side."""
    rows, columns = walls.shape
    axis = (np.arange(size, dtype=np.float32) + 0.5 - size / 2) / unit
    x, y = np.meshgrid(axis + columns / 2, axis + rows / 2)
    around = np.pad(walls, 1, constant_values=True)
    floor, wall = (np.asarray(colour, np.float32) for colour in stone_colours(theme))
    top, foot = wall_depth(x, y + _HEIGHT, around), wall_depth(x, y, around)
    pixel = 1 / unit
    flat = theme.high_contrast

    shift = 0.5 * (np.floor(y * 2) % 2)  # flagstones in courses
    seam = np.minimum(np.abs((y * 2) % 1 - 0.5), np.abs((x + shift) % 1 - 0.5) * 2)
    stone = 0.06 * _noise((x + shift) * 1.0, y * 2) + 0.035 * _rough(x, y)
    light = 1.0 + stone - 0.22 * np.clip((seam - 0.46) / 0.04, 0, 1)
    blur = max(1, round(unit * 0.10))
    shade = _blurred(_blurred((foot > 0).astype(np.float32), blur), blur)
    light = light * (1 - 0.62 * np.clip(shade, 0, 1))
    image = np.zeros((size, size, 4), np.float32)
    image[..., :3] = floor if flat else floor * light[..., None]

    front = np.clip(0.5 + foot / pixel, 0, 1)
    down = np.clip((y - np.floor(y) - (1 - _HEIGHT)) / _HEIGHT, 0, 1)
    joint = 0.85 + 0.15 * (np.abs((x * 3) % 1 - 0.5) < 0.44)
    side = wall * ((0.52 - 0.20 * down) * joint)[..., None]
    image[..., :3] = image[..., :3] * (1 - front[..., None]) + side * front[..., None]

    cover = np.clip(0.5 + top / pixel, 0, 1)
    rim = np.clip(1 - top / 0.09, 0, 1)
    block = 0.05 * _noise(x * 1.5, (y + _HEIGHT) * 2) + 0.05 * _rough(x, y + _HEIGHT)
    face = wall * (0.80 + block + 0.34 * rim**2)[..., None] if not flat else np.broadcast_to(wall, (*x.shape, 3))
    image[..., :3] = image[..., :3] * (1 - cover[..., None]) + face * cover[..., None]

    corner = 0.16
    out = [np.abs(v - length / 2) - length / 2 - FRAME + corner for v, length in ((x, columns), (y, rows))]
    away = np.hypot(np.maximum(out[0], 0), np.maximum(out[1], 0)) + np.minimum(np.maximum(*out), 0) - corner
    rim = np.clip(1 - np.abs(away + 0.03) / 0.03, 0, 1)
    image[..., :3] = np.clip(image[..., :3] * (1 + 0.4 * rim[..., None]), 0, 255)
    image[..., 3] = np.clip(0.5 - away / pixel, 0, 1)
    return surface_of(image)


def light_field(walls: npt.NDArray[np.bool_], torches: Iterable[Torch], ambient: float) -> Field:
    """[rows, columns, 3] how bright each cell is, 0 to 1: torches shine along the passages, less with every step.

    Walls are lit by what is beside them.
    """
    rows, columns = walls.shape
    light = np.full((rows, columns, 3), ambient, np.float32)
    light[..., 2] *= 1.12
    for cell, colour, strength in torches:
        near = _step_light(walls, cell) * strength
        tint = np.asarray(_WARM, np.float32) * 0.72 + np.asarray(colour, np.float32) / 255 * 0.28
        light += near[..., None] * tint
    return np.minimum(light, 1.0)


def _step_light(walls: npt.NDArray[np.bool_], cell: tuple[int, int]) -> Field:
    rows, columns = walls.shape
    steps = {cell: 0.0}
    waiting = [cell]
    for row, column in waiting:
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                near = (row + dr, column + dc)
                if near in steps or not (0 <= near[0] < rows and 0 <= near[1] < columns):
                    continue
                steps[near] = steps[row, column] + (1.0 if not (dr and dc) else 1.3)
                if not walls[near]:  # a wall is lit and lets no light through
                    waiting.append(near)
    found = np.zeros((rows, columns), np.float32)
    for (row, column), away in steps.items():
        found[row, column] = math.exp(-away / _REACH)
    return found


def light_sprite(light: Field, size: int, unit: float) -> pygame.Surface:
    """To be multiplied with the maze: [rows, columns, 3] cells, smooth from one to the next."""
    rows, columns = light.shape[:2]
    margin = math.ceil(size / unit / 2 - min(rows, columns) / 2) + 1
    padded = np.pad(light, [(margin, margin), (margin, margin), (0, 0)], mode="edge")
    return _smooth(np.clip(padded * 255, 0, 255).astype(np.uint8), margin, size, unit, rows)


def mist_sprite(theme: Theme, hidden: npt.NDArray[np.bool_], size: int, unit: float) -> pygame.Surface:
    """What covers cells that are not seen, wholly, and thins out over those beside them."""
    fine = np.repeat(np.repeat(hidden.astype(np.float32), _FINE, 0), _FINE, 1)
    soft = np.clip(_blurred(_blurred(fine, 2), 2) * 2.2, 0, 1)
    cover = np.maximum(fine, soft)
    colour = np.asarray(mix(theme.sky[0], theme.sky[1], 0.5), np.float32)
    image = np.zeros((*cover.shape, 4), np.float32)
    x, y = np.meshgrid(*(np.arange(n, dtype=np.float32) / _FINE for n in cover.shape[::-1]))
    wisps = np.sin(0.9 * x + 1.7 * np.sin(0.6 * y + 1)) + np.sin(0.8 * y + 1.5 * np.sin(0.7 * x + 2) + 0.4 * x)
    image[..., :3] = np.clip(colour * ((1.7 if theme.dark else 0.92) * (1 + 0.16 * wisps))[..., None], 0, 255)
    image[..., 3] = cover
    pixels = round(hidden.shape[1] * unit), round(hidden.shape[0] * unit)
    return pygame.transform.smoothscale(surface_of(image), pixels).convert_alpha()


def _smooth(cells: npt.NDArray[np.uint8], margin: int, size: int, unit: float, rows: int) -> pygame.Surface:
    small = pygame.surfarray.make_surface(cells.swapaxes(0, 1))
    whole = round((rows + 2 * margin) * unit)
    middle = pygame.transform.smoothscale(small, (cells.shape[1] * _FINE, cells.shape[0] * _FINE))
    large = pygame.transform.smoothscale(middle, (whole, whole))
    cut = pygame.Rect(0, 0, size, size)
    cut.center = (whole // 2, whole // 2)
    return large.subsurface(cut.clip(large.get_rect())).copy()


def trap_sprite(theme: Theme, unit: float, *, sprung: bool) -> pygame.Surface:
    """A plate of iron with spikes, which are out once somebody has stepped on it."""
    factor = 4
    side = max(8, round(unit * 0.80))
    large = pygame.Surface((side * factor, side * factor), pygame.SRCALPHA)
    full = side * factor
    iron = (70, 44, 58) if theme.glow >= 0.3 else (70, 0, 0)
    box = pygame.Rect(0, 0, full, full).inflate(-full // 14, -full // 14)
    pygame.draw.rect(large, (*mix(iron, (0, 0, 0), 0.5), 255), box, border_radius=full // 7)
    pygame.draw.rect(large, (*iron, 255), box.inflate(-full // 16, -full // 16), border_radius=full // 8)
    danger = theme.danger if theme.dark else mix(theme.danger, (0, 0, 0), 0.1)
    for row in range(3):
        for column in range(3):
            cx, cy = full * (0.25 + 0.25 * column), full * (0.27 + 0.25 * row)
            reach = full * 0.062
            hole = pygame.Rect(0, 0, round(2.3 * reach), round(1.5 * reach))
            hole.center = (round(cx), round(cy))
            pygame.draw.ellipse(large, (12, 8, 16, 255), hole)
            tall = full * (0.24 if sprung else 0.15)
            steel = mix((214, 214, 228), danger, 0.55 if sprung else 0.30)
            tip = (cx, cy - tall)
            pygame.draw.polygon(large, (*steel, 255), [(cx - reach, cy), tip, (cx, cy + reach * 0.4)])
            dark = mix(steel, (0, 0, 0), 0.42)
            pygame.draw.polygon(large, (*dark, 255), [(cx + reach, cy), tip, (cx, cy + reach * 0.4)])
    return pygame.transform.smoothscale(large, (side, side)).convert_alpha()


def crystal_sprite(theme: Theme, unit: float) -> pygame.Surface:
    """A cut stone that stands on its point."""
    factor = 4
    width, height = max(6, round(unit * 0.44)), max(8, round(unit * 0.58))
    large = pygame.Surface((width * factor, height * factor), pygame.SRCALPHA)
    w, h = width * factor - 2, height * factor - 2
    gold = theme.gold
    points = {"top": (w / 2, 0), "left": (0, h * 0.38), "right": (w, h * 0.38), "foot": (w / 2, h)}
    points |= {"in": (w * 0.34, h * 0.40), "out": (w * 0.66, h * 0.40)}
    faces: Mapping[tuple[str, ...], float] = {
        ("top", "left", "in"): 0.45,
        ("top", "in", "out"): 0.75,
        ("top", "out", "right"): 0.20,
        ("left", "in", "foot"): 0.10,
        ("in", "out", "foot"): 0.30,
        ("out", "right", "foot"): -0.30,
    }
    for names, bright in faces.items():
        colour = mix(gold, (255, 255, 255), bright) if bright > 0 else mix(gold, (0, 0, 0), -bright)
        pygame.draw.polygon(large, (*colour, 255), [points[name] for name in names])
    outline = [points[name] for name in ("top", "right", "foot", "left")]
    pygame.draw.lines(large, (*mix(gold, (0, 0, 0), 0.45), 255), True, outline, factor)
    return pygame.transform.smoothscale(large, (width, height)).convert_alpha()
