"""`neural` with `history=false`: a function of the position alone; and simulations spent unevenly."""

from typing import Any

import numpy as np
import pytest

from alphadiamond.agents import AgentError, make_agent
from alphadiamond.agents.positional import turn_back
from alphadiamond.games import BUILT_IN, load
from tests.agents.networks import untrained_checkpoint

UNEVEN = "sure=0.2,doubt=3"


def agent_of(name: str, parameters: str) -> Any:
    return make_agent(f"neural:checkpoint={untrained_checkpoint(name)},device=cpu,{parameters}", game=load(name))


def some_states(name: str, count: int) -> Any:
    game, rng = load(name), np.random.default_rng(7)
    return np.array([game.random_start(rng) for _ in range(count)])


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("parameters", ["simulations=0", "simulations=6", f"simulations=6,{UNEVEN}"])
def test_a_move_is_the_same_in_whatever_company_and_order(name: str, parameters: str) -> None:
    agent = agent_of(name, f"{parameters},history=false")
    assert agent.positional
    states = some_states(name, 40)
    actions, chances = agent.answer_states(states)
    order = np.random.default_rng(1).permutation(len(states))
    again, said = agent.answer_states(states[order])
    assert np.array_equal(again, actions[order])
    assert np.array_equal(said, chances[order])
    for row in range(3):
        alone, said = agent.answer_states(states[row : row + 1])
        assert alone[0] == actions[row]
        assert np.array_equal(said[0], chances[row])
    positions = [agent.game.position_of(state) for state in states[:8]]
    assert [agent.choose(position).action for position in positions] == actions[:8].tolist()
    assert [move.action for move in agent.choose_many(positions)] == actions[:8].tolist()


@pytest.mark.parametrize("name", ["diamond_chase", "connect_four", "labyrinth"])
@pytest.mark.parametrize("simulations", [0, 6])
def test_images_of_a_position_get_images_of_one_move(name: str, simulations: int) -> None:
    game, agent = load(name), agent_of(name, f"simulations={simulations},history=false")
    states = some_states(name, 30)
    keys = game.canonical(states)[0]
    actions, _ = agent.answer_states(states)
    followed = _after(game, states, actions)
    for symmetry in range(1, len(game.shape.symmetries)):
        turned = game.images(states, np.full(len(states), symmetry))
        assert np.array_equal(game.canonical(turned)[0], keys)
        found, _ = agent.answer_states(turned)
        assert np.array_equal(_after(game, turned, found), followed)


def _after(game: Any, states: Any, actions: Any) -> Any:
    """What the moves lead to, up to symmetry."""
    return game.canonical(game.expand(states, actions.astype(np.int16))[0])[0]


def test_the_way_to_a_position_is_set_aside() -> None:
    game = load("diamond_chase")
    agent = agent_of("diamond_chase", "simulations=8,history=false")
    start = game.parse("r/../r/..r/..g..../g.r/./gg/. g")
    there = start
    for text in ("cw-c", "n-nw", "c-cw", "nw-n"):
        there = there.play(text)
    assert there.occurrences == 2
    assert there.own == start.own
    late = game.parse(f"{str(start).rpartition(' ')[0]} 93")
    first, second, third = (agent.analyse(position) for position in (start, there, late))
    assert first.best == second.best == third.best
    assert first.value == second.value == third.value
    assert second.position is there


def test_an_analysis_is_of_the_position_that_was_asked() -> None:
    game = load("diamond_chase")
    agent = agent_of("diamond_chase", "simulations=8,history=false")
    for state in some_states("diamond_chase", 10):
        position = game.position_of(state)
        analysis = agent.analyse(position)
        assert sorted(one.move.action for one in analysis.moves) == [move.action for move in position.moves()]
        for one in analysis.moves:
            after = position
            for move in one.variation:
                after = after.play(move)


def test_actions_are_turned_back_by_the_inverse() -> None:
    game = load("diamond_chase")
    for symmetry, images in enumerate(game.shape.action_symmetries):
        everywhere = np.full(game.actions, symmetry)
        assert np.array_equal(turn_back(game, images, everywhere), np.arange(game.actions))


def test_simulations_are_spent_where_the_network_is_not_sure_and_more_where_it_is_contradicted() -> None:
    name, states = "diamond_chase", some_states("diamond_chase", 60)
    bare, even, longer = (agent_of(name, f"simulations={count}") for count in (0, 8, 24))
    policy, chances = bare._evaluator(states)
    certainty = np.minimum(policy.max(axis=1), chances.max(axis=1))
    limit = float(np.median(certainty))
    sure = certainty >= limit
    uneven = agent_of(name, f"simulations=8,sure={limit:.17f},doubt=3")
    first, searched, long, found = (agent.answer_states(states)[0] for agent in (bare, even, longer, uneven))
    agreed = searched == first
    assert 0 < sure.sum() < len(states)
    assert 0 < (agreed & ~sure).sum() < (~sure).sum()
    assert np.array_equal(found, np.where(sure | agreed, first, long))
    assert np.array_equal(found[sure], first[sure])
    spent = uneven.simulations_made
    expected = 8 * (~sure).sum() + 24 * (~sure & ~agreed).sum()
    assert 0.5 * expected < spent <= expected, "a proven root ends early"
    positions = [uneven.game.position_of(state) for state in states]
    assert [one.best.action for one in uneven.analyse_many(positions)] == found.tolist()


@pytest.mark.parametrize("parameters", ["seconds=1,history=false", "seconds=1,sure=0.5", "seconds=1,doubt=2"])
def test_who_goes_by_the_clock_is_no_function_of_the_position(parameters: str) -> None:
    with pytest.raises(AgentError, match="give simulations"):
        agent_of("diamond_chase", parameters)
