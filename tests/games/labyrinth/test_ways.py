"""What is shown of ways: walks step by step, what a runner sees, what was paid and what it could have been."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphadiamond.base.ways import efficiency
from alphadiamond.games.labyrinth import Position, Side
from alphadiamond.games.labyrinth.board import cells_of
from alphadiamond.games.labyrinth.game import GAME
from alphadiamond.games.labyrinth.ways import LabyrinthWays
from tests.games.labyrinth.test_path_finders import neighbours, plain_cost
from tests.games.labyrinth.test_rules import FIRST, START

WAYS = LabyrinthWays()


def cells(*names: str) -> list[int]:
    return [GAME.drawing.names.index(name) for name in names]


@pytest.mark.parametrize("finder", WAYS.finders)
@pytest.mark.parametrize("side", Side)
def test_a_walk_explores_first_and_then_goes_its_way(finder: str, side: Side) -> None:
    position = Position.parse(f"{FIRST} {START}")
    walk = WAYS.walk(position, finder, side=side)
    moments = [walk.at(frame) for frame in range(walk.frames)]
    assert moments[0] == ((), (), (), 0)
    assert walk.at(10_000) == moments[-1], "there is no moment after the last"
    for number, (before, after) in enumerate(itertools.pairwise(moments)):
        if number < len(walk.explored) - 1:
            assert after.explored == (*before.explored, walk.explored[number])
            assert after.path == ()
        elif number >= len(walk.explored):
            assert after.path[:-1] == before.path
            assert after.path[-1] in dict(neighbours(position.maze, before.path[-1]))
    assert moments[-1].path == walk.path
    assert moments[-1].paid == walk.cost
    assert (walk.path[0], walk.path[-1]) == (position.cells[side], position.home(side))
    assert walk.efficiency == walk.cheapest / walk.cost


def test_only_those_that_take_a_heuristic_are_given_one() -> None:
    position = Position.start(1)
    for finder in WAYS.finders:
        for heuristic in WAYS.heuristics:
            assert WAYS.walk(position, finder, heuristic).heuristic == (heuristic if finder in WAYS.guided else "")


@given(st.integers(0, 2**63), st.integers(0, 80))
@settings(max_examples=20, deadline=None)
def test_the_way_to_a_cell_is_the_cheapest_and_can_be_gone(seed: int, cell: int) -> None:
    position = Position.start(seed)
    path, cost = WAYS.to(position, cell)
    if cell == 0 or cell not in cells_of(position.maze.open):
        assert not path
        return
    assert cost == plain_cost(position.maze, 0, cell)
    assert (path[0], path[-1]) == (0, cell)
    assert all(b in dict(neighbours(position.maze, a)) for a, b in itertools.pairwise(path))


def test_in_a_fog_a_way_leads_over_known_cells_alone() -> None:
    position = Position.parse(f"{FIRST} {START}")
    seen = WAYS.in_sight([position], Side.A)
    assert WAYS.to(position, 80)[0]
    assert not WAYS.to(position, 80, known=seen)[0], "the corner is seen, the way there is not"
    assert WAYS.to(position, *cells("d1"), known=seen)[1] == 30


def test_a_runner_sees_three_cells_far_and_where_it_has_been_and_the_corners() -> None:
    start = Position.parse(f"{FIRST} {START}")
    assert WAYS.in_sight([start], Side.A) == {
        *(row * 9 + column for row in range(4) for column in range(4)),
        80,
    }
    positions = [start]
    for text in ["e", "w", "e", "w", "e", "w", "e", "nw", "s", "n"]:
        positions.append(positions[-1].play(text))
    seen = WAYS.in_sight(positions, Side.A)
    assert {*cells("a1", "b1", "h5"), 80} <= seen
    assert not seen & set(cells("a2", "a9", "i5")), "what was seen in passing is forgotten, what was visited is not"


def test_a_log_tells_of_traps_and_power_ups_and_leaves_passes_out() -> None:
    position = Position.parse(f"{FIRST} e3 c5 74 104 34 a")
    plies = []
    for text in ["e", "s", "w", "n"]:
        plies.append(GAME.drawing.ply(position, GAME.move_in(position, text)))
        position = plies[-1].after
    assert WAYS.log(plies, Side.A) == "TM"
    assert WAYS.log(plies, Side.B) == "PM"
    home = Position.parse(f"{FIRST} i9 b1 300 300 2 a")
    assert WAYS.log([GAME.drawing.ply(home, home.moves()[0])], Side.A) == ""


def test_efficiency_is_the_cheapest_way_alone_over_what_was_paid() -> None:
    start = Position.parse(f"{FIRST} {START}")
    least = plain_cost(start.maze, 0, 80)
    end = Position.parse(f"{FIRST} i9 b1 {2 * least} 300 2 a")
    assert WAYS.result(start, end, Side.A) == (2 * least, least, 0.5)
    assert WAYS.result(start, end, Side.B)[2] is None, "it is not at home"
    assert efficiency(50, 50) == 1.0
    assert efficiency(0, -10) == 1.0


def test_every_lesson_can_be_done_and_can_be_missed_where_it_says_so() -> None:
    drawing = GAME.drawing
    for lesson in drawing.lessons:
        start = GAME.parse(lesson.position)
        assert drawing.solutions(lesson), lesson.title
        missed = [move for move in start.moves() if not lesson.done(drawing.ply(start, move))]
        assert bool(missed) == bool(lesson.again) or len(start.moves()) == 1, lesson.title
        assert all(name in drawing.names for name in lesson.marks)


def test_each_digit_steps_as_it_lies_on_a_keypad_and_the_middle_passes() -> None:
    position = Position.parse(f"{FIRST} g6 g7 196 148 19 b")
    assert {key: str(move) for key, move in GAME.drawing.keys(position).items()} == {"8": "n", "6": "e", "4": "w"}
    home = Position.parse(f"{FIRST} i9 b1 300 300 2 a")
    assert {key: str(move) for key, move in GAME.drawing.keys(home).items()} == {"5": "-"}


def test_only_a_pass_is_played_without_asking() -> None:
    home = Position.parse(f"{FIRST} i9 b1 300 300 2 a")
    assert str(GAME.drawing.forced(home)) == "-"
    start = Position.parse(f"{FIRST} {START}")
    assert len(start.moves()) == 1
    assert GAME.drawing.forced(start) is None, "the one step that there is belongs to the runner"


def test_what_a_step_costs_rises_from_it() -> None:
    position = Position.parse(f"{FIRST} e3 c5 74 104 34 a")
    tolls = []
    for text in ["e", "s"]:
        ply = GAME.drawing.ply(position, GAME.move_in(position, text))
        tolls.append(GAME.drawing.toll(ply))
        position = ply.after
    assert tolls == ["+40", "−10"]
