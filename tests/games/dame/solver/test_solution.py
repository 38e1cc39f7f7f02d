"""The solution against plain recursion, and its file."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.base.game import ILLEGAL
from alphadiamond.base.solver import command
from alphadiamond.base.solver.report import best_line
from alphadiamond.base.solver.settings import SolveSettings
from alphadiamond.games.dame import Position, Side
from alphadiamond.games.dame.kernels import left_to_go
from alphadiamond.games.dame.solver import DameSolution, TablebaseError, index_kernels, kernels
from alphadiamond.games.dame.solver.index_kernels import BASES, ENTRIES, MASKS, ROWS, index_of, opponent_at
from alphadiamond.games.dame.solver.summary import longest_game, stakes, summarise
from alphadiamond.games.dame.solver.table_builder import prove
from alphadiamond.games.dame.solver.table_file import NAME, map_table, write_table
from tests.games.dame.samples import random_game, random_position
from tests.games.dame.solver import plain

GAME = games.load("dame")


def test_every_position_has_a_number_of_its_own() -> None:
    rng = np.random.default_rng(1)
    assert ENTRIES == 15_527_717
    for row in rng.integers(ROWS, size=60):
        own = int(MASKS[row])
        opponents = [int(opponent_at(own, n)) for n in range(BASES[row + 1] - BASES[row])]
        assert len(set(opponents)) == len(opponents)
        for number in rng.integers(len(opponents), size=20):
            position = Position(own, opponents[number], Side.WHITE)
            assert index_of(position.own, position.opp) == BASES[row] + number
    for _ in range(500):
        position = random_position(rng)
        index = index_of(position.own, position.opp)
        row = int(np.searchsorted(BASES, index, side="right")) - 1
        assert MASKS[row] == position.own
        assert opponent_at(position.own, index - BASES[row]) == position.opp


def test_white_wins_from_the_start_in_23_plies(dame_solution: DameSolution) -> None:
    assert dame_solution.result(Position.start()) == (1, 23)
    good = [str(move) for move in Position.start().moves() if dame_solution.result(Position.start().play(move))[0] < 0]
    assert good == ["b2-c3", "f2-e3"]
    game = best_line(GAME, dame_solution, Position.start())
    assert len(game) == 23


def test_results_are_those_of_plain_recursion(dame_solution: DameSolution) -> None:
    """On the ends of games, and on placements of few men, most of which no game leads to."""
    rng = np.random.default_rng(2)
    drawn = [position for _ in range(300) for position in random_game(rng)[-8:]]
    drawn += [random_position(rng) for _ in range(3000)]
    asked = [position for position in drawn if left_to_go(position.own, position.opp) < 15]
    assert len(asked) > 250
    for position in asked:
        assert dame_solution.result(position) == plain.result(str(position)), str(position)


def test_action_values_are_the_results_after_each_move(dame_solution: DameSolution) -> None:
    rng = np.random.default_rng(3)
    positions = [random_position(rng) for _ in range(300)] + random_game(rng)
    values, plies = dame_solution.action_values(GAME.states_of(positions))
    for position, row_values, row_plies in zip(positions, values, plies, strict=True):
        expected = np.full(GAME.actions, ILLEGAL)
        for move in position.moves():
            value, left = dame_solution.result(position.play(move))
            expected[move.action] = -value
            assert row_plies[move.action] == left + 1
        assert (row_values == expected).all()


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("...w../....../....../....../....../w..... b", (-1, 0)),
        ("....../....../....../w...../....../...... b", (-1, 0)),
        ("....../....../....../w...../....../...... w", (1, 0)),
        ("....../....../....../....../....../...... w", (-1, 0)),
        ("....../b...../.w..../..w.../....../...... b", (-1, 0)),
    ],
)
def test_finished_games_are_decided(dame_solution: DameSolution, text: str, result: tuple[int, int]) -> None:
    position = Position.parse(text)
    assert dame_solution.result(position) == result
    outcome = position.outcome
    assert outcome is not None
    assert (outcome.winner is position.side) == (result[0] > 0)
    assert (dame_solution.action_values(GAME.states_of([position]))[0] == ILLEGAL).all()


@pytest.mark.parametrize("masks", [(1, 1), (1 << 18, 8), (-1, 8), (1 << 17, 8), (0b1111111, 1 << 10), (8, 3)])
def test_what_is_no_position_is_refused(dame_solution: DameSolution, masks: tuple[int, int]) -> None:
    states = np.array([[63, 63 << 12, 1], [*masks, 1]])
    for ask in (dame_solution.values, dame_solution.action_values):
        with pytest.raises(TablebaseError, match="no position of Dame"):
            ask(states)


def test_an_altered_entry_is_found(dame_solution: DameSolution) -> None:
    for row, change in ((5, 1), (40, -1), (777, 2)):
        altered = dame_solution.table.copy()
        index = int(BASES[row]) + 100
        altered[index] += change
        assert kernels.first_disagreement(altered, row, row + 1) == index
        altered[index] = -dame_solution.table[index]
        assert kernels.first_disagreement(altered, row, row + 1) == index
        assert kernels.first_disagreement(dame_solution.table, row, row + 1) == -1


@pytest.mark.slow
def test_every_entry_follows_from_its_successors(dame_solution: DameSolution) -> None:
    assert prove(dame_solution.table) == ENTRIES
    altered = dame_solution.table.copy()
    altered[ENTRIES - 1] = 0
    with pytest.raises(TablebaseError, match="does not agree with its successors"):
        prove(altered)


@pytest.mark.slow
def test_the_figures_of_the_game_are_as_documented(dame_solution: DameSolution) -> None:
    summary = summarise(dame_solution.table)
    assert (summary.start_value, summary.start_plies, summary.longest_win) == (1, 23, 25)
    assert (summary.going_on, summary.finished, summary.occurring) == (2_830_679, 1_618_000, 4_448_679)
    assert (summary.won, summary.lost) == (11_104_394, 4_423_323)
    assert longest_game() == GAME.longest
    assert stakes(dame_solution.table).at_stake == pytest.approx(0.4559, abs=0.0001)


def test_positions_that_occur_are_those_a_plain_search_finds() -> None:
    """From a position of few men, with the kernels and by playing every move."""
    position = Position.parse("....../b...b./....../....../.w.w../...... w")
    seen = np.zeros(ENTRIES, dtype=np.uint8)
    kernels.mark_reachable(position.own, position.opp, seen)
    keys = np.empty(10_000, dtype=np.int64)
    ends = len(np.unique(keys[: kernels.ends_after(seen, 0, ROWS, keys)]))
    found, waiting = {position}, [position]
    while waiting:
        one = waiting.pop()
        for after in {one.play(move) for move in one.moves()} - found:
            found.add(after)
            waiting.append(after)
    indexed = {one for one in found if index_kernels.is_indexed(one.own, one.opp)}
    assert int(np.bitwise_count(seen).sum()) == len(indexed)
    assert ends == len(found) - len(indexed)


def test_the_file_reads_as_it_was_written(dame_solution: DameSolution, tmp_path: Path) -> None:
    write_table(tmp_path / NAME, dame_solution.table)
    assert (map_table(tmp_path / NAME) == dame_solution.table).all()


@pytest.mark.parametrize("offset", [0, 9, 13, 17, 25, 29, 1_000_000, -1])
def test_a_damaged_file_is_refused_in_one_line(solved_directory: Path, tmp_path: Path, offset: int) -> None:
    content = bytearray((solved_directory / NAME).read_bytes())
    content[offset] ^= 4
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(TablebaseError, match=r'make solve ARGS="game=dame"') as caught:
        map_table(tmp_path / NAME)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", [0, 10, 32, 5_000_000])
def test_a_truncated_file_is_refused(solved_directory: Path, tmp_path: Path, size: int) -> None:
    (tmp_path / NAME).write_bytes((solved_directory / NAME).read_bytes()[:size])
    with pytest.raises(TablebaseError, match="makes it anew"):
        map_table(tmp_path / NAME)


def test_a_damaged_file_is_made_anew(
    dame_solution: DameSolution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from alphadiamond.games.dame.solver import solution as module

    monkeypatch.setattr(
        module, "solve", lambda *, threads: dame_solution.table
    )  # seconds saved; it is what would be found
    (tmp_path / NAME).write_bytes(b"nothing")
    found = DameSolution.load_or_solve(tmp_path)
    assert "so it is made anew now" in capsys.readouterr().err
    assert (found.table == dame_solution.table).all()
    assert (map_table(tmp_path / NAME) == dame_solution.table).all()


def test_where_nothing_can_be_kept_the_solution_is_still_there(
    dame_solution: DameSolution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from alphadiamond.games.dame.solver import solution as module

    monkeypatch.setattr(module, "solve", lambda *, threads: dame_solution.table.copy())
    (tmp_path / "file").write_text("in the way")
    found = DameSolution.load_or_solve(tmp_path / "file")
    assert "cannot be written" in capsys.readouterr().err
    assert found.result(Position.start()) == (1, 23)


@pytest.mark.slow
def test_the_script_keeps_what_is_whole_and_says_what_it_is(
    solved_directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = tmp_path / "dame"
    directory.mkdir()
    (directory / NAME).hardlink_to(solved_directory / NAME)
    command.run(GAME, SolveSettings(output=str(directory)))
    out = capsys.readouterr().out
    assert "is there and whole" in out
    assert "white wins from the start, in 23 plies" in out
    assert "4,448,679 positions can occur" in out
    assert json.loads((directory / "summary.json").read_text())["occurring"] == 4_448_679


@pytest.mark.parametrize("what", ["verify", "report"])
def test_the_script_says_how_to_make_what_is_missing(tmp_path: Path, what: str) -> None:
    with pytest.raises(TablebaseError, match="missing; `make solve"):
        command.run(GAME, SolveSettings(output=str(tmp_path), **{what: True}))  # type: ignore[arg-type]


def test_playing_does_not_import_the_solver() -> None:
    code = """if True:
        import sys
        from alphadiamond import games
        games.load("dame")
        print([name for name in sys.modules if name.startswith("alphadiamond") and "solver" in name])
    """
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
