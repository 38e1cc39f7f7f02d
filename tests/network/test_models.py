"""Every model: shapes, symmetry, the frozen form, and that it learns."""

from pathlib import Path

import numpy as np
import pytest
import torch
from omegaconf import OmegaConf
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from alphadiamond.games import load
from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES, NODES, SYMMETRIES
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import turn_states
from alphadiamond.network import (
    Model,
    ModelConfig,
    ModelError,
    build_model,
    encode,
    encode_inputs,
    legal_actions,
    log_policy,
    orbits,
)
from tests.network.states import KINDS, SMALL, random_states, sharpened

ORBITS = orbits.orbits_of(GAME.shape)
GROUP = sorted((Path(__file__).parents[2] / "configs" / "model").glob("*.yaml"))


def features(count: int, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(encode(random_states(count, seed), game=GAME))


def test_the_symmetries_have_the_orbits_that_counting_by_hand_gives() -> None:
    assert orbits.count(ORBITS.nodes) == 5
    assert sorted(np.bincount(ORBITS.nodes)) == [1, 4, 4, 4, 8]
    assert orbits.count(ORBITS.pairs) == 68
    assert orbits.count(ORBITS.actions) == 12
    assert orbits.count(ORBITS.action_nodes) == 210


def test_orbits_are_what_the_symmetries_leave_alone() -> None:
    for nodes, actions in zip(SYMMETRIES, ACTION_SYMMETRIES, strict=True):
        assert (ORBITS.nodes[nodes] == ORBITS.nodes).all()
        assert (ORBITS.pairs[nodes][:, nodes] == ORBITS.pairs).all()
        assert (ORBITS.actions[actions] == ORBITS.actions).all()
        assert (ORBITS.action_nodes[actions][:, nodes] == ORBITS.action_nodes).all()


@pytest.mark.parametrize("kind", KINDS)
def test_outputs_have_their_shapes_for_every_batch_size(kind: str) -> None:
    model = build_model(SMALL[kind], seed=1, game=GAME)
    for size in (0, 1, 5):
        outputs = model(features(size))
        assert outputs.policy.shape == (size, 72)
        assert outputs.value.shape == (size, 3)
        assert outputs.auxiliary["reply"].shape == (size, 72)
        assert outputs.auxiliary["survival"].shape == (size, NODES)


@pytest.mark.parametrize("kind", KINDS)
def test_auxiliary_heads_are_there_only_when_asked_for(kind: str) -> None:
    config = ModelConfig(kind, width=4, blocks=1, value_width=4)
    assert build_model(config, game=GAME)(features(2)).auxiliary == {}


@pytest.mark.parametrize("kind", ["orbit", "graph"])
@pytest.mark.parametrize("symmetry", range(8))
def test_turning_the_board_turns_the_outputs(kind: str, symmetry: int) -> None:
    model = sharpened(kind).double()
    states = random_states(20)
    turned = turn_states(states, np.full(20, symmetry))
    with torch.no_grad():
        here = model(torch.from_numpy(encode(states, game=GAME)).double())
        there = model(torch.from_numpy(encode(turned, game=GAME)).double())
        frozen = model.frozen()
        frozen_here = frozen(torch.from_numpy(encode_inputs(states, game=GAME)).double())
        frozen_there = frozen(torch.from_numpy(encode_inputs(turned, game=GAME)).double())
    assert here.policy.std(dim=0).min() > 1e-3  # it does depend on the position
    same = {"rtol": 1e-9, "atol": 1e-9}
    torch.testing.assert_close(there.policy[:, ACTION_SYMMETRIES[symmetry]], here.policy, **same)
    torch.testing.assert_close(there.value, here.value, **same)
    torch.testing.assert_close(
        there.auxiliary["reply"][:, ACTION_SYMMETRIES[symmetry]], here.auxiliary["reply"], **same
    )
    torch.testing.assert_close(there.auxiliary["survival"][:, SYMMETRIES[symmetry]], here.auxiliary["survival"], **same)
    torch.testing.assert_close(frozen_there[0][:, ACTION_SYMMETRIES[symmetry]], frozen_here[0], **same)
    torch.testing.assert_close(frozen_there[1], frozen_here[1], **same)


@pytest.mark.parametrize("kind", KINDS)
def test_the_frozen_form_says_the_same_and_does_not_follow_later_training(kind: str) -> None:
    model = sharpened(kind)
    inputs = torch.from_numpy(encode_inputs(random_states(30), game=GAME))
    frozen = model.frozen()
    with torch.no_grad():
        outputs = model(features(30))
        before = frozen(inputs)
        torch.testing.assert_close(before[0], outputs.policy, rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(before[1], outputs.value, rtol=1e-4, atol=1e-4)
        kept = [part.clone() for part in before]
        for parameter in model.parameters():
            parameter.add_(1.0)
        for old, new in zip(kept, frozen(inputs), strict=True):
            assert torch.equal(old, new)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_reach_every_parameter_and_a_small_batch_is_learnt(kind: str) -> None:
    model = build_model(SMALL[kind], seed=3, game=GAME)
    states = random_states(24, seed=5)
    x, legal = torch.from_numpy(encode(states, game=GAME)), torch.from_numpy(legal_actions(states, game=GAME))
    rng = np.random.default_rng(7)
    moves = torch.tensor([rng.choice(np.flatnonzero(row)) for row in legal.numpy()])
    results = torch.from_numpy(rng.integers(0, 3, 24))
    survives = x[:, :, 0]  # of random labels a node's symmetric twins could tell nothing

    def losses(model: Model) -> list[torch.Tensor]:
        outputs = model(x)
        return [
            -log_policy(outputs.policy, legal)[torch.arange(24), moves].mean(),
            cross_entropy(outputs.value, results),
            cross_entropy(outputs.auxiliary["reply"], moves),
            binary_cross_entropy_with_logits(outputs.auxiliary["survival"], survives),
        ]

    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    first = [loss.item() for loss in losses(model)]
    sum(losses(model)).backward()  # type: ignore[union-attr]
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name
    for _ in range(200):
        optimizer.zero_grad()
        sum(losses(model)).backward()  # type: ignore[union-attr]
        optimizer.step()
    last = [loss.item() for loss in losses(model)]
    assert last[0] < 0.5 * first[0]
    assert last[1] < 0.2 * first[1]
    assert last[2] < 0.5 * first[2]
    assert last[3] < 0.2 * first[3]


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_decides_the_weights_and_leaves_torchs_generator_alone(kind: str) -> None:
    torch.manual_seed(9)
    expected = torch.rand(3)
    torch.manual_seed(9)
    models = [build_model(SMALL[kind], seed=seed, game=GAME) for seed in (1, 1, 2)]
    assert torch.equal(torch.rand(3), expected)
    first, same, other = (torch.cat([p.flatten() for p in model.parameters()]) for model in models)
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("path", GROUP, ids=lambda path: path.stem)
def test_every_size_of_the_model_group_builds_what_its_name_says(path: Path) -> None:
    merged = OmegaConf.merge(OmegaConf.structured(ModelConfig), OmegaConf.load(path))
    config = OmegaConf.to_object(merged)
    assert isinstance(config, ModelConfig)
    assert path.stem.startswith(config.kind)
    if config.kind == "conv":
        game = load("labyrinth" if config.heads == "pieces" else "connect_four")
        states = game.states_of([game.sample_start()])
        assert build_model(config, game)(torch.from_numpy(encode(states, game))).policy.shape == (1, game.actions)
    else:
        assert build_model(config, game=GAME)(features(1)).policy.shape == (1, 72)


def test_there_is_a_small_a_medium_and_a_large_of_each_kind() -> None:
    sizes = {f"{kind}_{size}" for kind in (*KINDS, "conv") for size in ("small", "medium", "large")}
    pieces = {"conv_pieces", *(f"conv_pieces_{name}" for name in ("wide", "deep", "tied", "plain"))}
    assert {path.stem for path in GROUP} == sizes | {"orbit_wide"} | pieces


def test_the_networks_of_the_design_have_the_sizes_stated_there() -> None:
    assert 85_000 < build_model(ModelConfig("orbit", 12, 4), game=GAME).parameter_count() < 90_000
    assert 560_000 < build_model(ModelConfig("mlp", 256, 4), game=GAME).parameter_count() < 570_000


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (ModelConfig("cnn"), "model: kind=cnn: expected orbit, graph, mlp or conv"),
        (ModelConfig("orbit", width=0), "width=0: expected 1 to 4,096"),
        (ModelConfig("mlp", blocks=-1), "blocks"),
        (ModelConfig("mlp", width=1.5), "width=1.5: expected a whole number"),  # type: ignore[arg-type]
        (ModelConfig("mlp", reply=1), "reply=1: expected true or false"),  # type: ignore[arg-type]
    ],
)
def test_a_model_that_cannot_be_is_refused_in_words(config: ModelConfig, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        build_model(config, game=GAME)
