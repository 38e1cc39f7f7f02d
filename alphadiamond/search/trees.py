"""Search trees of many games as flat arrays: G games, N nodes each, M edges a node. Node 0 is the root."""

from typing import Final, NamedTuple

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
    """Empty trees; `bytes_per_game` says what they take."""
    moves = game.max_moves
    per_node, per_edge = (games, nodes), (games, nodes, moves)
    return Trees(
        state=np.zeros((games, nodes, game.state_size), dtype=np.int32),
        key=np.zeros(per_node, dtype=np.int64),
        fresh=np.zeros(per_node, dtype=np.bool_),
        parent=np.full(per_node, -1, dtype=np.int32),
        parent_edge=np.full(per_node, -1, dtype=np.int16),
        kind=np.zeros(per_node, dtype=np.int8),
        result=np.full(per_node, UNKNOWN, dtype=np.int8),
        distance=np.zeros(per_node, dtype=np.int16),
        cycle=np.zeros(per_node, dtype=np.int16),
        visits=np.zeros(per_node, dtype=np.int32),
        value_sum=np.zeros(per_node, dtype=np.float64),
        draw_sum=np.zeros(per_node, dtype=np.float64),
        judged=np.zeros(per_node, dtype=np.float32),
        moves=np.zeros(per_node, dtype=np.int16),
        action=np.zeros(per_edge, dtype=np.int16),
        prior=np.zeros(per_edge, dtype=np.float32),
        log_prior=np.zeros(per_edge, dtype=np.float32),
        child=np.full(per_edge, -1, dtype=np.int32),
        edge_visits=np.zeros(per_edge, dtype=np.int32),
        edge_value=np.zeros(per_edge, dtype=np.float64),
        waiting=np.zeros(per_edge, dtype=np.int32),
        used=np.zeros(games, dtype=np.int32),
        history=np.zeros((games, game.history_limit + 1), dtype=np.int64),
        known=np.zeros(games, dtype=np.int32),
        done=np.zeros(games, dtype=np.int32),
        limit=np.zeros(games, dtype=np.int32),
        gumbel=np.zeros((games, moves), dtype=np.float64),
        stream=np.zeros((games, 1), dtype=np.uint64),
    )


def bytes_per_game(trees: Trees) -> int:
    return sum(array.nbytes for array in trees) // len(trees.used)
