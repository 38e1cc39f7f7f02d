"""Nothing enters a run that no worker of it can have made."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from alphadiamond.cluster.worker_results import BadWorkerResultError, Raw, checked_scores, packed, size_of, unpacked
from alphadiamond.games import load
from alphadiamond.training.settings import SelfPlaySettings
from alphadiamond.training.worker import Worker, WorkerJob, WorkerResult
from tests.training.small import MODEL, job_of, same, settings

GAMES, ITERATION = 12, 4


def result_of(name: str) -> WorkerResult:
    job = job_of(settings())
    selfplay = SelfPlaySettings(
        games=GAMES, rounds=60, simulations=4, random_starts=0.3, strategy_starts=0.3, regret_starts=0.3
    )
    worker = Worker(
        WorkerJob(MODEL, selfplay, 1, "cpu", 512, load(name)),
        seed=job.seed,
        state=None,
    )
    return worker.play(ITERATION, 4)


@pytest.mark.parametrize("name", ["diamond_chase", "connect_four", "dame"])
def test_a_result_arrives_as_it_was(name: str) -> None:
    result = result_of(name)
    raw = packed(result, load(name))
    again = unpacked(raw, game=load(name), games=GAMES, iteration=ITERATION)
    assert result.samples is not None
    assert again.samples is not None
    assert same(result.samples.arrays(), again.samples.arrays())  # type: ignore[arg-type]
    assert {array.dtype for array in again.samples.arrays().values()} == {
        array.dtype for array in result.samples.arrays().values()
    }
    assert same(result.state, again.state)  # type: ignore[arg-type]
    assert again.summaries == result.summaries
    assert again.measures == result.measures
    assert size_of(raw) > 1000
    assert all(array.flags.owndata for array in again.samples.arrays().values()), "Ray's memory is not kept"


@pytest.fixture(scope="module")
def good() -> Raw:
    return packed(result_of("diamond_chase"), load("diamond_chase"))


def put(part: str, name: str, value: Callable[[Any], Any]) -> Callable[[Raw], None]:
    def damage(raw: Raw) -> None:
        raw[part][name] = value(raw[part][name])

    return damage


def first(value: Any) -> Callable[[Any], Any]:
    """An array whose first number is another."""

    def change(array: Any) -> Any:
        array.reshape(-1)[0] = value
        return array

    return change


def halved(array: Any) -> Any:
    array[0] = array[0] / 2
    return array


DAMAGES: dict[str, tuple[Callable[[Raw], None], str]] = {
    "no states": (lambda raw: raw["samples"].pop("states"), "other parts"),
    "one part more": (lambda raw: raw["samples"].update(more=np.zeros(3)), "other parts"),
    "objects": (put("samples", "policy", lambda a: a.astype(object)), "samples.policy is no array of float16"),
    "a list": (put("samples", "value", lambda a: a.tolist()), "samples.value is no array"),
    "wider numbers": (put("samples", "policy", lambda a: a.astype(np.float32)), "no array of float16"),
    "a column less": (put("samples", "states", lambda a: a[:, 1:]), "samples.states has shape"),
    "a row less": (put("samples", "reply", lambda a: a[1:]), "samples.reply has shape"),
    "not a number": (put("samples", "value", first(np.nan)), "samples.value is out of range"),
    "no policy": (put("samples", "policy", first(np.inf)), "samples.policy is out of range"),
    "a negative policy": (put("samples", "policy", first(-1)), "samples.policy is out of range"),
    "half a policy": (put("samples", "policy", halved), "samples.policy does not sum to 1"),
    "another policy": (put("samples", "policy", lambda a: a[:, ::-1].copy()), "recommends what is not legal"),
    "too much of a chance": (put("samples", "value", first(2.0)), "samples.value is out of range"),
    "chances in doubt": (put("samples", "value", halved), "samples.value does not sum to 1"),
    "an outcome": (put("samples", "outcome", first(3)), "samples.outcome is out of range"),
    "a reply": (put("samples", "reply", first(500)), "samples.reply is out of range"),
    "beads off the board": (put("samples", "states", first(1 << 40)), "samples.states (pieces) is out of range"),
    "a negative state": (put("samples", "states", first(-1)), "samples.states is out of range"),
    "beads on beads": (
        put("samples", "states", lambda a: np.repeat(a[:, :1], 4, axis=1) * 0 + [3, 3, 0, 1]),
        "no position",
    ),
    "survivors from nowhere": (put("samples", "survivors", first(-1)), "survivors are where no piece was"),
    "another iteration": (put("samples", "iteration", first(3)), "not of iteration 4"),
    "a game too many": (lambda raw: raw.update(games=np.concatenate([raw["games"]] * 2)), "not as many plies"),
    "a game without plies": (lambda raw: raw.update(games=raw["games"] * 0), "games.plies is out of range"),
    "no games": (lambda raw: raw.update(games=None), "games are none"),
    "no measures": (lambda raw: raw["measures"].clear(), "measures have no simulations"),
    "no time": (put("measures", "seconds", lambda _: 0.0), "measures.seconds is out of range"),
    "endless time": (put("measures", "seconds", lambda _: float("nan")), "measures are no numbers"),
    "a text": (put("measures", "seconds", lambda _: "12"), "measures are no numbers"),
    "games that are missing": (put("state", "states", lambda a: a[1:]), "state.states has shape"),
    "endless games": (put("state", "lengths", first(1 << 20)), "state.lengths are out of range"),
    "no history": (put("state", "known", first(0)), "state.known is out of range"),
    "plies of nothing": (put("state", "ply_action", first(-1)), "state.ply_action is out of range"),
    "an illegal ply": (put("state", "ply_action", lambda a: (a + 36) % 72), "state.ply_action is no legal action"),
    "carelessness": (put("state", "carelessness", first(7.0)), "state.carelessness is out of range"),
    "an origin": (put("state", "origin", first(9)), "state.origin is out of range"),
    "a regret too large": (put("state", "regrets", first(1.5)), "state.regrets is out of range"),
    "regrets of nothing": (put("state", "regret_states", lambda a: a[1:]), "state.regret_states has shape"),
    "a start that is none": (put("state", "regret_states", first(-1)), "state.regret_states is out of range"),
    "no starts": (lambda raw: raw["state"].pop("hunted"), "state.hunted"),
    "a part of a state": (lambda raw: raw["state"].pop("streams"), "state.streams is no array"),
    "a generator": (put("state", "generator", lambda _: "seed"), "state.generator"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_cannot_be_is_refused_and_named(good: Raw, name: str) -> None:
    damage, says = DAMAGES[name]
    raw = copy.deepcopy(good)
    damage(raw)
    with pytest.raises(BadWorkerResultError) as caught:
        unpacked(raw, game=load("diamond_chase"), games=GAMES, iteration=ITERATION)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("raw", [None, [], {}, {"samples": {}}, b"", 7, {"error": "x"}])
def test_what_is_no_result_at_all_is_refused(raw: Any) -> None:
    with pytest.raises(BadWorkerResultError, match="it is none"):
        unpacked(raw, game=load("diamond_chase"), games=GAMES, iteration=ITERATION)


def test_an_iteration_in_which_no_game_ended_has_no_samples(good: Raw) -> None:
    raw = copy.deepcopy(good) | {"samples": {}, "games": np.zeros((0, 4), dtype=np.int32)}
    assert unpacked(raw, game=load("diamond_chase"), games=GAMES, iteration=ITERATION).samples is None


@pytest.mark.parametrize(
    "answer", [None, [1.0, 2.0], np.array([1.0]), np.array([1.0, 3.0]), np.array([1, 2]), np.array([1.0, np.nan])]
)
def test_scores_that_are_none_are_refused(answer: Any) -> None:
    with pytest.raises(BadWorkerResultError):
        checked_scores(answer, count=2)
    assert checked_scores(np.array([1.5, 0.0]), count=2) == [1.5, 0.0]
