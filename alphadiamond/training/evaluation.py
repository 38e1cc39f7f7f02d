"""How good the network is, by games against classical players and its earlier selves. Measured, never learnt from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alphadiamond.arena.pairs import count_pairs, make_pairings
from alphadiamond.arena.ratings import rate
from alphadiamond.arena.sequential import elo_of, score_interval
from alphadiamond.base.game import Game
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
    workers: Workers,
    champion: Weights,
    settings: EvaluationSettings,
    rng: np.random.Generator,
    *,
    game: Game,
) -> list[BaselineResult]:
    """Pairs against each baseline, from the same starts."""
    pairings = make_pairings(settings.pairs, rng, game=game)
    results = []
    for baseline in settings.baselines:
        scores = workers.pit(champion, baseline, pairings, settings.pit)
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


class Ladder:
    """The network rated against its own earlier snapshots, so that a curve rises for as long as anything is learnt.

    The first rating of a run is 0. Games begin at random placements, where strength shows, with few simulations.
    """

    def __init__(self, state: Mapping[str, Sequence[Any]] | None = None, *, game: Game) -> None:
        self._game = game
        state = state or {"rated": (), "results": ()}
        self._results = {(later, earlier): list(counts) for later, earlier, *counts in state["results"]}
        self.rated: list[int] = list(state["rated"])
        """The iterations whose snapshots have a rating."""

    def state(self) -> dict[str, list[Any]]:
        """What `Ladder` begins with again: results are rows of two iterations and the five counts of their pairs."""
        return {"rated": self.rated, "results": [[*pair, *counts] for pair, counts in self._results.items()]}

    def climb(
        self,
        number: int,
        weights: Weights,
        earlier: Callable[[int], Weights | None],
        workers: Workers,
        settings: EvaluationSettings,
        rng: np.random.Generator,
    ) -> dict[str, float]:
        """Play the earlier snapshots that can still be read; the rating with its interval, as metrics."""
        before = [iteration for iteration in self.rated if iteration < number]
        for iteration in opponents(before, settings.earlier):
            opponent = earlier(iteration)
            if opponent is not None:
                pairings = make_pairings(settings.earlier_pairs, rng, placements=1.0, game=self._game)
                counts = count_pairs(workers.pit(weights, opponent, pairings, settings.earlier_pit))
                self._results[number, iteration] = counts
        self.rated = sorted({*before, number})
        names = {pair: (str(pair[0]), str(pair[1])) for pair in self._results}
        ratings = rate({names[pair]: counts for pair, counts in self._results.items()}, anchor=str(self.rated[0]))
        mine = next((rating for rating in ratings if rating.player == str(number)), None)
        if mine is None:
            return {}
        return {"elo/earlier": mine.elo, "elo/earlier/low": mine.low, "elo/earlier/high": mine.high}


def opponents(rated: Sequence[int], count: int) -> list[int]:
    """The last one, then those half as far back from the beginning, a quarter, and so on."""
    chosen: list[int] = []
    at = len(rated) - 1
    while at >= 0 and len(chosen) < count:
        chosen.append(rated[at])
        at = at // 2 if at > 0 else -1
    return chosen
