"""The compiled rules against the plain ones."""

import collections
import concurrent.futures
import itertools
import multiprocessing

import numpy as np
import pytest

from alphadiamond.base.random_kernels import random_below, random_stream, random_unit
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.games.diamond_chase import kernels
from alphadiamond.games.diamond_chase.board import ACTION_NODES, NODE_NAMES, START_GREEN, START_RED
from tests.games.diamond_chase import reference
from tests.games.diamond_chase.samples import board_of, mask_of, random_masks

COUNTS = list(itertools.product(range(4, 7), repeat=2))


def compare_with_reference(seed: int, positions: int) -> collections.Counter[str]:
    """Check every move of random positions of all bead counts; what occurred among them."""
    rng = np.random.default_rng(seed)
    seen: collections.Counter[str] = collections.Counter()
    actions = np.empty(72, dtype=np.int64)
    for number in range(positions):
        own_beads, opp_beads = COUNTS[number % len(COUNTS)]
        own, opp = random_masks(rng, own_beads, opp_beads)
        seen[f"{own_beads} against {opp_beads}"] += 1
        board = board_of(own, opp)  # the side to move is green here; colours do not matter to the rules
        count = kernels.list_moves(own, opp, actions)
        ours = [tuple(NODE_NAMES[node] for node in ACTION_NODES[action]) for action in actions[:count]]
        theirs = reference.moves(board, "g")
        assert sorted(ours) == sorted(theirs)
        assert count == kernels.count_moves(own, opp) > 0
        for action, move in zip(actions[:count], ours, strict=True):
            source, target = ACTION_NODES[action]
            after, captured, lost = reference.play(board, "g", move)  # type: ignore[arg-type]
            expected = (
                mask_of(after, "g"),
                mask_of(after, "r"),
                mask_of(dict.fromkeys(captured, "r"), "r"),
                mask_of(dict.fromkeys(lost, "g"), "g"),
            )
            assert kernels.apply(own, opp, source, target) == expected, (board, move)
            value = {"g": LOSS, "r": WIN, None: ONGOING}[reference.winner(after, "r")]
            assert kernels.status(expected[1], expected[0], 0, 1) == value
            seen["moves"] += 1
            seen["captures"] += bool(captured)
            seen["double captures"] += len(captured) == 2
            seen["self-traps"] += bool(lost)
            seen["double self-traps"] += len(lost) == 2
            seen["wins"] += value == LOSS
            seen["losses"] += value == WIN
            seen["both below four"] += mask_of(after, "g").bit_count() < 4 and mask_of(after, "r").bit_count() < 4
            moved = dict(board)
            moved[move[1]] = moved.pop(move[0])
            seen["saving captures"] += bool(captured) and bool(reference.trapped(moved, "g") - lost)
            assert move[1] not in lost, "a bead that has just moved has the node it came from to go back to"
    return seen


KINDS = ("captures", "double captures", "self-traps", "saving captures", "wins", "losses")


def test_the_kernels_agree_with_the_reference_on_20_000_positions() -> None:
    seen = compare_with_reference(seed=1, positions=20_250)
    print(dict(seen))
    for kind in KINDS:
        assert seen[kind] >= 100, kind
    for own_beads, opp_beads in COUNTS:
        assert seen[f"{own_beads} against {opp_beads}"] == 20_250 // 9


@pytest.mark.slow
def test_the_kernels_agree_with_the_reference_on_a_million_positions() -> None:
    parts = 20
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(mp_context=context) as pool:
        seen = sum(pool.map(compare_with_reference, range(100, 100 + parts), [50_004] * parts), collections.Counter())
    print(dict(seen))
    assert sum(seen[f"{own} against {opp}"] for own, opp in COUNTS) >= 1_000_000
    for kind in (*KINDS, "double self-traps", "both below four"):
        assert seen[kind] >= 10, kind


def test_the_number_of_sequences_is_that_of_the_rules() -> None:
    counts = [kernels.count_sequences(START_GREEN, START_RED, depth) for depth in range(7)]
    assert counts == [1, 5, 21, 147, 1036, 8481, 68276]


def test_the_reference_counts_the_same_sequences() -> None:
    assert [reference.sequences(reference.start(), "g", depth) for depth in range(5)] == [1, 5, 21, 147, 1036]


def test_sequences_stop_where_the_game_is_over() -> None:
    assert kernels.count_sequences(0b111, START_RED, 1) == 0
    assert kernels.count_sequences(0b111, START_RED, 0) == 1


