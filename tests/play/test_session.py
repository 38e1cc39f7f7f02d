"""The session alone: turns, taking back, clocks and records, without a window."""

import subprocess
import sys

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.games.diamond_chase import GameRecord, Move, Position, Side
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.play.session import HUMAN, Clock, Session, SessionError


def play_random(session: Session, plies: int, seed: int = 1) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        if session.over:
            return
        moves = session.position.moves()
        session.play(moves[rng.integers(len(moves))])


def test_the_session_needs_no_pygame() -> None:
    play = "alphadiamond.play import session, library, opponents, analysts"
    window = "alphadiamond.client import player_process, settings, statistics, solution_lookup, hints, turns, results"
    code = f"import sys; from {play}; from {window}, online, synthesiser; print('pygame' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


def test_green_begins_and_turns_alternate() -> None:
    session = Session(second="random", game=GAME)
    assert session.to_move is Side.GREEN
    assert session.human_to_move
    session.play(Move.parse("si-cs"))
    assert session.to_move is Side.RED
    assert not session.human_to_move


def test_taking_back_against_a_player_returns_the_move_to_the_person() -> None:
    session = Session(second="random", game=GAME)
    session.play(Move.parse("si-cs"))
    session.play(session.position.moves()[0])
    before = session.position
    session.play(session.position.moves()[0])
    session.play(session.position.moves()[0])
    assert session.take_back() == 2
    assert session.position == before
    assert session.human_to_move
    assert session.redo() == 2
    assert len(session.plies) == 4


def test_taking_back_while_the_player_thinks_takes_one_ply() -> None:
    session = Session(second="random", game=GAME)
    session.play(Move.parse("si-cs"))
    assert session.take_back() == 1
    assert session.position == Position.start()


def test_a_person_who_has_not_moved_has_nothing_to_take_back() -> None:
    session = Session(first="random", second=HUMAN, game=GAME)
    session.play(Move.parse("si-cs"))
    assert session.plies_to_take_back == 0
    with pytest.raises(SessionError, match="no move to take back"):
        session.take_back()


def test_two_people_take_back_one_ply_at_a_time() -> None:
    session = Session(game=GAME)
    play_random(session, 5)
    assert session.take_back() == 1
    assert len(session.plies) == 4
    assert session.redo() == 1


def test_a_new_move_after_taking_back_forgets_what_was_undone() -> None:
    session = Session(game=GAME)
    play_random(session, 4)
    session.take_back()
    session.play(session.position.moves()[-1])
    with pytest.raises(SessionError, match="no move to redo"):
        session.redo()


def test_resigning_ends_the_game_and_is_recorded() -> None:
    session = Session(second="random", game=GAME)
    play_random(session, 4)
    session.resign(Side.GREEN)
    assert session.over
    assert session.winner is Side.RED
    assert session.record().ending == "resignation"
    with pytest.raises(SessionError, match="over"):
        session.play(session.position.moves()[0])
    again = Session.of_record(GameRecord.parse(str(session.record())))
    assert again.resigned is Side.GREEN


def test_a_whole_game_survives_its_record() -> None:
    session = Session(game=GAME)
    play_random(session, 500)
    assert session.over
    again = Session.of_record(GameRecord.parse(str(session.record())))
    assert again.position == session.position
    assert again.winner is session.winner
    assert again.ending == session.ending


def test_only_the_clock_of_the_side_to_move_runs() -> None:
    session = Session(game=GAME)
    session.tick(2.0)
    session.play(Move.parse("si-cs"))
    session.tick(3.0)
    session.resign(Side.RED)
    session.tick(9.0)
    assert session.clocks == {Side.GREEN: 2.0, Side.RED: 3.0}


def test_a_ply_says_whose_beads_came_off() -> None:
    before = Position.parse("r/../r/r.r/g.g..../r.g/./.g/g g 0")
    ply = games.load("diamond_chase").drawing.ply(before, Move.parse("cw-wi"))
    assert ply.captured == ()
    assert [before.at(node) for node in ply.lost] == [Side.GREEN]
    assert ply.text == "cw-wi(w)"


