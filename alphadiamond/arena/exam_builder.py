"""Choosing the positions of an exam: from varied play, spread evenly over phases, stakes and difficulty.

Training and evaluation have no use for this: an exam is made once and is part of its game.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import Agent, make_agent
from alphadiamond.arena.exam import DIFFICULTIES, Exam, ExamError
from alphadiamond.base.game import ILLEGAL, Game, Purpose, Solution, States
from alphadiamond.base.results import ONGOING
from alphadiamond.console import progress

Weights = Callable[[States], npt.NDArray[np.float64]]
"""How likely each action is in each position, [B, A], in any scale."""

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


def make_exam(game: Game, solution: Solution, *, positions: int, games: int, seed: int) -> Exam:
    """Play `games` games of each kind and choose among the positions that come up."""
    own = game.questions(positions=positions, games=games, seed=seed)
    if own is not None:
        return Exam(game, *own, *game.phases(own.states))
    rng = np.random.default_rng(seed)
    found = [
        _unique(game, states)
        for states in (
            _random_play(game, rng, games),
            _classical_play(game, rng, games),
            _noisy_play(game, rng, games, solution),
        )
    ]
    states = np.concatenate(found)
    origins = np.repeat(np.arange(len(ORIGINS), dtype=np.uint8), [len(one) for one in found])
    values, distances = solution.values(states)
    action_values, _ = solution.action_values(states)
    keeping = action_values == values[:, None]
    at_stake = keeping.any(axis=1) & ((action_values != ILLEGAL) & ~keeping).any(axis=1)
    phases, names = game.phases(states)
    everything = Exam(game, states, values, distances, keeping, origins, ORIGINS, phases, names)
    chosen = _choose(everything, np.flatnonzero(at_stake), positions, rng)
    return everything.at(rng.permutation(chosen))


def make_sets(game: Game, *, positions: int, seed: int) -> Exam:
    """The game's sets of positions as an exam whose phases are the sets; in some of them no move may be wrong."""
    found = game.question_sets(positions=positions, seed=seed)
    if found is None:
        raise ExamError(f"{game.title} has no sets of positions; without sets=true there is an exam")
    questions, sets, names = found
    return Exam(game, *questions, sets, names)


def _choose(pool: Exam, indices: npt.NDArray[np.int64], wanted: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Take from every cell of phase, value, difficulty and origin in turn, so that rare ones are used up first.

    No two of those taken are images of each other.
    """
    keys = canonical_keys(pool.game, pool.states)
    strata = pool.game.strata(pool.states)
    cells = ((strata * 2 + pool.values) * len(DIFFICULTIES) + pool.difficulties) * len(ORIGINS) + pool.origins
    queues = [rng.permutation(indices[cells[indices] == cell]) for cell in np.unique(cells[indices])]
    taken: list[int] = []
    seen: set[int] = set()
    for turn in range(max((len(queue) for queue in queues), default=0)):
        for k in rng.permutation(len(queues)):
            if turn < len(queues[k]) and len(taken) < wanted:
                index = int(queues[k][turn])
                if int(keys[index]) not in seen:
                    seen.add(int(keys[index]))
                    taken.append(index)
    return np.array(taken, dtype=np.int64)


def canonical_keys(game: Game, states: States) -> npt.NDArray[np.int64]:
    """[B] a number that a position shares with its images under the symmetries and with no other of these."""
    none = np.full(len(states), -1, dtype=np.int16)
    images = (
        game.images(states, np.full(len(states), symmetry, dtype=np.int64))
        for symmetry in range(len(game.shape.symmetries))
    )
    if not game.exact_keys:
        rows = [min(rows) for rows in zip(*(image.tolist() for image in images), strict=True)]
        return np.unique(np.array(rows), axis=0, return_inverse=True)[1].reshape(-1)
    return np.min([game.expand(image, none)[1] for image in images], axis=0)  # type: ignore[no-any-return]


def _unique(game: Game, states: States) -> States:
    """One position of each class under symmetry."""
    _, first = np.unique(canonical_keys(game, states), return_index=True)
    return states[first]


def _random_play(game: Game, rng: np.random.Generator, games: int) -> States:
    def weights(states: States) -> npt.NDArray[np.float64]:
        return game.legal(states).astype(np.float64)

    return _play_many(game, rng, games, weights)


def _noisy_play(game: Game, rng: np.random.Generator, games: int, solution: Solution) -> States:
    """Moves that keep the value, and now and then any other; how often differs from game to game."""
    noise = rng.uniform(0.0, 0.4, size=games)[:, None]

    def weights(states: States) -> npt.NDArray[np.float64]:
        values, _ = solution.action_values(states)
        legal = values != ILLEGAL
        keeping = legal & (values == np.where(legal, values, -2).max(axis=1, keepdims=True))
        shares = [moves / moves.sum(axis=1, keepdims=True) for moves in (keeping, legal)]
        mixed: npt.NDArray[np.float64] = (1 - noise) * shares[0] + noise * shares[1]
        return mixed

    return _play_many(game, rng, games, weights)


def _play_many(game: Game, rng: np.random.Generator, games: int, weights: Weights) -> States:
    """The positions of many games at once, each as if it were the first; a game that is over begins anew."""
    states = _starts(game, rng, games)
    seen = []
    for _ in range(_PLIES):
        seen.append(states)
        chances = np.cumsum(weights(states), axis=1)
        drawn = rng.random(games)[:, None] * chances[:, -1:]
        actions = (chances > drawn).argmax(axis=1).astype(np.int16)
        after, _, _, statuses, _, _ = game.expand(states, actions)
        states, over = game.bare(after), statuses != ONGOING
        if over.any():
            states[over] = _starts(game, rng, int(over.sum()))
    return np.concatenate(seen)


def _starts(game: Game, rng: np.random.Generator, count: int) -> States:
    """[B, S] where games begin, on boards of the exams' own where they are drawn."""
    return game.bare(game.states_of([game.drawn_start(rng, Purpose.EXAM) for _ in range(count)]))


def _classical_play(game: Game, rng: np.random.Generator, games: int) -> States:
    """Games between classical players, which differ in strength so that mistakes are made, after some random plies."""
    agents = [make_agent(spec, seed=int(rng.integers(1 << 31)), game=game) for spec in CLASSICAL]
    positions: list[Any] = []
    with progress("games of classical players", games) as update:
        for number in range(games):
            first, second = rng.choice(len(agents), size=2, replace=False)
            positions += _classical_game(game, rng, (agents[first], agents[second]))
            update(number + 1, f"{len(positions)} positions")
    return game.bare(game.states_of(positions))


def _classical_game(game: Game, rng: np.random.Generator, players: tuple[Agent, Agent]) -> Iterator[Any]:
    position = game.drawn_start(rng, Purpose.EXAM)
    opening = int(rng.integers(0, min(20, game.longest // 3) + 1))
    for ply in range(_PLIES):
        moves = position.moves()
        if not moves:
            return
        yield position
        move = moves[rng.integers(len(moves))] if ply < opening else players[position.side].choose(position)
        position = position.play(move)
