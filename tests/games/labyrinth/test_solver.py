"""The exact margins: against trying everything, and by playing them out."""

import numpy as np
import pytest

from alphadiamond.games.labyrinth import Position, Side
from alphadiamond.games.labyrinth.game import GAME
from alphadiamond.games.labyrinth.position import state_of
from alphadiamond.games.labyrinth.solver import LabyrinthSolution
from tests.games.labyrinth import reference


@pytest.mark.parametrize("seed", range(6))
def test_best_play_from_the_start_ends_with_the_solved_margin(seed: int) -> None:
    solution = LabyrinthSolution(GAME.rules)
    position = Position.start(seed)
    margin = int(solution.margins(state_of(position)[None])[0])
    while position.outcome is None:
        margins, legal = solution.action_margins(state_of(position)[None])
        action = int(np.where(legal, margins, -9999)[0].argmax())
        position = position.play(GAME.move_of(action, position.side))
    assert position.outcome.totals[1] - position.outcome.totals[0] == margin


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_every_entry_equals_a_plain_reference(seed: int) -> None:
    """All plies left, all sets of power-ups, all cells of both runners."""
    solved = LabyrinthSolution(GAME.rules).solved(state_of(Position.start(seed)))
    plain = reference.all_margins(reference.start(seed))
    assert solved.table.shape == plain.shape
    assert (solved.table == plain).all()


def test_the_plain_reference_equals_trying_everything() -> None:
    plain = reference.start(1)
    table = reference.all_margins(plain)
    places, power_ups = reference.places_of(plain), sorted(plain.power_ups)
    known: dict[reference.State, int] = {}
    rng = np.random.default_rng(3)
    for left in range(5):
        for _ in range(60):
            live, a, b = int(rng.integers(16)), int(rng.integers(len(places))), int(rng.integers(len(places)))
            kept = frozenset(power_ups[i] for i in range(4) if live >> i & 1)
            state = plain._replace(power_ups=kept, runners=(places[a], places[b]), left=left)
            assert table[left, live, a, b] == reference.best_margin(state, known)


def test_a_solved_maze_serves_the_game_that_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = LabyrinthSolution(GAME.rules, kept=2)
    position = Position.start(4)
    first = solution.solved(state_of(position))
    while position.outcome is None:
        assert solution.solved(state_of(position)) is first
        position = position.play(position.moves()[0])
    for seed in (5, 6):
        solution.solved(state_of(Position.start(seed)))
    assert solution.solved(state_of(Position.start(4))) is not first, "no more than two are kept"


def test_values_are_the_signs_of_margins_for_the_side_to_move() -> None:
    solution = GAME.solution()
    positions = [Position.start(seed) for seed in range(8)]
    positions += [position.play(position.moves()[0]) for position in positions]
    states = np.array([state_of(position) for position in positions])
    values, plies = solution.values(states)
    margins = solution.margins(states)
    assert (values == np.sign(margins)).all()
    assert ((plies == 0) == (values == 0)).all()
    assert {position.side for position in positions} == {Side.A, Side.B}
    action_values, _ = solution.action_values(states)
    legal = GAME.legal(states)
    assert (np.where(legal, action_values, -2).max(axis=1) == values).all()