def test_balance_is_even_at_the_start_and_certain_at_the_end() -> None:
    assert games.load("diamond_chase").drawing.balance(Position.start()) == 0.0
    won = Position.parse("r/rr/./g../r.g..../g.g/./g./g g 0").play("cw-wi")
    assert games.load("diamond_chase").drawing.balance(won) == 1.0


def test_a_drawn_board_is_played_twice_with_seats_exchanged_and_then_there_is_a_new_one() -> None:
    labyrinth = games.load("labyrinth")
    first = Session("beginner", HUMAN, game=labyrinth)
    assert first.rematch().start != first.start, "a game that was not finished is no first leg"
    first.resign(labyrinth.sides[1])
    again = first.rematch()
    assert (again.start, again.seats) == (first.start, (HUMAN, "beginner"))
    again.resign(labyrinth.sides[0])
    assert again.rematch().start != first.start
    assert first.rematch(fresh=True).start != first.start
    assert again.rematch(swap=True).start == first.start


def test_a_board_that_somebody_chose_stays() -> None:
    labyrinth = games.load("labyrinth")
    session = Session("beginner", HUMAN, game=labyrinth, start=labyrinth.start(7))
    session.resign(labyrinth.sides[1])
    again = session.rematch()
    assert (again.start, again.seats) == (session.start, session.seats)


def timed(**more: object) -> Session:
    return Session(game=GAME, clock=Clock(60, 2), **more)  # type: ignore[arg-type]


def test_a_clock_stands_until_its_side_has_moved_and_then_counts_down() -> None:
    session = timed()
    session.tick(30)
    assert session.left == {Side.GREEN: 60, Side.RED: 60}
    session.play(Move.parse("si-cs"))
    session.tick(30)
    assert session.left == {Side.GREEN: 60, Side.RED: 60}  # nothing for a first move, and nothing against it
    session.play(session.position.moves()[0])
    session.tick(10)
    assert session.left[Side.GREEN] == 50
    session.play(session.position.moves()[0])
    assert session.left[Side.GREEN] == 52
    assert session.clocks[Side.GREEN] == 40  # the time spent is known too


def test_whoever_has_no_time_left_has_lost_and_takes_nothing_back() -> None:
    session = timed(second="random")
    play_random(session, 2)
    session.tick(59.9)
    assert not session.over
    session.tick(1)
    assert (session.over, session.winner, session.ending) == (True, Side.RED, "time")
    assert session.left[Side.GREEN] == 0
    assert session.plies_to_take_back == 0
    for action in (session.take_back, lambda: session.take_back_to(0), lambda: session.resign(Side.RED)):
        with pytest.raises(SessionError):
            action()
    session.tick(5)
    assert session.flagged is Side.GREEN
    assert session.rematch().left == {Side.GREEN: 60, Side.RED: 60}


def test_taking_back_leaves_clocks_as_they_are_but_a_side_without_moves_has_all_its_time() -> None:
    session = timed()
    play_random(session, 3)
    session.tick(5)  # of red's
    session.take_back()
    session.tick(7)  # of green's
    assert session.left == {Side.GREEN: 55, Side.RED: 55}
    session.take_back_to(1)
    assert session.left == {Side.GREEN: 55, Side.RED: 60}


def test_a_game_with_a_clock_goes_on_from_its_record_with_the_time_that_was_left() -> None:
    session = timed()
    play_random(session, 4)
    session.tick(12.34)
    again = Session.of_record(GameRecord.parse(str(session.record())))
    assert again.clock == Clock(60, 2)
    assert again.left[Side.GREEN] == pytest.approx(session.left[Side.GREEN], abs=0.06)
    session.tick(60)
    over = Session.of_record(GameRecord.parse(str(session.record())))
    assert (over.winner, over.ending, over.left[Side.GREEN] < 0.2) == (Side.RED, "time", True)


@pytest.mark.parametrize("tags", [{"Clock": "0+1"}, {"Clock": "soon"}, {"Clock": "60+2", "TimeLeft": "nan 1.0"}])
def test_a_record_with_a_nonsensical_clock_is_still_a_game(tags: dict[str, str]) -> None:
    record = GAME.record(GAME.start(), [Move.parse("si-cs")], players=(HUMAN, HUMAN), tags=tags)
    session = Session.of_record(record)
    assert len(session.plies) == 1
    assert session.left in ({}, {Side.GREEN: 60.0, Side.RED: 60.0})
