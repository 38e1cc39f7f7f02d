"""The gate with workers whose results are made up, and with real ones."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from alphadiamond.training.duel import DuelSettings, Pairing, make_pairings
from alphadiamond.training.gate import GateResult, hold_gate
from alphadiamond.training.settings import GateSettings
from alphadiamond.training.worker import Side
from alphadiamond.training.workers import InlineWorkers


class Scripted(InlineWorkers):
    """Duels whose results come from a function of the random numbers."""

    def __init__(self, result: Callable[[np.random.Generator], float]) -> None:
        self.result = result
        self.seen: list[Pairing] = []
        self.rng = np.random.default_rng(1)

    def duel(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: DuelSettings) -> list[float]:
        self.seen += pairings
        return [self.result(self.rng) for _ in pairings]


def gate(result: Callable[[np.random.Generator], float], **changes: float) -> tuple[GateResult, Scripted]:
    workers = Scripted(result)
    settings = GateSettings(**changes)  # type: ignore[arg-type]
    return hold_gate(workers, {}, {}, settings, np.random.default_rng(2)), workers


def pairs_with_mean(mean: float) -> Callable[[np.random.Generator], float]:
    """Mostly drawn pairs, the rest decided so that the mean score is right."""

    def draw(rng: np.random.Generator) -> float:
        if rng.random() < 0.6:
            return 1.0
        return 1.5 if rng.random() < 0.5 + (mean - 0.5) / 0.2 else 0.5

    return draw


def test_nothing_but_draws_lets_the_candidate_pass() -> None:
    result, _ = gate(lambda rng: 1.0)
    assert result.passed
    assert result.score == 0.5


def test_a_much_better_candidate_passes_early_and_a_much_worse_one_fails_early() -> None:
    good, _ = gate(lambda rng: 1.5)
    bad, _ = gate(lambda rng: 0.5)
    assert (good.passed, bad.passed) == (True, False)
    assert good.pairs <= 32
    assert bad.pairs <= 32
    assert good.interval[0] > 0.5 > bad.interval[1]


@pytest.mark.parametrize(("mean", "passes"), [(0.58, True), (0.42, False)])
def test_candidates_are_told_apart(mean: float, passes: bool) -> None:
    results = [gate(pairs_with_mean(mean))[0].passed for _ in range(3)]
    assert results == [passes] * 3


def test_no_start_is_played_twice() -> None:
    _, workers = gate(lambda rng: 1.0)
    starts = [pairing.start for pairing in workers.seen]
    assert len({(start.own, start.opp) for start in starts}) == len(starts) == GateSettings().max_pairs


def test_starts_are_of_both_kinds() -> None:
    pairings = make_pairings(40, np.random.default_rng(3))
    beads = [(p.start.own.bit_count(), p.start.opp.bit_count()) for p in pairings]
    assert beads.count((6, 6)) >= 14
    assert len(set(beads)) > 4
    assert all(pairing.start.outcome is None for pairing in pairings)
