"""The convolution that reads its answers where the pieces stand: the same weights on boards of any size."""

from pathlib import Path

import numpy as np
import pytest
import torch

from alphadiamond.games import load
from alphadiamond.games.labyrinth.rules import GLOBALS, PLAIN, PLANES
from alphadiamond.games.labyrinth.sizes import LABYRINTH_7, LABYRINTH_11
from alphadiamond.network import (
    CheckpointError,
    Evaluator,
    Model,
    ModelConfig,
    ModelError,
    build_model,
    encode,
    load_checkpoint,
    save_checkpoint,
)
from alphadiamond.network.encoding import encode_inputs
from alphadiamond.studies.positions import random_states

GAME = load("labyrinth")
CONFIG = ModelConfig("conv", width=6, blocks=1, value_width=8, heads="pieces")
CONFIGS = {
    "plain": CONFIG,
    "repeated": ModelConfig("conv", width=6, blocks=2, repeats=3, value_width=8, heads="pieces", reply=True),
    "position alone": ModelConfig("conv", width=6, blocks=1, heads="pieces", worked_out=False),
}


def sharpened(config: ModelConfig) -> Model:
    model = build_model(config, GAME, seed=1)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn(parameter.shape, generator=generator)
    return model


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_it_says_the_same_frozen_and_learns_with_all_its_weights(config: ModelConfig) -> None:
    model, states = sharpened(config), random_states(20, seed=2, game=GAME)
    outputs = model(torch.from_numpy(encode(states, GAME)))
    policy, value = model.frozen()(torch.from_numpy(encode_inputs(states, GAME)))
    torch.testing.assert_close(policy, outputs.policy, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(value, outputs.value, rtol=1e-4, atol=1e-5)
    parts = (outputs.policy, outputs.value, *outputs.auxiliary.values())
    sum(part.square().mean() for part in parts).backward()  # type: ignore[union-attr]
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_actions_are_read_around_the_mover() -> None:
    """Weights that see an open cell alone, and heads that tell the eight neighbours of the mover apart."""
    model = build_model(ModelConfig("conv", width=1, blocks=1, heads="pieces"), GAME, seed=1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        model.enter.weight[0, 0, 1, 1] = 1.0  # type: ignore[index, union-attr]
        around = [1, 2, 5, 8, 7, 6, 3, 0]  # n ne e se s sw w nw in a patch of 3 by 3
        for action, place in enumerate(around):
            model.near.weight[action, place] = 1.0  # type: ignore[index, union-attr]
    states = random_states(40, seed=3, game=GAME)
    policy, _ = Evaluator(model, device="cpu", threads=1, half=False).logits(states)
    legal = GAME.legal(states)
    going = ~legal[:, 8]
    assert going.sum() > 20
    np.testing.assert_array_equal(policy[going, :8] > 0.1, legal[going, :8])


def test_what_was_worked_out_is_not_seen_where_that_is_asked_for() -> None:
    states = random_states(6, seed=4, game=GAME)
    features = torch.from_numpy(encode(states, GAME))
    changed = features.clone()
    changed[:, :, PLAIN[0] : PLANES] += 1.0
    changed[:, :, PLANES + PLAIN[1] :] -= 1.0
    for name, config in CONFIGS.items():
        model = sharpened(config)
        same = torch.equal(model(features).policy, model(changed).policy)
        assert same == (name == "position alone"), name


def test_repeats_take_a_step_further_each_time() -> None:
    """A change in a corner is felt two cells further with every repeat, and no more weights are needed."""
    sizes = set()
    for repeats, reach in ((2, 5), (3, 7)):
        config = ModelConfig("conv", width=4, blocks=1, repeats=repeats, heads="pieces")
        model = sharpened(config)
        sizes.add(model.parameter_count())
        seen: list[torch.Tensor] = []
        model.read = lambda x, features, seen=seen: seen.append(x)  # type: ignore[method-assign, assignment, misc]
        features = torch.zeros(1, 81, PLANES + GLOBALS)
        model(features)
        features[0, 0, 0] = 1.0
        model(features)
        felt = (seen[0] - seen[1])[0].abs().sum(dim=0) > 0
        assert felt[: reach + 1, : reach + 1].any(dim=0).sum() == reach + 1
        assert not felt[reach + 1 :].any()
    assert len(sizes) == 1


@pytest.mark.parametrize("other", [LABYRINTH_7, LABYRINTH_11], ids=lambda game: game.name)
def test_a_network_plays_on_boards_of_other_sizes(other: object, tmp_path: Path) -> None:
    path = tmp_path / "network.safetensors"
    save_checkpoint(path, sharpened(CONFIG))
    model = load_checkpoint(path, game=other).model  # type: ignore[arg-type]
    states = random_states(8, seed=5, game=other)  # type: ignore[arg-type]
    policy, wdl = Evaluator(model, device="cpu", threads=1)(states)
    assert policy.sum(axis=1) == pytest.approx(1)
    assert wdl.sum(axis=1) == pytest.approx(1)
    with pytest.raises(CheckpointError, match="plays labyrinth, not connect_four"):
        load_checkpoint(path, game=load("connect_four"))


def test_a_network_over_the_whole_board_fits_no_other(tmp_path: Path) -> None:
    path = tmp_path / "network.safetensors"
    save_checkpoint(path, build_model(ModelConfig("conv", width=4, blocks=1), GAME, seed=1))
    with pytest.raises(CheckpointError, match="tensor policy"):
        load_checkpoint(path, game=LABYRINTH_7)


def test_games_of_many_pieces_are_refused() -> None:
    with pytest.raises(ModelError, match="single piece"):
        build_model(ModelConfig("conv", heads="pieces"), load("connect_four"))
