"""How an adversary leads the network's strategy to where it falls: a search over all replies, thinned to the doubtful.

From the game's start one side plays what the bare network likes best, the other plays everything. Of the positions that
come up at a ply some are kept: those of which the network is least sure that it does not lose, and some at random. A
line falls where the rules say that the follower has lost, or the network does. The positions shortly before that are
what there is to learn, and no solution is asked: rules and network say all.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import game_kernels
from alphadiamond.base.game import Game
from alphadiamond.base.game_kernels import after_moves, all_replies
from alphadiamond.base.results import LOSS, ONGOING, WIN
from alphadiamond.base.start_seeds import Purpose
from alphadiamond.search import EvaluateFn

States = npt.NDArray[np.int64]

KEPT: Final = 512
"""Positions of one ply from which a hunt goes on."""
_OFFERED: Final = 4
"""So many times as many are judged, drawn at random where there are more."""
_FALLEN: Final = 0.9
"""The network calls a position lost that it gives this chance of a loss."""
_HELD: Final = 0.5
"""Below this chance of a loss it believes that a position holds."""
_BEFORE: Final = 4
"""Positions of a line that are kept, counted back from the last one that seemed to hold."""


class _Ply(NamedTuple):
    """Positions with the follower to move, after so many of its moves."""

    states: States
    """[N, S]"""
    loss: npt.NDArray[np.float32]
    """[N] the network's chance of a loss."""
    parents: npt.NDArray[np.int64]
    """[N] rows of the ply before."""


def hunt(evaluator: EvaluateFn, rng: np.random.Generator, *, game: Game, plies: int, boards: int = 0) -> States:
    """[M, S] positions with the follower to move, on lines that fell soon after."""
    states = game.states_of([game.drawn_start(rng, Purpose.TRAINING, boards)])
    if rng.integers(2):  # follow the side that moves second
        states = game.bare(all_replies(game.rules, states)[2])
    seen = _keys(game, states)
    policy, wdl = evaluator(states)
    lines = [_Ply(states, wdl[:, 2], np.zeros(len(states), dtype=np.int64))]
    found: list[tuple[int, int]] = []
    for _ in range(plies):
        after, own_status = after_moves(game.rules, states, policy.argmax(axis=1).astype(np.int16))
        rows, _, replies, statuses = all_replies(game.rules, after)
        ends = np.union1d(np.flatnonzero(own_status == WIN), rows[statuses == LOSS])
        found += [place for row in ends.tolist() for place in _before(lines, row)]
        goes_on = np.flatnonzero(statuses == ONGOING)
        new = goes_on[_new(_keys(game, replies[goes_on]), seen)]
        offered = rng.permutation(new)[: _OFFERED * KEPT]
        if not len(offered):
            break
        states, rows = game.bare(replies[offered]), rows[offered]
        seen = np.union1d(seen, _keys(game, states))
        policy, wdl = evaluator(states)
        loss = wdl[:, 2]
        fallen = np.unique(rows[loss >= _FALLEN])
        found += [place for row in fallen.tolist() for place in _before(lines, row)]
        kept = _kept(loss, rng)
        states, policy = states[kept], policy[kept]
        lines.append(_Ply(states, loss[kept], rows[kept]))
    places = sorted(set(found))
    return np.array([lines[ply].states[row] for ply, row in places], dtype=np.int64).reshape(-1, game.state_size)


def _keys(game: Game, states: States) -> npt.NDArray[np.int64]:
    """[B] equal for images of a position, whatever came before it."""
    return game_kernels.position_keys(game.rules, game.canonical(game.bare(states))[0])


def _new(keys: npt.NDArray[np.int64], seen: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Rows of those that have not been seen, each once."""
    once = np.unique(keys, return_index=True)[1]
    return once[~np.isin(keys[once], seen)]


def _kept(loss: npt.NDArray[np.float32], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Rows from which to go on: half of them those nearest to a loss, the others at random."""
    standing = rng.permutation(np.flatnonzero(loss < _FALLEN))
    by_doubt = standing[np.argsort(-loss[standing], kind="stable")]
    chosen = np.concatenate([by_doubt[: KEPT // 2], standing[:KEPT]])
    _, first = np.unique(chosen, return_index=True)
    return chosen[np.sort(first)][:KEPT]


def _before(lines: list[_Ply], row: int) -> list[tuple[int, int]]:
    """(ply, row) of the last positions of a line, up to this one, that seemed to hold."""
    places: list[tuple[int, int]] = []
    for ply in range(len(lines) - 1, -1, -1):
        if lines[ply].loss[row] < _HELD:
            places.append((ply, row))
        if len(places) == _BEFORE:
            break
        row = int(lines[ply].parents[row])
    return places
