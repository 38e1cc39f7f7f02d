"""Games in progress, shared out anew among the workers that a run goes on with."""

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.training.samples import Origin
from alphadiamond.training.starts import RegretBuffer

WorkerState = dict[str, npt.NDArray[Any]]
"""What `SelfPlay.state` gives."""

_BY_GAME: Final = ("states", "history", "known", "origin", "entry", "carelessness", "streams", "lengths")
_BY_PLY: Final = ("ply_states", "ply_policy", "ply_judged", "ply_action", "ply_wanted")
_STARTS: Final = ("hunted", "regret_states", "regrets", "regret_numbers")


def reshard(states: Sequence[WorkerState], counts: Sequence[int]) -> list[WorkerState]:
    """The states of earlier workers for workers with so many games each; an empty one means to begin anew.

    As long as the workers stay the same everybody keeps what they had. If not, all games are shared out anew; none is
    lost. Positions for games to begin with are shared out too, and no longer know which games began with them.
    """
    states = [_as_now(state) if state else state for state in states]
    fits = len(states) == len(counts) and all(
        not state or len(state["known"]) == count for state, count in zip(states, counts, strict=True)
    )
    if fits or not any(states):
        return [*states, *({} for _ in counts)][: len(counts)]
    found = [state for state in states if state]
    pool = {name: np.concatenate([state[name] for state in found]) for name in (*_BY_GAME, *_BY_PLY, *_STARTS)}
    pool["entry"] = np.full_like(pool["entry"], -1)
    pool["regret_numbers"] = np.arange(len(pool["regrets"]))
    games = np.concatenate([[0], np.cumsum(counts)])
    plies = np.concatenate([[0], np.cumsum(pool["lengths"])])
    resharded: list[WorkerState] = []
    for number, (first, last) in enumerate(itertools.pairwise(games.tolist())):
        first, last = min(first, len(plies) - 1), min(last, len(plies) - 1)
        if first == last:
            resharded.append({})
            continue
        mine = {name: pool[name][first:last] for name in _BY_GAME}
        mine |= {name: pool[name][plies[first] : plies[last]] for name in _BY_PLY}
        mine |= {name: pool[name][number :: len(counts)] for name in _STARTS}
        mine["regret_next"] = np.array([len(pool["regrets"])], dtype=np.int64)
        if number < len(states) and states[number]:
            mine["generator"] = states[number]["generator"]
        resharded.append(mine)
    return resharded


def _as_now(state: WorkerState) -> WorkerState:
    """A state that may be of the time when games began at the game's start or anywhere, and it had `from_start`, or
    where walks led, and it had `walked`."""
    if "origin" in state:
        return {"hunted" if name == "walked" else name: array for name, array in state.items()}
    size, games = state["states"].shape[1], len(state["known"])
    others = {name: array for name, array in state.items() if name != "from_start"}
    return {
        **others,
        "origin": np.where(state["from_start"], Origin.OPENING, Origin.RANDOM).astype(np.int8),
        "entry": np.full(games, -1, dtype=np.int64),
        "hunted": np.zeros((0, size), dtype=np.int64),
        **RegretBuffer(0, size).state(),
    }
