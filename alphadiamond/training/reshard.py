"""Games in progress, shared out anew among the workers that a run goes on with."""

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

WorkerState = dict[str, npt.NDArray[Any]]
"""What `SelfPlay.state` gives."""

_BY_GAME: Final = ("states", "history", "known", "from_start", "carelessness", "streams", "lengths")
_BY_PLY: Final = ("ply_states", "ply_policy", "ply_judged", "ply_action", "ply_wanted")


def reshard(states: Sequence[WorkerState], counts: Sequence[int]) -> list[WorkerState]:
    """The states of earlier workers for workers with so many games each; an empty one means to begin anew.

    As long as the workers stay the same everybody keeps what they had. If not, all games are shared out anew; none is
    lost.
    """
    fits = len(states) == len(counts) and all(
        not state or len(state["known"]) == count for state, count in zip(states, counts, strict=True)
    )
    if fits or not any(states):
        return [*states, *({} for _ in counts)][: len(counts)]
    found = [state for state in states if state]
    pool = {name: np.concatenate([state[name] for state in found]) for name in (*_BY_GAME, *_BY_PLY)}
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
        if number < len(states) and states[number]:
            mine["generator"] = states[number]["generator"]
        resharded.append(mine)
    return resharded
