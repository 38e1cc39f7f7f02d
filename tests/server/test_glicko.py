"""Ratings as the paper computes them."""

import math

import pytest

from alphadiamond.server.glicko import PERIOD, SCALE, Rating, after_game, anchored, both_after, expected


def test_a_game_changes_a_rating_as_the_formulas_of_the_paper_say() -> None:
    """Glickman's example, its first game alone: 1500/200 beats 1400/30."""
    one, other = Rating(1500, 200, 0.06), Rating(1400, 30, 0.06)
    assert expected(one, other) == pytest.approx(0.639, abs=0.001)
    made = after_game(one, other, 1, at=1)
    g = 1 / math.sqrt(1 + 3 * (30 / SCALE) ** 2 / math.pi**2)
    chance = expected(one, other)
    variance = 1 / (g * g * chance * (1 - chance))
    assert made.volatility == pytest.approx(0.06, abs=1e-4)
    spread = 1 / math.sqrt(1 / (200 / SCALE) ** 2 + 1 / variance)  # a game takes no time
    assert made.deviation == pytest.approx(spread * SCALE)
    assert made.value == pytest.approx(1500 + SCALE * spread**2 * g * (1 - chance))
    assert (round(made.value), round(made.deviation)) == (1563, 175)


def test_a_first_game_between_strangers_moves_both_by_as_much() -> None:
    first, second = both_after(Rating(), Rating(), 1, at=1)
    assert first.value + second.value == pytest.approx(3000)
    assert round(first.value) == 1662
    drawn, _ = both_after(Rating(), Rating(), 0.5, at=1)
    assert drawn.value == 1500
    assert drawn.deviation < 350


def test_a_deviation_grows_with_time_and_shrinks_with_games() -> None:
    rating = Rating(1700, 60, 0.06, at=1)
    assert rating.now(1 + 100 * PERIOD).deviation > 100
    assert rating.now(1 + 10**9 * PERIOD).deviation == 350
    assert after_game(rating, Rating(1700, 60), 0.5, at=2).deviation < 60


def test_an_anchor_stays_where_it_is_and_moves_others() -> None:
    bot, person = both_after(anchored(1809), Rating(), 0, at=5)
    assert bot == anchored(1809)
    assert person.value > 1700


def test_a_great_surprise_raises_the_volatility() -> None:
    calm = Rating(2400, 50, 0.06, at=1)
    assert after_game(calm, Rating(1200, 50), 0, at=2).volatility > 0.06
