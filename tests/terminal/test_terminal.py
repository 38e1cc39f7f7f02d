"""The game in a terminal: as a conversation through a pipe, and at a terminal of its own."""

import io
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from alphadiamond.agents import Agent, AgentError
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Move, Position, read_records
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.picture import WIDTH, picture, words
from alphadiamond.play.library import Library
from alphadiamond.play.session import Session
from alphadiamond.terminal.commands import COMMANDS, Command, NotUnderstoodError, understand
from alphadiamond.terminal.game import TerminalGame
from alphadiamond.terminal.players import Players
from alphadiamond.terminal.screen import Screen
from tests.commands import finished

ROOT = Path(__file__).parents[2]
START = Position.start()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No file of the person who runs the tests is read or written."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


def talk(*lines: str, session: Session | None = None, plain: bool = False) -> tuple[str, Session]:
    """What comes out when these lines go in, and the game they lead to."""
    out = io.StringIO()
    before, sys.stdin = sys.stdin, io.StringIO("".join(f"{line}\n" for line in lines))
    library = Library()
    try:
        session = session or Session(second="greedy", game=GAME)
        game = TerminalGame(session, Screen(out, plain=plain), library=library, seed=1, process=False)
        game.run()
    finally:
        sys.stdin = before
        library.close()
    return out.getvalue(), game.session


def test_a_person_plays_by_name_and_by_number_and_takes_back() -> None:
    out, session = talk("si-cs", "1", "back", "moves")
    assert str(session.plies[0].move) == "si-cs"
    assert len(session.plies) == 2
    assert "red (Greedy) plays" in out
    assert "Taken back: 2 moves." in out
    assert f"1 {session.position.moves()[0]}" in out


@pytest.mark.parametrize(
    ("name", "said", "played", "shown"),
    [
        ("connect_four", ("4", "7"), ["4", "7"], "(x)"),  # a name comes before a number in the list
        ("dame", ("b2-a3", "1"), ["b2-a3"], "[b]"),
    ],
)
def test_every_game_is_played_by_name_and_by_number(
    tmp_path: Path, name: str, said: tuple[str, ...], played: list[str], shown: str
) -> None:
    path = tmp_path / "kept.game"
    game = load(name)
    out, session = talk(
        *said, "position", "plain on", f"save {path}", "quit", session=Session(second="random", game=game)
    )
    assert [str(ply.move) for ply in session.plies[::2]][: len(played)] == played
    assert len(session.plies) == 4
    assert shown in out
    assert str(session.position) in out
    assert f"{str(session.to_move).capitalize()} to move." in out
    again, other = talk(f"load {path}", "back", session=Session(second="random", game=GAME))
    assert other.game is game, "loading a record goes over to its game"
    assert "Taken back: 2 moves." in again


def test_every_command_is_done_without_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "x.game"
    arguments = {"save": str(path), "load": str(path), "level": "random", "analyse": "minimax:depth=2", "plain": "on"}
    lines = ["si-cs", *(f"{name} {arguments.get(name, '')}" for name in COMMANDS if name not in ("hint", "new"))]
    out, _ = talk(*lines)
    for text in (
        "A move is said by its name",
        "Minimax",
        "Taken back",
        "Random plays red",
        "Saved",
        "wins by resignation",
    ):
        assert text in out
    assert talk("1", "new red")[1].first == "greedy"
    (record,) = read_records(path)
    assert str(record.moves[0]) == "si-cs"


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("si-cs", Move.parse("si-cs")),
        ("1", START.moves()[0]),
        ("HELP", Command("help")),
        ("undo", Command("back")),
        ("pos", Command("position")),
        ("level mcts:seconds=2", Command("level", "mcts:seconds=2")),
    ],
)
def test_a_line_is_understood(line: str, meant: object) -> None:
    assert understand(line, START) == meant


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("si-cn", "no edge joins si and cn"),
        ("n-nw", "it is green's move"),
        ("0", "numbered 1 to 5"),
        ("ws", "which one: ws-w, ws-wi?"),
        ("re", "could be redo or resume or resign"),
        ("analyso", "did you mean analyse?"),
        ("zzz", "say help"),
    ],
)
def test_what_is_not_understood_is_answered_with_what_could_be_meant(line: str, message: str) -> None:
    with pytest.raises(NotUnderstoodError, match="(?i)" + message.replace("?", r"\?")):
        understand(line, START)


def test_mistakes_cost_nothing() -> None:
    out, session = talk(
        "si-cn", "load nowhere.game", "level 99", "level minimacs", "new blue", "go", "save /no/such/place/x"
    )
    assert not session.plies
    for text in ("No edge joins", "nowhere.game: cannot be read", "numbered 1 to", "did you mean minimax?", "no side"):
        assert text.lower() in out.lower()


