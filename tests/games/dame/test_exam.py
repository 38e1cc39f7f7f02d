"""The exam of Dame is exact, and worth sitting."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond import games
from alphadiamond.base.game import ILLEGAL
from alphadiamond.games.dame import Side
from alphadiamond.games.dame.solver import DameSolution
from alphadiamond.games.dame.solver.index_kernels import index_of
from alphadiamond.games.dame.solver.summary import reachable

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

GAME = games.load("dame")


@pytest.fixture(scope="module")
def exam() -> Arrays:
    assert GAME.exam is not None
    with np.load(GAME.exam, allow_pickle=False) as file:
        return dict(file)


def test_it_has_three_thousand_positions_and_more_all_different(exam: Arrays) -> None:
    assert int(exam["format"]) == 2
    assert str(exam["game"]) == "dame"
    states = exam["states"]
    assert len(states) >= 3000
    assert len(np.unique(states, axis=0)) == len(states)
    phases, names = GAME.phases(states)
    assert (phases == exam["phases"]).all()
    assert names == tuple(exam["phase_names"])
    assert len(np.unique(exam["origins"])) == len(exam["origin_names"]) == 3
    for state in states[:200]:
        assert GAME.position_of(state, Side.BLACK).outcome is None


def test_every_answer_is_exact_and_a_move_can_go_wrong(exam: Arrays, dame_solution: DameSolution) -> None:
    values, plies = dame_solution.values(exam["states"])
    assert (values == exam["values"]).all()
    assert (values == 1).all()
    assert (plies == exam["distances"]).all()
    after, _ = dame_solution.action_values(exam["states"])
    keeping = np.unpackbits(exam["keeping"], axis=1, count=GAME.actions).astype(bool)
    assert (keeping == (after == 1)).all()
    assert ((after == -1).any(axis=1) & keeping.any(axis=1)).all()
    assert ((after != ILLEGAL) == GAME.legal(exam["states"])).all()


def test_few_wrong_moves_lose_at_once(exam: Arrays, dame_solution: DameSolution) -> None:
    values, plies = dame_solution.action_values(exam["states"])
    assert ((values == -1) & (plies > 2)).any(axis=1).mean() > 0.9


def test_games_come_to_its_positions(exam: Arrays) -> None:
    seen = reachable()
    assert all(seen[index_of(own, opp)] for own, opp, _ in exam["states"])
