"""Ratings of many players from the pairs they played: Bradley-Terry, draws as half wins, in Elo.

Draws count as half a win since how often games are drawn depends on who plays: between good players most are, between
bad ones few, which no one draw parameter (Davidson) describes. The likelihood is then no true one, so the intervals do
not come from its curvature. They are 95 % of a Bayesian bootstrap: for every pairing the chances of the five outcomes
of a pair are drawn from what is known about them, and the ratings fitted anew. That also takes in that the two games of
a pair depend on each other. What is known before the first game is worth half a pair for each pairing, spread evenly
over the five outcomes: enough that a player who won or lost everything has a rating, and one end of its interval far
out. Both were tried on players of known strength: the tests have the figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from alphadiamond.arena.play import ArenaError
from alphadiamond.arena.sequential import PAIR_SCORES, Floats

ELO: Final = 400 / np.log(10)  # Elo in one unit of log-odds
PRIOR_PAIRS: Final = 0.5
SAMPLES: Final = 2_000
_FARTHEST: Final = 1e-4  # scores nearer to 0 or 1 cannot be told apart by any number of games we play: 1600 Elo


@dataclass(frozen=True, slots=True)
class Rating:
    player: str
    elo: float
    low: float
    high: float
    """The 95 % confidence interval, of the difference to the anchor."""
    games: float
    """How many games it rests on."""
    score: float
    """Points per game over all opponents."""


def rate(
    results: Mapping[tuple[str, str], Sequence[float]],
    *,
    anchor: str,
    anchor_elo: float = 0.0,
    seed: int = 0,
    samples: int = SAMPLES,
) -> list[Rating]:
    """Ratings, the best first, from the pair counts [5] of each pairing as (first, second) sees them.

    A half pair is one game. Players whom no chain of games joins to the anchor cannot be rated and are left out.
    """
    players = sorted({name for pairing in results for name in pairing} | {anchor})
    counts = np.zeros((len(players), len(players), 5))
    for (first, second), outcome in results.items():
        i, j = players.index(first), players.index(second)
        if i == j:
            continue
        if len(outcome) != 5 or min(outcome) < 0:
            raise ArenaError(f"{first} against {second}: expected five counts of pairs, not {list(outcome)}")
        counts[i, j] += outcome
        counts[j, i] += tuple(reversed(outcome))
    joined = _joined(counts.sum(axis=-1) > 0, players.index(anchor))
    players = [players[i] for i in joined]
    counts = counts[np.ix_(joined, joined)]
    met = counts.sum(axis=-1) > 0  # [P, P]
    known = (counts + PRIOR_PAIRS / 5) * met[..., None]
    weights = known.sum(axis=-1)
    best = _fit(weights, known @ PAIR_SCORES, players.index(anchor))
    drawn = _fit(weights, _drawn_points(known, np.random.default_rng(seed), samples), players.index(anchor))
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    pairs = counts.sum(axis=(1, 2))
    points = (counts @ PAIR_SCORES).sum(axis=1)
    ratings = [
        Rating(
            player,
            anchor_elo + float(best[i]),
            anchor_elo + min(float(low[i]), float(best[i])),
            anchor_elo + max(float(high[i]), float(best[i])),
            games=2 * float(pairs[i]),
            score=float(points[i] / pairs[i]) if pairs[i] else 0.5,
        )
        for i, player in enumerate(players)
    ]
    return sorted(ratings, key=lambda one: (-one.elo, one.player))


def _joined(met: np.ndarray, anchor: int) -> list[int]:
    found = {anchor}
    frontier = [anchor]
    while frontier:
        for other in np.flatnonzero(met[frontier.pop()]):
            if int(other) not in found:
                found.add(int(other))
                frontier.append(int(other))
    return sorted(found)


def _drawn_points(known: Floats, rng: np.random.Generator, samples: int) -> Floats:
    """[S, P, P] what row makes against column, in pairs, with chances of outcomes drawn from a Dirichlet."""
    upper = np.triu(known.sum(axis=-1) > 0, k=1)
    shares = rng.standard_gamma(np.where(upper[..., None], known, 1.0), size=(samples, *known.shape))
    scores = (shares @ PAIR_SCORES) / np.maximum(shares.sum(axis=-1), 1e-300)
    points = np.clip(scores, _FARTHEST, 1 - _FARTHEST) * known.sum(axis=-1) * upper
    mirrored = (known.sum(axis=-1) * upper - points).swapaxes(-1, -2)
    result: Floats = points + mirrored
    return result


def _fit(weights: Floats, points: Floats, anchor: int) -> Floats:
    """[..., P] the Elo that makes the points [..., P, P] likeliest, by Newton's method; the anchor has 0."""
    free = [i for i in range(len(weights)) if i != anchor]
    strength = np.zeros(points.shape[:-1])
    if not free:
        return strength
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[..., None, :] - strength[..., :, None]))
        gradient = (points - weights * expected).sum(axis=-1)[..., free]
        curvature = weights * expected * (1 - expected)
        hessian = -curvature
        index = np.arange(len(weights))
        hessian[..., index, index] += curvature.sum(axis=-1)
        step = np.linalg.solve(hessian[..., free, :][..., :, free], gradient[..., None])[..., 0]
        # A step is never far, since far from the answer the curvature says little about it.
        step *= np.minimum(1, 1.5 / np.maximum(np.abs(step).max(axis=-1, keepdims=True), 1e-12))
        strength[..., free] += step
        if np.abs(step).max() < 1e-9:
            break
    elo: Floats = strength * ELO
    return elo
