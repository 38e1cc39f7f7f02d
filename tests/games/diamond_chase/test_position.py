import copy
import multiprocessing
import pickle
from dataclasses import FrozenInstanceError

import pytest

from alphadiamond.base.game import Ended
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.diamond_chase import (
    IllegalMoveError,
    Move,
    NotationError,
    Position,
    Reason,
    Side,
    perft,
)
from alphadiamond.games.diamond_chase.board import NODE_IDS

SHUFFLE = ("si-cs", "ni-cn", "cs-si", "cn-ni")  # four plies that lead back to the start


def after(*moves: str, start: Position | None = None) -> Position:
    position = start or Position.start()
    for move in moves:
        position = position.play(move)
    return position


def test_the_start_reads_and_writes_as_in_the_rules() -> None:
    text = "r/rr/r/r.r/......./g.g/g/gg/g g 0"
    assert str(Position.start()) == text
    assert Position.parse(text) == Position.start()
    assert Position.start().side is Side.GREEN


def test_plies_since_the_last_capture_may_be_left_out() -> None:
    assert Position.parse("r/rr/r/r.r/......./g.g/g/gg/g g") == Position.start()


def test_the_first_moves_are_five() -> None:
    assert [str(move) for move in Position.start().moves()] == ["ws-w", "ws-wi", "es-ei", "es-e", "si-cs"]


def test_perft_gives_the_figures_of_the_rules() -> None:
    assert [perft(Position.start(), depth) for depth in range(1, 7)] == [5, 21, 147, 1036, 8481, 68276]
    assert perft(Position.start(), 8) == 5_667_508


def test_perft_refuses_a_negative_depth() -> None:
    with pytest.raises(ValueError, match="depth -1"):
        perft(Position.start(), -1)


def test_a_bead_shut_in_by_its_own_side_stands() -> None:
    start = Position.start()
    assert start.at(NODE_IDS["n"]) is Side.RED
    assert after("si-cs").at(NODE_IDS["n"]) is Side.RED


def test_playing_gives_a_new_position_and_leaves_the_old_one() -> None:
    start = Position.start()
    moved = start.play(Move.parse("si-cs"))
    assert str(moved) == "r/rr/r/r.r/......./ggg/./gg/g r 1"
    assert start == Position.start()
    with pytest.raises(FrozenInstanceError):
        start.quiet = 3  # type: ignore[misc]


def test_a_capture_takes_the_trapped_bead_and_clears_the_count() -> None:
    position = Position.parse("r/g./g/.gg/......./r.r/r/r./. g 7")
    assert position.removed_by(Move.parse("cn-c")) == []
    assert position.removed_by(Move.parse("en-ne")) == [NODE_IDS["n"]]
    assert str(position.play("en-ne")) == "./gg/g/.g./......./r.r/r/r./. r 0"


def test_a_self_trap_costs_the_bead_and_clears_the_count() -> None:
    position = Position.parse("g/r./r/..g/....g.g/..././.r/r g 5")
    assert [str(move) for move in position.moves() if position.removed_by(move)] == ["en-ne"]
    assert str(position.play("en-ne")) == "./rg/r/.../....g.g/..././.r/r r 0"


def test_the_mover_who_takes_the_opponent_below_four_has_won_at_once() -> None:
    position = Position.parse("r/g./g/.gg/......./r.r/r/../. g 0")
    assert position.play("en-ne").outcome == Ended(Side.GREEN, Reason.BEADS)


def test_a_player_who_traps_a_bead_of_his_own_may_lose_by_it() -> None:
    position = Position.parse("g/r./r/..g/....g.g/..././.r/r g 5")
    outcome = position.play("en-ne").outcome
    assert outcome == Ended(Side.RED, Reason.BEADS)
    assert str(outcome) == "red wins by beads"


def test_the_third_occurrence_is_a_draw() -> None:
    twice = after(*SHUFFLE)
    assert twice.outcome is None
    assert twice.occurrences == 2
    assert after(*SHUFFLE, *SHUFFLE[:3]).outcome is None
    thrice = after(*SHUFFLE, *SHUFFLE)
    assert thrice.outcome == Ended(None, Reason.REPETITION)
    assert thrice.moves() == []


def test_the_same_beads_with_the_other_side_to_move_are_another_position() -> None:
    green = Position.parse("r/rr/r/r.r/......./g.g/g/gg/g g 0")
    red = Position.parse("r/rr/r/r.r/......./g.g/g/gg/g r 0")
    assert green != red
    assert green.key != red.key


def test_a_hundred_plies_without_a_capture_are_a_draw() -> None:
    position = Position.parse("r/rr/r/r.r/......./g.g/g/gg/g g 99")
    assert position.outcome is None
    assert position.play("si-cs").outcome == Ended(None, Reason.NO_CAPTURE)
    assert str(position.play("si-cs").outcome) == "draw by no capture"