def random_batch(size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    pairs = [random_masks(rng, *COUNTS[number % len(COUNTS)]) for number in range(size)]
    return np.array(pairs, dtype=np.int32)[:, 0], np.array(pairs, dtype=np.int32)[:, 1]


def test_batches_agree_with_single_positions() -> None:
    own, opp = random_batch(500, seed=2)
    legal = kernels.legal_masks(own, opp)
    actions = np.empty(72, dtype=np.int64)
    chosen = np.empty(len(own), dtype=np.int32)
    for b in range(len(own)):
        count = kernels.list_moves(int(own[b]), int(opp[b]), actions)
        assert np.flatnonzero(legal[b]).tolist() == actions[:count].tolist()
        chosen[b] = actions[b % count]
    after = kernels.apply_batch(own, opp, chosen)
    statuses = kernels.status_batch(after[1], after[0], np.full(len(own), 99), np.ones(len(own), dtype=np.int64))
    for b in range(len(own)):
        single = kernels.apply(int(own[b]), int(opp[b]), *ACTION_NODES[chosen[b]])
        assert tuple(int(field[b]) for field in after) == single
        assert statuses[b] == kernels.status(single[1], single[0], 99, 1)


def test_values_are_from_the_side_to_move() -> None:
    four, three = 0b1111, 0b1110000
    assert kernels.status(three, four, 0, 1) == LOSS
    assert kernels.status(four, three, 0, 1) == WIN
    assert kernels.status(three, three << 4, 0, 1) == LOSS, "the mover's captures count first"


def test_the_draw_rules_count_after_the_beads() -> None:
    four = 0b1111
    assert kernels.status(four, four << 4, 99, 2) == ONGOING
    assert kernels.status(four, four << 4, 100, 1) == DRAW
    assert kernels.status(four, four << 4, 0, 3) == DRAW
    assert kernels.status(four, 0b111 << 4, 100, 3) == WIN


def test_random_playouts_end_in_every_way_and_hardly_favour_the_first_move() -> None:
    size = 20_000
    own, opp = (np.full(size, mask, dtype=np.int32) for mask in (START_GREEN, START_RED))
    stream = random_stream(np.random.default_rng(3))
    values, plies, reasons = kernels.random_playouts(own, opp, np.zeros(size, dtype=np.int32), stream)
    shares = np.bincount(values + 1, minlength=3) / size
    assert set(reasons) == {kernels.BEADS, kernels.REPETITION, kernels.NO_CAPTURE}
    assert ((values == DRAW) == (reasons != kernels.BEADS)).all()
    assert shares[1] == pytest.approx(0.12, abs=0.02)
    assert shares[[0, 2]] == pytest.approx([0.43, 0.45], abs=0.02)
    assert plies.mean() == pytest.approx(95, abs=3)


def test_a_playout_counts_the_history_it_is_given() -> None:
    keys = np.empty(128, dtype=np.int64)
    keys[:5] = [kernels.position_key(START_GREEN, START_RED, side) for side in (0, 1, 0, 1, 0)]
    stream = random_stream(np.random.default_rng(4))
    result = kernels.random_playout(START_GREEN, START_RED, 4, keys, 5, stream)
    assert result == (DRAW, 0, kernels.REPETITION)


def test_playouts_from_the_same_seed_are_the_same() -> None:
    own, opp = random_batch(50, seed=5)
    runs = [
        kernels.random_playouts(own, opp, np.zeros(50, np.int32), random_stream(np.random.default_rng(6)))
        for _ in range(2)
    ]
    for first, second in zip(*runs, strict=True):
        assert (first == second).all()


def test_random_moves_are_legal_and_equally_likely() -> None:
    stream = random_stream(np.random.default_rng(7))
    counts = collections.Counter(kernels.random_move(START_GREEN, START_RED, stream) for _ in range(10_000))
    legal = kernels.legal_masks(np.array([START_GREEN]), np.array([START_RED]))[0]
    assert sorted(counts) == np.flatnonzero(legal).tolist()
    assert all(count == pytest.approx(2_000, abs=200) for count in counts.values())


def test_the_random_numbers_cover_their_range_evenly() -> None:
    stream = random_stream(np.random.default_rng(8))
    units = [random_unit(stream) for _ in range(5_000)]
    assert 0 <= min(units) < 0.01 < 0.99 < max(units) < 1
    below = collections.Counter(random_below(stream, 7) for _ in range(7_000))
    assert sorted(below) == list(range(7))
    assert all(count == pytest.approx(1_000, abs=150) for count in below.values())
