"""MCTS: its books balance, its rollouts are those of the plain version, the draw rules hold, and it converges."""

import math
import random

import numpy as np
import pytest

from alphadiamond.agents import make_agent, mcts
from alphadiamond.agents.mcts import MctsAgent
from alphadiamond.agents.mcts_kernels import judge, rollout
from alphadiamond.game import Position, Reason
from alphadiamond.game.kernels import random_stream
from tests.agents import reference_players
from tests.agents.matches import score_with_error
from tests.agents.positions import middle_game, placed, shuffled


def test_every_simulation_goes_through_one_root_move() -> None:
    analysis = make_agent("mcts:simulations=2345", seed=1).analyse(Position.start())
    assert analysis.simulations == 2345
    assert sum(one.visits or 0 for one in analysis.moves) == 2345
    assert sum(one.score for one in analysis.moves) == pytest.approx(1)
    assert analysis.best == max(analysis.moves, key=lambda one: one.visits or 0).move


def test_exploration_is_the_square_root_of_two_and_less_in_fast_mode() -> None:
    assert MctsAgent().exploration == math.sqrt(2)
    assert (MctsAgent().seconds, MctsAgent(fast=True).seconds) == (1.5, 0.15)
    assert MctsAgent(fast=True).exploration == 1.2
    assert MctsAgent(fast=True, exploration=0.5).exploration == 0.5


def test_judgements_are_those_of_the_plain_version() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        position = middle_game(rng)
        state = reference_players.State.of(position)
        assert judge(position.own, position.opp) == pytest.approx(reference_players.judge(state.board, state.side))


def test_rollouts_score_on_average_as_in_the_plain_version() -> None:
    rng = np.random.default_rng(2)
    stream = random_stream(rng)
    plain_rng = random.Random(1)
    for _ in range(3):
        position = Position.parse(str(placed(rng, int(rng.integers(4, 7)), 4)))
        keys = np.zeros(256, dtype=np.int64)

        def one(position: Position = position, keys: np.ndarray = keys) -> float:
            keys[0] = position.key
            return rollout(position.own, position.opp, position.quiet, keys, 1, stream)

        ours = np.array([one() for _ in range(4000)])
        plain = np.array(
            [reference_players.rollout(reference_players.State.of(position), plain_rng) for _ in range(100)]
        )
        error = math.sqrt(ours.var() / len(ours) + plain.var() / len(plain))
        assert abs(ours.mean() - plain.mean()) < 4 * error + 1e-9


def test_a_third_occurrence_is_worth_a_draw_and_nothing_else() -> None:
    rng = np.random.default_rng(3)
    found = 0
    while found < 5:
        position = shuffled(rng, 11)
        analysis = make_agent("mcts:simulations=400", seed=1).analyse(position)
        for one in analysis.moves:
            outcome = position.play(one.move).outcome
            if outcome is not None and outcome.reason is Reason.REPETITION and one.visits:
                assert one.value == 0
                assert one.variation == (one.move,)
                found += 1


def test_the_no_capture_limit_is_worth_a_draw() -> None:
    rng = np.random.default_rng(4)
    for _ in range(5):
        position = placed(rng, 5, 5, quiet=99)
        for one in make_agent("mcts:simulations=200", seed=1).analyse(position).moves:
            if not position.removed_by(one.move):
                assert one.value == 0


def test_a_position_that_comes_back_in_the_tree_is_a_draw_at_its_second_occurrence() -> None:
    # Deep principal variations never hold a position twice below the root unless they end there.
    rng = np.random.default_rng(5)
    agent = make_agent("mcts:simulations=20000,exploration=0.3", seed=1)
    for _ in range(3):
        position = shuffled(rng, 6)
        for one in agent.analyse(position).moves:
            line, keys = position, []
            for move in one.variation:
                line = line.play(move)
                keys.append(line.key)
            assert len(set(keys[:-1])) == len(keys[:-1])


def test_a_full_tree_is_sampled_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "_MAX_NODES", 1)  # so that the first arrays, of 2^14 nodes, are all there is
    analysis = make_agent("mcts:simulations=30000", seed=1).analyse(Position.start())
    assert analysis.simulations == sum(one.visits or 0 for one in analysis.moves) == 30000


def test_a_tree_outgrows_its_first_arrays() -> None:
    assert make_agent("mcts:simulations=40000", seed=1).analyse(Position.start()).simulations == 40000


def test_a_long_search_finds_most_wins_that_minimax_proves() -> None:
    # Not all: where every move is nearly won, the means of UCT are slow to part.
    rng = np.random.default_rng(6)
    asked = found = 0
    while asked < 12:
        position = placed(rng, 5, 4)
        exact = make_agent("minimax:depth=3", seed=1).analyse(position)
        if exact.value != 1 or exact.moves[0].distance != 3:
            continue
        asked += 1
        winning = {one.move for one in exact.moves if one.value == 1}
        found += make_agent("mcts:simulations=20000", seed=1).choose(position) in winning
    assert found >= 9


@pytest.mark.slow
@pytest.mark.parametrize(("more", "fewer"), [(200, 50), (800, 200), (3200, 800)])
def test_more_simulations_beat_fewer(more: int, fewer: int) -> None:
    score, error = score_with_error(f"mcts:simulations={more}", f"mcts:simulations={fewer}", pairs=100, seed=1)
    assert score - error > 0.5, f"{score:.3f} ± {error:.3f}"
