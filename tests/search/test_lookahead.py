"""Two plies at every leaf: what they decide is known there, whatever the evaluator says."""

import numpy as np
import pytest

from alphadiamond.base.results import LOSS, WIN
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.search import SearchSettings, TreeSearch
from alphadiamond.search.trees import UNKNOWN
from tests.search.evaluators import GAME, as_wdl, uniform_policy

METHODS = ("puct", "gumbel")


def hopeful(states):  # type: ignore[no-untyped-def]
    """Everybody is sure to win: what an opponent replies looks bad for him, however good it is."""
    return uniform_policy(states), as_wdl(np.full(len(states), 0.9))


def root_of(position: Position, simulations: int, *, history: list[int] | None = None, **settings):  # type: ignore[no-untyped-def]
    """A search of one position, after positions with these keys in place of its own history."""
    search = TreeSearch(GAME, SearchSettings(**settings), games=1, nodes=simulations + 2)
    past, known = GAME.histories_of([position])
    if history is not None:
        keys = [*history, int(past[0, known[0] - 1])]
        past[0, : len(keys)], known[0] = keys, len(keys)
    search.set_roots([0], GAME.states_of([position]), past, known, hopeful)
    search.run(hopeful, simulations)
    return search


def after(position: Position, move: str) -> Position:
    return position.play(Move.parse(move))


# Red to move wins by cs-si, after which every move of green's lets red win at once.
REFUTED = Position.parse("./gr/g/.../.....gr/.r././.g/r r 22")
REFUTATION = "cs-si"


@pytest.mark.parametrize("method", METHODS)
def test_a_loss_to_come_is_seen_on_the_first_visit(method: str) -> None:
    moves = len(REFUTED.moves())
    search = root_of(REFUTED, 4 * moves, method=method)
    roots = search.roots()
    assert roots.result[0] == WIN
    assert str(Move.of_action(int(roots.chosen_actions[0]))) == REFUTATION
    assert search.trees.node["distance"][0, 0] == 3
    blind = root_of(REFUTED, 4 * moves, method=method, two_ply_lookahead=False)
    assert blind.roots().result[0] == UNKNOWN


@pytest.mark.parametrize("method", METHODS)
def test_a_position_that_may_come_back_saves(method: str) -> None:
    """One of the replies leads to a position that was there before: a third time would be a draw."""
    lost = after(REFUTED, REFUTATION)
    reply = lost.play(lost.moves()[0])
    key = int(GAME.expand(GAME.states_of([reply]), np.full(1, -1, dtype=np.int16))[1][0])
    simulations = len(REFUTED.moves()) + 1
    other = 1  # no position's key
    assert root_of(REFUTED, simulations, method=method, history=[other, other]).roots().result[0] == WIN
    assert root_of(REFUTED, simulations, method=method, history=[key, other]).roots().result[0] == UNKNOWN
    elsewhere = root_of(REFUTED, simulations, method=method, history=[other, key])
    assert elsewhere.roots().result[0] == WIN, "there the other side was to move"


@pytest.mark.parametrize("method", METHODS)
def test_who_wins_at_once_is_not_content_with_a_longer_win(method: str) -> None:
    rng = np.random.default_rng(5)
    drawn = (GAME.random_position(rng) for _ in range(4000))
    positions = [position for position in drawn if position is not None]
    results, *_ = GAME.two_ply_lookahead(GAME.states_of(positions))
    winning = [position for position, result in zip(positions, results.tolist(), strict=True) if result == WIN][:60]
    assert len(winning) == 60
    for position in winning:
        chosen = root_of(position, 200, method=method).roots().chosen_actions[0]
        outcome = position.play(Move.of_action(int(chosen))).outcome
        assert outcome is not None
        assert outcome.winner is position.side


def test_what_looking_ahead_decides_costs_no_evaluation_and_needs_proofs() -> None:
    asked = []

    def judge(states):  # type: ignore[no-untyped-def]
        asked.append(len(states))
        return hopeful(states)

    lost = after(REFUTED, REFUTATION)
    search = TreeSearch(GAME, SearchSettings(), games=1, nodes=100)
    search.set_roots([0], GAME.states_of([lost]), *GAME.histories_of([lost]), judge)
    search.run(judge, 50)
    assert search.roots().result[0] == LOSS
    assert asked == [1], "the root alone: each reply loses at once"
    unproven = root_of(REFUTED, 20, prove=False)
    assert unproven.roots().result[0] == UNKNOWN
