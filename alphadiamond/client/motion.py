"""Easing curves and values that move towards a target; nothing here knows about drawing."""

import math
from dataclasses import dataclass


def clamp(value: float, low: float = 0.0, high: float = 1.0) -> float:
    return min(high, max(low, value))


def ease_out(t: float) -> float:
    """Fast, then gently to rest."""
    return 1 - (1 - clamp(t)) ** 3


def ease_in_out(t: float) -> float:
    t = clamp(t)
    return 4 * t**3 if t < 0.5 else 1 - (-2 * t + 2) ** 3 / 2


def ease_back(t: float) -> float:
    """Overshoots a little and settles."""
    t = clamp(t) - 1
    return 1 + 2.7 * t**3 + 1.7 * t**2


@dataclass
class Approach:
    """A value that closes in on its target, half the way every `half_life` seconds."""

    value: float = 0.0
    target: float = 0.0
    half_life: float = 0.05

    def update(self, dt: float) -> None:
        if self.value == self.target:
            return
        if self.half_life <= 0:
            self.value = self.target
            return
        self.value += (self.target - self.value) * (1 - math.pow(0.5, dt / self.half_life))
        if abs(self.target - self.value) < 0.002 * max(1.0, abs(self.target)):
            self.value = self.target

    def jump(self, value: float) -> None:
        self.value = self.target = value


@dataclass
class Tween:
    """Progress from 0 to 1 over a time, after a delay."""

    seconds: float
    delay: float = 0.0
    elapsed: float = 0.0

    def update(self, dt: float) -> None:
        self.elapsed += dt

    @property
    def progress(self) -> float:
        if self.seconds <= 0:
            return 1.0 if self.elapsed >= self.delay else 0.0
        return clamp((self.elapsed - self.delay) / self.seconds)

    @property
    def done(self) -> bool:
        return self.elapsed >= self.delay + self.seconds
