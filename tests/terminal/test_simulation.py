"""Path finders side by side and logs in letters, in a game and from the command."""

import io
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from alphadiamond.base import huffman
from alphadiamond.client.showcase import sample_record
from alphadiamond.games.labyrinth import Position, Side
from alphadiamond.games.labyrinth.game import GAME
from alphadiamond.games.records import write_records
from alphadiamond.play.session import HUMAN, Session
from alphadiamond.terminal import simulation
from alphadiamond.terminal.screen import Screen
from scripts import simulate
from tests.commands import finished
from tests.games.labyrinth.test_rules import FIRST, START
from tests.terminal.test_terminal import home, talk

assert home  # a fixture
WAYS = GAME.drawing.ways


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at(position: str, second: str = HUMAN) -> Session:
    return Session(HUMAN, second, game=GAME, start=Position.parse(position))


def test_the_boards_show_what_was_explored_and_the_way() -> None:
    position = Position.parse(f"{FIRST} {START}")
    walk = WAYS.walk(position, "breadth_first")
    lines = simulation.board_lines(GAME.drawing, position, walk.at(10_000), Screen(io.StringIO()), {})
    text = "".join(lines)
    walls = 81 - len(re.findall(r"#", FIRST))
    assert text.count("#") == 2 * (81 - walls)
    assert text.count("@") == 1
    assert text.count("*") == walk.steps
    early = simulation.board_lines(GAME.drawing, position, walk.at(3), Screen(io.StringIO()), {})
    assert "".join(early).count("+") == 3
    assert "@" not in "".join(early)


def test_a_terminal_is_shown_every_moment_and_a_pipe_the_last() -> None:
    position = Position.parse(f"{FIRST} {START}")
    walks = simulation.walks_of(GAME.drawing, position, finders=["hill_climbing"])
    out, piped = Terminal(), io.StringIO()
    simulation.show_simulation(Screen(out), GAME.drawing, position, walks, distances={}, speed=1000)
    simulation.show_simulation(Screen(piped), GAME.drawing, position, walks, distances={}, speed=1000)
    assert out.getvalue().count("\x1b[11A") == walks["hill_climbing"].frames - 1
    assert "\x1b" not in piped.getvalue()
    assert piped.getvalue().count("Hill climbing") == 2, "over its board and in the table"


def test_a_game_can_be_asked_for_both() -> None:
    out, _ = talk("e", "w", "simulate chebyshev", "logs", session=at(f"{FIRST} {START}"))
    walk = WAYS.walk(Position.parse(f"{FIRST} {START}").play("e").play("w"), "a_star", "chebyshev")
    assert re.search(rf"A\* +chebyshev +{walk.cost} +{walk.steps} +{walk.seen} +100 %", out)
    assert "8 bits plain, 1 coded, 88 % saved: 0" in out
    refused, _ = talk("simulate pink", "quit", session=at(f"{FIRST} {START}"))
    assert "No heuristic is called 'pink': there are euclidean, manhattan, chebyshev." in refused
    other, _ = talk("simulate", "quit")
    assert "Diamond Chase has no path finders" in other


def test_a_step_into_a_wall_is_refused_and_is_not_the_beginning_of_a_command() -> None:
    """North of a1 and of b1 is a wall or nothing: `n` and `ne` began a new game, as beginnings of `new`."""
    out, session = talk("e", "w", "n", "ne", "s", "-", "quit", session=at(f"{FIRST} {START}"))
    assert [str(ply.move) for ply in session.plies] == ["e", "w"]
    assert str(session.start) == f"{FIRST} {START}"
    for words in ("N: there is nothing n of b1.", "S: b2 is a wall.", "-: runner a is not at home, and only there"):
        assert words in out


def test_exact_values_are_told_as_margins() -> None:
    out, _ = talk("analyse minimax:depth=2", session=at(f"{FIRST} g6 g7 196 148 19 b"))
    assert "Exactly, by the solved game: win by 10: w; win by 4: e; loss by 12: n." in out


def test_what_both_have_paid_and_what_is_left_stands_below_the_board() -> None:
    out, _ = talk("board", "quit", session=at(f"{FIRST} g6 g7 196 148 19 b"))
    assert "a paid 196, on g6   b paid 148, on g7   19 plies left" in out


def test_a_pass_is_made_and_the_end_tells_what_each_has_paid() -> None:
    out, session = talk("w", session=at(f"{FIRST} i9 b1 300 300 4 a"))
    assert [str(ply.move) for ply in session.plies] == ["-", "w"]
    assert "A has paid 0; the cheapest way cost 0: an efficiency of 100 %." in out
    assert "B has paid 10; the cheapest way cost 10: an efficiency of 100 %." in out


def test_a_tree_lies_on_its_side() -> None:
    tree = huffman.code("MMMMTTP").tree
    assert tree is not None
    assert simulation.tree_lines(tree) == ["(7)", "    0: (3)", "        0: P (1)", "        1: T (2)", "    1: M (4)"]


def test_the_command_knows_what_the_game_has() -> None:
    assert tuple(WAYS.finders) == simulate.FINDERS
    assert WAYS.heuristics == simulate.HEURISTICS


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return finished("simulate.py", *arguments)


def test_a_record_is_simulated_and_its_logs_are_coded(tmp_path: Path) -> None:
    record = sample_record(game=GAME)
    write_records(tmp_path / "my.game", [record])
    done = run(str(tmp_path / "my.game"), "finders=[dijkstra]", f"output={tmp_path / 'walks.png'}", "size=960x600")
    assert done.returncode == 0, done.stderr
    session = Session.of_record(record)
    for side in Side:
        assert huffman.code(WAYS.log(session.plies, side)).bits in done.stdout
    assert Image.open(tmp_path / "walks.png").size == (960, 600)


@pytest.mark.slow
def test_an_animation_shows_the_walk(tmp_path: Path) -> None:
    done = run("seed=7", f"output={tmp_path / 'walks.gif'}", "size=960x600")
    assert done.returncode == 0, done.stderr
    walks = simulation.walks_of(GAME.drawing, GAME.start(7))
    picture = Image.open(tmp_path / "walks.gif")
    frames = picture.n_frames  # type: ignore[attr-defined]
    assert 1 < frames <= max(walk.frames for walk in walks.values())
    assert (tmp_path / "walks.gif").stat().st_size < 4_000_000, "only what changes is stored"
    picture.seek(frames // 2)
    assert golden(picture.convert("RGB")) > 500, "the rings of what waits are gold"


def golden(picture: Image.Image) -> int:
    """How many pixels are gold, of which there are few in a picture that is mostly blue."""
    red, green, blue = np.moveaxis(np.asarray(picture).astype(int), -1, 0)
    return int(((red > 150) & (red > green + 20) & (green > blue + 40)).sum())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("game=dame",), "error: Dame has no path finders: game=labyrinth has\n"),
        (("my.game",), "error: no record is called 'my.game', and as a position it is wrong: "),
        ((f"{FIRST} f1 i9 0 0 48 a",), "error: runner a stands in a wall: f1\n"),
    ],
)
def test_what_cannot_be_walked_is_said_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(words)
    assert done.stderr.count("\n") == 1
