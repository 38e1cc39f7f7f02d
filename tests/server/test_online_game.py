"""A game's clocks, offers and endings, without a server around it."""

import numpy as np
import pytest

from alphadiamond.games import GAMES, load
from alphadiamond.online.messages import Clock
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.online_game import OnlineGame, Patience
from tests.games.labyrinth.test_rules import FIRST


def online_game(
    game: str = "diamond_chase",
    *,
    start: str = "",
    clock: Clock | None = None,
    bots: tuple[bool, bool] = (False, False),
) -> OnlineGame:
    return OnlineGame(
        load(game),
        number=1,
        code="abc",
        people=(7, 8),
        bots=bots,
        rated=True,
        clock=clock,
        start=load(game).parse(start) if start else load(game).sample_start(),
        now=0,
        patience=Patience(),
    )


def play_on(one: OnlineGame, plies: int, *, at: int = 0) -> None:
    for _ in range(plies):
        turn = one.turn
        assert turn is not None
        one.play(turn, one.plies, one.legal[0][0], at)


def refused(code: str) -> "pytest.RaisesExc[RefusedError]":
    return pytest.RaisesExc(RefusedError, check=lambda error: error.code == code)


@pytest.mark.parametrize("game", [name for name in GAMES if name != "tic_tac_toe"])
def test_a_whole_game_of_any_kind_ends_as_its_rules_say(game: str) -> None:
    rng = np.random.default_rng(1)
    one = online_game(game)
    while not one.over:
        legal = one.legal
        turn = one.turn
        assert turn is not None
        one.play(turn, one.plies, legal[int(rng.integers(len(legal)))][0], 0)
    outcome = one.position.outcome
    assert one.ending == str(outcome.reason)
    winner = None if outcome.winner is None else one.game.sides.index(outcome.winner)
    assert one.result == {None: "draw", 0: "first", 1: "second"}[winner]
    again = online_game(game)
    again.restore([(move, 0, None) for move in one.moves], 0)
    assert str(again.position) == str(one.position)
    assert again.movers == one.movers


def test_moves_that_are_illegal_late_or_somebody_else_s_are_refused_and_change_nothing() -> None:
    one = online_game()
    before = str(one.position)
    for seat, ply, text, code in (
        (1, 0, "ni-cn", "late"),
        (0, 1, "si-cs", "late"),
        (0, 0, "ni-cn", "illegal"),
        (0, 0, "si-c", "illegal"),
        (0, 0, "<b>", "illegal"),
        (0, 0, "si-cs ", "illegal"),
    ):
        with refused(code):
            one.play(seat, ply, text, 0)
    assert (str(one.position), one.plies) == (before, 0)


def test_a_move_that_is_sent_again_counts_once_and_another_in_its_place_is_late() -> None:
    one = online_game()
    assert one.play(0, 0, "si-cs", 0)
    assert not one.play(0, 0, "si-cs", 5)
    with refused("late"):
        one.play(0, 0, "sw-w", 5)
    assert one.moves == ["si-cs"]


def test_clocks_run_from_the_second_move_on_and_add_the_increment() -> None:
    one = online_game(clock=Clock(60, 2))
    play_on(one, 1, at=30_000)
    play_on(one, 1, at=50_000)
    assert one.clocks(50_000) == (60_000, 60_000)
    assert one.clocks(53_000) == (57_000, 60_000)
    play_on(one, 1, at=53_000)
    assert one.clocks(53_000) == (59_000, 60_000)
    assert one.deadline() == 113_000
    assert not one.lapse(112_999)
    assert one.lapse(113_000)
    assert (one.result, one.ending, one.clocks(200_000)) == ("first", "time", (59_000, 0))


