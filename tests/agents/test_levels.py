"""The levels: how they slip, how the adaptive one follows, and that the ladder goes up."""

import itertools

import numpy as np
import pytest

from alphadiamond.agents import AgentError, make_agent
from alphadiamond.agents.levels import LEVELS, AdaptiveAgent
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.players.hybrid import HybridAgent
from alphadiamond.games.diamond_chase.players.tactics import captures
from tests.agents.matches import score_with_error
from tests.agents.plain_minimax import root_scores
from tests.agents.positions import middle_game


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_level_plays_minimax_moves_but_for_its_slips(level) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(1)
    agent = make_agent(level.name, seed=1, game=GAME)
    missed, expected, variance = 0, 0.0, 0.0
    for _ in range(400):
        position = middle_game(rng)
        scores = root_scores(position, level.depth)
        best = [action for action in scores if scores[action] == max(scores.values())]
        missed += agent.choose(position).action not in best
        if max(scores.values()) != 999_999:  # a win in one is never missed
            chance = level.slips * (1 - len(best) / len(scores))
            expected += chance
            variance += chance * (1 - chance)
    assert abs(missed - expected) <= 4 * variance**0.5


def test_the_adaptive_level_follows_results_and_stays_in_bounds() -> None:
    agent = AdaptiveAgent(strength=1.0, step=0.5, seed=1, game=GAME)
    assert (agent.record_result(1), agent.record_result(0.5), agent.record_result(0)) == (1.5, 1.5, 1.0)
    assert [agent.record_result(1) for _ in range(9)][-1] == 4
    assert agent.level == "expert"
    assert agent.choose(Position.start()) in Position.start().moves()
    assert [agent.record_result(0) for _ in range(20)][-1] == 0
    assert agent.level == "beginner"
    for score in (-0.1, 1.1, float("nan")):
        with pytest.raises(AgentError, match="expected 0"):
            agent.record_result(score)


def test_a_strength_between_two_levels_plays_like_both() -> None:
    rng = np.random.default_rng(2)
    positions = [middle_game(rng) for _ in range(150)]

    def misses(strength: float) -> int:
        agent = AdaptiveAgent(strength=strength, seed=1, game=GAME)
        found = 0
        for position in positions:
            scores = root_scores(position, 1)
            found += scores[agent.choose(position).action] < max(scores.values())
        return found

    assert misses(0) > misses(0.5) > misses(1)


def test_the_hybrid_asks_minimax_where_a_bead_can_be_taken_and_mcts_elsewhere() -> None:
    rng = np.random.default_rng(3)
    agent = HybridAgent(depth=2, simulations=50, narrow=0, seed=1)
    asked = {True: 0, False: 0}
    for _ in range(60):
        position = middle_game(rng)
        tactical = captures(position.own, position.opp) + captures(position.opp, position.own) > 0
        analysis = agent.analyse(position)
        assert (analysis.simulations is None) == tactical
        asked[tactical] += 1
    assert min(asked.values()) > 5
    assert HybridAgent(narrow=24, seed=1).is_tactical(Position.start())


@pytest.mark.slow
@pytest.mark.parametrize(("lower", "upper"), list(itertools.pairwise(["random", *(level.name for level in LEVELS)])))
def test_each_level_beats_the_one_below(lower: str, upper: str) -> None:
    score, error = score_with_error(upper, lower, pairs=100, seed=1)
    print(f"{upper} against {lower}: {score:.3f} ± {error:.3f}")
    assert score - error > 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "other"),
    [
        ("minimax:depth=4,quiescence=true", "minimax:depth=4"),
        ("greedy", "random"),
        ("fuzzy", "greedy"),
        ("hybrid:simulations=1000", "mcts:simulations=1000"),
    ],
)
def test_what_is_added_to_a_player_makes_it_stronger(spec: str, other: str) -> None:
    score, error = score_with_error(spec, other, pairs=60, seed=1)
    print(f"{spec} against {other}: {score:.3f} ± {error:.3f}")
    assert score - error > 0.5
