import dataclasses

import numpy as np
import pytest
import torch

from alphadiamond.game.board import ACTION_SYMMETRIES, SYMMETRIES
from alphadiamond.network import ModelConfig, build_model, encode
from alphadiamond.training.learner import Learner, LearnerSettings, LearningError
from alphadiamond.training.replay import Replay, ReplaySettings
from alphadiamond.training.samples import Samples
from tests.training.small import some_games

AUXILIARY = ModelConfig(kind="mlp", width=32, blocks=1, value_width=8, reply=True, survival=True)


def learner(config: ModelConfig = AUXILIARY, **settings: float) -> Learner:
    made = LearnerSettings(batch=64, warmup=10, **settings)  # type: ignore[arg-type]
    return Learner(build_model(config, seed=1), made, device=torch.device("cpu"), total_steps=1000)


@pytest.fixture(scope="module")
def replay() -> Replay:
    filled = Replay(ReplaySettings())
    filled.add(0, some_games()[0])
    return filled


def test_every_loss_falls(replay: Replay) -> None:
    one = learner(learning_rate=5e-3)
    rng = np.random.default_rng(1)
    first = one.learn(replay, 10, rng)
    one.learn(replay, 300, rng)
    last = one.learn(replay, 50, rng)
    for name in ("loss_policy", "loss_value", "loss_reply", "loss_survival"):
        assert last[name] < first[name], name
    assert last["divergence"] < first["divergence"]


def test_targets_turn_with_the_board(replay: Replay) -> None:
    samples = replay.draw(np.random.default_rng(2), 400)

    class Fixed:
        """Stands in for a generator that draws one and the same symmetry."""

        def __init__(self, symmetry: int) -> None:
            self.symmetry = symmetry

        def integers(self, _bound: int, *, size: int) -> np.ndarray:  # type: ignore[type-arg]
            return np.full(size, self.symmetry)

    one = learner()
    plain = one._batch(samples, Fixed(0))  # type: ignore[arg-type]
    nodes = np.arange(21)
    assert torch.equal(plain.features, torch.from_numpy(encode(samples.states)))
    assert plain.policy.numpy() == pytest.approx(samples.policy.astype(np.float32), abs=2e-3)
    assert plain.policy.sum(dim=1).numpy() == pytest.approx(1)
    assert plain.value.numpy().tolist() == samples.value.tolist()
    assert plain.reply.numpy().tolist() == samples.reply.tolist()
    assert plain.survivors.numpy().tolist() == (samples.survivors[:, None] >> nodes & 1).tolist()
    assert (
        plain.beads.numpy().tolist() == ((samples.states[:, 0] | samples.states[:, 1])[:, None] >> nodes & 1).tolist()
    )
    assert 0 < plain.survivors.sum() < plain.beads.sum(), "some beads survive, and some do not"
    assert {True, False} == set((plain.reply >= 0).tolist())
    for symmetry in range(1, 8):
        turned = one._batch(samples, Fixed(symmetry))  # type: ignore[arg-type]
        images = ACTION_SYMMETRIES[symmetry]
        torch.testing.assert_close(turned.policy[:, images], plain.policy)  # sums are taken in another order
        assert torch.equal(turned.legal[:, images], plain.legal)
        assert torch.equal(turned.value, plain.value)
        known = plain.reply >= 0
        assert torch.equal(turned.reply[known], torch.from_numpy(images)[plain.reply[known]])
        assert (turned.reply[~known] == -1).all()
        places = SYMMETRIES[symmetry]
        assert torch.equal(turned.survivors[:, places], plain.survivors)
        assert torch.equal(turned.beads[:, places], plain.beads)
        assert torch.equal(turned.features[:, places], plain.features)


def spoiled(samples: Samples) -> Samples:
    return dataclasses.replace(samples, value=np.full_like(samples.value, np.nan))


def test_a_loss_that_is_not_finite_changes_nothing_and_three_stop_the_run(replay: Replay) -> None:
    one = learner()
    good = one._batch(replay.draw(np.random.default_rng(5), 64), np.random.default_rng(6))
    bad = one._batch(spoiled(replay.draw(np.random.default_rng(5), 64)), np.random.default_rng(6))
    assert one.step(good) is not None
    before = {name: tensor.clone() for name, tensor in one.model.state_dict().items()}
    averaged = {name: tensor.clone() for name, tensor in one.averaged.state_dict().items()}
    assert one.step(bad) is None
    assert one.step(bad) is None
    assert all(torch.equal(before[name], tensor) for name, tensor in one.model.state_dict().items())
    assert all(torch.equal(averaged[name], tensor) for name, tensor in one.averaged.state_dict().items())
    assert one.skipped == 2
    assert one.step(good) is not None, "a good step in between begins the count anew"
    assert one.step(bad) is None
    assert one.step(bad) is None
    with pytest.raises(LearningError, match="three times in a row"):
        one.step(bad)


def test_averaged_weights_follow_the_learnt_ones(replay: Replay) -> None:
    one = learner(average=0.9)
    one.learn(replay, 30, np.random.default_rng(7))
    gaps = [
        float((a - b.detach()).abs().max())
        for a, b in zip(one.averaged.parameters(), one.model.parameters(), strict=True)
    ]
    assert 0 < max(gaps) < 0.1
    assert not any(parameter.requires_grad for parameter in one.averaged.parameters())


def test_the_learning_rate_warms_up_stays_and_falls() -> None:
    one = learner(learning_rate=1.0, decay_from=0.5)
    rates = []
    for step in range(1001):
        one.step_count = step
        rates.append(one.learning_rate())
    assert rates[0] == pytest.approx(0.1)
    assert rates[9] == rates[400] == 1.0
    assert rates[1000] == pytest.approx(0.05)
    assert rates[500:] == sorted(rates[500:], reverse=True)


def test_a_restored_learner_takes_the_same_steps(replay: Replay) -> None:
    one = learner()
    one.learn(replay, 5, np.random.default_rng(8))
    twin = learner()
    twin.restore(one.state())
    for each in (one, twin):
        each.learn(replay, 5, np.random.default_rng(9))
    for a, b in zip(one.model.parameters(), twin.model.parameters(), strict=True):
        assert torch.equal(a, b)
    assert one.step_count == twin.step_count == 10