def test_a_capture_on_the_hundredth_ply_keeps_the_game_going() -> None:
    assert Position.parse("r/g./g/.gg/......./r.r/r/r./. g 99").play("en-ne").outcome is None


def test_equality_is_of_the_text_and_the_history_is_carried_all_the_same() -> None:
    twice = after(*SHUFFLE)
    read = Position.parse(str(twice))
    assert read == twice
    assert hash(read) == hash(twice)
    assert (read.occurrences, twice.occurrences) == (1, 2)
    assert twice != Position.start(), "four plies have gone by without a capture"


def test_positions_keep_their_history_through_pickle_and_copy() -> None:
    twice = after(*SHUFFLE)
    for twin in (pickle.loads(pickle.dumps(twice)), copy.deepcopy(twice)):
        assert twin == twice
        assert twin.occurrences == 2


def _occurrences(position: Position) -> tuple[Position, int]:
    return position, position.occurrences


def test_positions_travel_between_processes() -> None:
    twice = after(*SHUFFLE)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_occurrences, (twice,)) == (twice, 2)


def test_green_and_red_are_the_same_whoever_is_to_move() -> None:
    start = Position.start()
    moved = start.play("si-cs")
    assert moved.red == start.red == start.opp == moved.own
    assert moved.beads(Side.GREEN) == [14, 15, 16, 18, 19, 20]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found 1 field"),
        ("r/rr/r/r.r/......./g.g/g/gg/g", "found 1 field"),
        ("r/rr/r/r.r/......./g.g/g/gg/g g 0 0", "found 4 fields"),
        ("r/rr/r/r.r/......./g.g/g/gg/g  g", "whole number|side to move ''"),
        ("r/rr/r/r.r/......./g.g/g/gg g 0", "expected 9 ranks, found 8"),
        ("r/rr/r/r.r/....../g.g/g/gg/g g 0", "rank 5 '......': expected 7 nodes, found 6"),
        ("r/rx/r/r.r/......./g.g/g/gg/g g 0", "rank 2 'rx': 'x' at node ne is none of"),
        ("r/rr/r/r.r/......./g.g/g/gg/g b 0", "side to move 'b': expected g or r"),
        ("r/rr/r/r.r/......./g.g/g/gg/g G 0", "side to move 'G'"),
        ("r/rr/r/r.r/......./g.g/g/gg/g g x", "plies since the last capture 'x'"),
        ("r/rr/r/r.r/......./g.g/g/gg/g g -1", "plies since the last capture '-1'"),
        ("r/rr/r/r.r/......./g.g/g/gg/g g 007", "plies since the last capture '007'"),
        ("r/rr/r/r.r/......./g.g/g/gg/g g \u0663", "plies since the last capture"),
        ("r/rr/r/r.r/......./g.g/g/gg/g g 101", "101 plies since the last capture, and the game ends at 100"),
        ("r/rr/r/rrr/......./g.g/g/gg/g g 0", "red has 7 beads, and a player has at most 6"),
        ("g/rr/r/..r/......./g.g/g/gg/. g 0", "trapped beads cannot stand: n"),
    ],
)
def test_bad_text_says_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Position.parse(text)


def test_bytes_are_no_text() -> None:
    with pytest.raises(NotationError, match="a position is text, not bytes"):
        Position.parse(b"r")  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="a move is text, not NoneType"):
        Move.parse(None)  # type: ignore[arg-type]


def test_two_beads_on_one_node_are_refused() -> None:
    with pytest.raises(NotationError, match="two beads on n"):
        Position(1, 1, Side.GREEN)
    with pytest.raises(NotationError, match="beyond the 21 nodes"):
        Position(1 << 21, 1, Side.GREEN)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "two nodes joined by one dash"),
        ("si", "two nodes joined by one dash"),
        ("si-cs-c", "two nodes joined by one dash"),
        ("si-xx", "no node is called 'xx'"),
        ("SI-cs", "no node is called 'SI'"),
        ("si-cs ", "no node is called 'cs '"),
        ("si-n", "no edge joins si and n"),
        ("si-si", "no edge joins si and si"),
    ],
)
def test_bad_moves_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Move.parse(text)


def test_every_action_is_a_move_that_reads_back() -> None:
    for action in range(72):
        move = Move.of_action(action)
        assert move.action == action
        assert Move.parse(str(move)) == move


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("ni-cn", "it is green's move, and ni is a red bead"),
        ("c-cn", "it is green's move, and c is empty"),
        ("s-sw", "sw is not empty"),
        ("sw-ws", "ws is not empty"),
    ],
)
def test_an_illegal_move_says_why(move: str, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message) as caught:
        Position.start().play(move)
    assert isinstance(caught.value, AlphaDiamondError)


def test_a_finished_game_accepts_no_move() -> None:
    finished = after(*SHUFFLE, *SHUFFLE)
    with pytest.raises(IllegalMoveError, match="the game is over, draw by repetition"):
        finished.play("si-cs")
