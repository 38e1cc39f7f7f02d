"""Random openings."""

from collections.abc import Sequence

import numpy as np
import pytest

from alphadiamond.arena import ArenaError, random_openings, random_positions
from alphadiamond.arena.openings import even_openings, opening_key
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.board import SYMMETRIES
from alphadiamond.games.diamond_chase.game import GAME, DiamondChase
from alphadiamond.games.diamond_chase.starts import ALL_BEADS


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def reachable(plies: int) -> set[str]:
    """The boards after so many plies, by exhaustion."""
    layer = {str(Position.start()): Position.start()}
    for _ in range(plies):
        layer = {str(after): after for before in layer.values() for after in map(before.play, before.moves())}
    return set(layer)


def test_the_key_is_the_same_for_images_and_for_swapped_colours_alone() -> None:
    position = Position.start().play("si-cs").play("ni-cn").play("cs-c")
    swapped = Position(position.own, position.opp, position.side.other, position.quiet)
    keys = {opening_key(position.image(symmetry), game=GAME) for symmetry in range(len(SYMMETRIES))} | {
        opening_key(swapped, game=GAME)
    }
    assert len(keys) == 1
    assert opening_key(position, game=GAME) != opening_key(position.play("cn-ni"), game=GAME)


def test_openings_are_reachable_distinct_and_seeded() -> None:
    openings = random_openings(100, plies=4, rng=rng(), game=GAME)
    assert {str(opening) for opening in openings} <= reachable(4)
    assert len({opening_key(opening, game=GAME) for opening in openings}) == 100
    assert openings == random_openings(100, plies=4, rng=rng(), game=GAME)
    assert openings != random_openings(100, plies=4, rng=rng(2), game=GAME)


def test_openings_come_round_again_only_when_there_are_no_more() -> None:
    classes = {opening_key(Position.parse(text), game=GAME) for text in reachable(2)}
    openings = random_openings(3 * len(classes), plies=2, rng=rng(), game=GAME)
    assert {opening_key(opening, game=GAME) for opening in openings} == classes
    assert openings[: len(classes)] == openings[len(classes) : 2 * len(classes)]


def test_no_opening_is_a_finished_game() -> None:
    assert all(opening.outcome is None for opening in random_openings(50, plies=60, rng=rng(), game=GAME))


def test_openings_carry_no_history_so_that_records_tell_all() -> None:
    for opening in random_openings(20, plies=7, rng=rng(), game=GAME):
        assert opening.history == (opening.key,)


def test_random_positions_have_every_number_of_beads_and_either_side_to_move() -> None:
    positions = random_positions(120, rng=rng(), game=GAME)
    assert {(one.own.bit_count(), one.opp.bit_count()) for one in positions} == set(ALL_BEADS)
    assert {one.side for one in positions} == {0, 1}
    assert len({opening_key(one, game=GAME) for one in positions}) == 120
    assert all(one.outcome is None for one in positions)


def test_even_openings_are_those_that_the_judge_finds_most_even() -> None:
    game = DiamondChase()
    asked: list[Position] = []

    def judge(positions: Sequence[Position]) -> np.ndarray:  # type: ignore[type-arg]
        asked.extend(positions)
        return np.array([one.own.bit_count() - one.opp.bit_count() for one in positions]) / 6

    found = even_openings(10, judge, rng=rng(), game=game)
    assert len({opening_key(one, game=GAME) for one in found}) == 10
    assert len(asked) == 80
    assert len({str(one) for one in asked}) == 80
    assert any(one.own.bit_count() != one.opp.bit_count() for one in asked)
    assert all(one.own.bit_count() == one.opp.bit_count() for one in found)


def test_a_filter_decides_what_is_an_opening() -> None:
    openings = random_openings(10, plies=3, rng=rng(), accept=lambda position: position.own & 1 == 1, game=GAME)
    assert all(opening.own & 1 for opening in openings)
    with pytest.raises(ArenaError, match="no opening among 2 random plies from the start is accepted"):
        random_openings(1, plies=2, rng=rng(), accept=lambda position: False, game=GAME)


def test_impossible_openings_are_refused() -> None:
    with pytest.raises(ArenaError, match="expected 0 or more"):
        random_openings(1, plies=-1, rng=rng(), game=GAME)
