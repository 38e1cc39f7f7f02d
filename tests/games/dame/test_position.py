"""Positions and moves as people write them."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alphadiamond import games
from alphadiamond.games.dame import IllegalMoveError, Move, NotationError, Position, PositionError, Side
from alphadiamond.games.dame.board import ACTIONS, SQUARE_IDS, SQUARE_NAMES
from tests.games.dame.samples import random_game, random_position

START = ".b.b.b/b.b.b./....../....../.w.w.w/w.w.w. w"
CHAIN = ".....b/....../...b../....../.b..../w..... w"
TWO_WAYS = "....../....../.b.b../....../...b../....w. w"
seeds = st.integers(0, 2**32 - 1)


def test_the_start_reads_as_the_rules_say() -> None:
    assert str(Position.start()) == START
    assert Position.parse(START) == Position.start()
    assert games.load("dame").start() == Position.start()
    assert [str(move) for move in Position.start().moves()] == ["b2-a3", "b2-c3", "d2-c3", "d2-e3", "f2-e3"]


def test_squares_are_named_by_file_and_rank() -> None:
    assert SQUARE_NAMES[:6] == ("a1", "c1", "e1", "b2", "d2", "f2")
    assert all((ord(name[0]) - ord("a") + int(name[1])) % 2 == 1 for name in SQUARE_NAMES)


def test_black_moves_down_the_board() -> None:
    position = Position.start().play("b2-a3")
    assert position.side is Side.BLACK
    assert {str(move) for move in position.moves()} == {"a5-b4", "c5-b4", "c5-d4", "e5-d4", "e5-f4"}
    after = position.play("a5-b4")
    assert str(after) == ".b.b.b/..b.b./.b..../w...../...w.w/w.w.w. w"


def test_a_capture_is_compulsory() -> None:
    position = Position.start().play("b2-a3").play("c5-b4")
    assert str(position) == ".b.b.b/b...b./.b..../w...../...w.w/w.w.w. w"
    assert position.must_capture
    assert [str(move) for move in position.moves()] == ["a3xc5"]
    with pytest.raises(IllegalMoveError, match="a capture is compulsory"):
        position.play("d2-e3")


def test_a_chain_is_one_move_and_has_to_go_on() -> None:
    position = Position.parse(CHAIN)
    assert [str(move) for move in position.moves()] == ["a1xc3xe5"]
    (move,) = position.moves()
    assert [SQUARE_NAMES[square] for square in move.squares] == ["a1", "c3", "e5"]
    assert [SQUARE_NAMES[square] for square in position.removed_by(move)] == ["b2", "d4"]
    assert str(position.play("a1xc3xe5")) == ".....b/....w./....../....../....../...... b"
    with pytest.raises(IllegalMoveError, match=r"can capture again and has to, a1xc3xe5$"):
        position.play("a1xc3")


def test_where_a_chain_can_go_two_ways_either_may_be_chosen() -> None:
    position = Position.parse(TWO_WAYS)
    assert {str(move) for move in position.moves()} == {"e1xc3xa5", "e1xc3xe5"}


def test_the_first_man_on_the_far_rank_wins() -> None:
    position = Position.parse(".....b/w...../....../....../....../...... w").play("a5-b6")
    assert str(position.outcome) == "white wins by far rank"
    assert position.moves() == []
    with pytest.raises(IllegalMoveError, match="the game is over, white wins by far rank"):
        position.play("f6-e5")


def test_a_side_without_men_has_lost() -> None:
    position = Position.parse("....../....../....../....../.b..../w..... w").play("a1xc3")
    assert str(position.outcome) == "white wins by no men"


def test_a_side_that_cannot_move_has_lost() -> None:
    position = Position.parse("....../b...../.w..../..w.../....../...... b")
    assert str(position.outcome) == "white wins by no move"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (".b.b.b/b.b.b./....../....../.w.w.w/w.w.w.", "expected a board and the side to move"),
        (f"{START} 0", "expected a board and the side to move"),
        (".b.b.b/b.b.b./....../.w.w.w/w.w.w. w", "expected 6 ranks, found 5"),
        (".b.b.b/b.b.b./....../...../.w.w.w/w.w.w. w", r"rank 3 '\.\.\.\.\.': expected 6 squares, found 5"),
        (".b.b.b/b.b.b./....../..x.../.w.w.w/w.w.w. w", "'x' at c3 is none of w, b and ."),
        (".b.b.b/b.b.b./....../....../.w.w.w/w.w.w. g", "side to move 'g': expected w or b"),
        (".b.b.b/bb..b./....../....../.w.w.w/w.w.w. w", "a man on b5, which is a light square"),
        (".b.b.b/b.b.b./....../w...../.w.w.w/w.w.w. b", "white has 7 men, and a side has at most 6"),
        (".b.b.b/b.b.b./.b..../....../.w.w.w/w.w.w. w", "black has 7 men, and a side has at most 6"),
        (".w.b../....../....../....../....../...... w", "a man of white stands on its far rank already"),
        (".b...b/....../....../....../....../..b... b", "a man of black stands on its far rank already"),
        (".w.w../....../....../....../....../...... b", "more than one man on its far"),
    ],
)
def test_what_is_no_position_is_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint) as caught:
        Position.parse(text)
    assert "\n" not in str(caught.value)


def test_the_side_that_has_just_moved_may_stand_on_its_far_rank() -> None:
    position = Position.parse("...w../....../....../....../....../w..... b")
    assert position.outcome is not None
    assert position.outcome.winner is Side.WHITE


@pytest.mark.parametrize("masks", [(1, 1), (1 << 18, 2), (-1, 2), (1 << 17, 1 << 10), (0b1111111, 1 << 10)])
def test_masks_that_are_no_position_are_refused(masks: tuple[int, int]) -> None:
    with pytest.raises(PositionError):
        Position(*masks, Side.BLACK)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a step"),
        ("b2", "expected a step"),
        ("b2-a3-b4", "expected a step"),
        ("b2-b3", "no dark square is called 'b3'"),
        ("b2-z9", "no dark square is called 'z9'"),
        ("b2-a5", "no man goes from b2 to a5"),
        ("b2-d4", "a capture is written with x, b2xd4"),
        ("b2xa3", "a step is written with a dash, b2-a3"),
        ("a1xc3xa1", "never turns back"),
        ("a1xc3xb4", "of captures alone"),
        ("b2-b2", "no man goes from b2 to b2"),
        ("a1xc3xe5xc7", "no dark square is called 'c7'"),
    ],
)
def test_what_is_no_move_is_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint) as caught:
        Move.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("position", "move", "complaint"),
    [
        (START, "a3-b4", "it is white's move, and a3 is empty"),
        (START, "a5-b4", "it is white's move, and a5 is a man of black"),
        (START, "d2-c1", "white moves up the board"),
        (START, "a1-b2", "b2 is not empty"),
        (START, "b2xd4", "nothing to capture, c3 is empty"),
        (START, "a1xc3", "nothing to capture, b2 is an own man"),
        (CHAIN, "a1-b2", "b2 is not empty"),
    ],
)
def test_what_is_not_legal_is_refused_with_the_reason(position: str, move: str, complaint: str) -> None:
    with pytest.raises(IllegalMoveError, match=complaint):
        Position.parse(position).play(move)


def test_every_action_is_a_move_of_each_side_and_back() -> None:
    for side in Side:
        for action in range(ACTIONS):
            move = Move.of_action(action, side)
            assert (move.action, move.side) == (action, side)
            assert Move.parse(str(move)) == move
    assert str(Move.of_action(0)) == "a1-b2"
    assert str(Move.of_action(0, Side.BLACK)) == "f6-e5"
    assert Move.parse("a1xc3xe5").squares == tuple(SQUARE_IDS[name] for name in ("a1", "c3", "e5"))


@given(seeds)
def test_text_round_trips(seed: int) -> None:
    position = random_position(np.random.default_rng(seed))
    assert Position.parse(str(position)) == position
    for later in random_game(np.random.default_rng(seed), position):
        assert str(Position.parse(str(later))) == str(later)


def complaint_of(parse: Callable[[str], object], text: str) -> str | None:
    """What a parser says of a text; None where it reads it, and then the text is the one way to write it."""
    try:
        parsed = parse(text)
    except NotationError as error:
        return str(error)
    assert str(parsed) == text
    return None


@given(st.one_of(st.text(), st.text("wb./ ", max_size=50), st.text("abcdefx-123456", max_size=9)))
def test_parsers_raise_their_own_error_and_nothing_else(text: str) -> None:
    for parse in (Position.parse, Move.parse):
        assert "\n" not in (complaint_of(parse, text) or "")
