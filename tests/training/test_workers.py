"""One contract for every kind of workers, and what happens when processes die."""

import os
import re
import signal
from collections.abc import Iterator

import numpy as np
import pytest

from alphadiamond.arena.pairs import make_pairings
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import ModelConfig, build_model
from alphadiamond.training.settings import PitSettings
from alphadiamond.training.stop_flag import StopFlag, Stopped
from alphadiamond.training.worker import Worker, WorkerResult, weights_of
from alphadiamond.training.workers import (
    InlineWorkers,
    ProcessWorkers,
    WorkerError,
    Workers,
    worker_seed,
)
from tests.training.small import MODEL, SELFPLAY, job_of, same, settings

WEIGHTS = weights_of(build_model(MODEL, seed=1, game=GAME))
OTHERS = weights_of(build_model(MODEL, seed=2, game=GAME))


def two_of(kind: str) -> Workers:
    """Two workers of any kind, with the same job."""
    if kind == "ray":
        pytest.importorskip("ray", reason="pip install '.[ray]'")
        from alphadiamond.cluster.workers import RayWorkers
        from alphadiamond.settings.cluster import RaySettings

        return RayWorkers(job_of(settings()), settings=RaySettings(), count=2)
    return {"inline": InlineWorkers, "processes": ProcessWorkers}[kind](job_of(settings()), count=2)  # type: ignore[no-any-return]


@pytest.fixture(params=["inline", "processes", "ray"], scope="module")
def begun(request: pytest.FixtureRequest) -> Iterator[tuple[Workers, list[WorkerResult | None]]]:
    """Workers of every kind, and what they made of their first iterations, each with other weights."""
    made = two_of(request.param)
    made.start([])
    made.update(WEIGHTS)
    played(made, 1)
    made.update(OTHERS)
    yield made, played(made, 2)
    made.stop()
    made.stop()


@pytest.fixture(scope="module")
def workers(begun: tuple[Workers, list[WorkerResult | None]]) -> Workers:
    """The contract: what is tested with these holds of every kind of workers."""
    begun[0].update(WEIGHTS)
    return begun[0]


def played(workers: Workers, iteration: int) -> list[WorkerResult | None]:
    workers.begin(iteration, SELFPLAY.simulations)
    return workers.collect()


def test_every_worker_plays_its_own_games(workers: Workers) -> None:
    first, second = played(workers, 3)
    assert first is not None
    assert second is not None
    assert not same(first.state, second.state)  # type: ignore[arg-type]
    assert first.measures["simulations"] > 0
    assert first.measures["evaluations"] >= first.measures["cache_hits"] > 0


def test_all_kinds_of_workers_play_the_same_games(begun: tuple[Workers, list[WorkerResult | None]]) -> None:
    workers, results = begun
    expected = InlineWorkers(job_of(settings()), count=2)
    expected.start([])
    expected.update(WEIGHTS)
    played(expected, 1)
    expected.update(OTHERS)
    assert len(results) == workers.count == 2
    for one, two in zip(results, played(expected, 2), strict=True):
        assert one is not None
        assert two is not None
        assert one.samples is not None
        assert two.samples is not None
        assert same(one.state, two.state)  # type: ignore[arg-type]
        assert same(one.samples.arrays(), two.samples.arrays())  # type: ignore[arg-type]
        assert one.summaries == two.summaries


def test_workers_go_on_from_their_state(workers: Workers) -> None:
    before = played(workers, 5)
    states = [result.state for result in before if result is not None]
    workers.update(WEIGHTS)  # empties the cache, as every iteration does
    straight = played(workers, 6)
    other = InlineWorkers(job_of(settings(seed=77)), count=2)
    other.start(states)
    other.update(WEIGHTS)
    resumed = played(other, 6)
    for one, two in zip(straight, resumed, strict=True):
        assert one is not None
        assert two is not None
        assert same(one.state, two.state)  # type: ignore[arg-type]


def test_a_match_scores_every_pairing(workers: Workers) -> None:
    pairings = make_pairings(6, np.random.default_rng(4), game=GAME)
    scores = workers.pit(WEIGHTS, "random", pairings, PitSettings(simulations=16))
    assert len(scores) == 6
    assert set(scores) <= {0.0, 0.5, 1.0, 1.5, 2.0}
    assert sum(scores) > 6, "search beats random play"
    against_itself = workers.pit(WEIGHTS, WEIGHTS, pairings, PitSettings(simulations=4))
    assert against_itself == [1.0] * 6, "with colours exchanged the same players make the same game"


