"""What comes back from a worker on another machine: arrays and numbers, each checked before a run takes them in.

A node may be broken, its memory bad or its clock wrong; what it sends is taken for nothing but what it must be: of the
right shape, kind and range, possible in this game, and of the iteration that was asked for.
"""

from dataclasses import fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.training.reshard import WorkerState
from alphadiamond.training.samples import LEFT, GameSummary, Origin, Samples
from alphadiamond.training.worker import WorkerResult

Raw = dict[str, Any]
"""A result on its way: `samples`, `state` and `measures` by name, and `games`, a row for each finished one."""

_POLICY_SUM: Final = 0.02  # half precision: 2^-11 for each of a hundred moves at most
_ONE: Final = 0x3C00  # 1.0 in half precision
_LOOKED_AT: Final = 8  # positions that are taken apart one by one
_BIGGEST: Final = 1 << 62


class BadWorkerResultError(AlphaDiamondError):
    """A result that no worker of this run can have made."""


def endings_of(game: Game) -> tuple[str, ...]:
    """Every way in which a game of self-play can end, in one order everywhere."""
    return tuple(dict.fromkeys(("proof", LEFT, "repetition", *game.endings)))


def packed(result: WorkerResult, game: Game) -> Raw:
    """A result as arrays and numbers."""
    endings = endings_of(game)
    rows = [(one.plies, one.winner, endings.index(one.reason), one.origin) for one in result.summaries]
    return {
        "samples": result.samples.arrays() if result.samples is not None else {},
        "games": np.array(rows, dtype=np.int32).reshape(-1, 4),
        "state": result.state,
        "measures": result.measures,
    }


def size_of(raw: Raw) -> int:
    """Bytes of all arrays."""
    arrays = [*raw["samples"].values(), *raw["state"].values(), raw["games"]]
    return int(sum(array.nbytes for array in arrays))


def unpacked(raw: Any, *, game: Game, games: int, iteration: int) -> WorkerResult:
    """The result of a worker with so many games; a `BadWorkerResultError` says what is wrong with it.

    Nothing of the result lies in Ray's shared memory, which is freed.
    """
    _need(type(raw) is dict and set(raw) == {"samples", "games", "state", "measures"}, "it is none")
    samples = _samples(raw["samples"], game, iteration)
    summaries = _summaries(raw["games"], game)
    counted = 0 if samples is None else len(samples)
    _need(sum(one.plies for one in summaries) == counted, "its games have not as many plies as it has samples")
    return WorkerResult(
        samples, summaries, checked_state(raw["state"], game=game, games=games), _measures(raw["measures"])
    )


def checked_scores(answer: Any, *, count: int) -> list[float]:
    """What a match's pairings were worth, of 2 points each."""
    scores = _array(answer, "scores", np.float64, (count,))
    _need(bool(np.isin(scores, (0.0, 0.5, 1.0, 1.5, 2.0)).all()), "scores are no points of two games")
    return [float(score) for score in scores]


