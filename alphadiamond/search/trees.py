"""Search trees of many games as flat arrays: G games, N nodes each, M edges a node. Node 0 is the root."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.search.game import Game

UNKNOWN: Final = 2  # a result that is not known: neither terminal nor proven

# What a node is.
PENDING: Final = 0  # chosen, not yet evaluated
OPEN: Final = 1  # evaluated, its edges have priors
TERMINAL: Final = 2  # the game is over here, or counts as drawn by repetition


class Trees(NamedTuple):
    """Values are from the side to move of the node; an edge's are from the side that plays it."""

    state: npt.NDArray[np.int32]
    """[G, N, S] the position, as the evaluator sees it."""
    key: npt.NDArray[np.int64]
    """[G, N] what repetition compares."""
    fresh: npt.NDArray[np.bool_]
    """[G, N] whether no earlier position can recur."""
    parent: npt.NDArray[np.int32]
    """[G, N] -1 at the root."""
    parent_edge: npt.NDArray[np.int16]
    """[G, N] which edge of the parent leads here."""
    kind: npt.NDArray[np.int8]
    """[G, N] PENDING, OPEN or TERMINAL."""
    result: npt.NDArray[np.int8]
    """[G, N] 1, 0, -1 where the game is over, 1 or -1 where that is proven, else UNKNOWN."""
    distance: npt.NDArray[np.int16]
    """[G, N] plies to the end along a proof."""
    cycle: npt.NDArray[np.int16]
    """[G, N] plies back to the first occurrence for a draw by second occurrence, else 0."""
    visits: npt.NDArray[np.int32]
    """[G, N]"""
    value_sum: npt.NDArray[np.float64]
    """[G, N]"""
    draw_sum: npt.NDArray[np.float64]
    """[G, N]"""
    judged: npt.NDArray[np.float32]
    """[G, N] the evaluator's own value of the node."""
    moves: npt.NDArray[np.int16]
    """[G, N] how many edges there are."""
    action: npt.NDArray[np.int16]
    """[G, N, M] the action of each edge."""
    prior: npt.NDArray[np.float32]
    """[G, N, M]"""
    log_prior: npt.NDArray[np.float32]
    """[G, N, M] its logarithm."""
    child: npt.NDArray[np.int32]
    """[G, N, M] the node an edge leads to, -1 if there is none yet."""
    edge_visits: npt.NDArray[np.int32]
    """[G, N, M]"""
    edge_value: npt.NDArray[np.float64]
    """[G, N, M] sum of values for the side that plays the edge."""
    edge_result: npt.NDArray[np.int8]
    """[G, N, M] the result of the child, kept here so that choosing an edge touches no other node."""
    waiting: npt.NDArray[np.int32]
    """[G, N, M] simulations through the edge that are not yet backed up."""
    used: npt.NDArray[np.int32]
    """[G] how many nodes are in use."""
    history: npt.NDArray[np.int64]
    """[G, H] keys of the game's positions since the last fresh one, the root last."""
    known: npt.NDArray[np.int32]
    """[G] how many of them there are."""
    done: npt.NDArray[np.int32]
    """[G] simulations since the root was set."""
    limit: npt.NDArray[np.int32]
    """[G] simulations to make."""
    gumbel: npt.NDArray[np.float64]
    """[G, M] one draw per root edge; zeros for a search without noise."""
    stream: npt.NDArray[np.uint64]
    """[G, 1] the random stream of each game."""


def make_trees(game: Game, *, games: int, nodes: int) -> Trees:
    """Empty trees; `bytes_per_game` says what they take.

    The fields of a node lie side by side in memory, and so do those of an edge: a walk touches many nodes once, so what
    it costs is the number of cache lines. The arrays of `Trees` are views of these records.
    """
    moves = game.max_moves
    node = np.zeros((games, nodes), dtype=_node_record(game.state_size))
    edge = np.zeros((games, nodes, moves), dtype=_EDGE_RECORD)
    node["parent"] = node["parent_edge"] = edge["child"] = -1
    node["result"] = edge["edge_result"] = UNKNOWN
    per_game: dict[str, Any] = {
        "used": np.zeros(games, dtype=np.int32),
        "history": np.zeros((games, game.history_limit + 1), dtype=np.int64),
        "known": np.zeros(games, dtype=np.int32),
        "done": np.zeros(games, dtype=np.int32),
        "limit": np.zeros(games, dtype=np.int32),
        "gumbel": np.zeros((games, moves), dtype=np.float64),
        "stream": np.zeros((games, 1), dtype=np.uint64),
    }
    records: dict[str, Any] = {name: record[name] for record in (node, edge) for name in record.dtype.names or ()}
    return Trees(**records, **per_game)


def _node_record(state_size: int) -> np.dtype[np.void]:
    """64 bytes for states of four columns: one cache line."""
    fields = {
        "key": np.int64,
        "value_sum": np.float64,
        "draw_sum": np.float64,
        "judged": np.float32,
        "visits": np.int32,
        "parent": np.int32,
        "parent_edge": np.int16,
        "moves": np.int16,
        "distance": np.int16,
        "cycle": np.int16,
        "kind": np.int8,
        "result": np.int8,
        "fresh": np.bool_,
    }
    return np.dtype([("state", np.int32, (state_size,)), *fields.items()], align=True)


_EDGE_RECORD = np.dtype(
    [
        ("edge_value", np.float64),
        ("prior", np.float32),
        ("log_prior", np.float32),
        ("edge_visits", np.int32),
        ("waiting", np.int32),
        ("child", np.int32),
        ("action", np.int16),
        ("edge_result", np.int8),
    ],
    align=True,
)


def bytes_per_game(trees: Trees) -> int:
    games, nodes, state_size = trees.state.shape
    records = nodes * (_node_record(state_size).itemsize + trees.action.shape[2] * _EDGE_RECORD.itemsize)
    return int(records + sum(array.nbytes for array in trees[-7:]) // games)
