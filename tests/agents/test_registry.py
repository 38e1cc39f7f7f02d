"""How text becomes a player, and what is said where it cannot."""

import pytest

from alphadiamond.agents import AgentError, make_agent, players_of
from alphadiamond.games.diamond_chase.game import GAME


def test_an_unknown_name_is_answered_with_those_that_exist() -> None:
    with pytest.raises(AgentError) as error:
        make_agent("minimaks", game=GAME)
    assert "did you mean minimax?" in str(error.value)
    assert all(name in str(error.value) for name in players_of(GAME))


def test_an_unknown_parameter_is_answered_with_those_that_exist() -> None:
    with pytest.raises(AgentError) as error:
        make_agent("mcts:sims=100", game=GAME)
    assert all(name in str(error.value) for name in ("simulations", "seconds", "exploration", "fast", "seed"))


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=0",
        "minimax:depth=61",
        "minimax:depth=four",
        "minimax:seconds=0",
        "minimax:seconds=nan",
        "minimax:seconds=inf",
        "minimax:weight=-1",
        "minimax:table_bits=40",
        "minimax:depth=4,depth=5",
        "minimax:depth",
        "minimax:quiescence=maybe",
        "mcts:simulations=0",
        "mcts:seconds=-1",
        "mcts:exploration=-1",
        "mcts:exploration=nan",
        "fuzzy:depth=9",
        "hybrid:narrow=-1",
        "hybrid:seconds=0",
        "adaptive:strength=9",
        "adaptive:step=0",
        "expert:depth=4",
    ],
)
def test_a_parameter_out_of_range_is_refused_in_one_line(spec: str) -> None:
    with pytest.raises(AgentError) as error:
        make_agent(spec, game=GAME)
    assert spec in str(error.value)
    assert "\n" not in str(error.value)
