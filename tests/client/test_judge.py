"""Exact judgement, on the layer of four beads a side, which is solved here in a moment."""

from pathlib import Path

import pytest

from alphadiamond import games
from alphadiamond.client.judge import Exact, Judge, Verdict
from alphadiamond.client.results import game_result
from alphadiamond.client.session import Session
from alphadiamond.games.diamond_chase import Move, Position, Side
from alphadiamond.games.diamond_chase.solution import TablebaseSolution
from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase
from alphadiamond.games.diamond_chase.solver.retrograde import empty_table, pairs, solve_pair, workers

DRAWING = games.load().drawing

# Four against four; green can shut the bead on w in, and win.
WINNING = "r/rr/./g../r.g..../g.././../g g 0"


@pytest.fixture(scope="module")
def judge() -> Judge:
    table = empty_table()
    with workers(1) as team:
        solve_pair(table, pairs()[0], team, lambda done, note: None)
    judge = Judge()
    judge.use(TablebaseSolution(Tablebase(Path("."), [table[layer.slice] for layer in LAYERS])))
    return judge


def test_every_move_gets_its_exact_value(judge: Judge) -> None:
    position = Position.parse(WINNING)
    moves = judge.moves(position)
    assert set(moves) == set(position.moves())
    assert moves[Move.parse("cw-wi")] == Exact(1, 1)
    assert judge.exact(position) == Exact(1, 1)
    assert moves[Move.parse("cw-wi")].text == "wins in 1"


def test_a_move_that_throws_a_win_away_is_marked(judge: Judge) -> None:
    position = Position.parse(WINNING)
    found = {move: judge.verdict(DRAWING.ply(position, move)) for move in position.moves()}
    best = found[Move.parse("cw-wi")]
    assert best is not None
    assert best.kept
    assert best.mark == ""
    thrown = [verdict for verdict in found.values() if verdict is not None and not verdict.kept]
    assert thrown
    assert all(verdict.mark in ("?", "??") and verdict.text.startswith("turned a win") for verdict in thrown)


def test_marks_say_how_much_was_thrown_away() -> None:
    assert Verdict(1, 0).mark == "?"
    assert Verdict(1, -1).mark == "??"
    assert Verdict(0, 0).mark == ""
    assert Verdict(0, -1).text == "turned a draw into a loss"


def test_accuracy_counts_the_persons_moves_only(judge: Judge) -> None:
    session = Session(second="random", start=Position.parse(WINNING))
    session.play(Move.parse("cw-wi"))
    assert judge.accuracy(session.plies, Side.GREEN) == (1, 1)
    assert judge.accuracy(session.plies, Side.RED) == (0, 0)
    result = game_result(session, judge)
    assert result is not None
    assert (result.result, result.judged, result.kept, result.opponent) == ("won", 1, 1, "Random")


def test_without_a_tablebase_nothing_is_claimed() -> None:
    judge = Judge()
    position = Position.parse(WINNING)
    assert judge.moves(position) == {}
    assert judge.exact(position) is None
    assert judge.verdict(DRAWING.ply(position, Move.parse("cw-wi"))) is None


def test_a_missing_tablebase_is_said_and_not_waited_for(home: Path) -> None:
    judge = Judge()
    judge._load()
    assert not judge.ready
    assert judge.fault == "the game has not been solved here yet"
