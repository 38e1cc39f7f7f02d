"""Opinions on a position, exact values, and the mistakes of a game."""

import io
import itertools
import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from alphadiamond.agents import make_agent, players_of
from alphadiamond.analysis.opinions import Solution, ask_players, best_line
from alphadiamond.analysis.plots import curve_figure
from alphadiamond.analysis.report import opinions_table
from alphadiamond.analysis.review import record_title, review
from alphadiamond.analysis.settings import AnalyseSettings
from alphadiamond.analysis.task import analyse, read_subject
from alphadiamond.arena.play import play_game
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import GameRecord, Position, Side, write_records
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.solver import Tablebase
from tests.commands import finished
from tests.games.diamond_chase.samples import random_masks

ROOT = Path(__file__).parents[2]
WON = "r/g./g/.gg/......./r.r/r/../. g 0"  # green wins with en-ne


@pytest.fixture
def tablebase(perfect_small: Tablebase, monkeypatch: pytest.MonkeyPatch) -> Tablebase:
    """The small layers alone, which are no files."""
    monkeypatch.setattr(
        "alphadiamond.games.diamond_chase.players.perfect.PerfectAgent.check",
        classmethod(lambda cls, **parameters: None),
    )
    return perfect_small


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "empty"))


def game(seed: int) -> GameRecord:
    """A short one between players who slip, from a placement that the small tablebase knows."""
    start = Position(*random_masks(np.random.default_rng(seed), 5, 4), Side.GREEN)
    return play_game(
        make_agent("beginner", seed=seed, game=GAME), make_agent("random", seed=seed, game=GAME), start, game=GAME
    ).record


def test_every_registered_player_is_heard_and_one_that_cannot_be_had_says_why(unsolved: None) -> None:
    quick = [name for name in players_of(GAME) if name not in ("neural", "mcts", "hybrid")]
    opinions = {one.player: one for one in ask_players(Position.start(), quick, seed=1, game=GAME)}
    assert list(opinions) == quick
    assert "make solve" in opinions["perfect"].fault
    for name in set(quick) - {"perfect"}:
        analysis = opinions[name].analysis
        assert analysis is not None
        assert analysis.best in Position.start().moves()


def test_a_name_that_somebody_wrote_must_be_right() -> None:
    with pytest.raises(AlphaDiamondError, match="did you mean random"):
        list(ask_players(Position.start(), ["rndom"], game=GAME))


def test_exact_values_agree_with_the_tablebase_and_the_line_is_as_long_as_it_says(tablebase: Tablebase) -> None:
    solution = Solution.find(game=GAME)
    rng = np.random.default_rng(2)
    decided = 0
    for _ in range(40):
        position = Position(*random_masks(rng, 4, 4), Side.RED)
        exact, probe = solution.exact(position), tablebase.probe(position)
        assert exact is not None
        assert (exact.value, exact.distance or 0) == (probe.value, probe.distance)
        line = solution.line(position)
        assert len(line) == (exact.distance or 0)
        decided += bool(line)
        assert {move: one.value for move, one in solution.moves(position).items()} == {
            move: -tablebase.probe(position.play(move)).value for move in position.moves()
        }
    assert decided


def test_mistakes_are_the_moves_that_give_exact_value_away(tablebase: Tablebase) -> None:
    found = 0
    for seed in range(6):
        record = game(seed)
        reviewed = review(record, make_agent("minimax:depth=2", seed=1, game=GAME), Solution.find(game=GAME))
        assert len(reviewed.plies) == len(record.moves)
        assert len(reviewed.curve) == len(record.moves) + 1
        for ply in reviewed.plies:
            before, after = tablebase.probe(ply.before).value, -tablebase.probe(ply.after).value
            if ply.after.outcome is not None and ply.after.outcome.winner is None:
                after = 0
            assert ply.given_away == max(0, before - after) / 2
            assert ply.mark == {0: "", 1: "?", 2: "??"}[max(0, before - after)]
            if ply.mark:
                assert -tablebase.probe(ply.before.play(ply.best)).value == before
        found += len(reviewed.mistakes)
        outcome = record.final.outcome
        assert outcome is not None
        assert reviewed.curve[-1] == {Side.GREEN: 1.0, Side.RED: -1.0, None: 0.0}[outcome.winner]
    assert found


def test_without_a_solution_the_judge_marks_a_thrown_win(unsolved: None) -> None:
    record = GameRecord.of(Position.parse(WON), [], green="a", red="b")
    judge = make_agent("minimax:depth=4", seed=1, game=GAME)
    worst = judge.analyse(record.start).moves[-1].move
    thrown = GameRecord.of(record.start, [worst], green="a", red="b")
    reviewed = review(thrown, judge, Solution.find(game=GAME))
    assert not reviewed.solved
    assert reviewed.exact_curve is None
    (ply,) = reviewed.mistakes
    assert str(ply.best) == "en-ne"
    assert ply.given_away == pytest.approx((1 - ply.value) / 2)


