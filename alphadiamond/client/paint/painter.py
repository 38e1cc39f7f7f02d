"""The painter: draws in the colours and sizes of one look, and keeps what it has made."""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pygame
import pygame.gfxdraw

from alphadiamond.client.paint import shapes
from alphadiamond.client.paint.icons import icon
from alphadiamond.client.paint.look import Look
from alphadiamond.client.paint.text import TextPainter
from alphadiamond.client.theme import RADIUS, SMALL_RADIUS, Colour, mix

Point: TypeAlias = tuple[float, float]
_KEPT = 600
_LARGE_GLOW = 60


class Painter:
    """Sprites are kept by what they were made from; a new look needs a new painter."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.theme = look.theme
        self.text = TextPainter(look)
        self._sprites: dict[Any, pygame.Surface] = {}
        self._latest: dict[str, tuple[Any, pygame.Surface]] = {}

    def px(self, length: float) -> int:
        return self.look.px(length)

    def sprite(self, key: Any, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        found = self._sprites.get(key)
        if found is None:
            if len(self._sprites) >= _KEPT:
                self._sprites.clear()
            found = self._sprites[key] = make()
        return found

    def latest(self, group: str, key: Any, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """A large sprite that changes often: of each group the last is kept."""
        found = self._latest.get(group)
        if found is None or found[0] != key:
            found = self._latest[group] = (key, make())
        return found[1]

    def blit(self, surface: pygame.Surface, sprite: pygame.Surface, centre: Point, alpha: float = 1.0) -> None:
        """A sprite about a centre."""
        where = (round(centre[0] - sprite.get_width() / 2), round(centre[1] - sprite.get_height() / 2))
        self._blit(surface, sprite, where, alpha)

    @staticmethod
    def _blit(surface: pygame.Surface, sprite: pygame.Surface, where: tuple[int, int], alpha: float) -> None:
        if alpha >= 0.999:
            surface.blit(sprite, where)
        elif alpha > 0.004:
            sprite.set_alpha(round(255 * alpha))
            surface.blit(sprite, where)
            sprite.set_alpha(255)

    # Panes

    def panel(
        self, surface: pygame.Surface, rect: pygame.Rect, *, alpha: float = 1.0, tint: Colour | None = None
    ) -> None:
        """A sheet of glass with its shadow."""
        theme = self.theme
        pad = self.px(22) if theme.shadow_alpha else 0
        fill = mix(theme.glass, tint, 0.5) if tint else theme.glass
        top, bottom = (value / 255 for value in theme.glass_alpha)
        sprite = self.sprite(
            ("panel", rect.size, tint),
            lambda: shapes.glass(
                rect.width,
                rect.height,
                self.px(RADIUS),
                top=(fill, top),
                bottom=(fill, bottom),
                edge=(theme.edge, theme.edge_alpha / 255),
                shadow=theme.shadow_alpha / 255,
                pad=pad,
            ),
        )
        self._blit(surface, sprite, (rect.left - pad, rect.top - pad), alpha)

    def solid(self, surface: pygame.Surface, rect: pygame.Rect, *, alpha: float = 1.0) -> None:
        """An opaque sheet, for what lies above other things."""
        theme = self.theme
        pad = self.px(40)
        base = mix(theme.sky[0], theme.glass, 0.14) if theme.dark else (255, 255, 255)
        low = mix(theme.sky[3], theme.glass, 0.08) if theme.dark else (244, 247, 254)
        sprite = self.sprite(
            ("solid", rect.size),
            lambda: shapes.glass(
                rect.width,
                rect.height,
                self.px(RADIUS + 4),
                top=(base, 0.985),
                bottom=(low, 0.985),
                edge=(theme.edge, max(0.35, theme.edge_alpha / 255)),
                shadow=0.5,
                pad=pad,
            ),
        )
        self._blit(surface, sprite, (rect.left - pad, rect.top - pad), alpha)

    def pane(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        colour: Colour,
        fill: float,
        edge: float = 0.0,
        *,
        radius: float = SMALL_RADIUS,
        alpha: float = 1.0,
        to: Colour | None = None,
        edge_colour: Colour | None = None,
        edge_width: float = 1.2,
    ) -> None:
        """A rounded rectangle, filled with an opacity, perhaps with a rim or a gradient to a second colour."""
        if rect.width <= 0 or rect.height <= 0:
            return
        fill, edge = round(fill, 2), round(edge, 2)
        sprite = self.sprite(
            ("pane", rect.size, colour, fill, edge, radius, to, edge_colour, edge_width),
            lambda: shapes.glass(
                rect.width,
                rect.height,
                self.px(radius),
                top=(colour, fill),
                bottom=(to or colour, fill),
                edge=(edge_colour or colour, edge),
                across=to is not None,
                edge_width=edge_width,
            ),
        )
        self._blit(surface, sprite, rect.topleft, alpha)

    def focus(self, surface: pygame.Surface, rect: pygame.Rect, *, radius: float = SMALL_RADIUS) -> None:
        """The ring about whatever the keyboard would press."""
        gap = self.px(3)
        box = rect.inflate(2 * gap, 2 * gap)
        width = max(2.0, 2.4 * self.look.scale)
        self.pane(surface, box, self.theme.gold, 0.0, 0.98, radius=radius + 3, edge_width=width)

    def shade(self, surface: pygame.Surface, amount: float) -> None:
        """Darken everything drawn so far."""
        sprite = self.sprite(("shade", surface.get_size()), lambda: _plain(surface.get_size(), self.theme.dark))
        self._blit(surface, sprite, (0, 0), amount)

    # Small things

    def icon(
        self, surface: pygame.Surface, name: str, centre: Point, size: float, colour: Colour, alpha: float = 1.0
    ) -> None:
        pixels = self.px(size)
        self.blit(
            surface, self.sprite(("icon", name, pixels, colour), lambda: icon(name, pixels, colour)), centre, alpha
        )

    def glow(self, surface: pygame.Surface, centre: Point, radius: float, colour: Colour, alpha: float = 1.0) -> None:
        strength = alpha * self.theme.glow
        if strength <= 0.01 or radius < 2:
            return
        pixels = max(2, int(radius) // 2 * 2)
        if pixels > _LARGE_GLOW:  # fading a large sprite on every blit is slow, so its strength is part of it
            level = round(strength * 20) / 20
            key = ("glow", pixels, colour, level)
            self.blit(surface, self.sprite(key, lambda: shapes.glow(pixels, colour, level)), centre)
            return
        self.blit(surface, self.sprite(("glow", pixels, colour), lambda: shapes.glow(pixels, colour)), centre, strength)

    def ring(
        self,
        surface: pygame.Surface,
        centre: Point,
        radius: float,
        width: float,
        colour: Colour,
        alpha: float = 1.0,
        soft: float = 0,
    ) -> None:
        radius = round(radius * 2) / 2
        width = round(width * 4) / 4
        key = ("ring", radius, width, colour, soft)
        self.blit(surface, self.sprite(key, lambda: shapes.ring(radius, width, colour, soft=soft)), centre, alpha)

    def disc(self, surface: pygame.Surface, centre: Point, radius: float, colour: Colour, alpha: float = 1.0) -> None:
        radius = round(radius * 2) / 2
        self.blit(surface, self.sprite(("disc", radius, colour), lambda: shapes.disc(radius, colour)), centre, alpha)

    def piece(self, surface: pygame.Surface, centre: Point, radius: float, side: Any, alpha: float = 1.0) -> None:
        """A piece of the game at hand."""
        radius = round(radius * 2) / 2
        if radius < 1:
            return
        mark = ("bar", "diamond")[int(side)] if self.look.marks else ""
        colour = self.theme.bead(side)
        flat = self.theme.name == "high contrast"
        make = {"disc": shapes.counter, "man": shapes.man}.get(self.look.shape, shapes.bead)
        sprite = self.sprite(("piece", radius, int(side), mark), lambda: make(radius, colour, mark=mark, flat=flat))
        self.blit(surface, sprite, centre, alpha)

    def socket(self, surface: pygame.Surface, centre: Point, radius: float, fill: Colour, rim: Colour) -> None:
        self.blit(surface, self.sprite(("socket", radius, fill, rim), lambda: shapes.socket(radius, fill, rim)), centre)

    # Lines

    def stroke(
        self, surface: pygame.Surface, a: Point, b: Point, width: float, colour: Colour, alpha: float = 1.0
    ) -> None:
        """A smooth thick line."""
        length = math.hypot(b[0] - a[0], b[1] - a[1])
        if length < 0.5:
            return
        nx, ny = -(b[1] - a[1]) / length * width / 2, (b[0] - a[0]) / length * width / 2
        corners = [(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)]
        self.polygon(surface, corners, colour, alpha)

    def polygon(self, surface: pygame.Surface, points: Sequence[Point], colour: Colour, alpha: float = 1.0) -> None:
        rgba = (*colour, round(255 * max(0.0, min(1.0, alpha))))
        whole = [(round(x), round(y)) for x, y in points]
        pygame.gfxdraw.filled_polygon(surface, whole, rgba)
        pygame.gfxdraw.aapolygon(surface, whole, rgba)

    def polyline(self, surface: pygame.Surface, points: Sequence[Point], colour: Colour, width: float = 1.5) -> None:
        for a, b in itertools.pairwise(points):
            pygame.draw.aaline(surface, colour, a, b)
            if width > 1.2:
                pygame.draw.aaline(surface, colour, (a[0], a[1] + 0.8), (b[0], b[1] + 0.8))

    def arrow(
        self, surface: pygame.Surface, a: Point, b: Point, width: float, colour: Colour, alpha: float, *, gap: float
    ) -> None:
        """From just outside one bead to just outside the next node, kept as a smooth sprite."""
        key = ("arrow", (round(b[0] - a[0]), round(b[1] - a[1])), round(width * 2) / 2, colour, round(gap))
        sprite = self.sprite(key, lambda: _arrow((b[0] - a[0], b[1] - a[1]), width, colour, gap))
        self.blit(surface, sprite, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), alpha)


def _plain(size: tuple[int, int], dark: bool) -> pygame.Surface:
    sprite = pygame.Surface(size).convert()
    sprite.fill((3, 5, 16) if dark else (40, 48, 76))
    return sprite


def _arrow(delta: Point, width: float, colour: Colour, gap: float) -> pygame.Surface:
    factor = 4
    length = math.hypot(*delta)
    ux, uy = delta[0] / length, delta[1] / length
    head = width * 2.1
    size = (abs(delta[0]) + 4 * head + 8, abs(delta[1]) + 4 * head + 8)
    large = pygame.Surface((round(size[0]) * factor, round(size[1]) * factor), pygame.SRCALPHA)
    large.fill((*colour, 0))
    cx, cy = large.get_width() / 2, large.get_height() / 2

    def at(along: float, aside: float) -> Point:
        along -= length / 2
        return cx + (ux * along - uy * aside) * factor, cy + (uy * along + ux * aside) * factor

    tip = length - gap
    points = [at(gap, -width * 0.28), at(tip - head, -width / 2), at(tip - head, -head * 0.62), at(tip, 0)]
    points += [at(tip - head, head * 0.62), at(tip - head, width / 2), at(gap, width * 0.28)]
    pygame.draw.polygon(large, (*colour, 255), points)
    return pygame.transform.smoothscale(large, (round(size[0]), round(size[1]))).convert_alpha()


def lerp_points(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def rotated(points: Sequence[Point], angle: float) -> list[Point]:
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return [(float(x), float(y)) for x, y in np.asarray(points) @ turn]
