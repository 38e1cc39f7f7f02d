"""The compiled rules against the plain ones, and the figures of the specification."""

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.base.game_kernels import encode_states, input_keys
from alphadiamond.base.results import DRAW, LOSS, ONGOING
from alphadiamond.games.connect_four import Position, kernels
from alphadiamond.games.connect_four.board import BOARD, EDGES, NODES, SYMMETRIES, bit_of
from tests.games.connect_four import reference
from tests.games.connect_four.samples import random_game

GAME = games.load("connect_four")


@pytest.mark.parametrize(
    ("depth", "count"), [(0, 1), (1, 7), (2, 49), (3, 343), (4, 2401), (5, 16807), (6, 117649), (7, 823536)]
)
def test_perft_from_the_start(depth: int, count: int) -> None:
    assert GAME.perft(depth) == count


def test_random_games_agree_with_the_plain_rules() -> None:
    rng = np.random.default_rng(1)
    endings = set()
    plies = 0
    while plies < 2_000:
        position = GAME.start()
        for state, move in random_game(rng):
            assert str(position) == reference.text(state)
            assert [str(one) for one in position.moves()] == reference.moves(state)
            result = reference.outcome(state)
            after, _, irreversible, statuses, legal, counts = GAME.expand(
                GAME.states_of([position]), np.full(1, -1, dtype=np.int16)
            )
            assert (after[0] == GAME.state_of(position)).all()
            assert irreversible[0]
            assert [str(GAME.move_of(action)) for action in legal[0, : counts[0]]] == reference.moves(state)
            if result is None:
                assert position.outcome is None
                assert statuses[0] == ONGOING
            elif result == "draw":
                assert str(position.outcome) == "draw by full board"
                assert (statuses[0], GAME.ending(after[0])) == (DRAW, "full board")
            else:
                assert result != state.side
                assert str(position.outcome) == f"{result} wins by four in a row"
                assert (statuses[0], GAME.ending(after[0])) == (LOSS, "four in a row")
            endings.add(result)
            if move is not None:
                played = GAME.expand(GAME.states_of([position]), np.array([int(move) - 1], dtype=np.int16))[0]
                position = position.play(move)
                assert (played[0] == GAME.state_of(position)).all()
            plies += 1
    assert endings >= {None, "x", "o"}


def test_a_full_board_is_a_draw() -> None:
    position = GAME.parse("ooxooox/xxoxxxo/ooxooox/xxoxxxo/ooxooox/xxoxxxo x")
    assert position.moves() == []
    assert str(position.outcome) == "draw by full board"
    state = GAME.states_of([position])
    assert GAME.expand(state, np.full(1, -1, dtype=np.int16))[3][0] == DRAW


def test_the_windows_are_scored_as_the_document_says() -> None:
    rng = np.random.default_rng(2)
    seen = set()
    for _ in range(40):
        for state, _ in random_game(rng):
            position = Position.parse(reference.text(state))
            for side, own, opp in (
                (state.side, position.own, position.opp),
                ("o" if state.side == "x" else "x", position.opp, position.own),
            ):
                score = kernels.window_score(own, opp)
                assert score == reference.window_score(state, side)
                seen.add(score)
    assert len(seen) > 50
    assert max(seen) >= 100


def test_every_line_of_four_is_seen_and_no_other() -> None:
    windows = {frozenset(c + 7 * (5 - r) for c, r in line) for line in reference.lines()}
    assert len(windows) == 69
    for window in windows:
        mask = sum(1 << bit_of(node) for node in window)
        assert kernels.has_four(mask)
        assert kernels.fours(mask) == mask
        for node in window:
            assert not kernels.has_four(mask & ~(1 << bit_of(node)))
    rng = np.random.default_rng(3)
    for _ in range(2_000):
        nodes = {int(node) for node in rng.choice(NODES, size=int(rng.integers(4, 24)), replace=False)}
        mask = sum(1 << bit_of(node) for node in nodes)
        inside = [window for window in windows if window <= nodes]
        assert kernels.has_four(mask) == bool(inside)
        assert kernels.fours(mask) == sum(1 << bit_of(node) for node in frozenset().union(*inside))


def test_the_mirror_maps_states_moves_and_inputs_alike() -> None:
    rng = np.random.default_rng(4)
    states = np.array([GAME.random_start(rng) for _ in range(200)])
    images = GAME.images(states, np.ones(len(states), dtype=np.int64))
    assert (images != states).any()
    assert (GAME.images(images, np.ones(len(states), dtype=np.int64)) == states).all()
    assert (GAME.images(states, np.zeros(len(states), dtype=np.int64)) == states).all()
    assert (GAME.legal(images)[:, GAME.shape.action_symmetries[1]] == GAME.legal(states)).all()
    there, here = encode_states(GAME.rules, images), encode_states(GAME.rules, states)
    for plane in range(GAME.shape.planes):
        part = slice(plane * NODES, (plane + 1) * NODES)
        assert (there[:, part][:, SYMMETRIES[1]] == here[:, part]).all()
    assert (there[:, -1] == here[:, -1]).all()
    for state, image in zip(states, images, strict=True):
        position = GAME.position_of(state)
        assert GAME.position_of(image) == position.image(1)
        assert {str(move.image(1)) for move in position.moves()} == {str(move) for move in position.image(1).moves()}


def test_a_network_sees_discs_open_cells_and_who_moved_first() -> None:
    position = GAME.parse("......./......./......./...x.../...o.../..ox... x")
    (row,) = encode_states(GAME.rules, GAME.states_of([position]))
    assert len(row) == GAME.shape.inputs
    planes = row[:-1].reshape(3, NODES)
    assert tuple(np.flatnonzero(planes[0])) == (24, 38)
    assert tuple(np.flatnonzero(planes[1])) == (31, 37)
    assert tuple(np.flatnonzero(planes[2])) == (17, 30, 35, 36, 39, 40, 41)
    assert row[-1] == 1
    (row,) = encode_states(GAME.rules, GAME.states_of([position.play("1")]))
    assert tuple(np.flatnonzero(row[:NODES])) == (31, 37)
    assert row[-1] == 0


def test_keys_differ_wherever_positions_do() -> None:
    rng = np.random.default_rng(5)
    states = np.unique([GAME.random_start(rng) for _ in range(5_000)], axis=0)
    keys = input_keys(GAME.rules, states)
    assert len(np.unique(keys)) == len(states)
    assert ((keys >= 0) & (keys < 1 << 49)).all()
    assert (GAME.expand(states, np.full(len(states), -1, dtype=np.int16))[1] == keys).all()


def test_random_starts_reach_every_phase_and_go_on() -> None:
    rng = np.random.default_rng(6)
    states = np.array([GAME.random_start(rng) for _ in range(2_000)])
    assert GAME.legal(states).any(axis=1).all()
    discs = np.bitwise_count(states[:, 0] | states[:, 1])
    assert set(discs) == set(range(32))
    assert np.bitwise_count(GAME.opening(rng, 9)[0] | GAME.opening(rng, 9)[1]) <= 9
    for state in states[:100]:
        assert GAME.parse(str(GAME.position_of(state))) == GAME.position_of(state)


def test_the_board_has_the_edges_of_rows_columns_and_diagonals() -> None:
    assert len(EDGES) == 36 + 35 + 2 * 30
    assert BOARD.bit_count() == NODES
    for a, b in EDGES:
        assert max(abs(a % 7 - b % 7), abs(a // 7 - b // 7)) == 1
