"""MCTS: its books balance, its rollouts are those of the plain version, the draw rules hold, and it converges."""

import math
import random

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.agents import make_agent, mcts
from alphadiamond.agents.mcts import MctsAgent
from alphadiamond.agents.mcts_kernels import NODE, ROLLOUT_PLIES, expand, make_node, rollout
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.results import DRAW, ONGOING
from alphadiamond.games.diamond_chase import Move, Position, Reason
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.heuristic_kernels import heuristic_value
from alphadiamond.games.diamond_chase.players.tactics import winning_moves
from tests.agents import reference_players
from tests.agents.matches import score_with_error
from tests.agents.positions import middle_game, placed, shuffled


def test_every_simulation_goes_through_one_root_move() -> None:
    analysis = make_agent("mcts:simulations=2345", seed=1, game=GAME).analyse(Position.start())
    assert analysis.simulations == 2345
    assert sum(one.visits or 0 for one in analysis.moves) == 2345
    assert sum(one.score for one in analysis.moves) == pytest.approx(1)
    assert analysis.best == max(analysis.moves, key=lambda one: one.visits or 0).move


def test_exploration_is_the_square_root_of_two_and_less_in_fast_mode() -> None:
    assert MctsAgent(game=GAME).exploration == math.sqrt(2)
    assert (MctsAgent(game=GAME).seconds, MctsAgent(game=GAME, fast=True).seconds) == (1.5, 0.15)
    assert MctsAgent(game=GAME, fast=True).exploration == 1.2
    assert MctsAgent(game=GAME, fast=True, exploration=0.5).exploration == 0.5


def test_judgements_are_those_of_the_plain_version() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        position = middle_game(rng)
        state = reference_players.State.of(position)
        expected = reference_players.heuristic_value(state.board, state.side)
        assert heuristic_value(position.own, position.opp) == pytest.approx(expected)


ACTIONS = np.empty(GAME.max_moves, dtype=np.int16)


def roll(position: Position, before: list[Position], stream: npt.NDArray[np.uint64]) -> float:
    """The result of a rollout when these positions have been on the board before, each other one of the same side."""
    keys = np.zeros(len(before) + ROLLOUT_PLIES + 2, dtype=np.int64)
    keys[: len(before) + 1] = [key_of(one) for one in [*before, position]]
    room = np.zeros((2, GAME.state_size), dtype=np.int64)
    room[0] = GAME.state_of(position)
    return float(rollout(GAME.rules, room, ACTIONS, keys, len(before) + 1, stream))


def key_of(position: Position) -> int:
    return int(GAME.history_of(position)[-1])


def test_rollouts_score_on_average_as_in_the_plain_version() -> None:
    rng = np.random.default_rng(2)
    stream = random_stream(rng)
    plain_rng = random.Random(1)
    for _ in range(3):
        position = placed(rng, int(rng.integers(4, 7)), 4)
        ours = np.array([roll(position, [], stream) for _ in range(4000)])
        plain = np.array(
            [reference_players.rollout(reference_players.State.of(position), plain_rng) for _ in range(100)]
        )
        error = math.sqrt(ours.var() / len(ours) + plain.var() / len(plain))
        assert abs(ours.mean() - plain.mean()) < 4 * error + 1e-9


def test_three_moves_in_ten_of_a_rollout_are_the_best_at_first_sight() -> None:
    # One ply before the no-capture limit, with nothing to take but a win: it is taken, or the game is drawn.
    rng = np.random.default_rng(7)
    stream = random_stream(rng)
    found = 0
    while found < 3:
        position = placed(rng, 6, 4, quiet=99)
        moves = position.moves()
        wins = winning_moves(position)
        if not wins or any(position.removed_by(move) for move in moves if move not in wins):
            continue
        found += 1
        chance = 0.3 + 0.7 * len(wins) / len(moves)
        share = np.mean([roll(position, [], stream) for _ in range(20_000)]) * 2 - 1
        assert abs(share - chance) < 5 * math.sqrt(chance * (1 - chance) / 20_000)


