"""The exam: what its positions are, and how answers are graded."""

import re
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.agents import Analysis, MoveAnalysis, make_agent
from alphadiamond.agents.base import Stop, never
from alphadiamond.arena import Exam, ExamError, Share, exam_batch, exam_table, run_exam
from alphadiamond.arena.exam_builder import canonical_keys, make_exam
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import image_of
from alphadiamond.games.diamond_chase.solver import Tablebase
from tests.arena.players import First
from tests.commands import answers


def beads_of(exam: Exam) -> np.ndarray:
    return np.bitwise_count(exam.states[:, 0] | exam.states[:, 1])


def right_actions(exam: Exam) -> np.ndarray:
    return exam.keeping.argmax(axis=1)


def wrong_actions(exam: Exam) -> np.ndarray:
    return (GAME.legal(exam.states) & ~exam.keeping).argmax(axis=1)


def test_the_exam_is_small_and_has_at_least_ten_thousand_positions() -> None:
    assert len(Exam.load(game=GAME)) >= 10_000
    assert GAME.exam.stat().st_size < 500_000


def test_no_position_is_an_image_of_another() -> None:
    exam = Exam.load(game=GAME)
    assert len(np.unique(canonical_keys(GAME, exam.states))) == len(exam)


def test_images_share_their_key_and_others_do_not() -> None:
    exam = Exam.load(game=GAME).first(300)
    keys = canonical_keys(GAME, exam.states)
    for symmetry in range(8):
        images = exam.states.copy()
        images[:, :2] = [[image_of(int(mask), symmetry) for mask in row[:2]] for row in exam.states]
        assert (canonical_keys(GAME, images) == keys).all()
    assert len(set(keys.tolist())) == 300


def test_every_position_can_be_played_rightly_and_wrongly() -> None:
    exam = Exam.load(game=GAME)
    legal = GAME.legal(exam.states)
    assert not (exam.keeping & ~legal).any()
    assert exam.keeping.any(axis=1).all()
    assert (legal & ~exam.keeping).any(axis=1).all()
    assert set(exam.values.tolist()) == {0, 1}
    assert ((exam.distances > 0) == (exam.values == 1)).all()


def test_positions_are_spread_over_all_bead_counts_and_kinds_of_play() -> None:
    exam = Exam.load(game=GAME)
    counts = np.unique(
        np.bitwise_count(exam.states[:, 0]) * 10 + np.bitwise_count(exam.states[:, 1]), return_counts=True
    )
    assert counts[0].tolist() == [44, 45, 46, 54, 55, 56, 64, 65, 66]
    assert min(counts[1]) >= 200
    assert min(np.bincount(exam.origins)) >= 2000
    assert min(np.bincount(exam.difficulties)) >= 2000
    assert min(np.bincount(exam.values)) >= 3000


def test_positions_are_legal() -> None:
    exam = Exam.load(game=GAME)
    for index in range(0, len(exam), 10):
        assert exam.position(index).outcome is None  # Position refuses trapped beads


def small_part() -> Exam:
    """The positions that the small layers know."""
    exam = Exam.load(game=GAME)
    return exam.at(np.flatnonzero(beads_of(exam) <= 9))


def check_answers(exam: Exam, tablebase: Tablebase) -> None:
    values, distances = tablebase.probe_batch(*exam.states.T[:2].copy())
    actions, _ = tablebase.probe_actions(*exam.states.T[:2].copy())
    assert (values == exam.values).all()
    assert (distances == exam.distances).all()
    assert ((actions == values[:, None]) == exam.keeping).all()


def test_the_answers_are_those_of_the_small_layers(small_tablebase: Tablebase) -> None:
    assert len(small_part()) > 3000
    check_answers(small_part(), small_tablebase)


@pytest.mark.slow
def test_the_answers_are_those_of_the_tablebase(whole_tablebase: Tablebase) -> None:
    check_answers(Exam.load(game=GAME), whole_tablebase)


def test_right_and_wrong_answers_are_told_apart() -> None:
    exam = Exam.load(game=GAME)
    chances = np.eye(3)[1 - exam.values.astype(int)]
    result = exam_batch(right_actions(exam), chances, exam=Exam.load(game=GAME))
    assert result.kept == Share(len(exam), len(exam))
    assert result.result_right == Share(len(exam), len(exam))
    for part in (result.by_phase, result.by_stake, result.by_difficulty, result.by_origin):
        assert sum(share.count for share in part.values()) == len(exam)
        assert all(share.right == share.count for share in part.values())
    wrong = exam_batch(wrong_actions(exam), np.roll(chances, 1, axis=1), exam=Exam.load(game=GAME))
    assert wrong.kept.right == 0
    assert wrong.result_right is not None
    assert wrong.result_right.right == 0


