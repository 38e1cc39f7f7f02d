"""The classical players: minimax and MCTS, compiled against the same algorithms in plain Python.

One thread each, timed by the processor's clock, so that other work on the machine hardly counts; but for the depth that
minimax reaches in one second.
"""

import itertools
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

from alphadiamond.agents import make_agent
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.players.tactics import winning_moves
from benchmarks.rates import Row, rate, rates
from tests.agents import reference_players
from tests.games.connect_four import reference as connect_four
from tests.games.connect_four.samples import random_game as connect_four_game
from tests.games.diamond_chase.samples import random_game

_REFERENCE = "plain Python"
_ROUNDS = 10
"""Of a turn of minimax: one alone is over before the processor has warmed to it."""


def middle_games(count: int, seed: int) -> list[Position]:
    """Positions after 10 to 40 random plies, without history, in which nobody wins at once."""
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < count:
        game = random_game(rng)
        place = int(rng.integers(10, 41))
        if place < len(game) - 1 and not winning_moves(game[place]):
            found.append(Position.parse(str(game[place])))
    return found


def measure(*, repeats: int, seed: int) -> list[Row]:
    positions = middle_games(20, seed)

    def minimax(spec: str) -> Callable[[], float]:
        def work() -> float:
            for _ in range(_ROUNDS):
                agent = make_agent(spec, seed=seed, game=GAME)  # with an empty table
                for position in positions:
                    agent.choose(position)
            return _ROUNDS * len(positions)

        return work

    def plain_minimax() -> float:
        for position in positions:
            reference_players.alpha_beta(reference_players.State.of(position), 4)
        return len(positions)

    def mcts() -> float:
        agent = make_agent("mcts:simulations=2000", seed=seed, game=GAME)
        return float(sum(agent.analyse(position).simulations or 0 for position in positions[:5]))

    def plain_mcts() -> float:
        for position in positions[:5]:
            reference_players.mcts(reference_players.State.of(position), 25, random.Random(seed))
        return 25 * 5

    dropped = [
        next(state for state, _ in itertools.islice(connect_four_game(np.random.default_rng([seed, i])), 6, None))
        for i in range(3)  # no game is over after six plies
    ]

    def drops() -> float:
        agent = make_agent("minimax:depth=4", game=load("connect_four"), seed=seed)
        for state in dropped:
            agent.choose(load("connect_four").parse(connect_four.text(state)))
        return len(dropped)

    def plain_drops() -> float:
        for state in dropped:
            connect_four.alpha_beta(state, 4)
        return len(dropped)

    same, plain = rates(minimax("minimax:depth=4"), plain_minimax, repeats=repeats, clock=time.process_time)
    discs, plain_discs = rates(drops, plain_drops, repeats=repeats, clock=time.process_time)
    fast, deep = (
        statistics.median(rate(minimax(f"minimax:depth={depth}"), time.process_time) for _ in range(repeats))
        for depth in (4, 8)
    )
    simulations, plain_simulations = rates(mcts, plain_mcts, repeats=repeats, clock=time.process_time)
    depths = [
        make_agent("minimax:seconds=1", seed=seed, game=GAME).analyse(position) for position in positions[:repeats]
    ]
    reached = [one.depth or 0 for one in depths if not one.exact]
    return [
        Row("minimax of depth 4 without quiescence", same, "moves/s", plain, _REFERENCE),
        Row("minimax of depth 4, Connect Four", discs, "moves/s", plain_discs, _REFERENCE),
        Row("minimax of depth 4, time", 1000 / fast, "ms/move"),
        Row("minimax of depth 8, time", 1000 / deep, "ms/move"),
        Row("minimax in one second, depth", statistics.median(reached) if reached else float("nan"), "plies"),
        Row("mcts", simulations, "simulations/s", plain_simulations, _REFERENCE),
    ]
