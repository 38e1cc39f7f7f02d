"""The convolution by tiles says what torch says."""

import dataclasses

import numpy as np
import numpy.typing as npt
import pytest
import torch
from torch.nn.functional import conv2d

from alphadiamond.base import game_kernels
from alphadiamond.games import load
from alphadiamond.network import Evaluator, ModelConfig, build_model
from alphadiamond.network.conv import BoardConvModel, ConvModel
from alphadiamond.network.encoding import features_of
from alphadiamond.network.winograd.compiled_network import CompiledConv, can_compile
from alphadiamond.network.winograd.tiles import MATRICES, lengths

GAME = load("connect_four")


def model_of(width: int = 8, blocks: int = 2, *, seed: int = 1, game: str = "connect_four") -> ConvModel:
    model = build_model(ModelConfig(kind="conv", width=width, blocks=blocks, value_width=12), load(game), seed=seed)
    assert isinstance(model, ConvModel)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias"):
                parameter.normal_(std=0.5, generator=torch.Generator().manual_seed(seed))
            if name.startswith(("policy", "value.")):
                parameter.mul_(10)  # logits as large as those of a network that has learnt
    return model


def inputs_of(count: int, game: str = "connect_four") -> npt.NDArray[np.float32]:
    one, rng = load(game), np.random.default_rng(0)
    return game_kernels.encode_states(one.rules, np.stack([one.random_start(rng) for _ in range(count)]))


def exact(model: ConvModel, inputs: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """What the model says in double precision, in torch."""
    copy: ConvModel = BoardConvModel(model.config, model.shape)
    copy.load_state_dict(model.state_dict())
    with torch.no_grad():
        out = copy.double()(features_of(torch.from_numpy(inputs).double(), model.shape))
    return out.policy.numpy(), out.value.numpy()


@pytest.mark.parametrize("size", [3, 4])
def test_a_line_at_its_points_is_convolved_by_products(size: int) -> None:
    to_points, kernel_to_points, back = MATRICES[size]
    rng = np.random.default_rng(size)
    line, kernel = rng.normal(size=size + 2), rng.normal(size=3)
    expected = [line[k : k + 3] @ kernel for k in range(size)]
    assert back @ ((to_points @ line) * (kernel_to_points @ kernel)) == pytest.approx(expected)


def test_every_length_but_1_2_and_5_is_made_of_tiles() -> None:
    for cells in range(1, 30):
        tiles = lengths(cells)
        assert (tiles is None) == (cells in (1, 2, 5))
        assert tiles is None or sum(tiles) == cells
    assert lengths(6) == [3, 3]
    assert lengths(7) == [4, 3]


@pytest.mark.parametrize(("width", "blocks"), [(32, 4), (16, 3), (5, 1), (12, 2)])
def test_the_compiled_network_says_what_torch_says(width: int, blocks: int) -> None:
    model, inputs = model_of(width, blocks), inputs_of(37)
    policy, value = CompiledConv(model).logits(inputs)
    expected = exact(model, inputs)
    assert np.abs(expected[0]).max() > 0.5
    np.testing.assert_allclose(policy, expected[0], atol=2e-5)
    np.testing.assert_allclose(value, expected[1], atol=2e-5)


def test_it_serves_the_labyrinths_board_too() -> None:
    model, inputs = model_of(16, 2, game="labyrinth"), inputs_of(3, "labyrinth")
    policy, value = CompiledConv(model).logits(inputs)
    expected = exact(model, inputs)
    np.testing.assert_allclose(policy, expected[0], atol=2e-5)
    np.testing.assert_allclose(value, expected[1], atol=2e-5)


@pytest.mark.parametrize("grid", [(3, 4), (4, 3), (4, 4), (7, 8), (11, 6)])
def test_boards_of_all_shapes_are_convolved_as_torch_does(grid: tuple[int, int]) -> None:
    """Every size of tile, alone and in pairs, at edges and inside."""
    nodes = grid[0] * grid[1]
    none = np.zeros((1, nodes), dtype=np.int64)
    shape = dataclasses.replace(GAME.shape, nodes=nodes, grid=grid, symmetries=none + np.arange(nodes))
    model: ConvModel = BoardConvModel(ModelConfig(kind="conv", width=4, blocks=1, value_width=4), shape)
    planes = shape.planes * nodes
    inputs = np.random.default_rng(1).normal(size=(5, planes + shape.globals)).astype(np.float32)
    made = CompiledConv(model).boards(inputs)
    with torch.no_grad():
        features = features_of(torch.from_numpy(inputs), shape)
        x = features.reshape(-1, *grid, features.shape[2]).permute(0, 3, 1, 2)
        x = conv2d(x, model.enter.weight, model.enter.bias, padding=1)
        expected = model.blocks[0](x).numpy()
    np.testing.assert_allclose(made, expected, atol=2e-4)
    policy, _ = CompiledConv(model).logits(inputs)
    np.testing.assert_allclose(policy, exact(model, inputs)[0], atol=2e-5)


def test_what_is_said_of_a_position_does_not_depend_on_its_neighbours() -> None:
    network, inputs = CompiledConv(model_of()), inputs_of(40)
    together = network.logits(inputs)
    for k in (0, 15, 16, 39):
        alone = network.logits(inputs[k : k + 1])
        assert all(np.array_equal(one[0], all_[k]) for one, all_ in zip(alone, together, strict=True))


def test_what_is_not_a_number_stays_so() -> None:
    model = model_of()
    with torch.no_grad():
        model.blocks[0].first.bias[0] = torch.nan  # type: ignore[index, union-attr]
    policy, _ = CompiledConv(model).logits(inputs_of(2))
    assert np.isnan(policy).all()


def test_the_evaluator_plays_by_tiles_where_the_board_allows_it_and_with_new_weights_after_an_update() -> None:
    one, two = model_of(), model_of(seed=2)
    rng = np.random.default_rng(0)
    states = np.stack([GAME.random_start(rng) for _ in range(40)])
    compiled, plain = Evaluator(one, device="cpu"), Evaluator(one, device="cpu", compiled=False, half=False)
    assert isinstance(compiled._network, CompiledConv)
    assert not isinstance(plain._network, CompiledConv)
    before = compiled(states)
    for ours, theirs in zip(before, plain(states), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
    compiled.update(two)
    plain.update(two)
    for ours, theirs, old in zip(compiled(states), plain(states), before, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
        assert np.abs(ours - old).max() > 0.01


def test_a_board_that_cannot_be_cut_into_tiles_is_left_to_torch() -> None:
    shape = dataclasses.replace(GAME.shape, nodes=30, grid=(5, 6))
    assert not can_compile(BoardConvModel(ModelConfig(kind="conv", width=4, blocks=1), shape))
    assert can_compile(model_of())