def test_each_part_counts_its_own_positions() -> None:
    exam = Exam.load(game=GAME)
    mixed = np.where(exam.values == 1, wrong_actions(exam), right_actions(exam))
    result = exam_batch(mixed, exam=Exam.load(game=GAME))
    assert result.by_stake["win thrown away"] == Share(0, int((exam.values == 1).sum()))
    assert result.by_stake["draw lost"].value == 1
    twelve = np.where(beads_of(exam) == 12, right_actions(exam), wrong_actions(exam))
    assert exam_batch(twelve, exam=Exam.load(game=GAME)).by_phase["12 beads"].value == 1
    assert exam_batch(twelve, exam=Exam.load(game=GAME)).by_phase["8 beads"].value == 0
    assert exam_batch(mixed, exam=Exam.load(game=GAME)).result_right is None


def test_a_random_player_keeps_the_value_as_often_as_good_moves_occur() -> None:
    exam = Exam.load(game=GAME).first(3000)
    result = run_exam(make_agent("random", seed=1, game=GAME), positions=3000, exam=Exam.load(game=GAME))
    low, high = result.kept.interval
    assert low - 0.01 < exam.good_shares.mean() < high + 0.01
    assert result.result_right is None
    assert result.player == "random"


def test_the_perfect_player_makes_no_mistake(perfect_small: Tablebase) -> None:
    result = run_exam(make_agent("perfect", seed=1, game=GAME), exam=small_part(), positions=500)
    assert result.kept.value == 1
    assert result.result_right is not None
    assert result.result_right.value == 1


class Sage(First):
    """Knows the answers by heart, gives one value and no chances, and must be reset before it knows the next."""

    def __init__(self, exam: Exam, win: float) -> None:
        rows = zip(
            exam.states[:, 0].tolist(),
            exam.states[:, 1].tolist(),
            right_actions(exam).tolist(),
            exam.values.tolist(),
            strict=True,
        )
        self.known = {(own, opp): (action, value) for own, opp, action, value in rows}
        self.win = win
        self.fresh = True

    def reset(self) -> None:
        self.fresh = True

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        assert self.fresh
        self.fresh = False
        action, value = self.known[position.own, position.opp]
        move = Move.of_action(action)
        return Analysis(position, move, (MoveAnalysis(move, score=0.0),), value=self.win if value else -0.3)


def test_a_single_value_says_win_beyond_a_third_and_draw_below() -> None:
    exam = Exam.load(game=GAME).first(200)
    wins = int((exam.values == 1).sum())
    for win, right in ((0.34, 200), (0.33, 200 - wins), (-0.34, 200 - wins)):
        result = run_exam(Sage(exam, win), exam=exam)
        assert result.kept == Share(200, 200)
        assert result.result_right == Share(right, 200)
    moves_alone = run_exam(Sage(exam, 0.5), exam=exam, values=False)
    assert (moves_alone.kept, moves_alone.result_right) == (Share(200, 200), None)


def test_looking_ahead_scores_higher_than_not() -> None:
    scores = [
        run_exam(make_agent(spec, seed=1, game=GAME), positions=500, values=False, exam=Exam.load(game=GAME)).kept.value
        for spec in ("random", "greedy", "minimax:depth=4")
    ]
    assert scores == sorted(scores)
    assert scores[2] > scores[0] + 0.2


def test_answers_that_do_not_fit_are_refused() -> None:
    exam = Exam.load(game=GAME)
    right = right_actions(exam)
    with pytest.raises(ExamError, match="shape"):
        exam_batch(right[:-1], exam=Exam.load(game=GAME))
    with pytest.raises(ExamError, match="chances of shape"):
        exam_batch(right, np.zeros((len(exam), 2)), exam=Exam.load(game=GAME))
    with pytest.raises(ExamError, match="no action"):
        exam_batch(np.full(len(exam), 72), exam=Exam.load(game=GAME))
    illegal = right.copy()
    illegal[7] = int(np.argmin(GAME.legal(exam.states)[7]))
    with pytest.raises(ExamError, match=r"position 7 .* not legal"):
        exam_batch(illegal, exam=Exam.load(game=GAME))
    with pytest.raises(ExamError, match="the exam has 1 to"):
        exam.first(0)


def test_the_interval_is_wilsons() -> None:
    low, high = Share(9, 10).interval
    assert (round(low, 4), round(high, 4)) == (0.5958, 0.9821)
    assert Share(10, 10).interval[1] == pytest.approx(1.0)
    assert Share(0, 10).interval[0] == pytest.approx(0.0)
    assert Share(0, 0).interval == (0.0, 1.0)


