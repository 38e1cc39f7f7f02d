"""The document's three players."""

import itertools

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.agents import make_agent
from alphadiamond.agents.minimax import Searcher
from alphadiamond.base.results import WON
from alphadiamond.games import load
from alphadiamond.games.connect_four import exam_kernels, kernels
from alphadiamond.games.connect_four.board import BOARD
from tests.games.connect_four import reference
from tests.games.connect_four.samples import random_game

GAME = games.load("connect_four")
WIN_AND_THREAT = GAME.parse("......./......./......./ox...../ox...../ox..... x")
THREAT = GAME.parse("......./......./......./o....../ox...../oxx.... x")


def plain_minimax(own: int, opp: int, depth: int, searcher: bool) -> int:
    if kernels.has_four(opp):
        return -(WON + depth)
    if own | opp == BOARD:
        return 0
    if depth == 0:
        return int(kernels.window_score(own, opp) if searcher else -kernels.window_score(opp, own))
    discs = (int(kernels.playable(own | opp) & kernels.column_mask(column)) for column in range(7))
    return max(-plain_minimax(opp, own | disc, depth - 1, not searcher) for disc in discs if disc)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_hard_scores_every_column_as_plain_minimax_does(depth: int) -> None:
    rng = np.random.default_rng(depth)
    searchers = [Searcher(GAME, GAME.rules._replace(scorer=side), table_bits=8) for side in range(2)]
    for _ in range(12 if depth < 4 else 4):
        position = GAME.position_of(GAME.random_start(rng))
        own, opp = position.own, position.opp
        for reached, scores in searchers[position.side].depths(position, depth=depth, every_move=True):
            for column in range(7):
                disc = int(kernels.playable(own | opp) & kernels.column_mask(column))
                if not disc:
                    assert column not in scores
                    continue
                expected = -plain_minimax(opp, own | disc, reached - 1, False)
                # Here a win counts one less for each ply to it, there one more for each ply that is left.
                proven = (abs(expected) >= WON) * (1 if expected > 0 else -1)
                assert scores[column] == expected - proven * reached


def test_the_exams_players_look_ahead_as_plain_minimax_does() -> None:
    rng = np.random.default_rng(9)
    for depth in (1, 2, 3):
        for _ in range(6):
            own, opp, _ = (int(part) for part in GAME.random_start(rng))
            assert exam_kernels.look_ahead(own, opp, depth, False) == plain_minimax(own, opp, depth, False)
            assert exam_kernels.look_ahead(own, opp, depth, True) == plain_minimax(own, opp, depth, True)


def test_medium_wins_before_it_blocks_and_blocks_before_it_plays_anything() -> None:
    for seed in range(8):
        medium = make_agent("medium", game=load("connect_four"), seed=seed)
        assert str(medium.choose(WIN_AND_THREAT)) == "2"
        assert str(medium.choose(THREAT)) == "1"
    chosen = {
        str(make_agent("medium", game=load("connect_four"), seed=seed).choose(GAME.start())) for seed in range(40)
    }
    assert chosen == set("1234567")


def test_easy_plays_anything() -> None:
    easy = make_agent("easy", game=load("connect_four"), seed=1)
    assert {str(easy.choose(WIN_AND_THREAT)) for _ in range(60)} == set("1234567")


def test_hard_wins_and_blocks_and_sees_five_plies() -> None:
    hard = make_agent("hard", game=load("connect_four"), seed=1)
    analysis = hard.analyse(WIN_AND_THREAT)
    assert (str(analysis.best), analysis.moves[0].distance, analysis.value) == ("2", 1, 1.0)
    assert str(hard.choose(THREAT)) == "1"
    # Two own discs side by side with room on both sides: a third makes two ways to win.
    found = hard.analyse(GAME.parse("......./......./......./......./......./o.xx..o x"))
    assert str(found.best) == "5"
    assert found.moves[0].distance == 3