def checked_state(raw: Any, *, game: Game, games: int) -> WorkerState:
    """Games in progress, as `SelfPlay.state` gives them."""
    _need(type(raw) is dict, "state is none")
    size, actions = game.state_size, game.actions
    lengths = _array(raw.get("lengths"), "state.lengths", np.int32, (games,))
    _need(bool((lengths >= 0).all() and (lengths <= game.longest).all()), "state.lengths are out of range")
    plies = int(lengths.sum())
    generator = raw.get("generator")
    _need(type(generator) is np.ndarray and generator.dtype.kind in "iu" and generator.ndim == 1, "state.generator")
    assert isinstance(generator, np.ndarray)
    kept = _rows(raw, "regrets")
    state = {
        "states": _array(raw.get("states"), "state.states", np.int64, (games, size)),
        "history": _array(raw.get("history"), "state.history", np.int64, (games, game.history_limit + 1)),
        "known": _array(raw.get("known"), "state.known", np.int32, (games,)),
        "origin": _array(raw.get("origin"), "state.origin", np.int8, (games,)),
        "entry": _array(raw.get("entry"), "state.entry", np.int64, (games,)),
        "carelessness": _array(raw.get("carelessness"), "state.carelessness", np.float64, (games,)),
        "streams": _array(raw.get("streams"), "state.streams", np.int64, None, first=games),
        "generator": generator.copy(),
        "hunted": _array(raw.get("hunted"), "state.hunted", np.int64, (_rows(raw, "hunted"), size)),
        "regret_states": _array(raw.get("regret_states"), "state.regret_states", np.int64, (kept, size)),
        "regrets": _array(raw.get("regrets"), "state.regrets", np.float64, (kept,)),
        "regret_numbers": _array(raw.get("regret_numbers"), "state.regret_numbers", np.int64, (kept,)),
        "regret_next": _array(raw.get("regret_next"), "state.regret_next", np.int64, (1,)),
        "lengths": lengths,
        "ply_states": _array(raw.get("ply_states"), "state.ply_states", np.int64, (plies, size)),
        "ply_policy": _array(raw.get("ply_policy"), "state.ply_policy", np.float16, (plies, actions)),
        "ply_judged": _array(raw.get("ply_judged"), "state.ply_judged", np.float32, (plies, 3)),
        "ply_action": _array(raw.get("ply_action"), "state.ply_action", np.int16, (plies,)),
        "ply_wanted": _array(raw.get("ply_wanted"), "state.ply_wanted", np.float64, (plies,)),
    }
    _need(set(raw) == set(state), "state has other parts than it must")
    known = state["known"]
    _need(bool((known >= 1).all() and (known <= game.history_limit + 1).all()), "state.known is out of range")
    _need(bool((state["history"] >= 0).all()), "state.history is out of range")
    _within(state["carelessness"], "state.carelessness", 0, 1)
    _within(state["ply_wanted"], "state.ply_wanted", 0, 1)
    _within(state["origin"], "state.origin", 0, len(Origin) - 1)
    _within(state["regrets"], "state.regrets", 0, 1)
    for name in ("states", "ply_states", "hunted", "regret_states"):
        _check_states(state[name], game, f"state.{name}")
    legal = _check_policy(state["ply_policy"], state["ply_states"], game, "state.ply_policy")
    _check_chances(state["ply_judged"], "state.ply_judged")
    _within(state["ply_action"], "state.ply_action", 0, actions - 1)
    _need(bool(legal[np.arange(plies), state["ply_action"]].all()), "state.ply_action is no legal action")
    return state


def _rows(raw: dict[str, Any], name: str) -> int:
    """How many rows a part of a state has that may have any number of them."""
    part = raw.get(name)
    _need(type(part) is np.ndarray and part.ndim >= 1 and len(part) <= 1_000_000, f"state.{name}")
    return len(raw[name])


def _samples(raw: Any, game: Game, iteration: int) -> Samples | None:
    _need(type(raw) is dict, "samples are none")
    if not raw:
        return None
    names = {field.name for field in fields(Samples)}
    _need(set(raw) == names, "samples have other parts than they must")
    outcome = raw["outcome"]
    _need(type(outcome) is np.ndarray and outcome.ndim == 1 and len(outcome) > 0, "samples.outcome is no column")
    count, actions = len(outcome), game.actions
    survivors = raw["survivors"]
    mask = np.dtype(np.int32) if getattr(survivors, "dtype", None) == np.int32 else np.dtype(np.int64)
    made = Samples(
        states=_array(raw["states"], "samples.states", np.int64, (count, game.state_size)),
        policy=_array(raw["policy"], "samples.policy", np.float16, (count, actions)),
        value=_array(raw["value"], "samples.value", np.float32, (count, 3)),
        outcome=_array(outcome, "samples.outcome", np.int8, (count,)),
        reply=_array(raw["reply"], "samples.reply", np.int16, (count,)),
        survivors=_array(survivors, "samples.survivors", mask, (count,)),
        iteration=_array(raw["iteration"], "samples.iteration", np.int32, (count,)),
    )
    _check_states(made.states, game, "samples.states")
    _check_policy(made.policy, made.states, game, "samples.policy")
    _check_chances(made.value, "samples.value")
    _within(made.outcome, "samples.outcome", -1, 1)
    _within(made.reply, "samples.reply", -1, actions - 1)
    _need(bool((made.iteration == iteration).all()), f"samples are not of iteration {iteration}")
    stand = game.pieces(made.states)
    _need(bool(((made.survivors & ~stand) == 0).all()), "samples.survivors are where no piece was")
    return made