def test_the_table_has_a_row_for_each_player() -> None:
    exam = Exam.load(game=GAME)
    results = [
        exam_batch(right_actions(exam), player="sage", exam=Exam.load(game=GAME)),
        exam_batch(wrong_actions(exam), player="fool", exam=Exam.load(game=GAME)),
    ]
    text = exam_table(results)
    assert max(map(len, text.splitlines())) <= 80
    tables = re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
    whole, by_phase, by_difficulty = ([line.split("|")[1:-1] for line in table.splitlines()] for table in tables)
    for rows in (whole, by_phase, by_difficulty):
        assert len({len("|".join(row)) for row in rows}) == 1, "aligned"
        assert [row[0].strip() for row in rows] == ["player", "-" * 6, "sage", "fool"]
    assert [cell.strip() for cell in whole[2][1:]] == ["100.0", "100.0 to 100.0", "100.0", "100.0", "-"]
    assert [cell.strip() for cell in by_phase[0][1:]] == ["12", "11", "10", "9", "8"]
    for rows in (by_phase, by_difficulty):
        assert {cell.strip() for cell in rows[2][1:]} == {"100.0"}
        assert {cell.strip() for cell in rows[3][1:]} == {"0.0"}


def test_a_damaged_or_missing_exam_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExamError, match=r"none.npz: missing"):
        Exam.load(tmp_path / "none.npz", game=GAME)
    with pytest.raises(ExamError, match=r"README.md: not an exam, which `alphadiamond make-exam` makes"):
        Exam.load(Path(__file__).parents[2] / "README.md", game=GAME)
    short = tmp_path / "short.npz"
    short.write_bytes(GAME.exam.read_bytes()[:5000])
    with pytest.raises(ExamError, match=r"short.npz: damaged"):
        Exam.load(short, game=GAME)
    altered = tmp_path / "altered.npz"
    data = bytearray(GAME.exam.read_bytes())
    data[3000] ^= 1
    altered.write_bytes(bytes(data))
    with pytest.raises(ExamError, match=r"altered.npz: damaged"):
        Exam.load(altered, game=GAME)


def test_an_exam_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    exam = Exam.load(game=GAME).first(100)
    exam.save(tmp_path / "part.npz")
    again = Exam.load(tmp_path / "part.npz", game=GAME)
    for name in ("states", "values", "distances", "keeping", "origins", "phases"):
        assert (getattr(again, name) == getattr(exam, name)).all()
    assert (again.origin_names, again.phase_names) == (exam.origin_names, exam.phase_names)
    assert again.game is exam.game


def test_the_first_format_has_the_beads_on_the_board_for_phases() -> None:
    exam = Exam.load(game=GAME)
    assert exam.phase_names == ("12 beads", "11 beads", "10 beads", "9 beads", "8 beads")
    assert (12 - exam.phases == beads_of(exam)).all()
    phases, names = GAME.phases(exam.states)
    assert names == exam.phase_names
    assert (phases == exam.phases).all()


def test_an_exam_of_a_game_that_is_not_here_is_refused(tmp_path: Path) -> None:
    Exam.load(game=GAME).first(10).save(tmp_path / "part.npz")
    with np.load(tmp_path / "part.npz") as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(tmp_path / "other.npz", **{**arrays, "game": np.array("ludo")})
    with pytest.raises(ExamError, match=r"other.npz: no game is called 'ludo'"):
        Exam.load(tmp_path / "other.npz", game=GAME)


def check_making(tablebase: Tablebase) -> None:
    first, second = (make_exam(GAME, tablebase, positions=200, games=12, seed=5) for _ in range(2))
    assert (first.states == second.states).all()
    assert (first.keeping == second.keeping).all()
    assert len(np.unique(canonical_keys(GAME, first.states))) == len(first) == 200
    check_answers(first, tablebase)
    assert (first.good_shares < 1).all()
    assert set(first.origins.tolist()) == {0, 1, 2}


def test_a_seed_makes_the_same_exam_twice(small_tablebase: Tablebase, monkeypatch: pytest.MonkeyPatch) -> None:
    late = small_part().position(0)  # games that begin here do not leave the small layers
    monkeypatch.setattr(Position, "start", lambda: late)
    check_making(small_tablebase)


@pytest.mark.slow
def test_a_seed_makes_the_same_exam_twice_from_whole_games(whole_tablebase: Tablebase) -> None:
    check_making(whole_tablebase)


def test_exam_positions_have_no_history() -> None:
    position = Exam.load(game=GAME).position(0)
    assert (position.quiet, position.occurrences) == (0, 1)
    assert isinstance(position, Position)


def test_the_shipped_exam_is_not_overwritten() -> None:
    exam = Path(__file__).parents[2] / "alphadiamond" / "games" / "dame" / "data" / "exam.npz"
    before = exam.read_bytes()
    (done,) = answers("make_exam.py", [["game=dame", "positions=10", "games=5"]])
    assert done.code == 2
    assert "is there already: name another file, or replace it with overwrite=true" in done.err
    assert exam.read_bytes() == before
