import itertools

import numpy as np
import pytest

from alphadiamond.games.diamond_chase import board
from tests.games.diamond_chase import reference


def test_the_graph_is_the_one_of_the_rules() -> None:
    named = {frozenset(board.NODE_NAMES[node] for node in edge) for edge in board.EDGES}
    assert named == reference.EDGES
    assert (board.NODES, len(board.EDGES), board.ACTIONS) == (21, 36, 72)


def test_tips_and_sides_have_three_neighbours_and_all_others_four() -> None:
    for node, name in enumerate(board.NODE_NAMES):
        outer = name[0] != "c" and not name.endswith("i")
        assert len(board.NEIGHBOURS[node]) == (3 if outer else 4), name


def test_there_are_eight_symmetries_and_they_form_a_group() -> None:
    rows = {tuple(row) for row in board.SYMMETRIES.tolist()}
    assert len(rows) == len(board.SYMMETRIES) == 8
    assert tuple(range(21)) == tuple(board.SYMMETRIES[0])
    assert tuple(range(20, -1, -1)) in rows, "the half turn maps i to 20 - i"
    for first, second in itertools.product(board.SYMMETRIES, repeat=2):
        assert tuple(first[second].tolist()) in rows


def test_symmetries_keep_edges_and_distances_in_the_picture() -> None:
    edges = {frozenset(edge) for edge in board.EDGES}
    gaps = np.linalg.norm(board.COORDINATES[:, None] - board.COORDINATES[None], axis=2)
    for row in board.SYMMETRIES:
        assert {frozenset(int(row[node]) for node in edge) for edge in edges} == edges
        np.testing.assert_allclose(gaps[np.ix_(row, row)], gaps)


def test_each_symmetry_has_its_inverse() -> None:
    for row, inverse in zip(board.SYMMETRIES, board.INVERSE_SYMMETRIES, strict=True):
        assert (board.SYMMETRIES[inverse][row] == np.arange(21)).all()


def test_actions_move_with_their_nodes() -> None:
    for symmetry, action in itertools.product(range(8), range(72)):
        source, target = board.ACTION_NODES[action]
        image = board.ACTION_NODES[board.ACTION_SYMMETRIES[symmetry, action]]
        assert image == (board.SYMMETRIES[symmetry, source], board.SYMMETRIES[symmetry, target])


def test_action_ids_are_minus_one_where_there_is_no_edge() -> None:
    assert (board.ACTION_IDS >= 0).sum() == 72
    for action, (source, target) in enumerate(board.ACTION_NODES):
        assert board.ACTION_IDS[source, target] == action


def test_the_picture_has_the_distances_of_the_rules() -> None:
    distance = {"n": 5.49, "ni": 3.49, "cn": 1.0, "c": 0.0}
    for name, expected in distance.items():
        assert np.hypot(*board.COORDINATES[board.NODE_IDS[name]]) == pytest.approx(expected)
    assert tuple(board.COORDINATES[board.NODE_IDS["ne"]]) == pytest.approx((1, 4.49))
    assert tuple(board.COORDINATES[board.NODE_IDS["en"]]) == pytest.approx((4.49, 1))


def test_the_outer_diamond_runs_through_the_side_nodes() -> None:
    for name in ("n", "ne", "en", "e"):
        assert board.COORDINATES[board.NODE_IDS[name]].sum() == pytest.approx(5.49)
