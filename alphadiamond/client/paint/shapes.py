"""Shapes computed once per size and colour with numpy, smooth at their edges, as surfaces to be kept."""

import numpy as np
import numpy.typing as npt
import pygame

from alphadiamond.client.theme import Colour

Image = npt.NDArray[np.float32]
"""[height, width, 4] colours 0 to 255 and opacity 0 to 1."""


def surface_of(image: Image) -> pygame.Surface:
    height, width = image.shape[:2]
    pixels = image.copy()
    pixels[..., 3] *= 255
    data = np.clip(pixels + 0.5, 0, 255).astype(np.uint8).tobytes()
    return pygame.image.frombuffer(data, (width, height), "RGBA").convert_alpha()


def blank(width: int, height: int, colour: Colour = (255, 255, 255)) -> Image:
    image = np.zeros((height, width, 4), dtype=np.float32)
    image[..., :3] = colour
    return image


def rounded_distance(width: int, height: int, radius: float, pad: int = 0) -> npt.NDArray[np.float32]:
    """[height + 2 pad, width + 2 pad] signed distance of each pixel's centre from a rounded rectangle; inside < 0."""
    x = np.abs(np.arange(width + 2 * pad, dtype=np.float32) + 0.5 - pad - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height + 2 * pad, dtype=np.float32) + 0.5 - pad - height / 2) - (height / 2 - radius)
    outside = np.hypot(np.maximum(x, 0)[None, :], np.maximum(y, 0)[:, None])
    inside = np.minimum(np.maximum(x[None, :], y[:, None]), 0)
    result: npt.NDArray[np.float32] = (outside + inside - radius).astype(np.float32)
    return result


def over(below: Image, colour: Colour | npt.NDArray[np.float32], alpha: npt.NDArray[np.float32]) -> None:
    """Lay a colour with an opacity per pixel over an image, in place."""
    old = below[..., 3]
    new = alpha + old * (1 - alpha)
    share = np.divide(alpha, new, out=np.zeros_like(alpha), where=new > 0)[..., None]
    below[..., :3] = below[..., :3] * (1 - share) + np.asarray(colour, dtype=np.float32) * share
    below[..., 3] = new


