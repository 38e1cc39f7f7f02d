"""The tree that the network player keeps between moves."""

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.agents.neural import NeuralAgent
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.game import GAME
from tests.agents.networks import untrained_checkpoint

SIMULATIONS = 300


def player(method: str = "puct") -> NeuralAgent:
    spec = f"neural:checkpoint={untrained_checkpoint()},simulations={SIMULATIONS},method={method},device=cpu"
    agent = make_agent(spec, seed=1, game=GAME)
    assert isinstance(agent, NeuralAgent)
    return agent


def visits_after(agent: NeuralAgent, *line: Move) -> int:
    """How often the search has been where these moves lead."""
    trees, node = agent._search.trees, 0
    for move in line:
        actions = trees.action[0, node, : trees.node["moves"][0, node]]
        node = int(trees.edge["child"][0, node, int(np.flatnonzero(actions == move.action)[0])])
        assert node >= 0, "the search has not been there"
    return int(trees.node["visits"][0, node])


def expected_line(agent: NeuralAgent, position: Position) -> tuple[Move, Move]:
    analysis = agent.analyse(position)
    first, second = analysis.moves[0].variation[:2]
    return first, second


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_a_search_goes_on_from_what_it_knows_where_the_game_has_followed_it(plies: int) -> None:
    agent, start = player(), Position.start()
    line = expected_line(agent, start)[:plies]
    kept = visits_after(agent, *line)
    assert kept > 3, "or there would be nothing to keep"
    position = start
    for move in line:
        position = position.play(move)
    analysis = agent.analyse(position)
    assert analysis.simulations == (SIMULATIONS if plies == 0 else kept - 1 + SIMULATIONS)
    assert {one.move for one in analysis.moves} == set(position.moves())
    assert sum(one.visits or 0 for one in analysis.moves) == analysis.simulations


def test_a_kept_tree_is_the_tree_of_the_position() -> None:
    """Every line it expects can be played, many moves later and through repeated positions as well."""
    agent, position = player(), Position.start()
    followed = 0
    for _ in range(12):
        analysis = agent.analyse(position)
        assert sorted(one.move for one in analysis.moves) == sorted(position.moves())
        followed += (analysis.simulations or 0) > SIMULATIONS
        for one in analysis.moves:
            after = position
            for move in one.variation:
                after = after.play(move)
        position = position.play(analysis.best)
        if position.outcome is not None:
            break
        position = position.play(position.moves()[-1])
        if position.outcome is not None:
            break
    assert followed >= 3, "trees were kept"


def test_another_game_begins_a_new_tree() -> None:
    agent, start = player(), Position.start()
    first, second = expected_line(agent, start)
    position = start.play(first).play(second)
    agent.reset()
    assert agent.analyse(position).simulations == SIMULATIONS
    agent.reseed(1)
    assert agent.analyse(position).simulations == SIMULATIONS


def test_the_same_beads_with_another_history_are_another_position() -> None:
    """The draw rules look at the history, so its tree may not be taken over."""
    agent, start = player(), Position.start()
    first, second = expected_line(agent, start)
    position = start.play(first).play(second)
    alone = Position.parse(str(position))
    assert alone.history != position.history
    assert agent.analyse(alone).simulations == SIMULATIONS


def test_a_position_out_of_reach_begins_a_new_tree() -> None:
    agent, start = player(), Position.start()
    agent.analyse(start)
    position = start
    for _ in range(3):
        position = position.play(position.moves()[0])
    assert agent.analyse(position).simulations == SIMULATIONS


def test_sequential_halving_begins_from_nothing_each_time() -> None:
    agent, start = player("gumbel"), Position.start()
    first, second = expected_line(agent, start)
    assert agent.analyse(start.play(first).play(second)).simulations == SIMULATIONS
