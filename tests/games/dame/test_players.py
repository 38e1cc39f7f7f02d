"""The players that any game has, playing Dame."""

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.games import load
from alphadiamond.games.dame import Position
from alphadiamond.games.dame.solver import DameSolution
from tests.games.dame import reference
from tests.games.dame.samples import random_game, random_position

WON = 10_000


def plain_score(state: reference.State) -> int:
    """Ten times the difference in men plus the difference in how far they have advanced, for the side to move."""
    total = 0
    for square, side in state.men.items():
        gone = int(square[1]) - 1 if side == "w" else 6 - int(square[1])
        total += (10 + gone) * (1 if side == state.side else -1)
    return total


def plain_minimax(state: reference.State, depth: int) -> int:
    """The score for the side to move; a game that is over counts more than any, the sooner the more."""
    over = reference.outcome(state)
    if over is not None:
        return (WON + depth) * (1 if over[0] == state.side else -1)
    if depth == 0:
        return plain_score(state)
    return max(-plain_minimax(reference.play(state, move), depth - 1) for move in reference.moves(state))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_minimax_is_that_of_the_document(depth: int) -> None:
    rng = np.random.default_rng(depth)
    agent = make_agent(f"minimax:depth={depth}", game=load("dame"), seed=1)
    positions = [random_game(rng)[ply] for ply in (0, 3, 6) for _ in range(3)]
    positions += [p for p in (random_position(rng) for _ in range(25)) if p.outcome is None]
    for position in positions:
        agent.reset()
        analysis = agent.analyse(position)
        state = reference.parse(str(position))
        assert analysis.best in position.moves()
        if plain_minimax(state, depth) >= WON:  # nothing else is looked at more deeply once a win is found
            assert analysis.value == 1
            continue
        for one in analysis.moves:
            expected = -plain_minimax(reference.play(state, str(one.move)), depth - 1)
            if abs(expected) < WON:
                assert one.score == expected, (str(position), str(one.move))
            else:
                assert one.value == -1, (str(position), str(one.move))


@pytest.mark.parametrize("spec", ["random", "greedy", "minimax:depth=3", "mcts:simulations=50", "hard"])
def test_a_player_plays_both_sides_to_the_end(spec: str) -> None:
    agent = make_agent(spec, game=load("dame"), seed=3)
    position = Position.start()
    while position.outcome is None:
        position = position.play(agent.choose(position))
    assert str(position.outcome.reason) in ("far rank", "no men", "no move")


def test_the_perfect_player_wins_with_white_in_23_plies_at_most(
    dame_solution: DameSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alphadiamond.games.dame.solver.solution.shared", lambda: dame_solution)
    perfect = make_agent("perfect", game=load("dame"), seed=1)
    for spec in ("perfect", "minimax:depth=3", "random"):
        position, plies = Position.start(), 0
        players = (perfect, make_agent(spec, game=load("dame"), seed=2))
        while position.outcome is None:
            position, plies = position.play(players[position.side].choose(position)), plies + 1
        assert str(position.outcome.winner) == "white"
        assert plies <= 23
        assert spec != "perfect" or plies == 23
