"""The sky behind everything: a slow gradient with drifting light and a few stars."""

import math

import numpy as np
import numpy.typing as npt
import pygame

from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import Theme

_SMALL = (64, 40)
"""Width and height at which the gradient is computed, before it is scaled up."""
_SECONDS_BETWEEN_SKIES = 0.25
_STARS = 46


class Background:
    """The gradient is renewed a few times a second, since it moves slowly."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._stars = rng.random((_STARS, 4))
        self._grain: npt.NDArray[np.uint8] = rng.integers(0, 4, (256, 256, 1), dtype=np.uint8)
        self._dither: pygame.Surface | None = None
        self._time = 0.0
        self._age = math.inf
        self._key: tuple[Theme, tuple[int, int]] | None = None
        self._sky: pygame.Surface | None = None

    def update(self, dt: float, painter: Painter, size: tuple[int, int]) -> None:
        if not painter.look.motion.reduced:
            self._time += dt
        self._age += dt
        key = (painter.theme, size)
        still = painter.look.motion.reduced or painter.theme.aurora_strength == 0
        if key != self._key or (self._age >= _SECONDS_BETWEEN_SKIES and not still):
            self._key, self._age = key, 0.0
            self._sky = self._paint(painter.theme, size)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        if self._sky is None or self._sky.get_size() != surface.get_size():
            surface.fill(painter.theme.sky[0])
            return
        surface.blit(self._sky, (0, 0))
        if not painter.theme.dark or painter.theme.aurora_strength == 0:
            return
        width, height = surface.get_size()
        for x, y, size, phase in self._stars:
            drift = (x + self._time * (0.0015 + 0.003 * size)) % 1.0
            twinkle = 0.5 + 0.5 * math.sin(self._time * (0.5 + phase) + phase * 40)
            centre = (drift * width, ((y - self._time * 0.002 * (1 + size)) % 1.0) * height)
            painter.glow(surface, centre, painter.px(2 + 4 * size), (190, 214, 255), 0.18 + 0.5 * twinkle * size)

    def _paint(self, theme: Theme, size: tuple[int, int]) -> pygame.Surface:
        columns, rows = _SMALL
        x = np.linspace(0, 1, columns, dtype=np.float32)[None, :, None]
        y = np.linspace(0, 1, rows, dtype=np.float32)[:, None, None]
        corners = [np.asarray(colour, np.float32) for colour in theme.sky]
        sky = (corners[0] * (1 - x) + corners[1] * x) * (1 - y) + (corners[2] * (1 - x) + corners[3] * x) * y
        t = self._time
        for number, colour in enumerate(theme.aurora):
            cx = 0.5 + 0.42 * math.sin(t * 0.05 + 2.4 * number)
            cy = 0.45 + 0.38 * math.cos(t * 0.037 + 1.7 * number)
            wave = 0.06 * np.sin(6 * x + t * 0.12 + number) + 0.05 * np.cos(5 * y - t * 0.1)
            light = np.exp(-(((x - cx) / 0.52) ** 2 + ((y - cy + wave) / 0.42) ** 2))
            sky = sky + (np.asarray(colour, np.float32) - sky) * light * theme.aurora_strength
        pixels = np.clip(sky, 0, 255).astype(np.uint8)
        small = pygame.image.frombuffer(pixels.tobytes(), _SMALL, "RGB").convert()
        large = pygame.transform.smoothscale(small, size).convert()
        if theme.aurora_strength:
            large.blit(self._grain_of(size), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        return large

    def _grain_of(self, size: tuple[int, int]) -> pygame.Surface:
        """Fine noise of a few steps, which keeps dark gradients from showing bands."""
        if self._dither is None or self._dither.get_size() != size:
            tile = np.broadcast_to(self._grain, (256, 256, 3)).tobytes()
            grain = pygame.image.frombuffer(tile, (256, 256), "RGB").convert()
            self._dither = pygame.Surface(size).convert()
            for x in range(0, size[0], 256):
                for y in range(0, size[1], 256):
                    self._dither.blit(grain, (x, y))
        return self._dither
