"""The evaluation cache against a dictionary."""

import zlib

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import EvaluationCache, Evaluator, encode, legal_actions
from alphadiamond.network.cache_kernels import WINDOW
from tests.network.states import random_states, sharpened

States = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Oracle:
    """Answers with numbers that belong to one position as the network sees it, and remembers what it was asked."""

    def __init__(self, salt: int = 0) -> None:
        self.asked: list[bytes] = []
        self.salt = salt

    def __call__(self, states: States) -> tuple[Floats, Floats]:
        features = encode(states, game=GAME)
        self.asked += [row.tobytes() for row in features]
        policy = np.zeros((len(states), 72), dtype=np.float32)
        wdl = np.empty((len(states), 3), dtype=np.float32)
        for row, seen in enumerate(features):
            rng = np.random.default_rng(zlib.crc32(seen.tobytes(), self.salt))
            policy[row] = rng.random(72, dtype=np.float32)
            wdl[row] = rng.random(3, dtype=np.float32)
        policy[~legal_actions(states, game=GAME)] = 0
        return policy, wdl


def assert_right(states: States, answer: tuple[Floats, Floats], salt: int = 0) -> None:
    expected = Oracle(salt)(states)
    assert (answer[0] == expected[0]).all()
    assert (answer[1] == expected[1]).all()


def test_what_was_evaluated_once_is_not_asked_again() -> None:
    cache, oracle, states = EvaluationCache(4096, GAME), Oracle(), random_states(200)
    for _ in range(3):
        assert_right(states, cache(states, oracle))
    distinct = len({row.tobytes() for row in encode(states, game=GAME)})
    assert len(oracle.asked) == distinct
    assert (cache.stats.misses, cache.stats.hits) == (distinct, 600 - distinct)
    assert cache.stats.entries == distinct
    assert cache.stats.hit_rate == pytest.approx(1 - distinct / 600)


def test_equal_positions_of_one_batch_are_evaluated_once() -> None:
    cache, oracle, states = EvaluationCache(4096, GAME), Oracle(), random_states(10)
    batch = states[np.random.default_rng(1).integers(0, 10, size=300)]
    assert_right(batch, cache(batch, oracle))
    assert len(oracle.asked) == len(set(oracle.asked))


def test_the_key_is_what_the_network_sees() -> None:
    own, opp = (int(mask) for mask in random_states(1)[0, :2])
    cache, oracle = EvaluationCache(64, GAME), Oracle()

    def asked(quiet: int, occurrences: int) -> int:
        before = len(oracle.asked)
        state = np.array([[own, opp, quiet, occurrences]], dtype=np.int32)
        assert_right(state, cache(state, oracle))
        return len(oracle.asked) - before

    assert asked(0, 1) == 1
    assert asked(30, 1) == asked(54, 1) == 0  # the same step of the no-capture count
    assert asked(55, 1) == 1
    assert asked(59, 1) == 0
    assert asked(60, 1) == 1
    assert asked(0, 2) == 1
    assert asked(0, 3) == 0  # seen as the second


@pytest.mark.parametrize("capacity", [1, 16, 64, 300])
def test_a_table_that_is_far_too_small_forgets_but_never_lies(capacity: int) -> None:
    cache, oracle = EvaluationCache(capacity, GAME), Oracle()
    states = random_states(1500)
    rng = np.random.default_rng(3)
    for _ in range(20):
        batch = states[rng.integers(0, len(states), size=100)]
        assert_right(batch, cache(batch, oracle))
    assert cache.capacity >= capacity
    assert cache.stats.entries <= cache.capacity
    assert cache.stats.hits + cache.stats.misses == 2000


def test_when_the_window_is_full_the_entry_unused_for_longest_goes() -> None:
    cache, oracle = EvaluationCache(WINDOW, GAME), Oracle()  # one window holds the whole table
    states = random_states(WINDOW + 1)
    for row in range(WINDOW):
        cache(states[row : row + 1], oracle)
    cache(states[:1], oracle)  # the first is now the newest
    cache(states[WINDOW:], oracle)
    asked = len(oracle.asked)
    cache(np.delete(states, 1, axis=0), oracle)
    assert len(oracle.asked) == asked
    cache(states[1:2], oracle)
    assert len(oracle.asked) == asked + 1


def test_clearing_forgets_everything() -> None:
    cache, states = EvaluationCache(1024, GAME), random_states(50)
    cache(states, Oracle(salt=1))
    cache.clear()
    assert cache.stats.entries == 0
    assert_right(states, cache(states, Oracle(salt=2)), salt=2)


def test_an_evaluation_that_fails_leaves_nothing_behind() -> None:
    cache, states = EvaluationCache(1024, GAME), random_states(20)

    def fail(states: States) -> tuple[Floats, Floats]:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        cache(states, fail)
    assert_right(states, cache(states, Oracle()))


def test_the_evaluator_says_the_same_with_and_without_a_cache() -> None:
    model = sharpened("orbit")
    plain, cached = Evaluator(model, device="cpu"), Evaluator(model, device="cpu", cache=128)
    states = random_states(400)
    rng = np.random.default_rng(5)
    for size in (1, 7, 60, 200):
        batch = states[rng.integers(0, 400, size=size)]
        for one, other in zip(plain(batch), cached(batch), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5)
    assert cached.stats.hits > 0
    assert plain.stats.hits == plain.stats.misses == 0


def test_the_stated_bytes_are_those_of_the_arrays() -> None:
    assert EvaluationCache(1 << 12, GAME).bytes == 124 * (1 << 12)
