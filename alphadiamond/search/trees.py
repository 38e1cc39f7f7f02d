"""Search trees of many games as flat arrays: G games, N nodes each, M edges a node. Node 0 is the root.

A node's edges are sorted by their priors when it is expanded, the likeliest first. Below the root the rules of choice
open them in that order, since all unopened edges of a node are valued alike; so only the first `opened` edges and one
more are ever looked at, and only they have a record. At the root, where noise may prefer any edge, all edges have one.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game

UNKNOWN: Final = 2  # a result that is not known: neither terminal nor proven

# What a node is.
PENDING: Final = 0  # chosen, not yet evaluated
OPEN: Final = 1  # evaluated, its edges have priors
TERMINAL: Final = 2  # the game is over here, or will be in two plies, or counts as drawn by repetition

Records = npt.NDArray[Any]
"""An array of records; compiled code reads a field as an attribute of one."""


class Trees(NamedTuple):
    """Few arrays, since handing one to compiled code costs a fraction of a microsecond.

    Values are from the side to move of a node; an edge's are from the side that plays it.
    """

    node: Records
    """[G, N] see `NODE_RECORD`."""
    state: npt.NDArray[np.int64]
    """[G, N, S] the position, as the evaluator sees it; beside the records, since walks do not look at it."""
    edge: Records
    """[G, N, M] see `EDGE_RECORD`."""
    prior: npt.NDArray[np.float32]
    """[G, N, M] falling, except after noise at the root."""
    action: npt.NDArray[np.int16]
    """[G, N, M] the action of each edge; of a leaf that waits for evaluation, its legal actions in order."""
    game: Records
    """[G] see `_GAME_RECORD`."""
    history: npt.NDArray[np.int64]
    """[G, H] keys of the game's positions since the last irreversible one, the root last."""
    logit: npt.NDArray[np.float64]
    """[G, M] the logarithm of each root edge's prior, plus its Gumbel draw in a search with noise."""
    stream: npt.NDArray[np.uint64]
    """[G, 1] the random stream of each game."""


class Leaves(NamedTuple):
    """Room for the leaves that wait for evaluation together."""

    game: npt.NDArray[np.int32]
    """[L]"""
    node: npt.NDArray[np.int32]
    """[L]"""
    state: npt.NDArray[np.int64]
    """[L, S] what the evaluator is asked about."""


def make_leaves(game: Game, count: int) -> Leaves:
    return Leaves(
        game=np.zeros(count, dtype=np.int32),
        node=np.zeros(count, dtype=np.int32),
        state=np.zeros((count, game.state_size), dtype=np.int64),
    )


def make_trees(game: Game, *, games: int, nodes: int) -> Trees:
    """Empty trees; `bytes_per_game` says what they take."""
    moves = game.max_moves
    return Trees(
        node=np.zeros((games, nodes), dtype=NODE_RECORD),
        state=np.zeros((games, nodes, game.state_size), dtype=np.int64),
        edge=np.zeros((games, nodes, moves), dtype=EDGE_RECORD),
        prior=np.zeros((games, nodes, moves), dtype=np.float32),
        action=np.zeros((games, nodes, moves), dtype=np.int16),
        game=np.zeros(games, dtype=_GAME_RECORD),
        history=game.empty_histories(games),
        logit=np.zeros((games, moves), dtype=np.float64),
        stream=np.zeros((games, 1), dtype=np.uint64),
    )


def bytes_per_game(trees: Trees) -> int:
    return int(sum(array.nbytes for array in trees) // len(trees.game))


NODE_RECORD: Final = np.dtype(
    [
        ("key", np.int64),  # what repetition compares
        ("value_sum", np.float64),
        ("draw_sum", np.float32),
        ("raw_value", np.float32),  # the evaluator's own, before any search
        ("visits", np.int32),
        ("parent", np.int32),  # -1 at the root
        ("parent_edge", np.int16),  # which edge of the parent leads here
        ("moves", np.int16),  # how many edges there are
        ("opened", np.int16),  # how many of them have a record
        ("distance", np.int16),  # plies to the end along a proof
        ("cycle", np.int16),  # plies back to the first occurrence for a draw by second occurrence, else 0
        ("kind", np.int8),  # PENDING, OPEN or TERMINAL
        ("result", np.int8),  # 1, 0, -1 where the game is over or that is proven, else UNKNOWN
        ("irreversible", np.int8),  # whether no earlier position can recur
    ],
    align=True,
)

EDGE_RECORD: Final = np.dtype(
    [
        ("value_sum", np.float64),
        ("visits", np.int32),
        ("child", np.int32),  # -1 if there is none yet
        ("waiting", np.int32),  # simulations through the edge that are not yet backed up
        ("result", np.int8),  # of the child, kept here so that choosing an edge touches no other node
    ],
    align=True,
)

_GAME_RECORD: Final = np.dtype(
    [
        ("used", np.int32),  # how many nodes are in use
        ("known", np.int32),  # how many keys of the history
        ("done", np.int32),  # simulations since the root was set
        ("limit", np.int32),  # simulations to make
        ("waiting", np.int32),  # leaves that wait for evaluation
        ("wins_at_once", np.int32),  # whether a move wins at the root: then no leaf is looked ahead from
    ]
)
