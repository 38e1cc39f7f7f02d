"""A plain match for tests: pairs of games from one random opening with colours swapped."""

import math

import numpy as np

from alphadiamond.agents import Agent, make_agent
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME

OPENING_PLIES = 6


def random_opening(rng: np.random.Generator) -> Position:
    while True:
        position = Position.start()
        for _ in range(OPENING_PLIES):
            moves = position.moves()
            position = position.play(moves[rng.integers(len(moves))])
        if position.outcome is None:
            return position


def play(position: Position, first: Agent, second: Agent) -> float:
    """The score of the player who moves first."""
    side = position.side
    while (outcome := position.outcome) is None:
        position = position.play((first if position.side is side else second).choose(position))
    return 0.5 if outcome.winner is None else float(outcome.winner is side)


def score_with_error(spec: str, other: str, *, pairs: int, seed: int) -> tuple[float, float]:
    """The mean score of the first player and the half-width of its 95 % interval, by pairs."""
    rng = np.random.default_rng(seed)
    agent, opponent = make_agent(spec, seed=seed, game=GAME), make_agent(other, seed=seed + 1, game=GAME)
    scores = []
    for _ in range(pairs):
        position = random_opening(rng)
        scores.append((play(position, agent, opponent) + 1 - play(position, opponent, agent)) / 2)
    return float(np.mean(scores)), 1.96 * float(np.std(scores, ddof=1)) / math.sqrt(pairs)
