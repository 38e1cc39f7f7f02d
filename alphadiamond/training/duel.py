"""Games between two players, many at once: what the gate and the evaluation during training are made of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from alphadiamond.agents import Agent
from alphadiamond.arena.openings import random_openings, random_positions
from alphadiamond.base.game import Game
from alphadiamond.games import load
from alphadiamond.search import Evaluator, TreeSearch
from alphadiamond.training.settings import DuelSettings


@dataclass(frozen=True)
class Pairing:
    """A position that is played twice, each player once on either side."""

    start: Any
    seed: int


class BatchPlayer(Protocol):
    """A player that is asked about many games at once."""

    def choose(self, positions: Sequence[Any]) -> list[Any]: ...


class NetworkPlayer:
    """The network with its search, without noise."""

    def __init__(self, evaluator: Evaluator, settings: DuelSettings, game: Game | None = None) -> None:
        self._evaluator = evaluator
        self._settings = settings
        self._game = game or load()
        self._search: TreeSearch | None = None

    def choose(self, positions: Sequence[Any]) -> list[Any]:
        game, count = self._game, len(positions)
        states = game.states_of(positions)
        if self._settings.simulations == 0:
            chosen = self._evaluator(states)[0].argmax(axis=1)
            return [game.move_of(int(a), position.side) for a, position in zip(chosen, positions, strict=True)]
        if self._search is None or self._search.games < count:
            nodes = self._settings.simulations + 2
            self._search = TreeSearch(game, self._settings.search, games=count, nodes=nodes)
        games = np.arange(count, dtype=np.int32)
        self._search.set_roots(games, states, *game.histories_of(positions), self._evaluator)
        self._search.run(self._evaluator, self._settings.simulations, games=games)
        chosen = self._search.roots().chosen_actions[:count]
        return [game.move_of(int(a), position.side) for a, position in zip(chosen, positions, strict=True)]


class AgentPlayer:
    """Any other player, asked about one game after the other."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def choose(self, positions: Sequence[Any]) -> list[Any]:
        return [self._agent.choose(position) for position in positions]


def make_pairings(
    count: int, rng: np.random.Generator, *, plies: int = 6, placements: float = 0.5, game: Game | None = None
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
        moves = players[turn].choose([positions[i] for i in active])
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
