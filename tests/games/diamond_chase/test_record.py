from pathlib import Path

import numpy as np
import pytest

from alphadiamond.games.diamond_chase import (
    GameRecord,
    Move,
    NotationError,
    Position,
    RecordError,
    Side,
    parse_records,
    read_records,
    write_records,
)
from tests.games.diamond_chase.samples import random_game, random_position, record_of

SHUFFLE = tuple(Move.parse(text) for text in ("si-cs", "ni-cn", "cs-si", "cn-ni"))


def some_record() -> GameRecord:
    return record_of(random_game(np.random.default_rng(1)))


def test_a_record_reads_back_as_the_same_game() -> None:
    rng = np.random.default_rng(2)
    for number in range(30):
        record = record_of(random_game(rng, random_position(rng) if number % 2 else None))
        twin = GameRecord.parse(str(record))
        assert twin == record
        assert twin.final.outcome is not None
        assert list(twin.positions()) == list(record.positions())


def test_the_result_names_the_winner() -> None:
    seen = set()
    for seed in range(60):
        record = record_of(random_game(np.random.default_rng(seed)))
        outcome = record.final.outcome
        assert outcome is not None
        assert record.result == {Side.GREEN: "green", Side.RED: "red", None: "draw"}[outcome.winner]
        assert record.ending == outcome.reason.value
        seen.add(record.result)
    assert seen == {"green", "red", "draw"}


def test_a_short_game_reads_as_expected() -> None:
    record = GameRecord.of(
        Position.parse("r/g./g/.gg/......./r.r/r/../. g 0"),
        [Move.parse("en-ne")],
        green='the "best"',
        red="back\\slash\nnew line",
        date="2026-11-16",
        tags={"Event": "test"},
    )
    assert str(record) == (
        '[Green "the \\"best\\""]\n[Red "back\\\\slash\\nnew line"]\n[Date "2026-11-16"]\n[Result "green"]\n'
        '[Ending "beads"]\n[Start "r/g./g/.gg/......./r.r/r/../. g 0"]\n[Event "test"]\n\n1. en-ne(n)\ngreen\n'
    )
    assert GameRecord.parse(str(record)) == record


def test_a_game_that_red_begins_is_numbered_so() -> None:
    start = Position.start().play("si-cs")
    record = GameRecord.of(start, [Move.parse("ni-cn"), Move.parse("cs-si")], green="a", red="b")
    assert "\n1... ni-cn 2. cs-si\n*\n" in str(record)
    assert GameRecord.parse(str(record)) == record


def test_unfinished_resigned_and_agreed_games_are_kept_apart() -> None:
    start = Position.start()
    unfinished = GameRecord.of(start, SHUFFLE, green="a", red="b")
    assert (unfinished.result, unfinished.ending) == ("*", "unfinished")
    resigned = GameRecord.of(start, SHUFFLE, green="a", red="b", result="red", ending="resignation")
    assert GameRecord.parse(str(resigned)) == resigned
    for result, ending in (("green", "beads"), ("green", None), ("*", "resignation"), ("black", "time")):
        with pytest.raises(RecordError):
            GameRecord.of(start, SHUFFLE, green="a", red="b", result=result, ending=ending)


def test_a_finished_game_cannot_claim_another_result() -> None:
    with pytest.raises(RecordError, match="the moves end with draw by repetition, not with green"):
        GameRecord.of(Position.start(), SHUFFLE * 2, green="a", red="b", result="green")


def test_an_illegal_move_is_named_by_its_number() -> None:
    with pytest.raises(RecordError, match="move 2: si-cs: it is red's move"):
        GameRecord.of(Position.start(), [SHUFFLE[0], SHUFFLE[0]], green="a", red="b")


def test_many_games_stand_in_one_file(tmp_path: Path) -> None:
    records = [record_of(random_game(np.random.default_rng(seed))) for seed in range(5)]
    path = tmp_path / "games" / "all.txt"
    write_records(path, records)
    assert read_records(path) == records
    assert [file.name for file in path.parent.iterdir()] == ["all.txt"]
    assert parse_records("") == []


GOOD = """[Green "a"]
[Red "b"]
[Result "*"]
[Ending "unfinished"]

1. si-cs ni-cn
2. cs-si cn-ni
*
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('[Green "a"]', '[Green "a]', 'line 1: expected a tag such as .Result "draw".'),
        ('[Green "a"]', "", "the game has no tag Green|line 1"),
        ('[Red "b"]\n', "", "line 1: the game has no tag Red"),
        ('[Red "b"]', '[Green "b"]', "line 2: tag Green stands twice"),
        ('[Result "*"]', '[Result "green"]', "line 8: the game ends with \\*, and its tag Result says 'green'"),
        ('[Ending "unfinished"]', '[Ending "beads"]', "line 8: the moves do not end the game"),
        ("si-cs", "si-c", "line 6, move 1: move 'si-c': no edge joins si and c"),
        ("si-cs", "si-cs(n)", "line 6, move 1: 'si-cs\\(n\\)': the move removes no bead, and the record says n"),
        ("si-cs", "si-cs(q)", "line 6, move 1: 'si-cs\\(q\\)': no node is called 'q'"),
        ("si-cs", "si-cs((", "line 6, move 1: 'si-cs\\(\\(' is no move"),
        ("cn-ni", "ni-cn", "line 7, move 4: ni-cn: it is red's move, and ni is empty"),
        ("2. cs", "3. cs", "line 7, move 3: move number '3.', expected 2."),
        ("cn-ni\n*\n", "cn-ni\n", "line 8, after move 4: the game stops without its result"),
        ("cn-ni\n*", "cn-ni\n[Green", "line 7, after move 4: the game stops without its result"),
        ("\n1.", '[Start "r/rr g 0"]\n\n1.', "line 1: tag Start: board 'r/rr': expected 9 ranks"),
    ],
)
def test_a_damaged_record_names_line_and_move(old: str, new: str, message: str) -> None:
    assert GameRecord.parse(GOOD).moves == SHUFFLE
    with pytest.raises(RecordError, match=message):
        GameRecord.parse(GOOD.replace(old, new, 1))


def test_a_move_that_removes_beads_must_say_so() -> None:
    record = GameRecord.of(
        Position.parse("r/g./g/.gg/......./r.r/r/../. g 0"), [Move.parse("en-ne")], green="a", red="b"
    )
    with pytest.raises(RecordError, match="line 8, move 1: 'en-ne': the move removes n, and the record says none"):
        GameRecord.parse(str(record).replace("en-ne(n)", "en-ne"))


def test_cutting_a_record_anywhere_is_noticed() -> None:
    text = str(some_record())
    for end in range(1, len(text) - 1):
        with pytest.raises(NotationError):
            GameRecord.parse(text[:end])


def test_tag_names_are_checked() -> None:
    for name in ("", "two words", "Green", 'x"'):
        with pytest.raises(RecordError, match="tag name"):
            GameRecord.of(Position.start(), [], green="a", red="b", tags={name: "x"})


def test_files_that_hold_no_record_are_named(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with pytest.raises(RecordError, match=r"game\.txt: cannot be read \(No such file"):
        read_records(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match=r"game\.txt: no record, byte 0 is not UTF-8"):
        read_records(path)
    path.write_text("hello")
    with pytest.raises(RecordError, match=r"game\.txt: line 1: expected a tag"):
        read_records(path)
