"""The orbit network in the basis of the board's symmetries: the same function as its dense form, whatever the batch.

Logits of the two forms agree within 2e-5 and gradients within 2e-5 of the largest: rounding in single precision, as far
as either is from the network worked out in double precision.
"""

import numpy as np
import pytest
import torch

from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES, SYMMETRIES
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import turn_states
from alphadiamond.network import (
    Evaluator,
    Model,
    ModelConfig,
    build_model,
    encode,
    load_checkpoint,
    orbits,
)
from alphadiamond.network.model import LayeredModel, Outputs
from alphadiamond.network.orbit_basis import basis
from alphadiamond.network.orbit_basis import gradient as basis_gradient
from alphadiamond.network.orbit_basis import layout as basis_layout
from alphadiamond.network.orbit_basis.kernels import to_basis, to_orbit
from alphadiamond.network.orbit_basis.vector_intrinsics import LANES, ROWS
from alphadiamond.resources import champion_of
from tests.network.states import random_states

TOLERANCE = 2e-5
FOUND = basis.bases_of(GAME.shape)
assert FOUND is not None
BASES = {
    "nodes": (FOUND.nodes, SYMMETRIES),
    "edges": (FOUND.actions, ACTION_SYMMETRIES),
}


def loud(width: int, blocks: int, value_width: int = 32, seed: int = 1) -> Model:
    """A network with random weights everywhere, biases and last layers too."""
    model = build_model(ModelConfig("orbit", width, blocks, value_width), seed=seed, game=GAME)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn(parameter.shape, generator=generator)
    return model


def dense(model: Model, states: np.ndarray) -> Outputs:  # type: ignore[type-arg]
    """The dense form in double precision."""
    copy = build_model(model.config, seed=0, game=GAME)
    copy.load_state_dict(model.state_dict())
    with torch.no_grad():
        return copy.double()(torch.from_numpy(encode(states, game=GAME)).double())


@pytest.mark.parametrize("name", BASES)
def test_the_functions_are_orthonormal_and_as_many_as_counting_by_hand_gives(name: str) -> None:
    functions = BASES[name][0].matrix()
    np.testing.assert_allclose(functions @ functions.T, np.eye(len(functions)), atol=1e-12)
    assert FOUND.nodes.counts == (5, 4, 1, 1, 5)
    assert FOUND.actions.counts == (12, 12, 6, 6, 18)


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("symmetry", range(8))
def test_a_symmetry_mixes_only_the_two_of_a_pair_and_all_pairs_alike(name: str, symmetry: int) -> None:
    found, images = BASES[name]
    functions = found.matrix()
    turned = functions @ np.eye(len(functions))[images[symmetry]] @ functions.T
    singles = sum(found.counts[:4])
    signs = np.diag(turned)[:singles]
    np.testing.assert_allclose(turned[:singles, :singles], np.diag(np.sign(signs)), atol=1e-12)
    for start, count in zip(np.cumsum((0, *found.counts[:3])), found.counts[:4], strict=True):
        assert len(set(np.sign(signs[start : start + count]))) == 1
    pairs = turned[singles:, singles:]
    np.testing.assert_allclose(pairs, np.kron(np.eye(found.counts[4]), pairs[:2, :2]), atol=1e-12)


@pytest.mark.parametrize("size", [1, 4, 8])
def test_to_the_basis_and_back_changes_nothing(size: int) -> None:
    values = list(np.random.default_rng(size).normal(size=size))
    np.testing.assert_allclose(to_orbit(to_basis(values)), values, atol=1e-12)


def test_blocks_are_what_the_dense_matrix_is_in_the_basis() -> None:
    weights = np.random.default_rng(3).normal(size=68)
    functions = FOUND.nodes.matrix()
    whole = functions @ weights[orbits.orbits_of(GAME.shape).pairs] @ functions.T
    entries, at, start = FOUND.nodes_to_nodes.matrix @ weights, 0, 0
    expected = np.zeros_like(whole)
    for kind, (rows, columns) in enumerate(FOUND.nodes_to_nodes.shapes):
        block = entries[at : at + rows * columns].reshape(rows, columns)
        block = np.kron(block, np.eye(2)) if kind == 4 else block
        expected[start : start + len(block), start : start + len(block)] = block
        at, start = at + rows * columns, start + len(block)
    np.testing.assert_allclose(whole, expected, atol=1e-12)


SIZES = [(2, 1, 1), (5, 2, 3), (8, 3, 32), (12, 4, 32), (16, 2, 64)]
"""(channels, blocks, units of the value): rows in all the numbers that products take at a time."""


def test_the_sizes_use_every_number_of_rows_at_a_time() -> None:
    rows = [count for width, _, hidden in SIZES for count in (5 * width, 4 * width, width, 12 + hidden, 18, 3)]
    assert {next(height for height in ROWS if count % height == 0) for count in rows} == set(ROWS)


@pytest.mark.parametrize(("width", "blocks", "hidden"), SIZES)
@pytest.mark.parametrize("count", [1, LANES, 2 * LANES + 3])
def test_the_evaluator_says_what_the_dense_form_says(width: int, blocks: int, hidden: int, count: int) -> None:
    model, states = loud(width, blocks, hidden), random_states(count, seed=count)
    policy, value = Evaluator(model, device="cpu").logits(states)
    expected = dense(model, states)
    assert expected.policy.std() > 0.1
    np.testing.assert_allclose(policy, expected.policy.numpy(), atol=TOLERANCE)
    np.testing.assert_allclose(value, expected.value.numpy(), atol=TOLERANCE)