def test_hard_beats_medium_and_medium_beats_easy() -> None:
    def score(better: str, worse: str, games_played: int) -> float:
        total = 0.0
        for seed in range(games_played):
            agents = [make_agent(spec, game=load("connect_four"), seed=seed) for spec in (better, worse)]
            position, turn = GAME.start(), seed % 2
            while position.outcome is None:
                position = position.play(agents[turn].choose(position))
                turn = 1 - turn
            winner = position.outcome.winner
            total += 0.5 if winner is None else float((winner is GAME.sides[0]) == (seed % 2 == 0))
        return total / games_played

    assert score("hard", "medium", 10) >= 0.8
    assert score("medium", "easy", 20) >= 0.7


def test_the_plain_score_is_the_compiled_one() -> None:
    state = reference.start()
    for move in "4455336":
        state = reference.play(state, move)
    position = GAME.parse(reference.text(state))
    assert kernels.window_score(position.own, position.opp) == reference.window_score(state, state.side)


def test_minimax_chooses_what_the_documents_minimax_in_plain_python_holds_for_best() -> None:
    rng = np.random.default_rng(5)
    for seed in range(4):
        state = next(state for state, _ in itertools.islice(random_game(rng), 6, None))
        position = GAME.parse(reference.text(state))
        for depth in (1, 2, 3):
            scores = {
                move: -reference.alpha_beta(reference.play(state, move), depth - 1, 1)
                for move in reference.moves(state)
            }
            chosen = make_agent(f"minimax:depth={depth}", game=load("connect_four"), seed=seed).choose(position)
            assert scores[str(chosen)] == max(scores.values()), (str(position), depth)


def test_perfect_wins_what_is_won_as_fast_as_it_can() -> None:
    perfect = make_agent("perfect", game=load("connect_four"), seed=1)
    solution = GAME.solution()
    rng = np.random.default_rng(3)
    won = 0
    while won < 3:
        position = GAME.position_of(GAME.opening(rng, 22))
        value, distance = (int(part[0]) for part in solution.values(GAME.states_of([position])))
        if value != 1 or distance < 5:
            continue
        won += 1
        medium = make_agent("medium", game=load("connect_four"), seed=won)
        side, plies = position.side, 0
        while position.outcome is None:
            analysis = perfect.analyse(position) if position.side is side else medium.analyse(position)
            assert position.side is not side or (analysis.exact and analysis.value == 1)
            position = position.play(analysis.best)
            plies += 1
        assert position.outcome.winner is side
        assert plies <= distance


def test_perfect_says_of_every_move_what_the_solution_says_and_can_be_stopped_at_any_time() -> None:
    perfect, solution = make_agent("perfect", game=GAME, seed=1), GAME.solution()
    rng = np.random.default_rng(5)
    for _ in range(20):
        position = GAME.position_of(GAME.opening(rng, int(rng.integers(24, 36))))
        values, distances = (part[0] for part in solution.action_values(GAME.states_of([position])))
        whole = perfect.analyse(position)
        assert whole.exact
        for one in whole.moves:
            assert one.value == values[one.move.action]
            assert (one.distance or 0) == distances[one.move.action]
        looks = iter([False] * int(rng.integers(12)))
        hurried = perfect.analyse(position, stop=lambda looks=looks: next(looks, True))
        known = [one for one in hurried.moves if one.value is not None]
        assert all(one.value == values[one.move.action] for one in known)
        assert hurried.best == hurried.moves[0].move
        assert hurried.exact == (hurried.value == 1 or len(known) == len(position.moves()))
        unknown = [one.score for one in hurried.moves if one.value is None]
        losing = [one.score for one in known if one.value == -1]
        assert all(-1 < score < 0 for score in unknown)
        assert all(score < -1 for score in losing)


def test_perfect_is_stopped_inside_a_search_and_plays_on_with_what_a_short_one_says() -> None:
    perfect = make_agent("perfect", game=GAME, seed=1)
    after = GAME.parse("......./......./......./......./...o.../.xooxx. x")  # no book has it: seconds of searching
    looks = iter([False] * 3)
    hurried = perfect.analyse(after, stop=lambda: next(looks, True))
    assert all(one.value is None for one in hurried.moves)
    assert not hurried.exact
    assert hurried.best in after.moves()
    threatened = GAME.parse("......./......./......./......./x.....o/xx.ooox x")
    assert str(perfect.analyse(threatened, stop=lambda: True).best) == "3"
