"""How good the champion is: games against the classical players, and the exam. Measured, never learnt from."""

from dataclasses import dataclass

import numpy as np

from alphadiamond.arena.sequential import elo_of, score_interval
from alphadiamond.training.duel import count_pairs, make_pairings
from alphadiamond.training.settings import EvaluationSettings
from alphadiamond.training.worker import Weights
from alphadiamond.training.workers import Workers


@dataclass(frozen=True)
class BaselineResult:
    baseline: str
    score: float
    interval: tuple[float, float]
    wins: int
    losses: int
    """Pairs in which the champion scored more than half, and less."""
    pairs: int

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo with its interval, kept within 1,000 so that it can be drawn."""
        low, high = self.interval
        return tuple(float(np.clip(elo_of(score), -1000, 1000)) for score in (self.score, low, high))  # type: ignore[return-value]


def play_baselines(
    workers: Workers, champion: Weights, settings: EvaluationSettings, rng: np.random.Generator
) -> list[BaselineResult]:
    """Pairs against each baseline, from the same starts."""
    pairings = make_pairings(settings.pairs, rng)
    results = []
    for baseline in settings.baselines:
        scores = workers.duel(champion, baseline, pairings, settings.duel)
        counts = count_pairs(scores)
        results.append(
            BaselineResult(
                baseline=baseline,
                score=sum(scores) / (2 * len(scores)),
                interval=score_interval(counts),
                wins=counts[3] + counts[4],
                losses=counts[0] + counts[1],
                pairs=len(scores),
            )
        )
    return results
