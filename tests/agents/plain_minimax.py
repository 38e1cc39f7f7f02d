"""Minimax without pruning, table or ordering, written from the rules: what the searching player is compared with."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.board import ACTIONS, SOURCES, TARGETS
from alphadiamond.games.diamond_chase.kernels import apply, count_moves, list_moves, position_key

WON = 1_000_000


@njit
def leaf(own: int, opp: int, ply: int, weight: int, quiescence: bool) -> int:
    best = count_moves(own, opp) - count_moves(opp, own) + weight * (popcount(own) - popcount(opp))
    if quiescence:
        actions = np.empty(24, dtype=np.int64)
        for i in range(list_moves(own, opp, actions)):
            moved, other, captured, _ = apply(own, opp, SOURCES[actions[i]], TARGETS[actions[i]])
            if captured == 0:
                continue
            if popcount(other) < 4:
                score = WON - ply - 1
            elif popcount(moved) < 4:
                score = ply + 1 - WON
            else:
                score = -leaf(other, moved, ply + 1, weight, quiescence)
            best = max(best, score)
    return best


@njit
def plain(
    own: int,
    opp: int,
    quiet: int,
    keys: npt.NDArray[np.int64],
    known: int,
    depth: int,
    ply: int,
    weight: int,
    quiescence: bool,
    scores: npt.NDArray[np.int64],
    limit: int,
) -> int:
    """The score for the side to move; `keys` are all positions of the game and the line, the scores go out at ply 0."""
    if popcount(own) < 4:
        return ply - WON
    if popcount(opp) < 4:
        return WON - ply
    times = 0
    for i in range(known):
        times += keys[i] == keys[known - 1]
    if times >= limit or quiet >= 100:
        return 0
    if depth == 0:
        return leaf(own, opp, ply, weight, quiescence)
    best = -2 * WON
    actions = np.empty(24, dtype=np.int64)
    for i in range(list_moves(own, opp, actions)):
        moved, other, captured, lost = apply(own, opp, SOURCES[actions[i]], TARGETS[actions[i]])
        keys[known] = position_key(other, moved, (keys[known - 1] >> 42) ^ 1)
        after = 0 if captured | lost else quiet + 1
        score = -plain(other, moved, after, keys, known + 1, depth - 1, ply + 1, weight, quiescence, scores, limit)
        if ply == 0:
            scores[actions[i]] = score
        best = max(best, score)
    return best


def root_scores(
    position: Position, depth: int, *, weight: int = 1, quiescence: bool = False, limit: int = 3
) -> dict[int, int]:
    """{action: score} by plain minimax, where the occurrence number `limit` of a position makes a draw."""
    keys = np.zeros(256, dtype=np.int64)
    keys[: len(position.history)] = position.history
    scores = np.full(ACTIONS, 2 * WON)
    known = len(position.history)
    plain(position.own, position.opp, position.quiet, keys, known, depth, 0, weight, quiescence, scores, limit)
    return {action: int(scores[action]) for action in range(ACTIONS) if scores[action] != 2 * WON}