def test_a_record_is_written_as_json_and_as_a_picture(tablebase: Tablebase, tmp_path: Path) -> None:
    path = tmp_path / "my.game"
    records = [game(1), game(2)]
    write_records(path, records)
    settings = AnalyseSettings(subject=str(path), number=2, judge="minimax:depth=2", output=str(tmp_path / "out"))
    analyse(settings)
    figures = json.loads((tmp_path / "out" / "analysis.json").read_text())
    assert [ply["move"] for ply in figures["plies"]] == [str(move) for move in records[1].moves]
    assert figures["mistakes"] == [ply["number"] for ply in figures["plies"] if ply["mark"]]
    assert (tmp_path / "out" / "curve.png").read_bytes().startswith(b"\x89PNG")


def run(*arguments: str, home: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_DATA_HOME": str(home / "empty")}
    return finished("analyse.py", *arguments, directory=home, environment=environment, stdin=stdin)


def test_a_bare_position_is_analysed(tmp_path: Path) -> None:
    done = run(WON, "players=minimax:depth=3,seed=4,greedy", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "minimax:depth=3,seed=4 │ en-ne" in done.stdout
    figures = json.loads((tmp_path / "results" / "analysis" / "analysis.json").read_text())
    assert [one["best"] for one in figures["opinions"]] == ["en-ne", "en-ne"]
    assert figures["exact"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["r/rr g 0"], "expected 9 ranks"),
        (["nowhere.game"], "nowhere.game: cannot be read"),
        (["juge=random"], "did you mean 'judge'?"),
    ],
)
def test_a_mistake_gets_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = run(*arguments, home=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_subject_may_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    record = game(3)
    for text, expected in ((f"{WON}\n", Position.parse(WON)), (str(record), record)):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert read_subject("-", game=GAME) == expected


def test_the_best_line_begins_with_the_move_that_the_perfect_player_names() -> None:
    """Of several best moves it draws one anew each time."""
    dame = load("dame")
    start = dame.start()
    lines = set()
    for seed in range(12):
        opinions = list(ask_players(start, ["perfect"], game=dame, seed=seed))
        assert opinions[0].analysis is not None
        who, line = best_line(opinions, Solution.find(dame), start)
        assert (who, line[0]) == ("perfect", opinions[0].analysis.best)
        lines.add(str(line[0]))
    assert len(lines) > 1, "else this shows nothing"


def test_the_curve_of_a_game_without_draws_names_none_and_has_no_gaps(tmp_path: Path) -> None:
    for name, words in (("dame", "even"), ("connect_four", "draw")):
        game = load(name)
        record = play_game(
            make_agent("random", seed=1, game=game), make_agent("random", seed=2, game=game), game.start(), game=game
        ).record
        judge = make_agent("random", seed=1, game=game)
        found = replace(review(record, judge, Solution(None)), curve=[0.5, -0.5, 0.5])
        figure = curve_figure(found)
        (axes,) = figure.axes
        assert [label.get_text() for label in axes.get_yticklabels()][1] == words
        shaded = [path.vertices[:, 0] for fill in axes.collections for path in fill.get_paths()]
        assert any(np.isclose(x, 0.5).any() for x in shaded), "shaded up to where the line crosses zero"


def test_a_curves_title_legend_and_names_keep_apart(unsolved: None) -> None:
    record = replace(game(3), players=("mypackage.players.Timid:care=2,hurry=0.125", "minimax:depth=4"))
    found = review(record, make_agent("random", seed=1, game=GAME), Solution(None))
    plies = tuple(replace(found.plies[0], number=number, given_away=0.5) for number in range(60))
    figure = curve_figure(replace(found, plies=plies, curve=(0.0,) * 61))
    figure.canvas.draw()
    (axes,), (legend,) = figure.axes, figure.legends
    assert not legend.get_window_extent().overlaps(axes.title.get_window_extent())
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) > 5
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_who_waits_for_a_search_for_exact_values_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    position = "......./......./...x.../..oo..x/.xxoo.o/.oxxo.x x"
    analyse(AnalyseSettings(subject=position, game="connect_four", players=["random"], output=str(tmp_path)))
    assert "searching for exact values" in capsys.readouterr().err


def test_a_record_is_introduced_by_its_players_moves_and_result(
    unsolved: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = game(3)
    write_records(tmp_path / "one.game", [record])
    analyse(AnalyseSettings(subject=str(tmp_path / "one.game"), judge="random", output=str(tmp_path)))
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"{record_title(record)} after {len(record.moves)} moves"
    assert f"{record.player(Side.GREEN)} (green) – {record.player(Side.RED)} (red): " in first


def test_under_the_board_stands_whose_pieces_are_whose(
    unsolved: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    analyse(AnalyseSettings(subject=WON, players=["random"], output=str(tmp_path)))
    assert "(green)   [red]   green to move\n" in capsys.readouterr().out


def test_at_80_columns_no_name_is_cut(unsolved: None) -> None:
    name = "neural:checkpoint=runs/with-a-long-name,simulations=400"
    opinions = [replace(one, player=name) for one in ask_players(Position.parse(WON), ["greedy"], game=GAME)]
    written = io.StringIO()
    Console(width=80, file=written).print(opinions_table(Position.parse(WON), opinions, {}))
    rows = written.getvalue().splitlines()
    assert max(map(len, rows)) <= 80
    assert "".join(row.split("│")[1].strip() for row in rows if row.startswith("│")) == name
