"""The likelihood of a score given the results of pairs, and the sequential test built on it.

A pair of games gives the first player 0, 1/4, 1/2, 3/4 or 1 of its points, so results are five counts (the pentanomial
model). Nothing is assumed about the five chances but their mean, the score: for each score in question they are set to
whatever explains the results best. The test is the generalised SPRT of fishtest (Van den Bergh, "The GSPRT approach";
Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses", 2014).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from alphadiamond.arena.play import ArenaError

Floats = npt.NDArray[np.float64]

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])

_ABSENT = 1e-3  # what an outcome that has not been seen counts for: without it no other score could explain the results


def elo_of(score: float) -> float:
    """The difference in Elo that makes a score expected; infinite for 0 and 1."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def constrained_log_likelihood(counts: npt.ArrayLike, score: npt.ArrayLike) -> Floats:
    """[...] the largest log-likelihood of counts [..., 5] among the chances whose mean is `score` [...], in (0, 1).

    With frequencies f and outcomes a the best chances are f / (1 + x (a - score)), where x makes the mean right: the
    one root, between the poles, of a function that falls everywhere.
    """
    counts = np.maximum(np.asarray(counts, dtype=np.float64), _ABSENT)
    offsets = PAIR_SCORES - np.asarray(score, dtype=np.float64)[..., None]
    counts, offsets = np.broadcast_arrays(counts, offsets)
    frequencies = counts / counts.sum(axis=-1, keepdims=True)
    low, high = -1 / offsets[..., -1], -1 / offsets[..., 0]
    for _ in range(60):
        middle = (low + high) / 2
        slope = (frequencies * offsets / (1 + middle[..., None] * offsets)).sum(axis=-1)
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    chances = frequencies / (1 + ((low + high) / 2)[..., None] * offsets)
    result: Floats = (counts * np.log(chances)).sum(axis=-1)
    return result


def log_likelihood_ratio(counts: npt.ArrayLike, score0: float, score1: float) -> Floats:
    """[...] how much better `score1` explains counts [..., 5] of pairs than `score0` does."""
    difference: Floats = constrained_log_likelihood(counts, score1) - constrained_log_likelihood(counts, score0)
    return difference


def score_interval(counts: npt.ArrayLike, *, deviations: float = 1.959964) -> tuple[float, float]:
    """The scores that the counts [5] do not speak against: a likelihood-ratio interval, of 95 % unless told otherwise.

    It stays inside [0, 1] and keeps a width where all pairs ended alike: n draws in a row leave 0.5 -+ 0.96 / n.
    """
    if np.sum(counts) <= 0:
        return 0.0, 1.0
    low, high = score_intervals(counts, deviations=deviations)
    return float(low), float(high)


def score_intervals(counts: npt.ArrayLike, *, deviations: float = 1.959964) -> Floats:
    """[..., 2] the `score_interval` of each of the counts [..., 5]."""
    counts = np.asarray(counts, dtype=np.float64)
    weights = np.maximum(counts, _ABSENT)
    best = weights @ PAIR_SCORES / weights.sum(axis=-1)
    threshold = (constrained_log_likelihood(counts, best) - deviations**2 / 2)[..., None]
    inside = np.stack([best, best], axis=-1)
    outside = np.broadcast_to([1e-9, 1 - 1e-9], inside.shape)
    for _ in range(30):
        middle = (inside + outside) / 2
        good = constrained_log_likelihood(counts[..., None, :], middle) >= threshold
        inside, outside = np.where(good, middle, inside), np.where(good, outside, middle)
    mean = counts @ PAIR_SCORES / counts.sum(axis=-1)  # without what was added, which moves the best a little
    ends: Floats = np.stack([np.minimum(inside[..., 0], mean), np.maximum(inside[..., 1], mean)], axis=-1)
    return ends


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a sequential test says after some pairs."""

    ratio: float
    """The log-likelihood ratio: positive speaks for the higher score."""
    lower: float
    upper: float
    """The bounds at which it is decided."""
    pairs: int
    accepted: Literal["h0", "h1"] | None
    """h1: at least `score1`; h0: no more than `score0`; None: go on."""
    at_limit: bool = False
    """Whether the pairs ran out before a bound was reached, so that the rule for that decided."""

    @property
    def final(self) -> bool:
        return self.accepted is not None

    def __str__(self) -> str:
        bounds = f"log-likelihood ratio {self.ratio:+.2f} in ({self.lower:.2f}, {self.upper:.2f}), {self.pairs} pairs"
        if self.accepted is None:
            return f"undecided: {bounds}"
        return f"{self.accepted.upper()} accepted{' at the limit' if self.at_limit else ''}: {bounds}"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Is the first player's score at least `score1` (H1), or no more than `score0` (H0)?"""

    score0: float
    score1: float
    alpha: float = 0.05
    """The chance to accept H1 when the score is `score0`."""
    beta: float = 0.05
    """The chance to accept H0 when the score is `score1`."""
    max_pairs: int | None = None
    """When to stop without an answer; matches of nothing but draws need not have one."""
    at_limit: Literal["h0", "h1", "likelier"] = "h0"
    """What to accept then. `h0` keeps the promise of alpha: what is not proven better is not better."""

    def __post_init__(self) -> None:
        if not 0 < self.score0 < self.score1 < 1:
            raise ArenaError(
                f"a sequential test of {self.score0} against {self.score1}: expected 0 < lower < higher < 1"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ArenaError(f"error rates {self.alpha} and {self.beta} of a sequential test: expected 0 to 0.5")
        if self.max_pairs is not None and self.max_pairs < 1:
            raise ArenaError(f"a sequential test of at most {self.max_pairs} pairs: expected 1 or more")

    @classmethod
    def of_elo(cls, elo0: float, elo1: float, **settings: Any) -> "SequentialTest":
        """With the hypotheses as differences in Elo."""
        return cls(score_of(elo0), score_of(elo1), **settings)

    @property
    def bounds(self) -> tuple[float, float]:
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def judge(self, counts: Sequence[int], *, last: bool = False) -> Verdict:
        """Look at the pairs so far; `last` when there will be no more."""
        lower, upper = self.bounds
        pairs = sum(counts)
        ratio = float(log_likelihood_ratio(counts, self.score0, self.score1)) if pairs else 0.0
        if ratio >= upper:
            return Verdict(ratio, lower, upper, pairs, "h1")
        if ratio <= lower:
            return Verdict(ratio, lower, upper, pairs, "h0")
        if last or (self.max_pairs is not None and pairs >= self.max_pairs):
            accepted = self.at_limit if self.at_limit != "likelier" else "h1" if ratio > 0 else "h0"
            return Verdict(ratio, lower, upper, pairs, accepted, at_limit=True)
        return Verdict(ratio, lower, upper, pairs, None)
