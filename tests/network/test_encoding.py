"""What the network sees, against the rules read plainly, and under the symmetries."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from alphadiamond.base.game_kernels import input_keys
from alphadiamond.games.diamond_chase import kernels as rules
from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES, NODES, SYMMETRIES
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import turn_states
from alphadiamond.games.diamond_chase.rules import QUIET_LEVELS, RULES, quiet_level
from alphadiamond.network import encode, encode_inputs, kernels, legal_actions, log_policy
from alphadiamond.network.encoding import features_of, inputs_of
from tests.network.states import random_states

SHAPE = GAME.shape
FEATURES, INPUTS = SHAPE.planes + SHAPE.globals, SHAPE.inputs


@st.composite
def states(draw: st.DrawFn) -> list[int]:
    nodes = draw(st.permutations(range(NODES)))
    own, opp = draw(st.integers(4, 6)), draw(st.integers(4, 6))
    return [
        sum(1 << node for node in nodes[:own]),
        sum(1 << node for node in nodes[own : own + opp]),
        draw(st.integers(0, 100)),
        draw(st.integers(1, 3)),
    ]


@given(states())
def test_features_say_what_the_table_in_the_module_says(state: list[int]) -> None:
    own, opp, quiet, occurrences = state
    features = encode([state], game=GAME)[0]
    for node in range(NODES):
        assert features[node, 0] == (own >> node & 1)
        assert features[node, 1] == (opp >> node & 1)
        assert features[node, 2] == np.float32(min(max(0, quiet - 50) // 5, 9) / 10)
        assert features[node, 3] == (occurrences >= 2)
        assert list(features[node, 4:]) == [bin(mask).count("1") == n for mask in (own, opp) for n in (4, 5)]


@given(states(), st.integers(0, 7))
def test_encoding_a_turned_board_is_turning_the_encoding(state: list[int], symmetry: int) -> None:
    turned = turn_states(np.array([state], dtype=np.int64), np.array([symmetry]))
    assert (encode(turned, game=GAME)[0, SYMMETRIES[symmetry]] == encode([state], game=GAME)[0]).all()
    assert (
        legal_actions(turned, game=GAME)[0, ACTION_SYMMETRIES[symmetry]] == legal_actions([state], game=GAME)[0]
    ).all()


@given(states(), states())
def test_two_states_have_the_same_key_exactly_when_the_network_sees_no_difference(a: list[int], b: list[int]) -> None:
    for other in (b, [*a[:2], *b[2:]]):
        keys = input_keys(RULES, np.array([a, other], dtype=np.int64))
        assert (keys >= 0).all()
        assert (keys[0] == keys[1]) == bool((encode([a], game=GAME) == encode([other], game=GAME)).all())


def test_below_55_quiet_plies_the_count_makes_no_difference_and_near_the_limit_it_does() -> None:
    levels = [quiet_level(quiet) for quiet in range(rules.QUIET_LIMIT)]
    assert levels[:55] == [0] * 55
    assert levels == sorted(levels)
    assert levels[-1] == QUIET_LEVELS - 1
    assert set(levels) == set(range(QUIET_LEVELS))


def test_features_and_inputs_are_two_forms_of_the_same() -> None:
    batch = random_states(50)
    features, inputs = torch.from_numpy(encode(batch, game=GAME)), torch.from_numpy(encode_inputs(batch, game=GAME))
    assert features.shape == (50, NODES, FEATURES)
    assert inputs.shape == (50, INPUTS)
    assert torch.equal(inputs_of(features, SHAPE), inputs)
    assert torch.equal(features_of(inputs, SHAPE), features)


def test_an_empty_batch_encodes_to_an_empty_batch() -> None:
    empty = np.empty((0, 4), dtype=np.int32)
    assert encode(empty, game=GAME).shape == (0, NODES, FEATURES)
    assert encode_inputs(empty, game=GAME).shape == (0, INPUTS)


def test_turning_actions_and_nodes_moves_each_value_to_its_image() -> None:
    rng = np.random.default_rng(1)
    actions, nodes = rng.random((8, 72), dtype=np.float32), rng.random((8, 21), dtype=np.float32)
    maps = np.arange(8)
    for k in maps:
        assert (kernels.turn(actions, ACTION_SYMMETRIES, maps)[k, ACTION_SYMMETRIES[k]] == actions[k]).all()
        assert (kernels.turn(nodes, SYMMETRIES, maps)[k, SYMMETRIES[k]] == nodes[k]).all()


def test_log_policy_is_finite_in_value_and_gradient_and_sums_to_one_over_the_legal_moves() -> None:
    legal = torch.from_numpy(legal_actions(random_states(64), game=GAME))
    logits = (torch.randn(64, 72, generator=torch.Generator().manual_seed(1)) * 50).requires_grad_()
    values = log_policy(logits, legal)
    assert (values[~legal] == 0).all()
    assert torch.allclose((values.exp() * legal).sum(dim=1), torch.ones(64), atol=1e-5)
    values.sum().backward()
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[~legal] == 0).all()
