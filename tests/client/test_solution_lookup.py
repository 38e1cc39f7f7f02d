"""Exact judgement, on the layer of four beads a side, which is solved here in a moment."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from alphadiamond import games
from alphadiamond.base.threads import ThreadPool
from alphadiamond.client.results import game_result
from alphadiamond.client.solution_lookup import Exact, SolutionLookup, Verdict
from alphadiamond.games.diamond_chase import Move, Position, Side
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase
from alphadiamond.games.diamond_chase.solver.retrograde import empty_table, pairs, solve_pair
from alphadiamond.play.session import Session

DRAWING = games.load("diamond_chase").drawing

# Four against four; green can shut the bead on w in, and win.
WINNING = "r/rr/./g../r.g..../g.././../g g 0"


@pytest.fixture(scope="module")
def solution_lookup() -> SolutionLookup:
    table = empty_table()
    with ThreadPool(1) as pool:
        solve_pair(table, pairs()[0], pool, lambda done, note: None)
    solution_lookup = SolutionLookup(game=GAME)
    solution_lookup.use(Tablebase(Path("."), [table[layer.slice] for layer in LAYERS]))
    return solution_lookup


def test_every_move_gets_its_exact_value(solution_lookup: SolutionLookup) -> None:
    position = Position.parse(WINNING)
    moves = solution_lookup.moves(position)
    assert set(moves) == set(position.moves())
    assert moves[Move.parse("cw-wi")] == Exact(1, 1)
    assert solution_lookup.exact(position) == Exact(1, 1)
    assert moves[Move.parse("cw-wi")].text == "wins in 1"


def test_a_move_that_throws_a_win_away_is_marked(solution_lookup: SolutionLookup) -> None:
    position = Position.parse(WINNING)
    found = {move: solution_lookup.verdict(DRAWING.ply(position, move)) for move in position.moves()}
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


def test_accuracy_counts_the_persons_moves_only(solution_lookup: SolutionLookup) -> None:
    session = Session(second="random", start=Position.parse(WINNING), game=GAME)
    session.play(Move.parse("cw-wi"))
    assert solution_lookup.accuracy(session.plies, Side.GREEN) == (1, 1)
    assert solution_lookup.accuracy(session.plies, Side.RED) == (0, 0)
    result = game_result(session, solution_lookup)
    assert result is not None
    assert (result.result, result.judged, result.kept, result.opponent) == ("won", 1, 1, "Random")


def test_without_a_tablebase_nothing_is_claimed() -> None:
    solution_lookup = SolutionLookup(game=GAME)
    position = Position.parse(WINNING)
    assert solution_lookup.moves(position) == {}
    assert solution_lookup.exact(position) is None
    assert solution_lookup.verdict(DRAWING.ply(position, Move.parse("cw-wi"))) is None


def test_a_missing_tablebase_is_said_and_not_waited_for(home: Path) -> None:
    solution_lookup = SolutionLookup(game=GAME)
    solution_lookup._load()
    assert not solution_lookup.ready
    assert solution_lookup.fault == "the game has not been solved here yet"


class Slow:
    """A solution that does not answer before it is told to."""

    def __init__(self) -> None:
        self.real = games.load("connect_four").solution()
        self.go = threading.Event()
        self.asked: list[Any] = []

    def values(self, states: Any) -> Any:
        self.asked.append(states)
        self.go.wait(60)
        assert self.real is not None
        return self.real.values(states)

    def action_values(self, states: Any) -> Any:
        self.asked.append(states)
        self.go.wait(60)
        assert self.real is not None
        return self.real.action_values(states)


def test_a_solution_that_searches_is_asked_beside_the_window() -> None:
    game = games.load("connect_four")
    late = game.start()
    for move in game.drawing.sample(24):
        late = late.play(move)
    solution_lookup, slow = SolutionLookup(game), Slow()
    solution_lookup.use(slow)
    assert solution_lookup.exact(late) is None, "nobody waits for it"
    assert solution_lookup.moves(late) == {}
    slow.go.set()
    end = time.monotonic() + 60
    while not solution_lookup.moves(late) or solution_lookup.exact(late) is None:
        assert time.monotonic() < end
        time.sleep(0.005)
    found = solution_lookup.exact(late)
    assert found is not None
    assert max(found.value for found in solution_lookup.moves(late).values()) == found.value
    assert solution_lookup.version >= 2


def test_what_would_take_minutes_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load("connect_four")
    monkeypatch.setattr(type(game), "exact_soon", lambda self, position: position.plies >= 7)
    solution_lookup, slow = SolutionLookup(game), Slow()
    solution_lookup.use(slow)
    slow.go.set()
    early = game.start().play("4")
    assert solution_lookup.exact(early) is None
    assert solution_lookup.moves(early) == {}
    six = early
    for text in "44422":
        six = six.play(text)
    assert solution_lookup.moves(six) is not None, "all of its moves lead to seven discs"
    assert solution_lookup.exact(six) is None
    time.sleep(0.05)
    assert all(states[0, 0].bit_count() + states[0, 1].bit_count() >= 6 for states in slow.asked)
