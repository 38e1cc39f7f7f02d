"""The compiled rules against the plain ones."""

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.base import game_kernels
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.games.dame import Position, Side, kernels
from alphadiamond.games.dame.board import ACTIONS, CHAINS, JUMPS, SQUARES, STEPS, squares_of, turned
from alphadiamond.games.dame.rules import RULES
from tests.games.dame import reference
from tests.games.dame.samples import random_game, random_position

GAME = games.load("dame")


def assert_agrees(position: Position) -> None:
    """The kernels and the plain rules say the same of a position and of all that follow it."""
    plain = reference.parse(str(position))
    assert reference.text(plain) == str(position)
    assert sorted(map(str, position.moves())) == reference.moves(plain)
    outcome = reference.outcome(plain)
    found = position.outcome
    assert (None if found is None else (found.winner.letter, str(found.reason))) == outcome
    for move in position.moves():
        assert str(position.play(move)) == reference.text(reference.play(plain, str(move)))


@pytest.mark.parametrize(("depth", "sequences"), [(1, 5), (2, 25), (3, 106), (4, 369), (5, 1271), (6, 4086)])
def test_sequences_from_the_start_are_as_many_as_the_rules_say(depth: int, sequences: int) -> None:
    assert GAME.perft(depth) == sequences


def test_the_plain_rules_count_the_same() -> None:
    assert [reference.perft(reference.start(), depth) for depth in range(1, 5)] == [5, 25, 106, 369]


def test_positions_of_random_games_agree_with_the_plain_rules() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        for position in random_game(rng):
            assert_agrees(position)


def test_positions_of_no_game_agree_with_the_plain_rules() -> None:
    rng = np.random.default_rng(2)
    reasons = set()
    for _ in range(1500):
        position = random_position(rng)
        assert_agrees(position)
        reasons |= {str(position.outcome.reason)} if position.outcome else set()
    assert reasons == {"no move"}


def test_there_are_25_steps_16_jumps_and_12_chains() -> None:
    assert (len(STEPS), len(JUMPS), len(CHAINS)) == (25, 16, 12)
    assert GAME.actions == ACTIONS == 53


def test_a_mask_turns_square_by_square() -> None:
    for mask in np.random.default_rng(3).integers(1 << SQUARES, size=200):
        assert squares_of(int(kernels.turn(mask))) == sorted(turned(square) for square in squares_of(int(mask)))


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("....../b.w.w./....../b.w.w./....../..w.w. w", 12),
        ("....../b.b.b./.w.w.w/....../.b.b.b/w.w.w. w", 8),  # the most captures
    ],
)
def test_the_bound_on_moves_is_reached(text: str, moves: int) -> None:
    assert len(Position.parse(text).moves()) == moves <= GAME.max_moves


def test_every_move_leaves_the_men_less_to_go() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        position = random_position(rng)
        for move in position.moves():
            after = position.play(move)
            assert kernels.left_to_go(after.own, after.opp) < kernels.left_to_go(position.own, position.opp)


def test_colours_make_no_difference() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        position = random_position(rng)
        swapped = Position(position.own, position.opp, position.side.other)
        assert [move.action for move in position.moves()] == [move.action for move in swapped.moves()]
        assert (position.outcome is None) == (swapped.outcome is None)


def test_arrays_say_what_positions_say() -> None:
    rng = np.random.default_rng(6)
    positions = [position for _ in range(20) for position in random_game(rng)]
    states = GAME.states_of(positions)
    after, keys, irreversible, status, legal, counts = GAME.expand(states, np.full(len(states), -1, dtype=np.int16))
    assert irreversible.all()
    assert (after == states).all()
    for i, position in enumerate(positions):
        moves = [move.action for move in position.moves()]
        assert legal[i, : counts[i]].tolist() == moves
        assert np.flatnonzero(GAME.legal(states[i : i + 1])[0]).tolist() == moves
        assert (status[i] == 2) == (position.outcome is None)
        assert GAME.position_of(states[i], position.side) == position
        if position.outcome is not None:
            assert status[i] == -1
            assert GAME.ending(states[i]) == str(position.outcome.reason) in GAME.endings
    texts = {str(Position(p.own, p.opp, Side.WHITE)) for p in positions}
    assert len(set(keys.tolist())) == len(texts)


def test_playing_an_action_is_playing_the_move() -> None:
    rng = np.random.default_rng(7)
    for _ in range(100):
        position = random_position(rng)
        for move in position.moves():
            state = GAME.state_of(position)[None]
            after = GAME.expand(state, np.array([move.action], dtype=np.int16))[0]
            assert (after[0] == GAME.state_of(position.play(move))).all()
            assert GAME.move_of(move.action, position.side) == move


def test_random_playouts_end_within_the_longest_game() -> None:
    states = np.repeat(GAME.states_of([Position.start()]), 2000, axis=0)
    values, plies = game_kernels.random_playouts(RULES, states, random_stream(np.random.default_rng(8)), 100)
    assert set(values.tolist()) == {-1, 1}
    assert plies.max() < GAME.longest


def test_a_network_sees_the_men_their_number_and_whether_to_capture() -> None:
    position = Position.parse("....../..b.../.w.w../....../....../w..... b")
    row = game_kernels.encode_states(RULES, GAME.states_of([position]))[0]
    assert row.shape == (39,)
    assert np.flatnonzero(row[:18]).tolist() == [turned(13)]
    assert np.flatnonzero(row[18:36]).tolist() == sorted(turned(square) for square in (0, 9, 10))
    assert row[36:].tolist() == pytest.approx([1 / 6, 3 / 6, 1])


def test_minimax_scores_a_man_as_ten_ranks() -> None:
    from alphadiamond.base.compilation import njit
    from alphadiamond.base.rules import heuristic_value, score

    @njit
    def both(rules: object, state: object) -> tuple[int, float]:
        return score(rules, state), heuristic_value(rules, state)  # type: ignore[arg-type]

    start = both(RULES, GAME.state_of(Position.start()))
    assert start == (0, 0.5)
    position = Position.parse("....../b.b.../....../w...../....../....w. w")  # ranks gone: white 2 and 0, black 1 and 1
    assert both(RULES, GAME.state_of(position)) == (0, 0.5)
    position = Position.parse("....../b...../...w../w...../....../....w. b")  # black 1; white 3, 2 and 0
    assert both(RULES, GAME.state_of(position)) == (10 * (1 - 3) + 1 - 5, pytest.approx(0.5 - 24 / 120))
