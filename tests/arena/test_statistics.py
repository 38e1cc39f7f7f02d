"""Likelihoods, intervals, the sequential test and ratings, against worlds in which the truth is known."""

import math

import numpy as np
import pytest

from alphadiamond.arena import ArenaError, SequentialTest, rate
from alphadiamond.arena.report import time_a_move
from alphadiamond.arena.sequential import (
    PAIR_SCORES,
    constrained_log_likelihood,
    elo_of,
    log_likelihood_ratio,
    score_interval,
    score_intervals,
    score_of,
)
from alphadiamond.arena.statistics import Thinking

DRAWISH = np.array([0.03, 0.07, 0.8, 0.07, 0.03])
DECISIVE = np.array([0.25, 0.05, 0.4, 0.05, 0.25])


def tilted(chances: np.ndarray, score: float) -> np.ndarray:
    """The nearest chances with this mean."""
    low, high = -80.0, 80.0
    for _ in range(80):
        middle = (low + high) / 2
        weights = chances * np.exp(middle * (PAIR_SCORES - 0.5))
        weights /= weights.sum()
        low, high = (middle, high) if weights @ PAIR_SCORES < score else (low, middle)
    return weights


def test_elo_and_score_are_inverse() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert score_of(elo_of(0.3)) == pytest.approx(0.3)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_the_constrained_likelihood_is_the_largest_there_is() -> None:
    rng = np.random.default_rng(1)
    counts = np.array([4, 6, 20, 9, 5])
    best = constrained_log_likelihood(counts, 0.6)
    # Move along directions that keep the sum and the mean: nothing explains the counts better.
    for _ in range(300):
        chances = tilted(rng.dirichlet(counts + 1), 0.6)
        assert counts @ np.log(chances) <= best + 1e-9
    at_mean = counts @ PAIR_SCORES / counts.sum()
    assert constrained_log_likelihood(counts, at_mean) == pytest.approx(counts @ np.log(counts / counts.sum()))


def test_many_positions_are_judged_as_each_alone() -> None:
    counts = np.random.default_rng(1).integers(0, 9, size=(20, 5))
    together = log_likelihood_ratio(counts, 0.5, 0.57)
    assert together == pytest.approx([float(log_likelihood_ratio(one, 0.5, 0.57)) for one in counts])


@pytest.mark.parametrize("chances", [DRAWISH, DECISIVE, np.array([0, 0.02, 0.08, 0.2, 0.7])])
@pytest.mark.parametrize("pairs", [15, 60])
def test_intervals_hold_the_true_score_as_often_as_they_say(chances: np.ndarray, pairs: int) -> None:
    rng = np.random.default_rng(3)
    truth = chances @ PAIR_SCORES
    low, high = score_intervals(rng.multinomial(pairs, chances, size=1000)).T
    assert np.mean((low <= truth) & (truth <= high)) >= 0.91


def test_many_intervals_are_each_as_if_alone() -> None:
    counts = np.random.default_rng(1).integers(0, 9, size=(4, 5))
    assert score_intervals(counts) == pytest.approx(np.array([score_interval(one) for one in counts]))


def test_intervals_of_pairs_that_all_ended_alike_have_a_width() -> None:
    low, high = score_interval([0, 0, 50, 0, 0])
    assert low == pytest.approx(0.5 - 0.96 / 50, abs=2e-3)
    assert high == pytest.approx(0.5 + 0.96 / 50, abs=2e-3)
    low, high = score_interval([0, 0, 0, 0, 50])
    assert high == pytest.approx(1)
    assert low == pytest.approx(math.exp(-1.92 / 50), abs=3e-3)  # as for 50 wins in 50
    assert score_interval([0] * 5) == (0, 1)


def simulate(test: SequentialTest, chances: np.ndarray, *, runs: int, seed: int = 5) -> tuple[float, float]:
    """(share of runs that accept H1, mean pairs), the runs side by side."""
    rng = np.random.default_rng(seed)
    lower, upper = test.bounds
    counts, alive = np.zeros((runs, 5)), np.arange(runs)
    accepted, pairs = np.zeros(runs, dtype=bool), np.zeros(runs)
    while len(alive):
        counts[alive] += rng.multinomial(1, chances, size=len(alive))
        pairs[alive] += 1
        ratio = log_likelihood_ratio(counts[alive], test.score0, test.score1)
        accepted[alive[ratio >= upper]] = True
        alive = alive[(ratio < upper) & (ratio > lower)]
    return float(accepted.mean()), float(pairs.mean())


@pytest.mark.parametrize("world", [DRAWISH, DECISIVE], ids=["drawish", "decisive"])
def test_the_sequential_test_errs_no_more_often_than_it_promises(world: np.ndarray) -> None:
    test = SequentialTest.of_elo(0, 60)
    wrong, _ = simulate(test, tilted(world, test.score0), runs=500)
    right, _ = simulate(test, tilted(world, test.score1), runs=500)
    assert wrong <= 0.05 + 0.02  # two standard errors of the simulation
    assert right >= 0.95 - 0.02
    stronger, pairs = simulate(test, tilted(world, score_of(200)), runs=100)
    assert stronger == 1.0
    assert pairs < 40


