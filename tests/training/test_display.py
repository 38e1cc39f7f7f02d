"""What a person sees of a run: a table that changes in place on a terminal, lines elsewhere."""

import io
import re
import sys
from pathlib import Path

import pytest

from alphadiamond.training import display
from alphadiamond.training.run import _next_steps
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.settings import TrainSettings
from tests.training.small import settings

METRICS = {
    "speed/games_per_second": 12.34,
    "speed/simulations_per_second": 56789.0,
    "loss/policy": 1.2345,
    "loss/value": 0.6543,
    "games/draws": 0.25,
    "exam/kept": 0.9123,
}
BAR = "\u2501" * 10


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_for(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 100 columns as standard output, for the rest of the test."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("rich._console", None)  # the one that rich may have made for another terminal
    written = Terminal()
    monkeypatch.setattr(sys, "stdout", written)
    return written


def lines_of(terminal: Terminal) -> list[str]:
    """What was written, without colours and movements of the cursor."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue()).replace("\r", "\n")
    return [line.rstrip() for line in plain.split("\n") if line.strip()]


def last_of(lines: list[str], label: str) -> str:
    return next(line for line in reversed(lines) if line.startswith(label)).removeprefix(label).strip()


def test_on_a_terminal_the_table_shows_the_latest_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    told = settings(iterations=10)
    told.evaluation.pit.simulations = 100
    with display.make_display(told) as shown:
        shown.stage("self-play")
        shown.iteration_done(3, dict(METRICS))
        shown.stage("learning")
        shown.iteration_done(4, {"loss/policy": 1.1, "gate/score": 0.512, "elo/minimax_depth_4": -31.0})
        shown.live.refresh()
    lines = lines_of(terminal)
    assert last_of(lines, "iteration") == "4 of 10, learning"
    assert last_of(lines, "policy loss") == "1.100", "the newest"
    assert last_of(lines, "value loss") == "0.654", "what an iteration does not measure stays"
    assert last_of(lines, "games/s") == "12.3"
    assert last_of(lines, "simulations/s") == "56,789"
    assert last_of(lines, "draws") == "25%"
    assert last_of(lines, "gate score") == "0.512"
    assert last_of(lines, "exam") == "91.23%"
    assert last_of(lines, "match Elo against minimax:depth=4 with 100 simulations") == "-31"
    assert re.fullmatch(r"\d+ s|\d+ min \d\d s|\d+ h \d\d min", last_of(lines, "time left"))
    bars = [number for number, line in enumerate(lines) if BAR in line]
    ends = [number for number, line in enumerate(lines) if line.startswith("iteration")]
    assert bars, "the bar"
    assert bars[-1] < ends[-1], "what stays when nothing goes on has none"


def test_on_a_terminal_the_table_is_drawn_over_itself_and_what_is_said_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    with display.make_display(settings(iterations=10)) as shown:
        shown.iteration_done(1, dict(METRICS))
        shown.say("a candidate has passed the gate")
        shown.iteration_done(2, dict(METRICS))
    written = terminal.getvalue()
    assert re.search(r"\x1b\[\d*A|\x1b\[1A", written), "the cursor goes back up"
    assert lines_of(terminal).count("a candidate has passed the gate") == 1


def test_figures_that_are_not_there_take_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    with display.make_display(settings(iterations=2)) as shown:
        shown.stage("self-play")
    text = "\n".join(lines_of(terminal))
    assert "0 of 2, self-play" in text
    for label, _, _ in display.SHOWN:
        assert label not in text
    assert "time left" not in text


def test_elsewhere_there_is_a_line_an_iteration(capsys: pytest.CaptureFixture[str]) -> None:
    with display.make_display(settings(iterations=4)) as shown:
        shown.stage("self-play")
        shown.iteration_done(3, dict(METRICS))
        shown.say("a candidate has passed the gate")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("iteration 3/4: games/s 12.3; simulations/s 56,789; policy loss 1.23")
    assert first.endswith(" left")
    assert "\x1b" not in first
    assert second == "a candidate has passed the gate"


def test_the_next_steps_name_the_game_and_its_sides_where_it_is_not_the_default() -> None:
    def steps(game: str) -> list[str]:
        return _next_steps(TrainSettings(game=game, iterations=3), RunDirectory(Path("here"))).splitlines()[2:]

    play, evaluate, show, rate, go_on = steps("diamond_chase")
    assert play.endswith('make play ARGS="red=neural:checkpoint=here"')
    assert "game=" not in "".join((play, evaluate, show, rate, go_on))
    play, evaluate, show, rate, go_on = steps("dame")
    assert play.endswith('make play ARGS="game=dame black=neural:checkpoint=here"')
    assert all("game=dame " in line for line in (evaluate, rate, go_on))
    assert go_on.endswith('resume=here iterations=6"')
    assert show.endswith("alphadiamond show here")


def test_the_estimate_counts_down_between_two_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(display.time, "monotonic", lambda: now[0])
    clock = display._Clock(10)
    assert clock.left == ""
    now[0] += 20
    clock.iteration_done(2)
    assert clock.left == "1 min 20 s"
    now[0] += 5
    assert clock.left == "1 min 15 s"


def test_the_next_steps_can_be_typed_where_there_is_no_makefile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    play, evaluate, *_, go_on = _next_steps(TrainSettings(game="dame"), RunDirectory(Path("here"))).splitlines()[2:]
    assert play.endswith("alphadiamond play game=dame black=neural:checkpoint=here")
    assert "alphadiamond evaluate game=dame player=neural:checkpoint=here" in evaluate
    assert "alphadiamond train game=dame resume=here" in go_on
