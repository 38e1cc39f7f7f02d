"""The six sets by discs and plies to the end: what is in them, and that the answers are right."""

import numpy as np
import pytest

from alphadiamond.games import load
from alphadiamond.games.connect_four.exam_sets import NAMES, make_sets, set_of
from alphadiamond.games.connect_four.solver import Solver

GAME = load("connect_four")


@pytest.mark.parametrize(
    ("discs", "plies", "name"),
    [
        (29, 13, "end easy"),
        (36, 6, "end easy"),
        (15, 13, "middle easy"),
        (28, 14, "middle medium"),
        (15, 27, "middle medium"),
        (14, 13, "begin easy"),
        (8, 14, "begin medium"),
        (14, 27, "begin medium"),
        (14, 28, "begin hard"),
        (8, 34, "begin hard"),
    ],
)
def test_a_set_is_said_by_discs_and_plies(discs: int, plies: int, name: str) -> None:
    assert NAMES[set_of(discs, plies)] == name


@pytest.mark.slow
def test_sets_are_the_same_whoever_solves_them_and_hold_what_they_say() -> None:
    questions, sets = make_sets(positions=2, seed=5, workers=1)
    again, others = make_sets(positions=2, seed=5, workers=2)
    assert sets == others
    assert all(np.array_equal(one, two) for one, two in zip(questions, again, strict=True))
    assert sorted(sets) == sorted([*range(len(NAMES))] * 2)
    solver = Solver()
    values, distances = solver.values(questions.states)
    action_values, _ = solver.action_values(questions.states)
    assert np.array_equal(values, questions.values)
    assert np.array_equal(distances, questions.distances)
    assert np.array_equal(questions.keeping, action_values == values[:, None])
    discs = np.bitwise_count(questions.states[:, 0] | questions.states[:, 1])
    for number, count, value, plies in zip(sets, discs.tolist(), values, distances.tolist(), strict=True):
        assert set_of(count, plies if value else 42 - count) == number
