"""The exam of the Labyrinth is exact, in mazes of its own, and worth sitting."""

import numpy as np
import pytest

from alphadiamond.arena.exam import Exam
from alphadiamond.base.game import ILLEGAL
from alphadiamond.base.start_seeds import Purpose
from alphadiamond.games.labyrinth import Maze
from alphadiamond.games.labyrinth.exam_builder import make_questions
from alphadiamond.games.labyrinth.game import GAME


@pytest.fixture(scope="module")
def exam() -> Exam:
    return Exam.load(game=GAME)


def test_it_has_five_thousand_positions_of_a_thousand_mazes_all_different(exam: Exam) -> None:
    assert len(exam) >= 5000
    assert len(np.unique(exam.states, axis=0)) == len(exam)
    mazes, counts = np.unique(exam.states[:, :4], axis=0, return_counts=True)
    assert len(mazes) >= 1000
    assert counts.max() <= 4
    assert len(np.unique(exam.phases)) == len(exam.phase_names)
    assert len(np.unique(exam.origins)) == 3
    assert GAME.exam is not None
    assert GAME.exam.stat().st_size < 250_000


def test_every_answer_is_exact_and_a_move_can_go_wrong(exam: Exam) -> None:
    part = exam.at(np.lexsort(exam.states.T[:4])[:400])  # a maze's positions together, since few mazes are kept
    values, plies = GAME.solution().values(part.states)
    assert (values == part.values).all()
    assert (plies == part.distances).all()
    after, _ = GAME.solution().action_values(part.states)
    assert (part.keeping == (after == values[:, None])).all()
    assert (part.keeping.any(axis=1) & ((after != ILLEGAL) & ~part.keeping).any(axis=1)).all()
    for state in part.states[:50]:
        assert GAME.position_of(state).outcome is None, "and a position that the rules know"


def test_the_same_seed_chooses_the_same_positions_in_mazes_of_the_exams_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []
    real = Maze.of_seed

    def of_seed(seed: int, size: int = 9) -> Maze:
        seeds.append(seed)
        return real(seed, size)

    monkeypatch.setattr(Maze, "of_seed", of_seed)
    one, two = (make_questions(GAME, positions=20, games=8, seed=5) for _ in range(2))
    assert (one.states == two.states).all()
    assert len(one.states) == 20
    assert seeds
    assert all(seed in Purpose.EXAM.seeds for seed in seeds)
