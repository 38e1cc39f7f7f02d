"""Choosing the positions of the exam: from varied play, spread evenly over bead counts, stakes and difficulty.

Training and evaluation have no use for this: the exam is made once and is part of the package.
"""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import Agent, make_agent
from alphadiamond.arena.exam import DIFFICULTIES, Exam
from alphadiamond.console import progress
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.board import SYMMETRIES
from alphadiamond.games.diamond_chase.kernels import MIN_BEADS, apply_batch, legal_masks
from alphadiamond.games.diamond_chase.solver import ILLEGAL, Tablebase

Boards = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""(own, opp), each [B]."""
Weights = Callable[[npt.NDArray[np.int32], npt.NDArray[np.int32]], npt.NDArray[np.float64]]
"""How likely each action is in each position, [B, 72], in any scale."""

CLASSICAL: Final = (
    "greedy",
    "minimax:depth=1",
    "minimax:depth=2",
    "minimax:depth=4",
    "mcts:simulations=100",
    "mcts:simulations=400",
)
ORIGINS: Final = ("random play", "classical players", "noisy perfect play")
_PLIES: Final = 120  # a game is followed so far


def make_exam(tablebase: Tablebase, *, positions: int, games: int, seed: int) -> Exam:
    """Play `games` games of each kind and choose among the positions that come up."""
    rng = np.random.default_rng(seed)
    found = [
        np.stack(_unique(*boards))
        for boards in (_random_play(rng, games), _classical_play(rng, games), _noisy_play(rng, games, tablebase))
    ]
    own, opp = np.concatenate(found, axis=1)
    origins = np.repeat(np.arange(len(ORIGINS), dtype=np.uint8), [one.shape[1] for one in found])
    values, distances = tablebase.probe_batch(own, opp)
    action_values, _ = tablebase.probe_actions(own, opp)
    keeping = action_values == values[:, None]
    at_stake = keeping.any(axis=1) & ((action_values != ILLEGAL) & ~keeping).any(axis=1)
    everything = Exam(own, opp, values, distances, keeping, origins, ORIGINS)
    chosen = _choose(everything, np.flatnonzero(at_stake), positions, rng)
    return everything.at(rng.permutation(chosen))


def _choose(pool: Exam, indices: npt.NDArray[np.int64], wanted: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Take from every cell of bead counts, value, difficulty and origin in turn, so that rare ones are used up first.

    No two of those taken are images of each other.
    """
    keys = canonical_keys(pool.own, pool.opp)
    layers = np.bitwise_count(pool.own) * 8 + np.bitwise_count(pool.opp)
    cells = ((layers * 2 + pool.values) * len(DIFFICULTIES) + pool.difficulties) * len(ORIGINS) + pool.origins
    queues = [rng.permutation(indices[cells[indices] == cell]) for cell in np.unique(cells[indices])]
    taken: list[int] = []
    seen: set[int] = set()
    for turn in range(max(len(queue) for queue in queues)):
        for k in rng.permutation(len(queues)):
            if turn < len(queues[k]) and len(taken) < wanted:
                index = int(queues[k][turn])
                if int(keys[index]) not in seen:
                    seen.add(int(keys[index]))
                    taken.append(index)
    return np.array(taken)


def canonical_keys(own: npt.NDArray[np.int32], opp: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """[B] a number that a position shares with its images under the symmetries and with no other."""
    keys = np.full(len(own), np.iinfo(np.int64).max)
    for nodes in SYMMETRIES:
        image = np.zeros(len(own), dtype=np.int64)
        for node, to in enumerate(nodes):
            image |= (own.astype(np.int64) >> node & 1) << to | (opp.astype(np.int64) >> node & 1) << to + len(nodes)
        keys = np.minimum(keys, image)
    return keys


def _unique(own: npt.NDArray[np.int32], opp: npt.NDArray[np.int32]) -> Boards:
    """One position of each class under symmetry, without finished ones."""
    going_on = (np.bitwise_count(own) >= MIN_BEADS) & (np.bitwise_count(opp) >= MIN_BEADS)
    own, opp = own[going_on], opp[going_on]
    _, first = np.unique(canonical_keys(own, opp), return_index=True)
    return own[first], opp[first]


def _random_play(rng: np.random.Generator, games: int) -> Boards:
    def weights(own: npt.NDArray[np.int32], opp: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        return legal_masks(own, opp).astype(np.float64)

    return _play_many(rng, games, weights)


def _noisy_play(rng: np.random.Generator, games: int, tablebase: Tablebase) -> Boards:
    """Moves that keep the value, and now and then any other; how often differs from game to game."""
    noise = rng.uniform(0.0, 0.4, size=games)[:, None]

    def weights(own: npt.NDArray[np.int32], opp: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        values, _ = tablebase.probe_actions(own, opp)
        legal = values != ILLEGAL
        keeping = values == values.max(axis=1, keepdims=True)
        shares = [moves / moves.sum(axis=1, keepdims=True) for moves in (keeping, legal)]
        mixed: npt.NDArray[np.float64] = (1 - noise) * shares[0] + noise * shares[1]
        return mixed

    return _play_many(rng, games, weights)


def _play_many(rng: np.random.Generator, games: int, weights: Weights) -> Boards:
    """The positions of many games at once; a game that is over begins anew."""
    start = Position.start()
    own, opp = np.full(games, start.own, dtype=np.int32), np.full(games, start.opp, dtype=np.int32)
    seen = []
    for _ in range(_PLIES):
        seen.append((own, opp))
        chances = np.cumsum(weights(own, opp), axis=1)
        drawn = rng.random(games)[:, None] * chances[:, -1:]
        actions = (chances > drawn).argmax(axis=1)
        moved, other, _, _ = apply_batch(own, opp, actions)
        over = (np.bitwise_count(moved) < MIN_BEADS) | (np.bitwise_count(other) < MIN_BEADS)
        own, opp = np.where(over, start.own, other).astype(np.int32), np.where(over, start.opp, moved).astype(np.int32)
    return np.concatenate([a for a, _ in seen]), np.concatenate([b for _, b in seen])


def _classical_play(rng: np.random.Generator, games: int) -> Boards:
    """Games between classical players, which differ in strength so that beads come off, after some random plies."""
    agents = [make_agent(spec, seed=int(rng.integers(1 << 31))) for spec in CLASSICAL]
    positions: list[Position] = []
    with progress("games of classical players", games) as update:
        for game in range(games):
            first, second = rng.choice(len(agents), size=2, replace=False)
            positions += _classical_game(rng, (agents[first], agents[second]))
            update(game + 1, f"{len(positions)} positions")
    own, opp = ([getattr(position, name) for position in positions] for name in ("own", "opp"))
    return np.array(own, dtype=np.int32), np.array(opp, dtype=np.int32)


def _classical_game(rng: np.random.Generator, players: tuple[Agent, Agent]) -> Iterator[Position]:
    position = Position.start()
    opening = int(rng.integers(0, 21))
    for ply in range(_PLIES):
        moves = position.moves()
        if not moves:
            return
        yield position
        move = moves[rng.integers(len(moves))] if ply < opening else players[position.side].choose(position)
        position = position.play(move)
