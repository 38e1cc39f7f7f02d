"""Dame as everything else asks it."""

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.games.dame import Position, Side
from alphadiamond.games.dame.board import SQUARE_IDS, mask_of, turned
from tests.games.dame.samples import random_game

GAME = games.load("dame")


def test_the_game_is_found_by_its_name() -> None:
    assert (GAME.name, GAME.title) == ("dame", "Dame")
    assert [str(side) for side in GAME.sides] == ["white", "black"]
    with pytest.raises(games.GameError, match="did you mean dame"):
        games.load("dama")


def test_a_state_is_read_for_the_side_that_is_named() -> None:
    state = GAME.state_of(Position.start().play("b2-a3"))
    assert str(GAME.position_of(state, Side.BLACK)) == ".b.b.b/b.b.b./....../w...../...w.w/w.w.w. b"
    assert str(GAME.position_of(state)) == ".b.b.b/b.b.../.....b/....../.w.w.w/w.w.w. w"


def test_the_shape_has_no_symmetry_and_diagonals_for_edges() -> None:
    shape = GAME.shape
    assert shape.symmetries.tolist() == [list(range(18))]
    assert shape.action_symmetries.tolist() == [list(range(53))]
    assert len(shape.edges) == 25
    assert shape.inputs == GAME.rules.inputs == 39


def test_men_that_are_not_captured_survive_where_they_stood() -> None:
    texts = ["b2-c3", "c5-d4", "f2-e3", "d4xb2", "a1xc3"]
    positions = [Position.start()]
    for text in texts:
        positions.append(positions[-1].play(text))
    states = GAME.states_of(positions)
    actions = [move.action for move in map(GAME.parse_move, texts)]
    found = GAME.survivors(states[:-1], actions, states[-1])
    black = {"b6", "d6", "f6", "a5", "e5"}
    expected = [  # c3 is taken by the man from c5, which is taken in its turn
        {"a1", "c1", "e1", "d2", "f2"} | black,
        {"a1", "c1", "e1", "d2", "f2"} | black,
        {"a1", "c1", "e1", "d2", "f2"} | black,
        {"a1", "c1", "e1", "d2", "e3"} | black,
        {"a1", "c1", "e1", "d2", "e3"} | black,
    ]
    for t, names in enumerate(expected):
        squares = [SQUARE_IDS[name] for name in names]
        seen = squares if t % 2 == 0 else [turned(square) for square in squares]
        assert found[t] == mask_of(seen), t


def test_phases_go_by_the_men_on_the_board() -> None:
    positions = [position for seed in range(20) for position in random_game(np.random.default_rng(seed))]
    phases, names = GAME.phases(GAME.states_of(positions))
    for position, phase in zip(positions, phases, strict=True):
        men = len(position.men(Side.WHITE)) + len(position.men(Side.BLACK))
        assert str(men) in names[phase].split(" ")
    assert phases[0] == 0


def test_the_pictured_position_goes_on() -> None:
    assert len(GAME.parse(GAME.pictured).moves()) > 2


def test_random_starts_and_openings_go_on() -> None:
    rng = np.random.default_rng(1)
    for state in [GAME.random_start(rng) for _ in range(20)] + [GAME.opening(rng, 6) for _ in range(20)]:
        assert GAME.position_of(state).outcome is None
