"""Positions and moves as people write them."""

import pytest

from alphadiamond import games
from alphadiamond.games.connect_four import (
    IllegalMoveError,
    Move,
    NotationError,
    Position,
    PositionError,
    Side,
    winning_line,
)

GAME = games.load("connect_four")
WON = "......./......./x....../xo...../xo...../xo..... o"


def test_the_start_is_written_as_in_the_specification() -> None:
    assert str(GAME.start()) == "......./......./......./......./......./....... x"
    assert GAME.parse(Position.START) == GAME.start()
    assert [str(move) for move in GAME.start().moves()] == list("1234567")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "1 field"),
        ("......./......./......./......./......./.......", "1 field"),
        ("......./......./......./......./......./....... x 0", "3 fields"),
        ("......./......./......./......./....... x", "6 rows, found 5"),
        ("......./......./....../......./......./....... x", "row 3 '......': expected 7 cells, found 6"),
        ("......./......./......./......./......./...X... o", "'X' in column 4"),
        ("......./......./......./......./......./....... g", "side to move 'g'"),
        ("......./......./......./......./...x.../....... o", "floats: the cell under column 4, row 2 from below"),
        ("......./......./......./......./......./...x... x", "x has 1 and o has 0 discs with x to move"),
        ("......./......./......./......./......./....... o", "x has 0 and o has 0 discs with o to move"),
        ("......./......./......./......./......./..ooxx. o", "x has 2 and o has 2 discs with o to move"),
        ("......./......./xo...../xo...../xo...../xo..... x", "both sides have four in a row"),
        ("......./......./......./oo...../oo...../xxxx... o", "x has 4 and o has 4 discs with o to move"),
        ("......./......./......./o....../oo...../xxxx... x", "x has 4 and o has 3 discs with x to move"),
        ("......./......./......./o....../ooo..../xxxx... x", "x is to move and has four in a row"),
    ],
)
def test_what_is_no_position_is_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        GAME.parse(text)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_masks_that_cannot_be_are_refused() -> None:
    for own, opp, reason in ((1 << 6, 1, "beyond"), (-1, 0, "beyond"), (1, 1, "two discs"), (1 << 49, 1, "beyond")):
        with pytest.raises(PositionError, match=reason):
            Position(own, opp, Side.X)
    with pytest.raises(NotationError, match="text, not int"):
        GAME.parse(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "0", "8", "4 ", "d", "44", "-1", "\u0664"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="number of a column, 1 to 7"):
        GAME.parse_move(text)


def test_moves_are_columns() -> None:
    for action in range(7):
        move = GAME.move_of(action)
        assert str(move) == str(action + 1)
        assert GAME.parse_move(str(move)) == move
        assert move.action == action
        assert move.squares == (action,)
    with pytest.raises(NotationError):
        Move(7)


def test_a_disc_falls_to_the_lowest_empty_cell() -> None:
    position = GAME.start()
    for count in range(6):
        assert position.landing(Move(3)) == 38 - 7 * count
        position = position.play("4")
    assert str(position) == "...o.../...x.../...o.../...x.../...o.../...x... x"
    with pytest.raises(IllegalMoveError, match="4: column 4 is full"):
        position.play("4")
    assert [str(move) for move in position.moves()] == list("123567")


def test_a_finished_game_says_who_won_and_how() -> None:
    position = GAME.parse(WON)
    assert str(position.outcome) == "x wins by four in a row"
    assert position.outcome.winner is Side.X
    assert position.moves() == []
    with pytest.raises(IllegalMoveError, match="the game is over, x wins by four in a row"):
        position.play("3")
    assert winning_line(position) == (14, 21, 28, 35)
    assert winning_line(position.image(1)) == (20, 27, 34, 41)
    assert winning_line(GAME.start()) == ()


def test_a_disc_that_makes_two_fours_shows_both() -> None:
    both = GAME.parse("......./......./...x.../ooxxo../oxxoo../xxxxoo. o")
    assert winning_line(both) == (17, 23, 29, 35, 36, 37, 38)


def test_sides_are_named_by_their_discs() -> None:
    assert [str(side) for side in GAME.sides] == ["x", "o"]
    assert GAME.sides[0].other is Side.O
    position = GAME.start().play("4")
    assert position.side is Side.O
    assert GAME.position_of(GAME.state_of(position)) == position
    with pytest.raises(PositionError):
        GAME.position_of(GAME.state_of(position), Side.X)
    assert position.at(38) is Side.X
    assert position.discs(Side.X) == (38,)
