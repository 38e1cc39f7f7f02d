"""The solver against plain search, and what it knows of the whole game."""

from collections.abc import Iterator

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.base.game import ILLEGAL
from alphadiamond.games.connect_four import Position
from alphadiamond.games.connect_four.solver import Book, Solver, kernels
from tests.games.connect_four import reference
from tests.games.connect_four.samples import random_game
from tests.games.connect_four.solver import plain

GAME = games.load("connect_four")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(Book.empty(), table_bits=16)


def late_states(count: int, discs: int) -> Iterator[reference.State]:
    """Of games that go on, from random games."""
    rng = np.random.default_rng(discs)
    found = 0
    while found < count:
        for state, move in random_game(rng):
            if move is not None and sum(map(len, state.columns)) == discs:
                found += 1
                yield state


@pytest.mark.parametrize("discs", [36, 37, 39])
def test_scores_and_distances_are_those_of_trying_everything(solver: Solver, discs: int) -> None:
    results = set()
    for state in late_states(6, discs):
        position = Position.parse(reference.text(state))
        assert solver.score(position.own, position.occupied) == plain.score(state)
        states = GAME.states_of([position])
        values, distances = solver.values(states)
        assert values[0] == np.sign(plain.score(state))
        assert distances[0] == plain.plies(state)
        move_values, move_distances = solver.action_values(states)
        legal = {int(move) - 1 for move in reference.moves(state)}
        for action in range(7):
            if action not in legal:
                assert (move_values[0, action], move_distances[0, action]) == (ILLEGAL, 0)
                continue
            after = reference.play(state, str(action + 1))
            assert move_values[0, action] == -np.sign(plain.score(after))
            expected = 0 if plain.score(after) == 0 else 1 + plain.plies(after)
            assert move_distances[0, action] == expected
        results.add(int(values[0]))
    assert results


def test_the_value_of_a_position_is_that_of_its_best_move(solver: Solver) -> None:
    rng = np.random.default_rng(1)
    states = np.array([GAME.opening(rng, plies) for plies in range(18, 30) for _ in range(6)])
    values, distances = solver.values(states)
    move_values, move_distances = solver.action_values(states)
    best = np.where(move_values == ILLEGAL, -2, move_values).max(axis=1)
    assert (best == values).all()
    for value, distance, row, ways in zip(values, distances, move_values, move_distances, strict=True):
        if value:
            assert distance == (min if value > 0 else max)(ways[row == value])
        else:
            assert distance == 0
    mirrored = GAME.images(states, np.ones(len(states), dtype=np.int64))
    assert (Solver(Book.empty(), table_bits=12).values(mirrored)[0] == values).all()


def test_a_small_table_changes_no_answer(solver: Solver) -> None:
    rng = np.random.default_rng(2)
    boards = [GAME.opening(rng, 16) for _ in range(10)]
    tiny = Solver(Book.empty(), table_bits=4)
    for own, opp, _ in boards:
        assert tiny.score(int(own), int(own | opp)) == solver.score(int(own), int(own | opp))
    before = solver.score(int(own), int(own | opp))
    solver.clear()
    assert solver.score(int(own), int(own | opp)) == before


def test_answering_in_the_same_column_bounds_the_first_player(solver: Solver) -> None:
    rng = np.random.default_rng(3)
    bounds = []
    for _ in range(400):
        own, opp, _ = (int(part) for part in GAME.opening(rng, 2 * int(rng.integers(12, 20))))
        if kernels.can_win(own, own | opp):
            continue
        bound = kernels.first_player_bound(own, opp)
        score = solver.score(own, own | opp)
        if bound < kernels.HIGHEST:
            assert score <= bound
            bounds.append(bound)
    assert bounds.count(0) >= 5
    assert bounds.count(-1) >= 5


def test_a_search_that_is_gone_on_with_finds_what_one_without_a_break_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphadiamond.games.connect_four.solver.solver.SLICE", 10)
    rng = np.random.default_rng(3)
    breaks = 0
    for _ in range(60):
        state = GAME.opening(rng, int(rng.integers(18, 30)))
        whole, broken = Solver(Book.empty(), table_bits=10), Solver(Book.empty(), table_bits=10)
        (value,), (distance,) = whole.values(state[None])
        looks: list[bool] = []
        assert broken.search(state, lambda looks=looks: bool(looks.append(True))) == (value, distance)
        breaks += len(looks)
    assert breaks > 1000


def test_a_search_ends_when_it_is_told_to() -> None:
    solver = Solver(Book.empty())
    looks = iter([False, False])
    assert solver.search(GAME.states_of([GAME.start()])[0], lambda: next(looks, True)) is None


def test_a_search_that_takes_too_long_is_given_up() -> None:
    stack, table = np.zeros(kernels.STACK_SHAPE, dtype=np.int64), np.zeros(1 << 10, dtype=np.uint64)
    score, nodes = kernels.solve(0, 0, -kernels.HIGHEST, kernels.HIGHEST, stack, table, 1000)
    assert score == kernels.UNKNOWN
    assert nodes == 1001


def test_the_table_keeps_bounds_and_forgets_the_later_position_first() -> None:
    table = np.zeros(2, dtype=np.uint64)  # one pair
    keys = []
    own = mask = 0
    for column in (3, 3, 3, 2):
        own, mask = own ^ mask, mask + (1 << 7 * column) | mask
        keys.append(own + mask)
    for discs, key in enumerate(keys, start=1):
        assert kernels._discs_of_key(key) == discs
    kernels.keep(keys[1], 2, -3, 5, table)
    assert kernels.look_up(keys[1], table) == (-3, 5)
    kernels.keep(keys[2], 3, 0, 0, table)
    kernels.keep(keys[3], 4, 1, 18, table)
    assert kernels.look_up(keys[1], table) == (-3, 5)
    assert kernels.look_up(keys[2], table) == (-18, 18)
    assert kernels.look_up(keys[3], table) == (1, 18)
    kernels.keep(keys[0], 1, -18, 4, table)
    assert kernels.look_up(keys[0], table) == (-18, 4)
    assert kernels.look_up(keys[1], table) == (-3, 5)


def test_a_finished_game_has_its_result_and_no_moves(solver: Solver) -> None:
    won = GAME.parse("......./......./x....../xo...../xo...../xo..... o")
    full = GAME.parse("ooxooox/xxoxxxo/ooxooox/xxoxxxo/ooxooox/xxoxxxo x")
    states = GAME.states_of([won, full])
    values, distances = solver.values(states)
    assert values.tolist() == [-1, 0]
    assert distances.tolist() == [0, 0]
    assert (solver.action_values(states)[0] == ILLEGAL).all()