def glass(
    width: int,
    height: int,
    radius: float,
    *,
    top: tuple[Colour, float],
    bottom: tuple[Colour, float],
    edge: tuple[Colour, float],
    shadow: float = 0.0,
    pad: int = 0,
    edge_width: float = 1.2,
    across: bool = False,
) -> pygame.Surface:
    """A pane with a gradient, a lit rim and a soft shadow that lies `pad` pixels round it."""
    radius = min(radius, width / 2, height / 2)
    distance = rounded_distance(width, height, radius, pad)
    rows, columns = distance.shape
    image = blank(columns, rows, (0, 0, 0))
    if shadow and pad:
        drop = np.roll(distance, max(1, pad // 4), axis=0)
        soft = np.exp(-np.clip(drop, 0, None) / (pad / 2.6)) * shadow
        # Nothing may show at the sprite's border, nor through the glass.
        fade = np.clip(1 - np.clip(distance, 0, None) / pad, 0, 1)
        over(image, (0, 0, 0), (soft * fade * np.clip(distance + 0.5, 0, 1)).astype(np.float32))
    steps = (np.arange(columns if across else rows, dtype=np.float32) - pad) / max(1, (width if across else height) - 1)
    ramp = np.clip(steps, 0, 1)
    ramp = ramp[None, :] if across else ramp[:, None]
    ramp = np.broadcast_to(ramp, distance.shape)
    first, second = np.asarray(top[0], np.float32), np.asarray(bottom[0], np.float32)
    colour = (first * (1 - ramp[..., None]) + second * ramp[..., None]).astype(np.float32)
    alpha = (top[1] * (1 - ramp) + bottom[1] * ramp) * np.clip(0.5 - distance, 0, 1)
    over(image, colour, alpha.astype(np.float32))
    if edge[1] > 0:
        rim = np.clip(0.5 - distance, 0, 1) * np.clip(distance + edge_width + 0.5, 0, 1)
        light = 1.0 if across else 1 - 0.55 * ramp  # lit from above
        over(image, edge[0], (rim * edge[1] * light).astype(np.float32))
    return surface_of(image)


def _radial(size: int) -> npt.NDArray[np.float32]:
    """[size, size] distance from the centre, 1 at the middle of a side."""
    axis = (np.arange(size, dtype=np.float32) + 0.5) / size * 2 - 1
    result: npt.NDArray[np.float32] = np.hypot(axis[None, :], axis[:, None])
    return result


def glow(radius: int, colour: Colour, strength: float = 1.0) -> pygame.Surface:
    """Light that falls off smoothly to nothing at `radius`."""
    distance = _radial(2 * radius)
    image = blank(2 * radius, 2 * radius, colour)
    image[..., 3] = np.clip(1 - distance, 0, 1) ** 2.4 * strength
    return surface_of(image)


def ring(radius: float, width: float, colour: Colour, alpha: float = 1.0, *, soft: float = 0.0) -> pygame.Surface:
    """A circle's outline, with `soft` pixels of glow about it."""
    size = int(radius + width + soft) * 2 + 4
    distance = np.abs(_radial(size) * size / 2 - radius) - width / 2
    image = blank(size, size, colour)
    image[..., 3] = np.clip(0.5 - distance, 0, 1) * alpha
    if soft:
        image[..., 3] = np.maximum(image[..., 3], np.exp(-np.clip(distance, 0, None) / (soft / 3)) * 0.5 * alpha)
    return surface_of(image)


def disc(radius: float, colour: Colour, alpha: float = 1.0) -> pygame.Surface:
    size = int(radius) * 2 + 4
    distance = _radial(size) * size / 2 - radius
    image = blank(size, size, colour)
    image[..., 3] = np.clip(0.5 - distance, 0, 1) * alpha
    return surface_of(image)


def bead(radius: float, colour: Colour, *, mark: str = "", flat: bool = False) -> pygame.Surface:
    """A glass ball lit from the upper left, with light gathered low inside it; `mark` is `diamond`, `bar` or none."""
    size = int(radius * 2) + 6
    axis = (np.arange(size, dtype=np.float32) + 0.5 - size / 2) / radius
    x, y = axis[None, :], axis[:, None]
    square = x**2 + y**2
    distance = np.sqrt(square)
    z = np.sqrt(np.clip(1 - square, 0, 1))
    base = np.asarray(colour, np.float32)
    light = np.clip(-0.45 * x - 0.62 * y + 0.64 * z, 0, 1)
    gathered = np.exp(-((x - 0.22) ** 2 + (y - 0.42) ** 2) / 0.22)
    shade = 0.52 + 0.56 * light + 0.42 * gathered * z
    if flat:
        shade = np.full_like(shade, 0.95)
    body = base * shade[..., None]
    body = body + (255 - body) * (0.28 * gathered * z)[..., None] * (0 if flat else 1)
    rim = np.clip((distance - 0.80) / 0.20, 0, 1) ** 2
    body = body * (1 - 0.34 * rim[..., None])
    if not flat:
        top = np.exp(-(((x + 0.30) / 0.34) ** 2 + ((y + 0.46) / 0.22) ** 2) * 1.6) * np.clip((1 - distance) * 5, 0, 1)
        pin = np.exp(-((x + 0.36) ** 2 + (y + 0.50) ** 2) / 0.012)
        body = body + (255 - body) * np.clip(0.62 * top + 0.85 * pin, 0, 1)[..., None]
        edge = np.clip((distance - 0.90) / 0.08, 0, 1) * np.clip((1.0 - distance) / 0.03, 0, 1)
        facing = np.clip(0.5 + 0.5 * (x * 0.4 + y * 0.75), 0, 1)
        body = body + (base * 0.6 + 90 - body) * (edge * facing * 0.55)[..., None]
    image = blank(size, size, colour)
    image[..., :3] = np.clip(body, 0, 255)
    image[..., 3] = np.clip((1 - distance) * radius + 0.5, 0, 1)
    if mark:
        _mark(image, mark, x, y, radius)
    return surface_of(image)


def _mark(
    image: Image,
    mark: str,
    x: npt.NDArray[np.float32],
    y: npt.NDArray[np.float32],
    radius: float,
    ink: Colour = (8, 10, 26),
) -> None:
    """A shape on a piece, so that its side is told by more than its colour."""
    size = image.shape[0]
    pixel = 1 / radius
    if mark == "diamond":
        away = np.abs(x) + np.abs(y) - 0.50
        hollow = np.abs(away + 0.07) - 0.07
        cover = np.clip(0.5 - hollow / pixel * 0.7, 0, 1)
    else:
        away = np.maximum(np.abs(x) - 0.46, np.abs(y) - 0.10)
        cover = np.clip(0.5 - away / pixel, 0, 1)
    over(image, ink, np.broadcast_to(cover * 0.92 * image[..., 3], (size, size)).astype(np.float32))


def _turned(
    radius: float, colour: Colour, mark: str, flat: bool, grooves: tuple[tuple[float, float, float], ...], gloss: float
) -> pygame.Surface:
    """A flat round piece, lit from the upper left; each groove is where it lies, how wide it is and how deep."""
    size = int(radius * 2) + 6
    axis = (np.arange(size, dtype=np.float32) + 0.5 - size / 2) / radius
    x, y = axis[None, :], axis[:, None]
    distance = np.hypot(x, y)
    facing = (-0.55 * x - 0.83 * y) / np.maximum(distance, 1e-3)
    base = np.asarray(colour, np.float32)
    shade = np.full((size, size), 0.95, np.float32)
    if not flat:
        shade = (0.90 + 0.10 * (-0.55 * x - 0.83 * y)).astype(np.float32)
        for place, width, depth in grooves:  # the slope of a groove turns to the light on one side, away on the other
            off = (place - distance) / width
            slope = 2.3 * off * np.exp(-(off**2) * 2)
            shade = (shade + depth * slope * facing).astype(np.float32)
        outer = np.clip((distance - 0.88) / 0.12, 0, 1)
        shade = (shade + 0.30 * outer * facing - 0.12 * outer).astype(np.float32)
    body = base * shade[..., None]
    if not flat:
        shine = np.exp(-(((x + 0.34) / 0.42) ** 2 + ((y + 0.42) / 0.26) ** 2) * 1.5) * gloss
        body = body + (255 - body) * np.clip(shine, 0, 1)[..., None]
    image = blank(size, size, colour)
    image[..., :3] = np.clip(body, 0, 255)
    image[..., 3] = np.clip((1 - distance) * radius + 0.5, 0, 1)
    bright = float(base @ np.asarray((0.299, 0.587, 0.114), np.float32))
    if flat or bright < 110:  # a dark piece has a light edge, or it would vanish on a dark square
        line = np.clip(1 - np.abs(distance - 0.95) / 0.05, 0, 1) * (0.9 if flat else 0.38)
        over(image, (255, 255, 255) if flat else (190, 182, 214), (line * image[..., 3]).astype(np.float32))
    if mark:
        _mark(image, mark, x, y, radius, (8, 10, 26) if bright > 110 else (240, 240, 250))
    return surface_of(image)


def counter(radius: float, colour: Colour, *, mark: str = "", flat: bool = False) -> pygame.Surface:
    """A disc of plastic with a raised rim and a ring in it."""
    return _turned(radius, colour, mark, flat, ((0.74, 0.07, 0.34), (0.46, 0.05, 0.22)), 0.34)


def man(radius: float, colour: Colour, *, mark: str = "", flat: bool = False) -> pygame.Surface:
    """A draughtsman turned from wood: groove within groove."""
    grooves = ((0.82, 0.05, 0.42), (0.62, 0.05, 0.36), (0.42, 0.05, 0.30), (0.20, 0.06, 0.22))
    return _turned(radius, colour, mark, flat, grooves, 0.20)


def socket(radius: float, fill: Colour, rim: Colour, *, alpha: float = 1.0) -> pygame.Surface:
    """An empty node: a shallow bowl with a lit rim."""
    size = int(radius * 2) + 8
    axis = np.arange(size, dtype=np.float32) + 0.5 - size / 2
    x, y = axis[None, :], axis[:, None]
    distance = np.hypot(x, y)
    image = blank(size, size, fill)
    depth = np.clip(0.82 + 0.22 * (y / radius), 0.5, 1.15)
    image[..., :3] = np.clip(np.asarray(fill, np.float32) * depth[..., None], 0, 255)
    image[..., 3] = np.clip(radius - distance + 0.5, 0, 1) * 0.95 * alpha
    line = max(1.2, radius * 0.13)
    cover = np.clip(0.5 - (np.abs(distance - radius + line / 2) - line / 2), 0, 1)
    facing = 0.62 + 0.38 * np.clip(0.5 + y / radius / 2, 0, 1)
    over(image, rim, (cover * facing * alpha).astype(np.float32))
    return surface_of(image)