def test_a_saved_game_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.game"
    talk("si-cs", f"save {path}")
    text = path.read_text()
    out, _ = talk("1", f"save {path}")
    assert "is there already" in " ".join(out.split())
    assert path.read_text() == text


def test_an_unfinished_game_is_kept_and_resumed_and_another_one_does_not_push_it_out() -> None:
    _, left = talk("si-cs")
    out, session = talk("resume")
    assert "left unfinished: say resume" in out
    assert [ply.move for ply in session.plies] == [ply.move for ply in left.plies]
    out, _ = talk("1")
    assert "is kept as" in out
    (kept,) = Library().games()
    assert kept.record is not None
    assert list(kept.record.moves) == [ply.move for ply in left.plies]


def test_plain_mode_is_sentences_without_pictures_or_strange_letters() -> None:
    out, _ = talk("si-cs", "moves", "analyse minimax:depth=2", "resign", plain=True)
    assert out.isascii()
    assert "Green plays si-cs." in out
    assert "Green has 6 beads:" in out
    assert "\x1b" not in out
    assert "|" not in out


def test_two_players_are_watched_to_the_end_and_the_end_of_the_input_ends_it() -> None:
    out, session = talk(session=Session(first="random", second="greedy", game=GAME))
    assert session.over
    assert "by " in out.strip().split("\n")[-1]


def test_a_player_that_cannot_be_had_is_explained_and_replaced() -> None:
    out, session = talk("si-cs", session=Session(second="minimax:depth=999", game=GAME))
    assert "expected 1 to" in out
    assert session.second != "minimax:depth=999"
    assert len(session.plies) == 2


def test_where_nobody_can_be_had_the_game_stops_with_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def get(players: Players, spec: str) -> Agent:
        asked.append(spec)
        assert asked.count(spec) == 1, "asked on and on"
        raise AgentError(f"{spec} is not here")

    monkeypatch.setattr(Players, "get", get)
    with pytest.raises(AlphaDiamondError, match="is not here: no other player can be had either"):
        talk("si-cs")
    assert "minimax:depth=4" in asked


def test_a_line_is_broken_between_moves_and_not_within_them() -> None:
    out = io.StringIO()
    screen = Screen(out)
    for filler in range(40, 79):
        screen.say("x" * filler + " cs-si, sw-si.")
    assert not re.search(r"-$", out.getvalue(), re.MULTILINE)


def test_the_picture_fits_80_columns_and_shows_every_bead() -> None:
    position = START.play("si-cs")
    lines = picture(position, marked=[17])
    assert max(len(line) for line in lines) <= WIDTH <= 79
    text = "\n".join(lines)
    assert text.count("(") == text.count("[") == 6
    assert "(cs)" in text
    assert "*si*" in text
    assert words(position)[0] == "Red to move."


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "plain", "colours"),
    [
        ({"TERM": "xterm"}, False, True),
        ({"NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
        ({}, True, False),
    ],
)
def test_there_are_colours_at_a_terminal_that_has_them(environment: dict[str, str], plain: bool, colours: bool) -> None:
    out = Terminal()
    screen = Screen(out, plain=plain, environment=environment)
    screen.show(*picture(START, paint=screen.paint))
    assert ("\x1b[" in out.getvalue()) is colours
    assert not Screen(io.StringIO(), environment={"TERM": "xterm"}).colours


def run(*arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    displays = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    environment = {key: value for key, value in os.environ.items() if key not in displays}
    return finished("play.py", *arguments, environment={**environment, **more}, stdin=stdin)


def test_the_script_plays_through_a_pipe_without_pygame(tmp_path: Path) -> None:
    done = run("terminal=true", "red=greedy", "seed=1", stdin="si-cs\nposition\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "green> si-cs" in done.stdout
    assert "The game is kept" in done.stdout
    code = "import sys, alphadiamond.terminal.play; print([m for m in ('pygame', 'torch') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_without_a_display_the_terminal_is_offered() -> None:
    done = run(SDL_VIDEODRIVER="x11")  # the one driver that needs a display, wherever the test runs
    assert done.returncode == 2, done.stderr
    assert "terminal=true" in done.stderr
    assert done.stderr.count("\n") == 1


def test_moves_are_completed_at_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, str(ROOT / "scripts" / "play.py"), "terminal=true", "red=greedy", "seed=1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""

    def until(text: bytes) -> None:
        nonlocal seen
        deadline = time.monotonic() + 60
        while text not in seen and time.monotonic() < deadline:
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096)
        assert text in seen, seen.decode(errors="replace")
        seen = seen[seen.index(text) + len(text) :]

    try:
        until(b"green> ")
        os.write(ours, b"si\t\n")
        until(b"si-cs")
        until(b"plays")
        until(b"green> ")
        os.write(ours, b"\x04")
        until(b"The game is kept")
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
