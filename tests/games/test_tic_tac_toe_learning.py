"""A new game is learnt to perfection with nothing but its rules."""

from pathlib import Path

import pytest

from alphadiamond import games
from examples.tic_tac_toe import Position
from tests.games.tic_tac_toe_learning import answers, learn, mistakes, reachable, value_of, worst_result

SIMULATIONS = 4


def test_the_plain_values_are_those_that_everybody_knows() -> None:
    everywhere = reachable()
    assert len(everywhere) == 4520  # 5,478 positions, of which 958 are ends
    assert value_of(Position()) == 0
    wrong = dict(zip(everywhere, (position.moves()[0] for position in everywhere), strict=True))
    assert len(mistakes(everywhere, list(wrong.values()))) > 1000, "whoever takes the first cell is found out"
    assert worst_result(Position(), wrong, first=True) == worst_result(Position(), wrong, first=False) == -1


@pytest.mark.slow
def test_tic_tac_toe_is_learnt_to_perfection(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    request.addfinalizer(lambda: games.unregister("tic_tac_toe"))  # other tests do without it
    learn(tmp_path)
    everywhere = reachable()
    bare = answers(tmp_path, everywhere, 0)
    assert len(mistakes(everywhere, bare)) < 50, "the bare policy is all but perfect"
    moves = answers(tmp_path, everywhere, SIMULATIONS)
    assert mistakes(everywhere, moves) == []
    choice = dict(zip(everywhere, moves, strict=True))
    for first in (True, False):
        assert worst_result(Position(), choice, first=first) == 0, "it never loses, whatever the other side plays"
