"""Minimax: as exact as the plain search, draws by repetition included, and correct about won and lost positions."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.agents.minimax import Searcher, value_of
from alphadiamond.base import rules as base_rules
from alphadiamond.base.results import PROVEN, WON
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.heuristic_kernels import evaluate
from tests.agents import reference_players
from tests.agents.plain_minimax import root_scores
from tests.agents.positions import middle_game, placed, shuffled


def positions(rng: np.random.Generator, count: int) -> list[Position]:
    """A mixture: middle games, games that went to and fro, the no-capture limit near, and few beads."""
    kinds = [
        lambda: middle_game(rng),
        lambda: shuffled(rng, int(rng.integers(4, 16))),
        lambda: placed(rng, *(int(n) for n in rng.integers(4, 7, size=2)), quiet=int(rng.integers(92, 100))),
        lambda: placed(rng, 4, int(rng.integers(4, 6))),
    ]
    return [kinds[i % len(kinds)]() for i in range(count)]


def check_against_plain(
    found: list[Position], depth: int, *, quiescence: bool = False, rules: Any = GAME.rules, weight: int = 1
) -> None:
    # One small table for all positions, so that entries of other contexts are met and rows are overwritten.
    searcher = Searcher(GAME, rules, quiesce=quiescence, table_bits=12)
    how: dict[str, Any] = {"quiescence": quiescence, "weight": weight, "limit": rules.repetition_limit}
    for position in found:
        for every_move in (True, False):
            for reached, scores in searcher.depths(position, depth=depth, every_move=every_move):
                plain = root_scores(position, reached, **how)
                best = max(plain.values())
                where = f"{position}, depth {reached}"
                assert max(scores.values()) == best, where
                if every_move:
                    assert scores == plain, where
                else:
                    assert [a for a in plain if plain[a] == best] == [a for a in sorted(scores) if scores[a] == best]


@pytest.mark.parametrize("quiescence", [False, True])
def test_pruning_table_and_ordering_change_no_root_score(quiescence: bool) -> None:
    check_against_plain(positions(np.random.default_rng(1), 160), 4, quiescence=quiescence)


@pytest.mark.parametrize("quiescence", [False, True])
def test_they_change_none_at_depth_five_in_games_that_went_to_and_fro(quiescence: bool) -> None:
    rng = np.random.default_rng(2)
    check_against_plain([shuffled(rng, int(rng.integers(6, 20))) for _ in range(20)], 5, quiescence=quiescence)


def test_a_bead_is_worth_what_the_player_is_told() -> None:
    found = positions(np.random.default_rng(12), 40)
    check_against_plain(found, 3, quiescence=True, rules=GAME.rules._replace(bead_weight=5), weight=5)


class BareRules(NamedTuple):
    """Diamond Chase without any help for the searches."""

    actions: int = GAME.rules.actions
    max_moves: int = GAME.rules.max_moves
    state_size: int = GAME.rules.state_size
    repetition_limit: int = 3
    inputs: int = GAME.rules.inputs
    bead_weight: int = 1


for function in (
    base_rules.list_moves,
    base_rules.play,
    base_rules.status,
    base_rules.is_irreversible,
    base_rules.position_key,
    base_rules.score,
):
    base_rules.implement(function, BareRules)(base_rules.body_of(function, GAME.rules))


@pytest.mark.parametrize("limit", [2, 3, 4])
def test_a_game_that_gives_no_help_is_searched_as_exactly(limit: int) -> None:
    rng = np.random.default_rng(13)
    found = [*positions(rng, 24), *(shuffled(rng, int(rng.integers(4, 12))) for _ in range(24))]
    fresh = [one for one in found if max(one.history.count(key) for key in one.history) < limit]
    assert len(fresh) > 20
    check_against_plain(fresh, 4, rules=BareRules(repetition_limit=limit))


@pytest.mark.parametrize("limit", [2, 4])
def test_help_is_right_for_other_limits_of_repetition(limit: int) -> None:
    rng = np.random.default_rng(14)
    found = [shuffled(rng, int(rng.integers(4, 12))) for _ in range(40)]
    fresh = [one for one in found if max(one.history.count(key) for key in one.history) < limit]
    check_against_plain(fresh, 5, rules=GAME.rules._replace(repetition_limit=limit))


def test_the_table_tells_the_same_board_apart_by_its_no_capture_count() -> None:
    rng = np.random.default_rng(10)
    for _ in range(15):
        board = placed(rng, 5, 5)
        found = [Position(board.own, board.opp, board.side, quiet) for quiet in (0, 97, 96, 98, 95, 0)]
        check_against_plain(found, 4, quiescence=False)


def test_the_table_tells_the_same_board_apart_by_what_came_before() -> None:
    rng = np.random.default_rng(11)
    repeated = 0
    for _ in range(60):
        long = shuffled(rng, 14)
        fresh = Position(long.own, long.opp, long.side, long.quiet)
        repeated += root_scores(long, 4) != root_scores(fresh, 4)
        check_against_plain([fresh, long, fresh], 4, quiescence=False)
    assert repeated > 10  # the history does make a difference


@pytest.mark.slow
@pytest.mark.parametrize("quiescence", [False, True])
def test_they_change_none_at_greater_depth(quiescence: bool) -> None:
    check_against_plain(positions(np.random.default_rng(3), 60), 6, quiescence=quiescence)
    rng = np.random.default_rng(4)
    check_against_plain([shuffled(rng, 10) for _ in range(4)], 7, quiescence=quiescence)


def test_the_plain_search_agrees_with_one_over_the_reference_rules() -> None:
    rng = np.random.default_rng(5)
    for _ in range(12):
        position = Position.parse(str(middle_game(rng)))
        assert max(root_scores(position, 3).values()) == reference_players.alpha_beta(
            reference_players.State.of(position), 3
        )


def test_every_forced_win_within_the_depth_is_found_at_its_shortest() -> None:
    rng = np.random.default_rng(6)
    agent = make_agent("minimax:depth=5", seed=1, game=GAME)
    wins = losses = 0
    for turn in range(400):
        position = placed(rng, int(rng.integers(4, 7)), 4) if turn % 4 else placed(rng, 4, 6)
        exhaustive = root_scores(position, 5)
        best = max(exhaustive.values())
        analysis = agent.analyse(position)
        if best > PROVEN:
            wins += 1
            assert analysis.exact
            assert analysis.value == 1
            assert exhaustive[analysis.best.action] == best  # sooner is better
            assert analysis.moves[0].distance == WON - best
        elif best < -PROVEN:
            losses += 1
            assert analysis.exact
            assert analysis.value == -1
            assert exhaustive[analysis.best.action] == best  # later is better
        else:
            # With captures played out a win just beyond the depth may be seen, never a false one.
            assert analysis.moves[0].distance is None or analysis.moves[0].distance > 5
    assert wins > 100
    assert losses > 10


def test_a_forced_win_is_carried_out() -> None:
    rng = np.random.default_rng(7)
    won = 0
    while won < 10:
        position = placed(rng, 5, 4)
        winner, loser = (
            make_agent("minimax:depth=5", seed=1, game=GAME),
            make_agent("minimax:depth=5", seed=2, game=GAME),
        )
        analysis = winner.analyse(position)
        distance = analysis.moves[0].distance
        if analysis.value != 1 or distance is None or distance < 3:
            continue
        side = position.side
        for ply in range(distance):
            assert position.outcome is None
            position = position.play((loser if ply % 2 else winner).choose(position))
        assert position.outcome is not None
        assert position.outcome.winner is side
        won += 1


def test_the_end_of_a_principal_variation_has_the_score() -> None:
    rng = np.random.default_rng(8)
    agent = make_agent("minimax:depth=5", seed=1, game=GAME)
    whole = lines = 0
    for _ in range(60):
        position = shuffled(rng, 8) if rng.random() < 0.5 else middle_game(rng)
        for one in agent.analyse(position).moves:
            lines += 1
            end = position
            for move in one.variation:
                end = end.play(move)
            sign = 1 if end.side is position.side else -1
            if end.outcome is not None and end.outcome.winner is None:
                assert one.score == 0
            elif end.outcome is not None:
                assert one.score == (WON - len(one.variation)) * (1 if end.outcome.winner is position.side else -1)
            elif len(one.variation) == 5:
                assert one.score == sign * evaluate(end.own, end.opp, 1)
            else:
                continue
            whole += 1
    assert whole > 0.95 * lines


def test_equal_moves_are_chosen_among_by_the_seed() -> None:
    scores = root_scores(Position.start(), 4)
    best = {action for action in scores if scores[action] == max(scores.values())}
    assert len(best) > 1
    chosen = {make_agent("minimax:depth=4", seed=seed, game=GAME).choose(Position.start()).action for seed in range(40)}
    assert chosen == best


def test_a_stream_goes_one_ply_deeper_each_time() -> None:
    assert [one.depth for one in make_agent("minimax:depth=5", game=GAME).stream(Position.start())] == [1, 2, 3, 4, 5]


def test_choosing_and_analysing_agree() -> None:
    rng = np.random.default_rng(9)
    one, other = (make_agent("minimax:depth=4", seed=4, game=GAME) for _ in range(2))
    for position in positions(rng, 40):
        assert one.choose(position) == other.analyse(position).best


def test_values_rise_with_scores_and_stay_within_proven_ones() -> None:
    values = [value_of(score, 6.0) for score in (-WON + 3, -60, -5, 0, 5, 60, WON - 3)]
    assert values == sorted(values)
    assert (values[0], values[3], values[-1]) == (-1, 0, 1)
    assert len(set(values)) == len(values)
