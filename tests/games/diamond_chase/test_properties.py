"""What holds for every position, game and text."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from alphadiamond.games.diamond_chase import GameRecord, Move, NotationError, Position, Side, kernels, parse_records
from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES, SYMMETRIES, nodes_of
from tests.games.diamond_chase.samples import random_game, random_position, record_of

seeds = st.integers(0, 2**32 - 1)
symmetries = st.integers(0, 7)


@given(seeds, symmetries)
def test_playing_commutes_with_the_symmetries(seed: int, symmetry: int) -> None:
    position = random_position(np.random.default_rng(seed))
    image = position.image(symmetry)
    assert sorted(move.image(symmetry) for move in position.moves()) == sorted(image.moves())
    for move in position.moves():
        turned = image.play(move.image(symmetry))
        assert turned == position.play(move).image(symmetry)
        assert turned.history == position.play(move).image(symmetry).history
        assert turned.outcome == position.play(move).image(symmetry).outcome


@given(seeds, symmetries)
def test_masks_turn_node_by_node(seed: int, symmetry: int) -> None:
    mask = int(np.random.default_rng(seed).integers(1 << 21))
    expected = sorted(int(SYMMETRIES[symmetry, node]) for node in nodes_of(mask))
    assert nodes_of(kernels.image_of(mask, symmetry)) == expected


@given(seeds, symmetries)
def test_legal_masks_turn_with_the_board(seed: int, symmetry: int) -> None:
    position = random_position(np.random.default_rng(seed))
    image = position.image(symmetry)
    legal, turned = (kernels.legal_masks(np.array([p.own]), np.array([p.opp]))[0] for p in (position, image))
    assert (turned[ACTION_SYMMETRIES[symmetry]] == legal).all()


@given(seeds)
def test_colours_make_no_difference(seed: int) -> None:
    position = random_position(np.random.default_rng(seed))
    swapped = Position(position.own, position.opp, position.side.other)
    assert position.moves() == swapped.moves()
    for move in position.moves():
        one, two = position.play(move), swapped.play(move)
        assert (one.own, one.opp, one.side) == (two.own, two.opp, two.side.other)


@given(seeds, st.integers(0, 100))
def test_text_round_trips(seed: int, quiet: int) -> None:
    position = random_position(np.random.default_rng(seed))
    position = Position(position.own, position.opp, position.side, quiet)
    assert Position.parse(str(position)) == position
    assert str(Position.parse(str(position))) == str(position)


@given(seeds, st.text(), st.text(), st.dictionaries(st.from_regex(r"\AX[a-z]{0,5}\Z"), st.text()))
def test_records_round_trip(seed: int, green: str, red: str, tags: dict[str, str]) -> None:
    rng = np.random.default_rng(seed)
    positions = random_game(rng, random_position(rng))[: int(rng.integers(2, 40))]
    record = record_of(positions, green=green, red=red, tags=tags)
    assert GameRecord.parse(str(record)) == record


@given(seeds)
def test_every_game_keeps_the_rules_of_all_games(seed: int) -> None:
    """A player to move has a move, beads never increase, and a finished game accepts none."""
    rng = np.random.default_rng(seed)
    positions = random_game(rng, random_position(rng))
    for before, after in itertools.pairwise(positions):
        assert before.outcome is None
        assert before.moves()
        assert after.green.bit_count() <= before.green.bit_count()
        assert after.red.bit_count() <= before.red.bit_count()
        removed = len(before.beads(Side.GREEN) + before.beads(Side.RED)) - len(
            after.beads(Side.GREEN) + after.beads(Side.RED)
        )
        assert after.quiet == (0 if removed else before.quiet + 1)
        assert len(after.history) == (1 if removed else len(before.history) + 1)
    assert positions[-1].outcome is not None
    assert positions[-1].moves() == []


def parse_or_complain(parse: Callable[[str], Any], text: str) -> Any:
    """What the parser makes of a text; None if it raised its own error, in one line."""
    try:
        return parse(text)
    except NotationError as error:
        complaint = str(error)
    assert "\n" not in complaint
    return None


@given(st.one_of(st.text(), st.text("rg./ 0123456789-", max_size=45), st.binary().map(lambda b: b.decode("latin-1"))))
def test_parsers_raise_their_own_error_and_nothing_else(text: str) -> None:
    for parse in (Position.parse, Move.parse, GameRecord.parse, parse_records):
        parsed = parse_or_complain(parse, text)
        if isinstance(parsed, Position | Move):
            assert parse(str(parsed)) == parsed


@given(seeds, st.data())
def test_damaged_records_raise_their_own_error_or_read_as_a_legal_game(seed: int, data: st.DataObject) -> None:
    text = str(record_of(random_game(np.random.default_rng(seed))[:30]))
    start = data.draw(st.integers(0, len(text)))
    end = start + data.draw(st.integers(0, 4))
    inserted = data.draw(st.text('rg[](),.-\n 12"', max_size=4))
    record = parse_or_complain(GameRecord.parse, text[:start] + inserted + text[end:])
    if record is not None:
        assert GameRecord.parse(str(record)) == record