def test_a_match_of_draws_ends() -> None:
    gain = SequentialTest.of_elo(0, 30)
    pairs = next(n for n in range(1, 1000) if gain.judge([0, 0, n, 0, 0]).final)
    assert gain.judge([0, 0, pairs, 0, 0]).accepted == "h0"
    assert pairs < 100
    even = {"max_pairs": 200}  # draws say nothing here, so that only the limit can end it
    balanced = SequentialTest.of_elo(-30, 30, **even)
    assert not balanced.judge([0, 0, 199, 0, 0]).final
    verdict = balanced.judge([0, 0, 200, 0, 0])
    assert (verdict.accepted, verdict.at_limit) == ("h0", True)
    assert SequentialTest.of_elo(-30, 30, at_limit="h1", **even).judge([0, 0, 200, 0, 0]).accepted == "h1"
    likelier = SequentialTest.of_elo(-30, 30, at_limit="likelier", **even)
    assert likelier.judge([0, 2, 195, 3, 0]).accepted == "h1"
    assert likelier.judge([0, 3, 195, 2, 0]).accepted == "h0"


def test_each_bound_keeps_its_own_promise() -> None:
    """Wald's: beta / (1 - alpha) to accept the lower score, (1 - beta) / alpha to accept the higher."""
    test = SequentialTest(0.4, 0.6, alpha=0.01, beta=0.3)
    assert test.bounds == pytest.approx((math.log(0.3 / 0.99), math.log(0.7 / 0.01)))
    careful, bold = SequentialTest(0.4, 0.6, alpha=0.01, beta=0.3), SequentialTest(0.4, 0.6, alpha=0.3, beta=0.01)
    few = [0, 0, 2, 6, 0]
    assert (careful.judge(few).accepted, bold.judge(few).accepted) == (None, "h1")


def test_impossible_tests_are_refused() -> None:
    with pytest.raises(ArenaError, match="0 < lower < higher < 1"):
        SequentialTest(0.6, 0.5)
    with pytest.raises(ArenaError, match=r"expected 0 to 0\.5"):
        SequentialTest(0.5, 0.6, alpha=0.7)
    with pytest.raises(ArenaError, match="expected 1 or more"):
        SequentialTest(0.5, 0.6, max_pairs=0)


def tournament(elos: dict[str, float], pairs: int, rng: np.random.Generator) -> dict[tuple[str, str], list[float]]:
    names = list(elos)
    return {
        (a, b): [float(n) for n in rng.multinomial(pairs, tilted(DECISIVE, score_of(elos[a] - elos[b])))]
        for i, a in enumerate(names)
        for b in names[:i]
    }


def test_ratings_are_recovered_from_many_games() -> None:
    elos = {"a": 0.0, "b": 120.0, "c": 180.0, "d": 400.0}
    ratings = rate(tournament(elos, 4000, np.random.default_rng(1)), anchor="a")
    assert [one.player for one in ratings] == ["d", "c", "b", "a"]
    for one in ratings:
        assert one.elo == pytest.approx(elos[one.player], abs=12)
        assert one.high - one.low < 40


def test_rating_intervals_hold_the_truth_as_often_as_they_say() -> None:
    elos = {"a": 0.0, "b": 200.0, "c": 400.0, "d": 800.0}
    rng = np.random.default_rng(2)
    hits = [
        one.low <= elos[one.player] <= one.high
        for _ in range(80)
        for one in rate(tournament(elos, 30, rng), anchor="a", samples=300)
        if one.player != "a"
    ]
    assert np.mean(hits) >= 0.91
    assert np.mean(hits) < 0.995, "wider than need be"


def test_drawn_pairs_make_narrower_intervals_than_decided_ones() -> None:
    def width(counts: list[float]) -> float:
        return next(one.high - one.low for one in rate({("a", "b"): counts}, anchor="b") if one.player == "a")

    assert width([1, 0, 48, 0, 1]) < width([12, 0, 26, 0, 12]) / 2


def test_a_player_that_won_or_lost_everything_has_a_rating() -> None:
    results = {("a", "b"): [0.0, 0, 0, 0, 20], ("b", "c"): [0.0, 0, 0, 0, 20]}
    a, b, c = rate(results, anchor="b", anchor_elo=1000)
    assert (a.player, b.player, c.player) == ("a", "b", "c")
    assert (b.elo, b.low, b.high) == (1000, 1000, 1000)
    assert a.elo - 1000 == pytest.approx(1000 - c.elo)
    assert 1400 < a.low < a.elo < a.high < math.inf
    assert a.high - a.elo > a.elo - a.low
    assert (a.score, a.games) == (1.0, 40)


def test_ratings_do_not_depend_on_who_is_called_first() -> None:
    one = rate({("a", "b"): [1, 2, 3, 4, 5]}, anchor="b")
    other = rate({("b", "a"): [5, 4, 3, 2, 1]}, anchor="b")
    assert [(r.player, round(r.elo, 6)) for r in one] == [(r.player, round(r.elo, 6)) for r in other]


def test_players_that_nothing_joins_to_the_anchor_are_left_out() -> None:
    ratings = rate({("a", "b"): [0, 0, 5, 0, 0], ("c", "d"): [0, 0, 5, 0, 0], ("a", "e"): [0] * 5}, anchor="a")
    assert {one.player for one in ratings} == {"a", "b"}


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.000256, "0.26 ms"), (0.0045, "4.5 ms"), (0.083, "83 ms"), (0.3649, "365 ms"), (1.26, "1.3 s")],
)
def test_the_time_a_move_is_shown_without_powers_of_ten(seconds: float, shown: str) -> None:
    assert time_a_move(Thinking(moves=3, mean=seconds, longest=seconds)) == shown
