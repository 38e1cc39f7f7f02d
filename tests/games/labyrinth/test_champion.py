"""The shipped network in mazes that it has never seen: by the exam, against players, and on boards of other sizes."""

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.arena.exam import Exam, run_exam
from alphadiamond.arena.openings import random_openings
from alphadiamond.arena.pairs import Pairing, play_pairs
from alphadiamond.games.labyrinth.exam_builder import make_questions
from alphadiamond.games.labyrinth.game import GAME, Labyrinth
from alphadiamond.games.labyrinth.sizes import LABYRINTH_7, LABYRINTH_11
from alphadiamond.games.labyrinth.solver.solution import KEPT
from alphadiamond.resources import champion_of


def test_the_bare_network_keeps_the_value_in_unseen_mazes() -> None:
    agent = make_agent("neural:simulations=0,device=cpu", seed=1, game=GAME)
    kept = run_exam(agent, exam=Exam.load(game=GAME), positions=3000).kept
    print(kept)
    assert kept.value >= 0.955


@pytest.mark.slow
def test_with_a_hundred_simulations_it_errs_less_than_half_as_often() -> None:
    agent = make_agent("neural:simulations=100,device=cpu", seed=1, game=GAME)
    kept = run_exam(agent, exam=Exam.load(game=GAME)).kept
    print(kept)
    assert kept.value >= 0.985


@pytest.mark.slow
@pytest.mark.parametrize(("opponent", "least"), [("a_star", 0.60), ("perfect", 0.48)])
def test_it_holds_its_own_in_unseen_mazes_with_seats_exchanged(opponent: str, least: float) -> None:
    network = make_agent("neural:simulations=400,device=cpu", seed=1, game=GAME)
    other = make_agent(opponent, seed=1, game=GAME)
    starts = random_openings(200, plies=0, rng=np.random.default_rng(31), game=GAME)
    scores: list[float] = []
    for first in range(0, len(starts), KEPT):  # as many mazes at once as stay solved
        scores += play_pairs(network, other, [Pairing(start, 1) for start in starts[first : first + KEPT]])
    score = sum(scores) / (2 * len(scores))
    print(f"{score:.3f} against {opponent} in {2 * len(scores)} games")
    assert score >= least


@pytest.mark.parametrize(("game", "mazes", "least"), [(LABYRINTH_7, 60, 0.90), (LABYRINTH_11, 12, 0.85)])
def test_what_it_has_learnt_carries_over_to_other_sizes(game: Labyrinth, mazes: int, least: float) -> None:
    own = make_questions(game, positions=4 * mazes, games=mazes, seed=3)
    exam = Exam(game, *own, *game.phases(own.states))
    agent = make_agent(f"neural:checkpoint={champion_of(GAME)},simulations=0,device=cpu", seed=1, game=game)
    kept = run_exam(agent, exam=exam).kept
    print(kept, f"a random move {exam.good_shares.mean():.3f}")
    assert kept.value >= least