def test_a_match_goes_on_with_the_same_networks_until_others_play(workers: Workers) -> None:
    pairings = make_pairings(6, np.random.default_rng(9), game=GAME)
    pit = PitSettings(simulations=4)
    whole = workers.pit(WEIGHTS, OTHERS, pairings, pit)
    assert len(set(whole)) > 1
    parts = [score for at in (0, 2, 4) for score in workers.pit(WEIGHTS, OTHERS, pairings[at : at + 2], pit)]
    assert parts == whole, "a match is the same in parts"
    turned = workers.pit(OTHERS, WEIGHTS, pairings, pit)
    assert turned == [2 - score for score in whole]
    played(workers, 4)
    assert workers.pit(OTHERS, WEIGHTS, pairings, pit) == turned, "also after self-play, which ends a match"


def test_games_that_were_begun_are_not_disturbed_by_a_match(workers: Workers) -> None:
    states = [result.state for result in played(workers, 7) if result is not None]
    workers.update(WEIGHTS)  # empties the cache, as every iteration does
    workers.begin(8, SELFPLAY.simulations)
    assert (
        len(
            workers.pit(
                WEIGHTS, OTHERS, make_pairings(2, np.random.default_rng(6), game=GAME), PitSettings(simulations=2)
            )
        )
        == 2
    )
    assert same(workers.states(), states), "a state that is saved now goes with what was collected"  # type: ignore[arg-type]
    collected = workers.collect()
    undisturbed = InlineWorkers(job_of(settings()), count=2)
    undisturbed.start(states)
    undisturbed.update(WEIGHTS)
    for one, two in zip(collected, played(undisturbed, 8), strict=True):
        assert one is not None
        assert two is not None
        assert same(one.state, two.state)  # type: ignore[arg-type]


def test_a_worker_that_dies_is_replaced_and_the_rest_go_on() -> None:
    workers = ProcessWorkers(job_of(settings()), count=2)
    workers.start([])
    workers.update(WEIGHTS)
    assert all(result is not None for result in played(workers, 0))
    os.kill(workers.pids[1], signal.SIGKILL)
    alive, dead = played(workers, 1)
    assert dead is None
    assert alive is not None
    assert workers.replaced == 1
    _, newcomer = played(workers, 2)
    assert newcomer is not None
    twin = Worker(job_of(settings()).share(1, 2), seed=worker_seed(settings().seed, 1, 1), state=None)
    twin.update(WEIGHTS)
    expected = twin.play(2, SELFPLAY.simulations).state
    assert same(newcomer.state, expected), "it has the weights, and random numbers of its own"  # type: ignore[arg-type]
    os.kill(workers.pids[0], signal.SIGKILL)
    pairings = make_pairings(8, np.random.default_rng(5), game=GAME)
    pit = PitSettings(simulations=2)
    scores = workers.pit(WEIGHTS, OTHERS, pairings, pit)
    twin.seat(WEIGHTS, OTHERS, pit)
    assert scores == twin.pit(pairings), "what was lost is played again"
    assert len(set(scores[::2])) > 1
    workers.stop()


def test_a_wish_to_stop_interrupts_the_wait() -> None:
    stopping = StopFlag()
    workers = ProcessWorkers(job_of(settings()), count=1, stopping=stopping)
    workers.start([])
    workers.update(WEIGHTS)
    stopping.set()
    with pytest.raises(Stopped):
        played(workers, 0)
    workers.stop()
    assert workers.pids == []


def test_an_error_in_a_worker_is_told_in_one_line_with_where_it_was() -> None:
    workers = ProcessWorkers(job_of(settings()), count=1)
    workers.start([])
    workers.update(weights_of(build_model(ModelConfig(width=5, blocks=1), seed=1, game=GAME)))  # of another size
    with pytest.raises(WorkerError) as caught:
        played(workers, 0)
    assert str(caught.value).startswith("worker 0 failed: RuntimeError: Error(s) in loading state_dict")
    assert re.search(r"size mismatch .* \[\.\.\.\] \(module\.py:\d+\)$", str(caught.value))
    assert "\n" not in str(caught.value)
    assert workers.replaced == 0, "it would fail again"
    workers.stop()
    assert workers.pids == []


def test_an_error_in_a_match_is_told_and_workers_that_die_again_and_again_are_given_up() -> None:
    workers = ProcessWorkers(job_of(settings()), count=1)
    workers.start([])
    pairings = make_pairings(2, np.random.default_rng(8), game=GAME)
    with pytest.raises(WorkerError, match=r"worker 0 failed: AgentError: .*no player is called 'rndom': did you mean"):
        workers.pit(WEIGHTS, "rndom", pairings, PitSettings(simulations=2))
    workers.replaced = 10  # as if it had died ten times; the process is gone by now
    with pytest.raises(WorkerError, match="workers died 11 times: is there enough memory for 1 of them"):
        played(workers, 0)
    workers.stop()
    assert workers.pids == []
