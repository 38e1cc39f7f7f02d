"""Networks for boards of other shapes: no symmetry, a mirror, and the eight of a square on other nodes."""

import numpy as np
import pytest
import torch

from alphadiamond.base.game import Shape
from alphadiamond.network import Evaluator, Model, ModelConfig, build_model, orbits
from alphadiamond.network.encoding import encode, features_of
from alphadiamond.network.graph import GraphModel
from alphadiamond.network.mlp import MlpModel
from alphadiamond.network.orbit import OrbitModel
from alphadiamond.network.orbit_basis.basis import bases_of
from examples.tic_tac_toe import SYMMETRIES, TicTacToe

CELLS = np.arange(12).reshape(3, 4)
EDGES = np.concatenate(
    [
        np.stack([CELLS[:, 1:].ravel(), CELLS[:, :-1].ravel()], axis=1),
        np.stack([CELLS[1:].ravel(), CELLS[:-1].ravel()], axis=1),
    ]
)


def shape(symmetries: np.ndarray, actions: np.ndarray) -> Shape:  # type: ignore[type-arg]
    return Shape(12, 3, 1, actions.shape[1], symmetries, actions, EDGES)


SHAPES = {
    "none": shape(np.arange(12)[None], np.arange(4)[None]),
    "mirror": shape(np.array([CELLS.ravel(), CELLS[:, ::-1].ravel()]), np.array([np.arange(4), np.arange(4)[::-1]])),
    "square": TicTacToe.shape,
}
MODELS: dict[str, type[OrbitModel] | type[GraphModel] | type[MlpModel]] = {
    "orbit": OrbitModel,
    "graph": GraphModel,
    "mlp": MlpModel,
}


def loud(kind: str, of: Shape) -> Model:
    torch.manual_seed(1)
    model = MODELS[kind](ModelConfig(kind, width=5, blocks=2, value_width=4), of)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    return model


def inputs(of: Shape, count: int) -> torch.Tensor:
    return torch.rand(count, of.inputs, generator=torch.Generator().manual_seed(2))


@pytest.mark.parametrize("name", SHAPES)
def test_a_board_without_symmetries_has_an_orbit_for_everything_and_others_fewer(name: str) -> None:
    found = orbits.orbits_of(SHAPES[name])
    counts = tuple(map(orbits.count, (found.nodes, found.pairs, found.actions, found.action_nodes)))
    # Pairs that a mirror keeps are halved no further; by Burnside's lemma.
    assert counts == {"none": (12, 144, 4, 48), "mirror": (6, 72, 2, 24), "square": (3, 15, 3, 15)}[name]
    assert bases_of(SHAPES[name]) is None


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("kind", ["orbit", "graph"])
def test_networks_turn_with_the_board_whatever_its_symmetries(name: str, kind: str) -> None:
    of = SHAPES[name]
    model, seen = loud(kind, of), inputs(of, 6)
    split = of.planes * of.nodes
    with torch.no_grad():
        straight = model(features_of(seen, of))
        for nodes, actions in zip(of.symmetries, of.action_symmetries, strict=True):
            turned = seen.clone()
            turned[:, :split].view(6, of.planes, of.nodes)[:, :, nodes] = seen[:, :split].view(6, of.planes, of.nodes)
            image = model(features_of(turned, of))
            torch.testing.assert_close(image.policy[:, actions], straight.policy, atol=1e-4, rtol=1e-4)
            torch.testing.assert_close(image.value, straight.value, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("kind", MODELS)
def test_the_form_for_play_says_the_same(name: str, kind: str) -> None:
    of = SHAPES[name]
    model, seen = loud(kind, of), inputs(of, 7)
    with torch.no_grad():
        outputs = model(features_of(seen, of))
        policy, value = model.frozen()(seen)
    assert policy.shape == (7, of.actions)
    torch.testing.assert_close(policy, outputs.policy, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(value, outputs.value, atol=1e-4, rtol=1e-4)


def test_the_evaluator_of_another_game_averages_over_its_own_symmetries_and_keeps_its_own_moves() -> None:
    game = TicTacToe()
    model = build_model(ModelConfig("mlp", width=16, blocks=1, value_width=4), game, seed=3)
    states = game.states_of([game.start(), game.parse("x../.o./... x")])
    plain = Evaluator(model, device="cpu", threads=1, cache=32)
    policy, _ = plain(states)
    assert (policy > 0).tolist() == game.legal(states).tolist()
    np.testing.assert_allclose(plain(states)[0], policy)
    assert plain.stats.hits == 2
    averaged, _ = Evaluator(model, device="cpu", threads=1, symmetries=True)(states)
    for symmetry, nodes in enumerate(SYMMETRIES):
        images = game.images(states, np.full(2, symmetry))
        turned, _ = Evaluator(model, device="cpu", threads=1, symmetries=True)(images)
        np.testing.assert_allclose(turned[:, nodes], averaged, atol=1e-5)
    assert encode(states, game).shape == (2, 9, 2)
