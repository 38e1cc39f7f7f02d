"""The Labyrinth as everything else knows it: its seeds, its moves and how it is shown."""

import numpy as np
import pytest

from alphadiamond.arena.openings import random_openings
from alphadiamond.base.drawing import BONUS, HOMES, TRAP, WALL
from alphadiamond.base.game import Purpose
from alphadiamond.games.labyrinth import Maze, Position, Side
from alphadiamond.games.labyrinth.board import cells_of, contains
from alphadiamond.games.labyrinth.game import GAME
from alphadiamond.games.records import parse_records
from alphadiamond.server.board_snapshots import describe, scenes_of
from tests.games.labyrinth.test_rules import FIRST, START


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds of all mazes that are made."""
    made: list[int] = []
    real = Maze.of_seed

    def of_seed(seed: int, size: int = 9) -> Maze:
        made.append(seed)
        return real(seed, size)

    monkeypatch.setattr(Maze, "of_seed", of_seed)
    return made


def test_training_matches_exams_and_people_never_meet_in_a_maze(seeds: list[int]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        GAME.random_start(rng)
        GAME.opening(rng, 2)
    training, seeds[:] = set(seeds), []
    random_openings(6, rng=rng, game=GAME)
    GAME.random_position(rng)
    matches, seeds[:] = set(seeds), []
    for _ in range(20):
        GAME.drawn_start(rng, Purpose.EXAM)
    exam, seeds[:] = set(seeds), []
    GAME.start()
    for found, purpose in (
        (training, Purpose.TRAINING),
        (matches, Purpose.MATCH),
        (exam, Purpose.EXAM),
        (set(seeds), Purpose.PLAY),
    ):
        assert found
        assert all(seed in purpose.seeds for seed in found), purpose
    mazes = [{Maze.of_seed(seed).rows() for seed in found} for found in (training, matches, exam)]
    assert len(set.union(*mazes)) == sum(map(len, mazes))


def test_a_text_becomes_the_move_of_whoever_plays_it() -> None:
    position = Position.parse(f"{FIRST} {START}")
    first = GAME.move_in(position, "e")
    assert (first.action, [GAME.drawing.names[cell] for cell in first.squares]) == (2, ["a1", "b1"])
    second = GAME.move_in(position.play(first), "w")
    assert (second.action, [GAME.drawing.names[cell] for cell in second.squares]) == (2, ["i9", "h9"])


def test_the_moves_of_a_record_have_their_numbers() -> None:
    start = Position.start(3)
    moves, position = [], start
    while position.outcome is None:
        moves.append(position.moves()[-1])
        position = position.play(moves[-1])
    (record,) = parse_records(str(GAME.record(start, moves, players=("a", "b"))))
    assert [move.action for move in record.moves] == [move.action for move in moves]
    assert str(record.start) == str(start), "the record holds the maze"


def test_a_runner_at_home_passes_with_one_click() -> None:
    position = Position.parse(f"{FIRST} i9 b1 300 300 2 a")
    (move,) = position.moves()
    assert GAME.drawing.clicks(position).take((), 80) == ((), move)
    assert position.play(move).side is Side.B


def test_everything_that_lies_in_a_maze_is_shown_until_it_is_taken() -> None:
    position = Position.parse(f"{FIRST} g6 g7 196 148 19 b")
    ground = GAME.drawing.ground(position)
    for cell, kind in ground.items():
        assert (kind == WALL) == (not contains(position.maze.open, cell))
    assert [cell for cell in ground if ground[cell] == TRAP] == cells_of(position.maze.traps)
    assert [cell for cell in ground if ground[cell] == BONUS] == cells_of(position.maze.power_ups)
    assert (ground[80], ground[0]) == HOMES
    before = Position.parse(f"{FIRST} i3 g7 196 198 18 a")
    scenes = scenes_of(GAME.drawing, before, ["s"])
    gone = [cell for cell in range(81) if scenes[0].ground[cell] != scenes[1].ground[cell]]
    assert [GAME.drawing.names[cell] for cell in gone] == ["i4"]
    text = "\n".join(GAME.picture(before))
    assert text.count("###") == scenes[0].ground.count(WALL)
    assert text.count(" T ") == 3, "on the fourth stands a runner"


def test_a_page_is_told_of_the_maze_that_it_shows() -> None:
    start = Position.start(5)
    info = describe(GAME, str(start))
    assert info is not None
    assert info.start.ground.replace("_", ".").replace("0", ".").replace("1", ".") == start.maze.rows().replace("/", "")


def test_who_stands_in_the_cell_of_the_other_does_not_hide_whoever_moves() -> None:
    position = Position.parse(f"{FIRST} g6 g7 196 148 19 b").play("n")
    assert position.cells[0] == position.cells[1]
    assert GAME.drawing.pieces(position) == {position.cells[0]: Side.A}
    assert [GAME.drawing.standing(position, side) for side in Side] == [["g6"], ["g6"]]


def test_a_page_is_told_of_keys_passes_sight_costs_and_at_the_end_of_the_cheapest_ways() -> None:
    drawing = GAME.drawing
    start = Position.parse(Position.START)
    info = describe(GAME, str(start))
    assert info is not None
    assert (info.keys["9"], info.passes, info.sight) == ("ne", "-", 3)
    moves = drawing.sample(start=start)
    scenes = scenes_of(drawing, start, [str(move) for move in moves])
    assert (scenes[0].tallies, scenes[0].countdown) == (("0", "0"), "48 plies left")
    assert (scenes[1].toll, scenes[1].tallies) == ("+10", ("10", "0"))
    assert not scenes[-2].ways
    end = start
    for move in moves:
        end = end.play(move)
    results = [drawing.ways.result(start, end, side) for side in Side]
    assert scenes[-1].ways == tuple(drawing.ways.cheapest(start, side).path for side in Side)
    assert scenes[-1].cheapest == tuple(least for _, least, _ in results)
    assert scenes[-1].efficiency == tuple(f"{100 * (share or 0):.0f} %" for _, _, share in results)
    assert scenes[-1].tallies == tuple(str(paid) for paid, _, _ in results)