def test_a_rollout_knows_the_game_before_it() -> None:
    rng = np.random.default_rng(8)
    stream = random_stream(rng)
    found = 0
    while found < 3:
        position = placed(rng, 5, 5)
        moves = position.moves()
        if any(position.removed_by(move) for move in moves) or len(moves) > 25:
            continue
        found += 1
        # As if every position one move on had occurred twice already.
        before = [one for move in moves for one in [position, position.play(move)] * 2]
        assert {roll(position, before, stream) for _ in range(200)} == {0.5}
        assert {roll(position, [], stream) for _ in range(200)} != {0.5}


def test_a_third_occurrence_is_worth_a_draw_and_nothing_else() -> None:
    rng = np.random.default_rng(3)
    found = 0
    while found < 5:
        position = shuffled(rng, 11)
        analysis = make_agent("mcts:simulations=400", seed=1, game=GAME).analyse(position)
        for one in analysis.moves:
            outcome = position.play(one.move).outcome
            if outcome is not None and outcome.reason is Reason.REPETITION and one.visits:
                assert one.value == 0
                assert one.variation == (one.move,)
                found += 1


def test_the_no_capture_limit_is_worth_a_draw() -> None:
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(5):
        position = placed(rng, 5, 5, quiet=99)
        for one in make_agent("mcts:simulations=200", seed=1, game=GAME).analyse(position).moves:
            if not position.removed_by(one.move):
                assert one.value == 0
                found += 1
    assert found > 20


def test_a_second_occurrence_is_a_draw_when_the_first_is_in_the_tree_below_the_root() -> None:
    root = Position.start()
    line = [root]
    for move in ("ws-wi", "en-ei", "wi-ws", "ei-en"):
        line.append(line[-1].play(move))
    keys = np.zeros(256, dtype=np.int64)
    keys[:5] = [key_of(position) for position in line]

    def status_after(below: int) -> int:
        """The status of the move that leads to line[1] once more; the last `below` of the line are in the tree."""
        stream = random_stream(np.random.default_rng(1))
        nodes, states = np.empty(32, dtype=NODE), np.empty((32, GAME.state_size), dtype=np.int64)
        tried = np.empty(GAME.max_moves, dtype=np.bool_)
        states[0] = GAME.state_of(line[-1])
        make_node(GAME.rules, nodes, states, 0, -1, ONGOING, ACTIONS)
        for size in range(1, len(line[-1].moves()) + 1):
            expand(GAME.rules, nodes, states, 0, size, ACTIONS, keys.copy(), 5, below, tried, stream)
        assert sorted(nodes["action"][1 : size + 1].tolist()) == [move.action for move in line[-1].moves()]
        return next(int(node["status"]) for node in nodes[1:] if node["action"] == Move.parse("ws-wi").action)

    assert status_after(4) == DRAW
    assert status_after(3) == ONGOING  # its first occurrence was the root
    assert status_after(0) == ONGOING  # a game that has come back once


def test_a_full_tree_is_sampled_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "MAX_NODES", 1)  # so that the first arrays, of 2^14 nodes, are all there is
    analysis = make_agent("mcts:simulations=30000", seed=1, game=GAME).analyse(Position.start())
    assert analysis.simulations == sum(one.visits or 0 for one in analysis.moves) == 30000


def test_a_tree_outgrows_its_first_arrays() -> None:
    assert make_agent("mcts:simulations=40000", seed=1, game=GAME).analyse(Position.start()).simulations == 40000


def test_a_long_search_finds_most_wins_that_minimax_proves() -> None:
    # Not all: where every move is nearly won, the means of UCT are slow to part.
    rng = np.random.default_rng(6)
    asked = found = 0
    while asked < 12:
        position = placed(rng, 5, 4)
        exact = make_agent("minimax:depth=3", seed=1, game=GAME).analyse(position)
        if exact.value != 1 or exact.moves[0].distance != 3:
            continue
        asked += 1
        winning = {one.move for one in exact.moves if one.value == 1}
        found += make_agent("mcts:simulations=20000", seed=1, game=GAME).choose(position) in winning
    assert found >= 9


@pytest.mark.slow
@pytest.mark.parametrize(("more", "fewer"), [(100, 25), (400, 100), (1600, 400)])
def test_more_simulations_beat_fewer(more: int, fewer: int) -> None:
    score, error = score_with_error(f"mcts:simulations={more}", f"mcts:simulations={fewer}", pairs=50, seed=1)
    print(f"mcts of {more} simulations against {fewer}: {score:.3f} ± {error:.3f}")
    assert score - error > 0.5
