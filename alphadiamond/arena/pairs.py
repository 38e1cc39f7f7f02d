"""Games in pairs, many at once in this process: what the gate and the evaluation during training are made of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from alphadiamond.arena.openings import random_openings, random_positions
from alphadiamond.base.game import Game


@dataclass(frozen=True)
class Pairing:
    """A position that is played twice, each player once on either side."""

    start: Any
    seed: int


class BatchPlayer(Protocol):
    """Whoever can be asked about many games at once: any `Agent`, and `NetworkPlayer`."""

    def choose_many(self, positions: Sequence[Any]) -> list[Any]: ...


def make_pairings(
    count: int, rng: np.random.Generator, *, plies: int = 6, placements: float = 0.5, game: Game
) -> list[Pairing]:
    """A share from anywhere in the game, where strength shows more often, the others from random moves at the start."""
    placed = int(count * placements)
    starts = random_openings(count - placed, plies=plies, rng=rng, game=game)
    starts += random_positions(placed, rng=rng, game=game)
    return [Pairing(start, int(rng.integers(1 << 31))) for start in starts]


def play_pairs(first: BatchPlayer, second: BatchPlayer, pairings: Sequence[Pairing]) -> list[float]:
    """What the first player scores in each pairing, of 2 points."""
    starts = [pairing.start for pairing in pairings]
    as_opener = play_games(first, second, starts)
    as_replier = play_games(second, first, starts)
    return [one + 1 - other for one, other in zip(as_opener, as_replier, strict=True)]


def count_pairs(scores: Iterable[float]) -> list[int]:
    """How many pairs gave 0, 0.5, 1, 1.5 and 2 points, as the tests and intervals of the arena take them."""
    counts = [0] * 5
    for score in scores:
        counts[round(2 * score)] += 1
    return counts


def play_games(opener: BatchPlayer, replier: BatchPlayer, starts: Sequence[Any]) -> list[float]:
    """Play every start to its end, all at once; the score of the player who moves first in each."""
    positions = list(starts)
    scores = [0.5] * len(positions)
    players = (opener, replier)
    active = list(range(len(positions)))
    turn = 0
    while active:
        moves = players[turn].choose_many([positions[i] for i in active])
        going = []
        for i, move in zip(active, moves, strict=True):
            positions[i] = positions[i].play(move)
            outcome = positions[i].outcome
            if outcome is None:
                going.append(i)
            elif outcome.winner is not None:
                scores[i] = float(outcome.winner is starts[i].side)
        active = going
        turn = 1 - turn
    return scores
