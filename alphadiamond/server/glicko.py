"""Glicko-2 (Glickman, 2012): Elo ratings that know how uncertain they are.

Ratings change after every game. A game takes no time: the deviation grows with the time since the last one, by the
volatility for each `PERIOD`, and not with the game itself, or it would stop shrinking at 60. What a game does depends
on nothing but the two ratings before it, the result and the time, so that all ratings can be computed again.
"""

import math
from dataclasses import dataclass
from typing import Final

START: Final = 1500.0
MOST_UNSURE: Final = 350.0
LEAST_UNSURE: Final = 45.0
"""Below this a rating would hardly move any more, however much somebody learns."""
VOLATILITY: Final = 0.06
TAU: Final = 0.5
PERIOD: Final = 5 * 86_400_000
"""Milliseconds after which a deviation has grown by one volatility."""
SCALE: Final = 173.7178
ANCHOR_DEVIATION: Final = 30.0
SURE: Final = 110.0
"""A deviation up to which a rating means something."""
_PRECISION: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    value: float = START
    deviation: float = MOST_UNSURE
    volatility: float = VOLATILITY
    at: int = 0
    """When it last changed, in milliseconds; 0: never."""
    anchor: bool = False
    """Fixed, for a bot that others are measured by."""

    @property
    def sure(self) -> bool:
        """Whether it means something."""
        return self.deviation <= SURE

    def now(self, at: int) -> "Rating":
        """The same with the deviation that time has left it."""
        if self.anchor or not self.at:
            return self
        periods = max(0, at - self.at) / PERIOD
        spread = math.hypot(self.deviation / SCALE, self.volatility * math.sqrt(periods)) * SCALE
        return Rating(self.value, min(spread, MOST_UNSURE), self.volatility, self.at)


def anchored(value: float) -> Rating:
    return Rating(value, ANCHOR_DEVIATION, anchor=True)


def expected(one: Rating, other: Rating) -> float:
    """The score that `one` may expect."""
    return 1 / (1 + math.exp(-_g(other.deviation / SCALE) * (one.value - other.value) / SCALE))


def after_game(rating: Rating, opponent: Rating, score: float, *, at: int) -> Rating:
    """The rating after a game with that score (1, 0.5 or 0) against an opponent with the rating before it."""
    if rating.anchor:
        return rating
    own, other = rating.now(at), opponent.now(at)
    spread = own.deviation / SCALE
    weight = _g(other.deviation / SCALE)
    chance = expected(own, other)
    variance = 1 / (weight * weight * chance * (1 - chance))
    surprise = weight * (score - chance)
    volatility = _volatility(spread, own.volatility, variance, variance * surprise)
    spread = 1 / math.sqrt(1 / (spread * spread) + 1 / variance)
    value = own.value + SCALE * spread * spread * surprise
    return Rating(value, min(max(spread * SCALE, LEAST_UNSURE), MOST_UNSURE), volatility, at)


def both_after(first: Rating, second: Rating, score: float, *, at: int) -> tuple[Rating, Rating]:
    """Both ratings after a game in which the first scored so much."""
    return after_game(first, second, score, at=at), after_game(second, first, 1 - score, at=at)


def _g(spread: float) -> float:
    return 1 / math.sqrt(1 + 3 * spread * spread / math.pi**2)


def _volatility(spread: float, volatility: float, variance: float, change: float) -> float:
    """Step 5 of the paper: the root of f by the Illinois method."""
    start = math.log(volatility * volatility)

    def f(x: float) -> float:
        grown = math.exp(x)
        total = spread * spread + variance + grown
        return grown * (change * change - total) / (2 * total * total) - (x - start) / (TAU * TAU)

    low = start
    if change * change > spread * spread + variance:
        high = math.log(change * change - spread * spread - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
