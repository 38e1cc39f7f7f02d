"""How games are shown: the same promises for every one of them."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.base.drawing import CELLS, CHECKERS, GRAPH, GRID, MAZE, Clicks, Drawing, Lesson
from alphadiamond.base.plain_drawing import PlainDrawing
from alphadiamond.games.connect_four.lessons import threats
from alphadiamond.games.connect_four.position import Side as Colour
from examples.tic_tac_toe import TicTacToe
from tests.outside.domineering.game import GAME as DOMINEERING

DRAWINGS = [
    *(games.load(name).drawing for name in games.GAMES if name not in games.outside_games()),
    TicTacToe().drawing,
    DOMINEERING.drawing,
]
LESSONS = [(drawing, lesson) for drawing in DRAWINGS for lesson in drawing.lessons]


@pytest.fixture(params=DRAWINGS, ids=lambda drawing: drawing.game.name)
def drawing(request: pytest.FixtureRequest) -> Drawing:
    found: Drawing = request.param
    return found


def test_every_square_has_its_place_and_its_name(drawing: Drawing) -> None:
    assert drawing.surface in (GRAPH, GRID, CHECKERS, CELLS, MAZE)
    assert len(set(drawing.names)) == len(drawing.names) == len(drawing.points) == drawing.game.shape.nodes
    for a, b in itertools.combinations(drawing.points, 2):
        assert math.dist(a, b) >= 2 * drawing.radius, "two pieces would lie over each other"
    assert all(max(abs(x), abs(y)) + drawing.radius <= drawing.reach for x, y in drawing.points)
    assert drawing.home in range(len(drawing.columns or drawing.points))


def sharing(drawing: Drawing, position: Any) -> bool:
    """Whether a piece stands under another."""
    return len(drawing.pieces(position)) < sum(len(drawing.standing(position, side)) for side in drawing.game.sides)


def test_a_ply_takes_the_pieces_from_one_position_to_the_next(drawing: Drawing) -> None:
    rng = np.random.default_rng(1)
    for seed in range(6):
        position = drawing.game.start(seed)
        while position.outcome is None:
            moves = position.moves()
            ply = drawing.ply(position, moves[rng.integers(len(moves))])
            pieces = drawing.pieces(position)
            passes = pieces == drawing.pieces(ply.after)
            before, blocks = drawing.blocks(position), drawing.blocks(ply.after)
            if new := set(blocks) - set(before):
                assert new == {ply.path}, "a piece that covers several squares is laid on all of them"
                pieces |= dict.fromkeys(ply.path, position.side)
            elif len(ply.path) > 1:
                assert pieces.pop(ply.path[0]) == position.side
            if sharing(drawing, position) or sharing(drawing, ply.after):
                assert drawing.pieces(ply.after)[ply.path[-1]] == (
                    ply.after.side if sharing(drawing, ply.after) else position.side
                ), "whoever is to move is seen"
                position = ply.after
                continue
            assert bool(new) or pieces.get(ply.path[-1]) in (None, position.side if passes else None)
            pieces[ply.path[-1]] = position.side
            for squares, owner in ((ply.captured, position.side.other), (ply.lost, position.side)):
                for square in squares:
                    assert pieces.pop(square) == owner
            assert pieces == drawing.pieces(ply.after)
            position = ply.after
            assert abs(drawing.balance(position)) <= 1
            assert drawing.advice(position) or position.outcome is not None
        outcome = position.outcome
        assert drawing.balance(position) == (0 if outcome.winner is None else 1 - 2 * int(outcome.winner))
        assert drawing.result_words(position, outcome.winner, str(outcome.reason))


def test_clicking_all_of_a_move_plays_it(drawing: Drawing) -> None:
    rng = np.random.default_rng(2)
    for seed in range(6):
        position = drawing.game.start(seed)
        while position.outcome is None:
            clicks = drawing.clicks(position)
            for move, path in clicks.paths.items():
                picked: tuple[int, ...] = ()
                for spot in path[:-1]:
                    taken = clicks.take(picked, spot)
                    assert taken is not None
                    picked, nothing = taken
                    assert nothing is None
                assert clicks.take(picked, path[-1]) == ((), move)
            moves = position.moves()
            position = position.play(moves[rng.integers(len(moves))])


def test_the_end_of_a_chain_will_do_where_it_can_mean_only_one() -> None:
    chains = Clicks({"left": (0, 1, 4), "right": (0, 2, 4), "other": (0, 2, 5), "step": (7, 8)})
    assert chains.next(()) == [0, 7]
    assert chains.ends((0,)) == [5]
    assert chains.take((0,), 5) == ((), "other")
    assert chains.take((0,), 4) is None, "two chains end there"
    assert chains.take((0,), 1) == ((0, 1), None)
    assert chains.take((0, 1), 4) == ((), "left")
    assert chains.take((0, 2), 7) == ((7,), None), "another piece is picked instead"
    assert chains.take((), 9) is None


def test_a_single_click_is_a_move_in_a_game_of_columns() -> None:
    drawing = games.load("connect_four").drawing
    position = drawing.game.start()
    assert drawing.clicks(position).take((), 3) == ((), drawing.game.parse_move("4"))
    assert all(drawing.spot_of(square) == number for number, column in enumerate(drawing.columns) for square in column)
    ply = drawing.ply(position, drawing.game.parse_move("4"))
    assert (ply.path, ply.how) == ((drawing.columns[3][0],), "fall")


def test_what_has_won_is_lit() -> None:
    drawing = games.load("connect_four").drawing
    won = drawing.game.parse("......./......./......./......./..ooo../..xxx.. x").play("2")
    assert [drawing.names[square] for square in drawing.lit(won)] == [f"column {k} row 1" for k in (2, 3, 4, 5)]
    drawing = games.load("dame").drawing
    through = drawing.game.parse("....../....w./....../b...../....../w..... w").play("e5-f6")
    assert drawing.names_of(drawing.lit(through)) == "f6"
    assert drawing.result_words(through, through.outcome.winner, "far rank") == "a man has reached f6"


def test_a_chain_of_captures_jumps_from_landing_to_landing() -> None:
    drawing = games.load("dame").drawing
    ply = drawing.ply(
        drawing.game.parse(".b..../....../...b../....../.b..../w..... w"), drawing.game.parse_move("a1xc3xe5")
    )
    assert drawing.names_of(ply.path) == "a1,c3,e5"
    assert (ply.how, drawing.names_of(ply.captured), ply.lost) == ("jump", "b2,d4", ())


@pytest.mark.parametrize(("drawing", "lesson"), LESSONS, ids=lambda one: getattr(one, "title", ""))
def test_every_lesson_can_be_done_and_most_can_be_missed(drawing: Drawing, lesson: Lesson) -> None:
    solutions = drawing.solutions(lesson)
    assert solutions
    if lesson.again:
        assert len(solutions) < len(drawing.game.parse(lesson.position).moves())
    assert all(name in drawing.names for name in lesson.marks)


def test_the_coach_of_connect_four_sees_wins_and_dangers() -> None:
    game = games.load("connect_four")
    position = game.parse("......./......./......./......./..ooo../..xxx.. x")
    assert threats(position, Colour.X) == [1, 5]
    assert game.drawing.advice(position) == "You can win: look at column 2"
    assert (
        game.drawing.advice(game.parse("......./......./......./......./..xx.../.xooo.. x"))
        == "Careful: block column 6"
    )


def test_plain_pieces_have_the_colours_that_sides_are_called_by() -> None:
    assert PlainDrawing(games.load("dame")).colours == ("ivory", "ebony")
    assert PlainDrawing(TicTacToe()).colours == ("green", "red"), "x and o are no colours"


def test_a_picture_in_letters_shows_every_piece(drawing: Drawing) -> None:
    position = drawing.game.sample_start()
    for move in drawing.sample(9):
        position = position.play(move)
    lines = drawing.picture(position)
    text = "\n".join(lines)
    sides = list(drawing.pieces(position).values())
    assert text.count("(") == sides.count(drawing.game.sides[0])
    assert text.count("[") == sides.count(drawing.game.sides[1])
    assert max(map(len, lines)) <= 80
    assert drawing.words(position)[0].endswith("to move.")
