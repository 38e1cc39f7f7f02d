"""The examples run, and say what they promise."""

import ast
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_begins_by_saying_what_it_shows(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 150
    assert ast.get_docstring(ast.parse(text))


def test_a_network_is_trained_and_its_exam_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from examples import train_and_plot

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["train_and_plot.py", "2"])
    whole = train_and_plot.settings

    def small(iterations: int, run: Path) -> object:
        made = whole(iterations, run)
        made.workers, made.selfplay.games, made.selfplay.rounds, made.selfplay.simulations = 1, 8, 16, 2
        made.evaluation.baselines, made.evaluation.pairs = ["random"], 1
        made.gate.batch = made.gate.max_pairs = 2
        made.evaluation.exam_every = 1
        return made

    monkeypatch.setattr(train_and_plot, "settings", small)
    train_and_plot.main()
    assert "the exam went from" in capsys.readouterr().out
    assert (tmp_path / "runs" / "example" / "exam.png").read_bytes().startswith(b"\x89PNG")


def test_an_agent_of_ones_own_takes_the_exam(capsys: pytest.CaptureFixture[str]) -> None:
    from examples import own_agent

    own_agent.main()
    kept, played = capsys.readouterr().out.splitlines()
    assert kept.startswith("keeps the exact value in ")
    assert played.startswith("against random: ")


def test_a_game_is_analysed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from examples import analyse_a_game

    analyse_a_game.main(tmp_path / "curve.png", judge="greedy")
    assert "beginner (green) – greedy (red)" in capsys.readouterr().out
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_two_engines_play_a_game_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    from examples import two_engines

    two_engines.main(("greedy", "random"))
    first, moves = capsys.readouterr().out.splitlines()
    assert first.startswith("greedy (x) against random (o): ")
    assert set(moves.split()) <= set("1234567")


def test_examples_do_nothing_when_they_are_imported() -> None:
    for path in EXAMPLES:
        runpy.run_path(str(path), run_name="imported")
