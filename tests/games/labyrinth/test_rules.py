"""Mazes, positions and texts, against the description of the rules."""

import random

import numpy as np
import pytest

from alphadiamond.games.labyrinth import Maze, Move, NotationError, Position, PositionError, Side
from alphadiamond.games.labyrinth.board import cells_of, contains, set_of
from alphadiamond.games.labyrinth.game import GAME
from alphadiamond.games.labyrinth.kernels import cheapest_ways
from alphadiamond.games.labyrinth.position import state_of
from tests.games.labyrinth import reference

FIRST = ".....#T../####.#.#./.....T.#T/.#.##..#P/.#.....#P/.#PP##.#./.#......./.#T#.####/...#....."
SECOND = ".....#.../####...##/.#P..#.T./...####P./..P.T..../..####..P/..T#T..#./##...####/...#....."
THIRD = ".......#./####.#..T/T#...P.#./.#.#.###./T..#.#.../.###.#.#./.#.P..P#./...#.####/.#.T.P..."
START = "a1 i9 0 0 48 a"
ONE = ".#......P/P#.#####./.T.#P..../######.##/........./##.######/.T...#.../.#####.#P/...TT..#."
"""The maze of seed 0."""

FIGURES = [
    (f"{FIRST} {START}", [1, 1, 2, 4, 6, 9], -32, {"e": -32}),
    (f"{SECOND} {START}", [1, 1, 2, 4, 6, 9], 8, {"e": 8}),
    (f"{THIRD} {START}", [1, 1, 2, 4, 6, 9], -36, {"e": -36}),
    (f"{FIRST} g6 g7 196 148 19 b", [3, 15, 65, 260, 1000, 4500], -10, {"n": 12, "e": -4, "w": -10}),
    (f"{SECOND.replace('P', '.')} e5 e5 90 100 30 a", [2, 4, 12, 36, 156, 676], 10, {"e": 10, "w": 4}),
]


@pytest.mark.parametrize(("text", "perft", "margin", "by_move"), FIGURES)
def test_check_figures(text: str, perft: list[int], margin: int, by_move: dict[str, int]) -> None:
    position = Position.parse(text)
    assert str(position) == text
    assert [GAME.perft(depth, position) for depth in range(1, 7)] == perft
    sign = 1 - 2 * int(position.side)
    margins, _ = GAME.solution().action_margins(state_of(position)[None])
    assert int(GAME.solution().margins(state_of(position)[None])[0]) * sign == margin
    assert {str(move): sign * int(margins[0, move.action]) for move in position.moves()} == by_move


@pytest.mark.parametrize("seed", range(12))
def test_games_go_as_the_plain_rules_say(seed: int) -> None:
    rng = random.Random(seed)
    position, plain = Position.start(seed), reference.start(seed)
    while True:
        assert str(position) == reference.text(plain)
        assert sorted(map(str, position.moves())) == sorted(reference.moves(plain))
        outcome, expected = position.outcome, reference.outcome(plain)
        assert (outcome is None) == (expected is None)
        if outcome is not None and expected is not None:
            assert ("draw" if outcome.winner is None else outcome.winner.letter) == expected[0]
            assert str(outcome.reason) == expected[1]
            assert outcome.totals[1] - outcome.totals[0] == reference.margin(plain)
            return
        move = rng.choice(position.moves())
        position, plain = position.play(move), reference.play(plain, str(move))


def test_a_seed_makes_the_same_maze_always_and_seeds_differ() -> None:
    assert Maze.of_seed(7) == Maze.of_seed(7)
    assert Maze.of_seed(0).rows() == ONE, "games that were kept by seed would be other games"
    assert len({Maze.of_seed(seed).rows() for seed in range(200)}) == 200


@pytest.mark.parametrize("size", [7, 9, 11])
def test_mazes_are_what_the_rules_say(size: int) -> None:
    for seed in range(60):
        maze = Maze.of_seed(seed, size)
        assert len(cells_of(maze.traps, size)) == len(cells_of(maze.power_ups, size)) == 4
        rooms = [row * size + column for row in range(0, size, 2) for column in range(0, size, 2)]
        assert all(contains(maze.open, room) for room in rooms)
        state = state_of(Position.start(seed, size))
        there, back = cheapest_ways(state, (0, maze.last), (maze.last, 0), size)
        assert abs(there - back) <= 20
        assert min(there, back) >= 40


def test_the_reflection_takes_the_maze_with_the_runners() -> None:
    for seed in range(10):
        position = Position.start(seed)
        for _ in range(9):
            position = position.play(position.moves()[-1])
        image = position.image(1)
        assert image.image(1) == position
        assert len(image.moves()) == len(position.moves())
        for move in position.moves():
            action = GAME.shape.action_symmetries[1][move.action]
            assert position.play(move).image(1) == image.play(GAME.move_of(int(action), position.side))


def test_the_mover_always_runs_from_top_left_to_bottom_right() -> None:
    position = Position.parse(f"{FIRST} {START}").play("e")
    assert position.side is Side.B
    (move,) = position.moves()
    assert (str(move), move.action) == ("w", GAME.parse(f"{FIRST} {START}").moves()[0].action)


def test_a_move_from_a_text_has_no_number_until_a_position_is_asked() -> None:
    with pytest.raises(NotationError, match="belongs to no position"):
        _ = Move.parse("w").action
    assert Position.parse(f"{FIRST} {START}").play("e").bound(Move.parse("w")).action == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"#{FIRST[1:]} {START}", "a1 and i9 differ"),
        (f"#{FIRST[1:-1]}# {START}", "a1 is a wall"),
        (f"T{FIRST[1:]} {START}", "lies on a corner: a1"),
        (f"{FIRST.replace('.....#T', 'T....#T')} {START}", "lies on a corner: a1"),
        (f"{FIRST.replace('.....#T..', '.TT..#T..')} {START}", "6 traps: there are 4 at the most"),
        (f"{FIRST} f1 i9 0 0 48 a", "runner a stands in a wall: f1"),
        (f"{FIRST} a1 z9 0 0 48 a", "no cell is called that"),
        (f"{FIRST} a1 i9 10 0 48 a", "runner a cannot have paid 10: after 0 moves it lies between 0 and 0"),
        (f"{FIRST} b1 i9 11 0 47 b", "totals are even"),
        (f"{FIRST} c1 i9 20 0 47 b", "cannot be on c1: 2 steps from its corner, after 1 move"),
        (f"{FIRST} a1 i9 0 0 49 b", "49 plies left: a game has 48"),
        (f"{FIRST} a1 i9 0 0 48 b", "with 48 plies left a is to move"),
        (f"{FIRST} a1 i9 0 0 048 a", "without leading zeros"),
        (f"{FIRST} a1 i9 0 0 48", "found 6 fields"),
        (f"{FIRST} a1 i9 x 0 48 a", "expected a whole number"),
        (f"{FIRST[:-1]}? {START}", "on i9 is none of #"),
        (f"{FIRST[:-2]} {START}", "expected 9 cells, found 7"),
    ],
)
def test_what_is_no_position_is_refused_with_the_place(text: str, words: str) -> None:
    with pytest.raises((NotationError, PositionError)) as error:
        Position.parse(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_sets_of_cells_hold_what_they_were_given() -> None:
    rng = np.random.default_rng(1)
    for size in (7, 9, 11):
        chosen = sorted(rng.choice(size * size, 12, replace=False).tolist())
        assert cells_of(set_of(chosen), size) == chosen
