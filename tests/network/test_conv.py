"""The convolution, on the grid of Connect Four."""

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from alphadiamond.games import load
from alphadiamond.network import Evaluator, Model, ModelConfig, ModelError, build_model, encode
from alphadiamond.network.conv import ConvModel
from alphadiamond.network.encoding import encode_inputs
from alphadiamond.network.model import FromInputs
from alphadiamond.studies.positions import random_states

GAME = load("connect_four")
CONFIG = ModelConfig("conv", width=6, blocks=2, value_width=8, reply=True)


def sharpened() -> Model:
    model = build_model(CONFIG, GAME, seed=1)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn(parameter.shape, generator=generator)
    return model


def test_it_says_the_same_frozen_and_does_not_follow_later_training() -> None:
    model, states = sharpened(), random_states(20, seed=2, game=GAME)
    frozen = model.frozen()
    with torch.no_grad():
        outputs = model(torch.from_numpy(encode(states, GAME)))
        inputs = torch.from_numpy(encode_inputs(states, GAME))
        policy, value = frozen(inputs)
        torch.testing.assert_close(policy, outputs.policy, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(value, outputs.value, rtol=1e-4, atol=1e-5)
        assert outputs.auxiliary["reply"].shape == (20, 7)
        assert outputs.policy.std(dim=0).min() > 1e-3
        for parameter in model.parameters():
            parameter.add_(1.0)
        assert torch.equal(policy, frozen(inputs)[0])


def test_a_layer_sees_a_cells_neighbours_and_no_others_and_tells_directions_apart() -> None:
    model = build_model(ModelConfig("conv", width=3, blocks=1), GAME, seed=3)
    features = torch.zeros(1, 42, 4)
    before = model.enter(features.unflatten(1, (6, 7)).permute(0, 3, 1, 2))  # type: ignore[operator]
    features[0, 7 * 2 + 3, 0] = 1.0  # third row, fourth column
    change = model.enter(features.unflatten(1, (6, 7)).permute(0, 3, 1, 2)) - before  # type: ignore[operator]
    touched = change[0].abs().sum(dim=0) > 0
    assert touched[1:4, 2:5].all()
    assert touched.sum() == 9
    assert not torch.equal(change[0, :, 2, 2], change[0, :, 2, 4])


def test_an_evaluation_does_not_depend_on_its_neighbours_in_the_batch() -> None:
    evaluator = Evaluator(sharpened(), device="cpu", threads=1, half=False)
    states = random_states(64, seed=4, game=GAME)
    policy, wdl = evaluator(states)
    order = np.random.default_rng(5).permutation(64)
    again, results = evaluator(states[order])
    np.testing.assert_array_equal(again, policy[order])
    np.testing.assert_array_equal(results, wdl[order])
    for size in (1, 3, 16):  # torch chooses its kernels by the size of a batch, so up to rounding
        np.testing.assert_allclose(evaluator(states[:size])[0], policy[:size], atol=1e-6)


def test_convolutions_in_half_the_precision_say_nearly_the_same_and_leave_the_model_as_it_is() -> None:
    model, states = sharpened(), random_states(64, seed=9, game=GAME)
    frozen = model.frozen()
    assert isinstance(frozen, FromInputs)
    assert isinstance(frozen.model, ConvModel)
    inputs = torch.from_numpy(encode_inputs(states, GAME))
    whole = frozen(inputs)
    frozen.model.halve()
    half = frozen(inputs)
    for one, other in zip(whole, half, strict=True):
        assert other.dtype == torch.float32
        assert 0 < (one - other).abs().max() < 0.03
    assert all(parameter.dtype == torch.float32 for parameter in model.parameters())


def test_learning_in_half_the_precision_has_nearly_the_same_gradients() -> None:
    states = random_states(64, seed=10, game=GAME)
    gradients = []
    for mixed in (False, True):
        model = sharpened()
        assert isinstance(model, ConvModel)
        model.mixed = mixed
        outputs = model(torch.from_numpy(encode(states, GAME)))
        (outputs.policy.logsumexp(1).mean() + outputs.value.square().mean()).backward()
        gradients.append(torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]))
    assert 0 < (gradients[0] - gradients[1]).norm() < 0.05 * gradients[0].norm()


def test_a_small_batch_is_learnt_by_all_parameters() -> None:
    model, states = build_model(CONFIG, GAME, seed=6), random_states(24, seed=7, game=GAME)
    x, rng = torch.from_numpy(encode(states, GAME)), np.random.default_rng(8)
    moves, results = torch.from_numpy(rng.integers(0, 7, 24)), torch.from_numpy(rng.integers(0, 3, 24))

    def loss() -> torch.Tensor:
        outputs = model(x)
        replies = cross_entropy(outputs.auxiliary["reply"], moves)
        return cross_entropy(outputs.policy, moves) + cross_entropy(outputs.value, results) + replies

    first = loss()
    first.backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(200):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
    assert loss() < 0.3 * first


def test_a_board_that_is_no_grid_is_refused() -> None:
    with pytest.raises(ModelError, match="no grid"):
        build_model(ModelConfig("conv"), load("diamond_chase"))
