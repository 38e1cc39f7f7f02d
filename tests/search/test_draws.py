"""Proofs of draws where nothing recurs, against a perfect reference: tic-tac-toe, whose start is a draw."""

import functools

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.base.results import DRAW
from alphadiamond.search import SearchSettings, TreeSearch
from alphadiamond.search.trees import UNKNOWN
from examples.tic_tac_toe import TicTacToe
from tests.games import tic_tac_toe_reference as plain

GAME = TicTacToe()
Floats = npt.NDArray[np.float32]


def uniform(states: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    return np.full((len(states), 9), 1 / 9, dtype=np.float32), np.full((len(states), 3), 1 / 3, dtype=np.float32)


@functools.cache
def value(state: str) -> int:
    """For the side to move, by looking at every way to go on."""
    ended = plain.outcome(state)
    if ended is not None:
        return 0 if ended == "draw" else 1 if ended == plain.side(state) else -1
    return max(-value(plain.play(state, move)) for move in plain.moves(state))


def some_states(count: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        state = plain.start()
        for _ in range(rng.integers(1, 7)):
            if moves := plain.moves(state):
                state = plain.play(state, str(rng.choice(moves)))
        if plain.outcome(state) is None:
            found[state] = None
    return list(found)


def searched(states: list[str], simulations: int, *, method: str, prove: bool = True) -> TreeSearch:
    positions = [GAME.parse(plain.text(state)) for state in states]
    settings = SearchSettings(method=method, prove=prove)
    search = TreeSearch(GAME, settings, games=len(states), nodes=simulations + 2)
    games = list(range(len(states)))
    search.set_roots(games, GAME.states_of(positions), *GAME.histories_of(positions), uniform)
    search.run(uniform, simulations)
    return search


@pytest.mark.parametrize("method", ["puct", "gumbel"])
def test_what_is_proven_is_true_and_most_is_proven(method: str) -> None:
    states = some_states(120, seed=1)
    search = searched(states, 1500, method=method)
    roots = search.roots()
    truth = np.array([value(state) for state in states])
    proven = roots.result != UNKNOWN
    assert (roots.result[proven] == truth[proven]).all()
    assert set(roots.result[proven].tolist()) == {-1, 0, 1}
    assert proven.mean() > 0.75
    assert (roots.value[proven] == truth[proven]).all()
    assert (roots.draw[proven] == (truth[proven] == DRAW)).all()
    for g in np.flatnonzero(proven).tolist():
        after = plain.play(states[g], str(int(roots.chosen_actions[g]) + 1))
        assert -value(after) == truth[g], "the move that is played keeps what is proven"
    chances = search.prospects(roots)
    assert (chances[proven].argmax(axis=1) == 1 - truth[proven]).all()


def test_every_draw_near_the_end_is_proven() -> None:
    states = [state for state in some_states(200, seed=3) if state.count(".") <= 5 and value(state) == DRAW]
    assert len(states) > 10
    assert (searched(states, 2_000, method="puct").roots().result == DRAW).all()


def test_without_proofs_nothing_is_said_to_be_proven() -> None:
    roots = searched(some_states(20, seed=2), 400, method="puct", prove=False).roots()
    assert (roots.result == UNKNOWN).any()
    assert not (roots.result == DRAW).any()
