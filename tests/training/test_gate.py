"""The gate with workers whose results are made up, and with real ones."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.pairs import Pairing, make_pairings, play_pairs
from alphadiamond.games import load
from alphadiamond.games.diamond_chase.game import GAME, states_of
from alphadiamond.network import build_model
from alphadiamond.training.gate import GateResult, hold_gate
from alphadiamond.training.settings import GateSettings, PitSettings
from alphadiamond.training.worker import Side, weights_of
from alphadiamond.training.workers import InlineWorkers
from tests.training.small import MODEL, evaluator, job_of, settings


class Scripted(InlineWorkers):
    """Matches whose results come from a function of the random numbers."""

    def __init__(self, result: Callable[[np.random.Generator], float], seed: int) -> None:
        self.result = result
        self.seen: list[Pairing] = []
        self.rng = np.random.default_rng(seed)

    def pit(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: PitSettings) -> list[float]:
        self.seen += pairings
        assert (first, second) == ("candidate", "champion"), "scores are the first one's"
        return [self.result(self.rng) for _ in pairings]


def gate(
    result: Callable[[np.random.Generator], float], *, seed: int = 1, **changes: float
) -> tuple[GateResult, Scripted]:
    workers = Scripted(result, seed)
    settings = GateSettings(**changes)  # type: ignore[arg-type]
    sides: tuple[Any, Any] = ("candidate", "champion")
    return hold_gate(workers, *sides, settings, np.random.default_rng(2), game=GAME), workers


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


def test_draws_let_it_pass_also_where_they_speak_for_neither_side() -> None:
    assert gate(lambda rng: 1.0, worse=0.5, better=0.55)[0].passed
    assert not gate(lambda rng: 1.0 if rng.random() < 0.9 else 0.5, worse=0.5, better=0.55)[0].passed


def test_the_first_batch_has_starts_of_both_kinds() -> None:
    _, workers = gate(lambda rng: 1.5)
    beads = [(p.start.own.bit_count(), p.start.opp.bit_count()) for p in workers.seen[: GateSettings().batch]]
    assert 8 <= beads.count((6, 6)) <= 20


def test_a_much_better_candidate_passes_early_and_a_much_worse_one_fails_early() -> None:
    good, _ = gate(lambda rng: 1.5)
    bad, _ = gate(lambda rng: 0.5)
    assert (good.passed, bad.passed) == (True, False)
    assert good.pairs <= 32
    assert bad.pairs <= 32
    assert good.interval[0] > 0.5 > bad.interval[1]


@pytest.fixture
def starts_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The results are made up, so that many gates may as well share their starts."""
    made = make_pairings(GateSettings().max_pairs, np.random.default_rng(4), game=GAME)
    monkeypatch.setattr("alphadiamond.training.gate.make_pairings", lambda count, rng, **_: made[:count])


@pytest.mark.usefixtures("starts_made_once")
def test_the_gate_errs_no_more_often_than_it_promises() -> None:
    """Candidates of just the two scores that it is to tell apart, each in 60 matches of their own."""
    promise = GateSettings()
    refused = [gate(pairs_with_mean(promise.worse), seed=seed)[0] for seed in range(60)]
    passed = [gate(pairs_with_mean(promise.better), seed=seed)[0] for seed in range(60, 120)]
    assert len({(result.pairs, result.score) for result in refused + passed}) > 30, "no two matches are alike"
    assert np.mean([result.passed for result in refused]) <= promise.error
    assert np.mean([result.passed for result in passed]) >= 1 - promise.error
    assert abs(np.mean([result.score for result in refused]) - promise.worse) < 0.02
    assert {result.at_limit for result in refused + passed} == {False, True}
    assert all(result.at_limit == (result.pairs == promise.max_pairs) for result in refused if result.at_limit)


@pytest.mark.usefixtures("starts_made_once")
def test_candidates_that_are_clearly_better_or_worse_are_told_apart() -> None:
    for seed in range(20):
        assert gate(pairs_with_mean(0.58), seed=seed)[0].passed
        assert not gate(pairs_with_mean(0.42), seed=seed)[0].passed


@pytest.mark.usefixtures("starts_made_once")
def test_a_stricter_gate_errs_less_and_plays_more() -> None:
    def held(error: float) -> tuple[float, float]:
        results = [gate(pairs_with_mean(0.47), seed=seed, error=error)[0] for seed in range(60)]
        return float(np.mean([result.passed for result in results])), float(np.mean([r.pairs for r in results]))

    (loose, few), (strict, many) = held(0.3), held(0.05)
    assert strict < loose <= 0.3
    assert many > 1.5 * few


def test_no_start_is_played_twice() -> None:
    _, workers = gate(lambda rng: 1.0)
    starts = [pairing.start for pairing in workers.seen]
    assert len({(start.own, start.opp) for start in starts}) == len(starts) == GateSettings().max_pairs


def test_starts_are_of_both_kinds() -> None:
    pairings = make_pairings(40, np.random.default_rng(3), game=GAME)
    beads = [(p.start.own.bit_count(), p.start.opp.bit_count()) for p in pairings]
    assert beads.count((6, 6)) >= 14
    assert len(set(beads)) > 4
    assert all(pairing.start.outcome is None for pairing in pairings)


def test_a_network_plays_more_games_than_before_when_asked_to_and_without_search_by_its_policy() -> None:
    pairings = make_pairings(6, np.random.default_rng(5), game=GAME)
    starts = [pairing.start for pairing in pairings]
    judge = evaluator()
    player = NetworkPlayer(judge, load("diamond_chase"), simulations=4)
    few = player.choose_many(starts[:2])
    assert player.choose_many(starts)[:2] == few
    assert player.choose_many(starts[:2]) == few
    bare = NetworkPlayer(judge, load("diamond_chase"), simulations=0)
    assert [move.action for move in bare.choose_many(starts)] == judge(states_of(starts))[0].argmax(axis=1).tolist()
    assert play_pairs(bare, bare, pairings) == [1.0] * 6


def test_a_gate_builds_its_networks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    of = settings()
    weights = [weights_of(build_model(MODEL, GAME, seed=seed)) for seed in (1, 2)]
    gate = GateSettings(batch=4, max_pairs=12, error=0.001, pit=PitSettings(simulations=4))
    workers = InlineWorkers(job_of(of), count=1)
    workers.start([])
    built: list[object] = []

    def counted(*arguments: Any, **named: Any) -> Any:
        built.append(arguments)
        return build_model(*arguments, **named)

    monkeypatch.setattr("alphadiamond.training.worker.build_model", counted)
    result = hold_gate(workers, *weights, gate, np.random.default_rng(3), game=GAME)
    assert result.pairs == 12, "three batches"
    assert len(built) == 2