def test_the_champion_says_the_same_in_both_forms() -> None:
    model, states = load_checkpoint(champion_of(GAME)).model, random_states(300)
    ours, theirs = (Evaluator(model, device="cpu", compiled=compiled)(states) for compiled in (True, False))
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, atol=TOLERANCE)
    policy, value = Evaluator(model, device="cpu").logits(states)
    expected = dense(model, states)
    np.testing.assert_allclose(policy, expected.policy.numpy(), rtol=TOLERANCE, atol=10 * TOLERANCE)
    np.testing.assert_allclose(value, expected.value.numpy(), rtol=TOLERANCE, atol=10 * TOLERANCE)


def test_an_evaluation_does_not_depend_on_its_neighbours_to_the_last_bit() -> None:
    evaluator, states = Evaluator(loud(12, 2), device="cpu"), random_states(5 * LANES + 7)
    policy, wdl = evaluator(states)
    rng = np.random.default_rng(1)
    for count in (1, 2, LANES - 1, LANES, LANES + 1, 2 * LANES, 3 * LANES, len(states)):
        rows = rng.permutation(len(states))[:count]
        one_policy, one_wdl = evaluator(states[rows])
        assert (one_policy == policy[rows]).all()
        assert (one_wdl == wdl[rows]).all()


def test_weights_that_are_not_numbers_are_not_hidden() -> None:
    model = loud(4, 1)
    with torch.no_grad():
        model.get_parameter("blocks.0.first.weight")[0] = torch.nan
    policy, value = Evaluator(model, device="cpu").logits(random_states(3))
    assert np.isnan(policy).all()
    assert np.isnan(value).all()


@pytest.mark.parametrize(("width", "blocks", "hidden"), SIZES)
@pytest.mark.parametrize("count", [1, 2 * LANES + 3])
def test_the_learner_sees_the_dense_forms_outputs_and_gradients(
    width: int, blocks: int, hidden: int, count: int
) -> None:
    model, exact = loud(width, blocks, hidden), loud(width, blocks, hidden).double()
    features = torch.from_numpy(encode(random_states(count, seed=count), game=GAME))
    generator = torch.Generator().manual_seed(5)
    ways = [torch.randn(count, size, generator=generator) for size in (72, 3)]
    for each, inputs in ((model, features), (exact, features.double())):
        outputs = each(inputs)
        (outputs.policy * ways[0]).sum().add((outputs.value * ways[1]).sum()).backward()
    with torch.no_grad():
        ours, theirs = model(features), exact(features.double())
    np.testing.assert_allclose(ours.policy, theirs.policy, atol=TOLERANCE)
    np.testing.assert_allclose(ours.value, theirs.value, atol=TOLERANCE)
    for (name, one), other in zip(model.named_parameters(), exact.parameters(), strict=True):
        assert one.grad is not None
        assert other.grad is not None
        largest = float(other.grad.abs().max())
        assert float((one.grad - other.grad).abs().max()) <= TOLERANCE * max(largest, 1e-3), name


def test_what_is_worked_out_in_between_does_not_disturb_a_gradient() -> None:
    model = loud(4, 2)
    first, second = (torch.from_numpy(encode(random_states(20, seed=seed), game=GAME)) for seed in (1, 2))

    def gradient(disturbed: bool) -> torch.Tensor:
        model.zero_grad()
        outputs = model(first)
        if disturbed:
            model(second).value.sum().backward()
            model.zero_grad()
            with torch.no_grad():
                model(second)
        outputs.policy.square().sum().backward()
        found = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
        return torch.cat([each.flatten() for each in found])

    assert torch.equal(gradient(False), gradient(True))


def test_memory_of_a_pass_is_used_again() -> None:
    model, features = loud(3, 1), torch.from_numpy(encode(random_states(9), game=GAME))
    for _ in range(3):
        model(features).policy.sum().backward()
    (kept,) = [of for size, of in basis_gradient._Workspace.free.items() if size[:4] == (3, 1, 32, -9 % LANES + 9)]
    assert len(kept) == 1


@pytest.mark.parametrize("symmetry", range(8))
def test_turning_the_board_turns_what_is_said(symmetry: int) -> None:
    evaluator, states = Evaluator(loud(6, 2), device="cpu"), random_states(40)
    policy, wdl = evaluator(states)
    turned_policy, turned_wdl = evaluator(turn_states(states, np.full(40, symmetry)))
    np.testing.assert_allclose(turned_policy[:, ACTION_SYMMETRIES[symmetry]], policy, atol=TOLERANCE)
    np.testing.assert_allclose(turned_wdl, wdl, atol=TOLERANCE)


def test_models_with_auxiliary_heads_learn_in_the_dense_form() -> None:
    model = build_model(ModelConfig("orbit", 4, 1, reply=True), seed=1, game=GAME)
    features = torch.from_numpy(encode(random_states(4), game=GAME))
    assert isinstance(model, LayeredModel)
    with torch.no_grad():
        assert torch.equal(model(features).policy, LayeredModel.forward(model, features).policy)


def test_a_network_that_has_played_can_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is worked out once is worked out by whoever comes first, and a player keeps no record for gradients."""
    for made_once in (basis_layout.sums, basis_layout.layout, basis_gradient._actions, basis_gradient._enter):
        made_once.cache_clear()
    monkeypatch.setattr(basis_gradient._Workspace, "free", {})
    model, features = loud(3, 1), torch.from_numpy(encode(random_states(9), game=GAME))
    with torch.inference_mode():
        model(features)
    model(features).policy.sum().backward()
    assert all(parameter.grad is not None for parameter in model.get_submodule("blocks").parameters())