def test_a_stated_part_of_the_way_is_not_counted_and_never_more_than_was_used() -> None:
    one = online_game(clock=Clock(60))
    play_on(one, 2, at=50_000)
    text = one.legal[0][0]
    assert one.play(0, 2, text, 53_000, lag=200)
    assert one.clocks(53_000) == (57_200, 60_000)
    assert one.play(1, 3, one.legal[0][0], 53_100, lag=10_000)
    assert one.clocks(53_100) == (57_200, 60_000)
    assert one.play(0, 4, one.legal[0][0], 55_100, lag=10_000)
    assert one.clocks(55_100) == (55_450, 60_000)


def test_a_first_move_that_does_not_come_aborts_the_game() -> None:
    one = online_game(clock=Clock(10))
    play_on(one, 1)
    assert one.lapse(60_000)
    assert (one.result, one.ending) == ("aborted", "aborted")


def test_without_clocks_a_side_that_never_moves_again_loses_by_abandonment() -> None:
    one = online_game()
    play_on(one, 2)
    assert one.clocks(5) is None
    assert one.lapse(14 * 86_400_000)
    assert (one.result, one.ending) == ("second", "abandonment")


def test_a_bot_s_clock_never_runs() -> None:
    one = online_game(clock=Clock(1), bots=(False, True))
    play_on(one, 3)
    assert one.turn == 1
    assert (one.ticking, one.deadline()) == (False, None)


def test_a_draw_needs_both_and_a_move_declines_it() -> None:
    one = online_game()
    assert not one.offer(0, "draw", 0)
    with refused("not_allowed"):
        one.offer(0, "draw", 0)
    play_on(one, 1)
    assert one.offers == {}
    assert not one.offer(0, "draw", 0)
    assert one.offer(1, "draw", 0)
    assert (one.result, one.ending) == ("draw", "agreement")
    with refused("over"):
        one.resign(0, 0)


def test_a_take_back_goes_to_before_the_asker_s_last_move_whoever_is_to_move() -> None:
    one = online_game()
    with refused("not_allowed"):
        one.offer(0, "takeback", 0)
    play_on(one, 2)
    positions = [str(one.position)]
    play_on(one, 2)
    one.offer(0, "takeback", 0)
    assert one.offer(1, "takeback", 0)
    assert (one.plies, one.turn, str(one.position)) == (2, 0, positions[0])
    play_on(one, 1)
    one.offer(0, "takeback", 0)
    assert one.offer(1, "takeback", 0)
    assert (one.plies, str(one.position)) == (2, positions[0])


def test_a_take_back_goes_past_passes_to_a_choice() -> None:
    one = online_game("labyrinth", start=f"{FIRST} h9 c1 300 300 6 a")
    play_on(one, 2)
    assert one.forced == "-"
    with refused("not_allowed"):
        online_game("labyrinth", start=f"{FIRST} i9 c1 300 300 6 a").offer(0, "takeback", 0)
    play_on(one, 1)
    assert (one.moves, one.turn, one.forced) == (["e", "w", "-"], 1, None)
    one.offer(0, "takeback", 0)
    assert one.offer(1, "takeback", 0)
    assert (one.plies, one.turn) == (0, 0)


def test_a_win_can_be_claimed_only_after_the_opponent_was_away_for_long() -> None:
    one = online_game(clock=Clock(600))
    play_on(one, 2)
    for away, now in ((None, 10**6), (0, 59_999)):
        one.away[1] = away
        with refused("not_allowed"):
            one.claim(0, now)
    one.claim(0, 60_000)
    assert (one.result, one.ending) == ("first", "abandonment")


def test_who_has_moved_cannot_abort() -> None:
    one = online_game()
    play_on(one, 1)
    with refused("not_allowed"):
        one.abort(0, 0)
    one.abort(1, 0)
    assert one.result == "aborted"


def test_a_rematch_is_for_finished_games() -> None:
    one = online_game()
    with refused("not_allowed"):
        one.offer(0, "rematch", 0)
    one.resign(0, 0)
    assert not one.offer(1, "rematch", 0)
    assert one.offer(0, "rematch", 0)