def _summaries(raw: Any, game: Game) -> list[GameSummary]:
    endings = endings_of(game)
    _need(type(raw) is np.ndarray and raw.ndim == 2, "games are none")
    rows = _array(raw, "games", np.int32, (len(raw), 4))
    _within(rows[:, 0], "games.plies", 1, game.longest)
    _within(rows[:, 1], "games.winner", -1, 1)
    _within(rows[:, 2], "games.reason", 0, len(endings) - 1)
    _within(rows[:, 3], "games.origin", 0, len(Origin) - 1)
    return [GameSummary(plies, winner, endings[reason], Origin(at)) for plies, winner, reason, at in rows.tolist()]


def _measures(raw: Any) -> dict[str, float]:
    _need(type(raw) is dict and len(raw) <= 100, "measures are none")
    for name, value in raw.items():
        good = type(name) is str and len(name) <= 40 and isinstance(value, int | float | np.integer | np.floating)
        _need(good and 0 <= value < _BIGGEST, "measures are no numbers")
    for name in ("simulations", "evaluations", "cache_hits", "seconds"):
        _need(name in raw, f"measures have no {name}")
    _need(raw["seconds"] > 0, "measures.seconds is out of range")
    return dict(raw)


def _check_states(states: npt.NDArray[np.int64], game: Game, name: str) -> None:
    _within(states, name, 0, _BIGGEST)
    _within(states[:, -1], f"{name} (occurrences)", 1, max(1, game.repetition_limit))
    _within(game.pieces(states), f"{name} (pieces)", 0, (1 << game.shape.nodes) - 1)
    step = max(1, len(states) // _LOOKED_AT)
    for row in states[::step]:
        try:
            again = game.state_of(game.position_of(row))
        except Exception:
            again = np.zeros(0, dtype=np.int64)
        _need(np.array_equal(again[:-1], row[:-1]), f"{name} holds what is no position")


def _check_policy(
    policy: npt.NDArray[np.float16], states: npt.NDArray[np.int64], game: Game, name: str
) -> npt.NDArray[np.bool_]:
    """[B, A] which actions are legal, by the way."""
    bits = policy.view(np.uint16)  # in half precision arithmetic is slow, and 0 to 1 are the first of all patterns
    _need(bool((bits <= _ONE).all()), f"{name} is out of range")
    legal = game.legal(states)
    _need(bool(legal.any(axis=1).all()), f"{name} is of games that are over")
    _need(not bool(((bits != 0) & ~legal).any()), f"{name} recommends what is not legal")
    sums = policy.astype(np.float32).sum(axis=1)
    _need(bool((np.abs(sums - 1) <= _POLICY_SUM).all()), f"{name} does not sum to 1")
    return legal


def _check_chances(chances: npt.NDArray[np.float32], name: str) -> None:
    _within(chances, name, -1e-3, 1 + 1e-3)
    _need(bool((np.abs(chances.sum(axis=1) - 1) <= 1e-3).all()), f"{name} does not sum to 1")


def _array(
    value: Any, name: str, kind: Any, shape: tuple[int, ...] | None, *, first: int | None = None
) -> npt.NDArray[Any]:
    """A copy of an array of exactly this kind and shape, or with so many rows."""
    kind = np.dtype(kind)
    _need(type(value) is np.ndarray and value.dtype == kind, f"{name} is no array of {kind}")
    if shape is not None:
        _need(value.shape == shape, f"{name} has shape {value.shape}, expected {shape}")
    else:
        _need(value.ndim >= 1 and len(value) == first, f"{name} has {value.shape[:1]} rows, expected {first}")
    copy: npt.NDArray[Any] = np.array(value, order="C")
    return copy


def _within(values: npt.NDArray[Any], name: str, low: float, high: float) -> None:
    # Written so that what is not a number is out of range.
    _need(bool(((values >= low) & (values <= high)).all()), f"{name} is out of range")


def _need(good: bool, fault: str) -> None:
    if not good:
        raise BadWorkerResultError(fault)
