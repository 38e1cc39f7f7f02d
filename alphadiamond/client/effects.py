"""Short-lived things: sparks, confetti, rings and rising numbers."""

import math
from dataclasses import dataclass

import numpy as np
import pygame

from alphadiamond.client.motion import clamp, ease_out
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import Colour

Point = tuple[float, float]
_MOST = 420


@dataclass
class _Spark:
    x: float
    y: float
    vx: float
    vy: float
    life: float
    age: float
    size: float
    colour: Colour
    spin: float = 0.0
    angle: float = 0.0
    confetti: bool = False


@dataclass
class _Ring:
    centre: Point
    radius: float
    seconds: float
    colour: Colour
    age: float = 0.0


@dataclass
class _Word:
    text: str
    centre: Point
    colour: Colour
    seconds: float = 1.3
    age: float = 0.0


class Effects:
    """Everything on it moves by `update` and dies by itself; `reduced` keeps the words and drops the rest."""

    def __init__(self, rng: np.random.Generator, *, reduced: bool = False) -> None:
        self._rng = rng
        self.reduced = reduced
        self._sparks: list[_Spark] = []
        self._rings: list[_Ring] = []
        self._words: list[_Word] = []

    @property
    def busy(self) -> bool:
        return bool(self._sparks or self._rings or self._words)

    def clear(self) -> None:
        self._sparks.clear()
        self._rings.clear()
        self._words.clear()

    def burst(self, centre: Point, colour: Colour, *, count: int = 26, speed: float = 260, size: float = 5) -> None:
        """Sparks in all directions."""
        if self.reduced:
            return
        for _ in range(count):
            angle, fast = self._rng.random() * math.tau, speed * (0.25 + 0.75 * self._rng.random())
            life = 0.45 + 0.5 * self._rng.random()
            self._add(
                _Spark(
                    *centre,
                    math.cos(angle) * fast,
                    math.sin(angle) * fast,
                    life,
                    0.0,
                    size * (0.5 + self._rng.random()),
                    colour,
                )
            )

    def confetti(self, width: float, *, colours: tuple[Colour, ...], count: int = 130, scale: float = 1.0) -> None:
        """Paper from above, over the whole width."""
        if self.reduced:
            return
        for _ in range(count):
            self._add(
                _Spark(
                    self._rng.random() * width,
                    -20 - 260 * self._rng.random() * scale,
                    (self._rng.random() - 0.5) * 140 * scale,
                    (70 + 160 * self._rng.random()) * scale,
                    4.5 + 2 * self._rng.random(),
                    0.0,
                    (6 + 6 * self._rng.random()) * scale,
                    colours[int(self._rng.integers(len(colours)))],
                    spin=(self._rng.random() - 0.5) * 9,
                    angle=self._rng.random() * math.tau,
                    confetti=True,
                )
            )

    def ring(self, centre: Point, radius: float, colour: Colour, *, seconds: float = 0.6) -> None:
        """A wave that runs out from a point."""
        if not self.reduced:
            self._rings.append(_Ring(centre, radius, seconds, colour))

    def word(self, text: str, centre: Point, colour: Colour) -> None:
        """Text that rises and fades: `+1`."""
        self._words.append(_Word(text, centre, colour))

    def _add(self, spark: _Spark) -> None:
        self._sparks.append(spark)
        if len(self._sparks) > _MOST:
            del self._sparks[: len(self._sparks) - _MOST]

    def update(self, dt: float) -> None:
        for spark in self._sparks:
            spark.age += dt
            drag = math.pow(0.55 if spark.confetti else 0.12, dt)
            spark.vx *= drag
            spark.vy = spark.vy * drag + (110 if spark.confetti else 220) * dt
            spark.x += spark.vx * dt + (math.sin(spark.age * 3 + spark.angle) * 30 * dt if spark.confetti else 0)
            spark.y += spark.vy * dt
            spark.angle += spark.spin * dt
        self._sparks = [spark for spark in self._sparks if spark.age < spark.life]
        for ring in self._rings:
            ring.age += dt
        self._rings = [ring for ring in self._rings if ring.age < ring.seconds]
        for word in self._words:
            word.age += dt
        self._words = [word for word in self._words if word.age < word.seconds]

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        for ring in self._rings:
            t = ring.age / ring.seconds
            radius = round(ring.radius * (0.35 + 0.65 * ease_out(t)) / 3) * 3
            painter.ring(surface, ring.centre, max(3, radius), max(1.5, 5 * (1 - t)), ring.colour, (1 - t) ** 1.5)
        for spark in self._sparks:
            left = 1 - spark.age / spark.life
            if spark.confetti:
                _paper(surface, painter, spark, clamp(left * 3))
            else:
                painter.glow(surface, (spark.x, spark.y), max(2.0, spark.size * 2.2 * left), spark.colour, left)
                painter.disc(surface, (spark.x, spark.y), max(1, round(spark.size * 0.4 * left)), spark.colour, left)
        for word in self._words:
            t = word.age / word.seconds
            rise = painter.px(46) * ease_out(t)
            centre = (word.centre[0], word.centre[1] - rise)
            shade = painter.text.render(word.text, "heading", (4, 8, 24) if painter.theme.dark else (255, 255, 255))
            painter.blit(surface, shade, (centre[0] + 1, centre[1] + 2), clamp((1 - t) * 1.4))
            painter.blit(surface, painter.text.render(word.text, "heading", word.colour), centre, clamp((1 - t) * 2))


def _paper(surface: pygame.Surface, painter: Painter, spark: _Spark, alpha: float) -> None:
    half, flat = spark.size / 2, spark.size / 2 * abs(math.cos(spark.age * 4 + spark.angle)) * 0.8 + 0.8
    c, s = math.cos(spark.angle), math.sin(spark.angle)
    corners = [(-half, -flat), (half, -flat), (half, flat), (-half, flat)]
    points = [(spark.x + x * c - y * s, spark.y + x * s + y * c) for x, y in corners]
    painter.polygon(surface, points, spark.colour, alpha)
