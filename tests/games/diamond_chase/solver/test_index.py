"""Numbers of positions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alphadiamond.games.diamond_chase.board import NODES
from alphadiamond.games.diamond_chase.kernels import image_of
from alphadiamond.games.diamond_chase.solver import LAYERS, Layer, index_kernels


def orbit(own: int, opp: int) -> set[tuple[int, int]]:
    return {(int(image_of(own, s)), int(image_of(opp, s))) for s in range(8)}


def test_the_layers_stand_for_all_placements() -> None:
    placements = 0
    for layer in LAYERS:
        first = index_kernels.FIRST_CLASS[layer.own - 4]
        kept = index_kernels.CLASS_KEPT[first : first + layer.classes]
        placements += int((8 // np.bitwise_count(kept)).sum()) * layer.placements
    assert placements == 922_840_716


def test_the_table_is_within_five_per_cent_of_an_eighth_of_all_placements() -> None:
    assert sum(layer.entries for layer in LAYERS) < 1.05 * 922_840_716 / 8


def test_layers_do_not_overlap() -> None:
    ends = [layer.slice.stop for layer in LAYERS]
    assert all(end <= layer.base for end, layer in zip(ends, LAYERS[1:], strict=False))
    assert ends[-1] <= index_kernels.TOTAL
    assert all(layer.base % 8 == 0 for layer in LAYERS)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_number_and_position_are_inverse(layer: Layer) -> None:
    rng = np.random.default_rng(1)
    some = np.arange(layer.entries) if layer.own + layer.opp == 8 else rng.integers(layer.entries, size=100_000)
    own, opp = index_kernels.positions_in_layer(layer.own, layer.opp, some)
    assert (np.bitwise_count(own) == layer.own).all()
    assert (np.bitwise_count(opp) == layer.opp).all()
    assert not (own & opp).any()
    layers, back = index_kernels.indices_in_layers(own, opp)
    assert (layers == LAYERS.index(layer)).all()
    assert (back == some).all()


@given(st.permutations(range(NODES)), st.integers(4, 6), st.integers(4, 6), st.integers(0, 7))
def test_an_image_of_a_position_has_the_number_of_some_image_of_it(
    nodes: list[int], own_beads: int, opp_beads: int, symmetry: int
) -> None:
    own = sum(1 << node for node in nodes[:own_beads])
    opp = sum(1 << node for node in nodes[own_beads : own_beads + opp_beads])
    index = index_kernels.index_in_layer(int(image_of(own, symmetry)), int(image_of(opp, symmetry)))
    found = index_kernels.position_at(own_beads, opp_beads, index)
    assert (int(found[0]), int(found[1])) in orbit(own, opp)


@given(st.sets(st.integers(0, NODES - 1), min_size=1, max_size=6))
def test_a_rank_counts_the_smaller_masks_with_as_many_bits(nodes: set[int]) -> None:
    smaller = sum(math.comb(node, k) for k, node in enumerate(sorted(nodes), start=1))
    assert index_kernels.rank_of(sum(1 << node for node in nodes)) == smaller


@given(st.integers(0, (1 << NODES) - 1), st.integers(0, (1 << NODES) - 1))
def test_squeezing_leaves_out_the_taken_nodes(mask: int, taken: int) -> None:
    mask &= ~taken
    free = [node for node in range(NODES) if not taken >> node & 1]
    expected = sum(1 << k for k, node in enumerate(free) if mask >> node & 1)
    assert index_kernels.squeeze(mask, taken) == expected
    assert index_kernels.spread(expected, taken) == mask


@pytest.mark.parametrize(
    ("own", "opp"), [(0b111, 0b1111000), (0b1111111, 0b1111 << 7), (0b1111, 0b11110), (0b1111, 0b1111 << 18)]
)
def test_what_is_in_no_layer_has_no_number(own: int, opp: int) -> None:
    layers, _ = index_kernels.indices_in_layers(np.array([own]), np.array([opp]))
    assert layers[0] == -1
