"""The gate: a candidate becomes champion when a sequential test on pairs of games says that it is no worse."""

from dataclasses import dataclass

import numpy as np

from alphadiamond.arena.openings import ValueEstimator, even_openings
from alphadiamond.arena.pairs import Pairing, count_pairs, make_pairings
from alphadiamond.arena.sequential import SequentialTest, score_interval
from alphadiamond.base.game import Game
from alphadiamond.training.settings import GateSettings
from alphadiamond.training.worker import Weights
from alphadiamond.training.workers import Workers


@dataclass(frozen=True)
class GateResult:
    passed: bool
    score: float
    """Points per game of the candidate."""
    interval: tuple[float, float]
    """The 95 % confidence interval of the score."""
    pairs: int
    at_limit: bool
    """Whether the pairs ran out before the test was sure."""


def hold_gate(
    workers: Workers,
    candidate: Weights,
    champion: Weights,
    settings: GateSettings,
    rng: np.random.Generator,
    *,
    game: Game,
    estimate: ValueEstimator | None = None,
) -> GateResult:
    """Play pairs from distinct random starts, each with both colours, until the test decides.

    All starts differ, also under the symmetries, so no game is counted twice. In a game whose random openings favour
    one side, `estimate` says which of them are even: see `arena.openings.even_openings`.
    """
    test = SequentialTest(
        settings.worse,
        settings.better,
        alpha=settings.error,
        beta=settings.error,
        max_pairs=settings.max_pairs,
        at_limit="likelier",
    )
    if game.even or estimate is None:
        pairings = make_pairings(settings.max_pairs, rng, game=game)
    else:
        starts = even_openings(settings.max_pairs, estimate, rng=rng, game=game)
        pairings = [Pairing(start, int(rng.integers(1 << 31))) for start in starts]
    order = rng.permutation(len(pairings))
    scores: list[float] = []
    for at in range(0, len(order), settings.batch):
        batch = [pairings[i] for i in order[at : at + settings.batch]]
        scores += workers.pit(candidate, champion, batch, settings.pit)
        counts = count_pairs(scores)
        verdict = test.judge(counts, last=at + settings.batch >= len(order))
        if verdict.final:
            break
    pairs = len(scores)
    score = sum(scores) / (2 * pairs)
    # Nothing but draws says that the candidate is no worse, and it has learnt from more games.
    passed = verdict.accepted == "h1" or counts[2] == pairs
    return GateResult(passed, score, score_interval(counts), pairs, verdict.at_limit)
