import dataclasses

import numpy as np
import pytest
import torch

from alphadiamond.arena import random_openings
from alphadiamond.games.connect_four.game import GAME as CONNECT_FOUR
from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES, SYMMETRIES
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import ModelConfig, build_model, encode
from alphadiamond.network.conv import ConvModel
from alphadiamond.training.learner import Learner, LearnerSettings, LearningError
from alphadiamond.training.replay_buffer import ReplayBuffer, ReplaySettings
from alphadiamond.training.samples import Samples
from alphadiamond.training.stop_flag import StopFlag, Stopped
from tests.training.small import some_games

AUXILIARY = ModelConfig(kind="mlp", width=32, blocks=1, value_width=8, reply=True, survival=True)


def learner(config: ModelConfig = AUXILIARY, **settings: float) -> Learner:
    made = LearnerSettings(batch=64, warmup=10, **settings)  # type: ignore[arg-type]
    return Learner(build_model(config, seed=1, game=GAME), made, device=torch.device("cpu"), total_steps=1000)


@pytest.fixture(scope="module")
def replay() -> ReplayBuffer:
    filled = ReplayBuffer(ReplaySettings())
    filled.add(0, some_games()[0])
    return filled


def test_every_loss_falls(replay: ReplayBuffer) -> None:
    """On the same batch, whose targets differ much in how hard they are to tell, before and after learning."""
    one = learner(learning_rate=5e-3)
    batch = one._batch(replay.draw(np.random.default_rng(2), 400), np.random.default_rng(2))

    def measured() -> dict[str, float]:
        losses, measures = one._losses(batch, batch)
        return {name: float(loss.detach()) for name, loss in losses.items()} | measures

    first = measured()
    one.learn(replay, 600, np.random.default_rng(1))
    last = measured()
    for name in ("policy", "value", "reply", "survival", "divergence"):
        assert last[name] < first[name], name


def test_targets_turn_with_the_board(replay: ReplayBuffer) -> None:
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
    assert torch.equal(plain.features, torch.from_numpy(encode(samples.states, game=GAME)))
    assert plain.policy.numpy() == pytest.approx(samples.policy.astype(np.float32), abs=2e-3)
    assert plain.policy.sum(dim=1).numpy() == pytest.approx(1)
    assert plain.value.numpy().tolist() == samples.value.tolist()
    assert plain.reply.numpy().tolist() == samples.reply.tolist()
    assert plain.survivors.numpy().tolist() == (samples.survivors[:, None] >> nodes & 1).tolist()
    assert (
        plain.pieces.numpy().tolist() == ((samples.states[:, 0] | samples.states[:, 1])[:, None] >> nodes & 1).tolist()
    )
    assert 0 < plain.survivors.sum() < plain.pieces.sum(), "some beads survive, and some do not"
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
        assert torch.equal(turned.pieces[:, places], plain.pieces)
        assert torch.equal(turned.features[:, places], plain.features)


def test_losses_and_measures_are_those_worked_out_in_plain_numpy(replay: ReplayBuffer) -> None:
    one = learner(value_weight=0.7, reply_weight=0.3, survival_weight=0.2, soft_weight=0.4)
    one.learn(replay, 60, np.random.default_rng(3))  # so that the heads say something
    batch = one._batch(replay.draw(np.random.default_rng(4), 300), np.random.default_rng(4))
    with torch.no_grad():
        outputs = one.model(batch.features)
    policy, value, reply, survival = (
        tensor.double().numpy()
        for tensor in (outputs.policy, outputs.value, outputs.auxiliary["reply"], outputs.auxiliary["survival"])
    )
    legal, target, wdl = (tensor.numpy().astype(np.float64) for tensor in (batch.legal, batch.policy, batch.value))
    chances = np.exp(policy) * legal / (np.exp(policy) * legal).sum(axis=1, keepdims=True)
    logs = np.log(np.where(legal > 0, chances, 1))
    policy_loss = -(target * logs).sum(axis=1).mean()
    soft, soft_target = chances**0.25, target**0.25
    soft_logs = np.log(np.where(legal > 0, soft / soft.sum(axis=1, keepdims=True), 1))
    soft_target /= soft_target.sum(axis=1, keepdims=True)
    value_logs = value - np.log(np.exp(value).sum(axis=1, keepdims=True))
    known = batch.reply.numpy() >= 0
    assert 0 < known.sum() < 300
    reply_logs = (reply - np.log(np.exp(reply).sum(axis=1, keepdims=True)))[known, batch.reply.numpy()[known]]
    stands, survives = batch.pieces.numpy() > 0, batch.survivors.numpy()
    survival_loss = np.where(survives, np.log1p(np.exp(-survival)), np.log1p(np.exp(survival)))[stands].mean()
    measures = one.step(batch)
    assert measures is not None
    expected = {
        "loss_policy": policy_loss,
        "loss_soft": 0.4 * -(soft_target * soft_logs).sum(axis=1).mean(),
        "loss_value": 0.7 * -(wdl * value_logs).sum(axis=1).mean(),
        "loss_reply": 0.3 * -reply_logs.mean(),
        "loss_survival": 0.2 * survival_loss,
        "policy_entropy": -(chances * logs).sum(axis=1).mean(),
        "divergence": policy_loss + (target * np.log(np.where(target > 0, target, 1))).sum(axis=1).mean(),
        "value_accuracy": (value.argmax(axis=1) == wdl.argmax(axis=1)).mean(),
    }
    assert {name: measures[name] for name in expected} == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert measures["loss"] == pytest.approx(sum(expected[name] for name in expected if name.startswith("loss_")))


def test_gradients_are_cut_and_the_rate_is_the_one_that_is_told(replay: ReplayBuffer) -> None:
    one = learner(clip=0.01, learning_rate=1e-2)
    before = [parameter.detach().clone() for parameter in one.model.parameters()]
    measures = one.learn(replay, 1, np.random.default_rng(5))
    gradients = [parameter.grad for parameter in one.model.parameters() if parameter.grad is not None]
    norm = float(torch.stack([gradient.norm() for gradient in gradients]).norm())
    assert measures["gradient_norm"] > 0.1
    assert norm == pytest.approx(0.01, rel=1e-3)
    # The first step of Adam is as long as the learning rate, in each parameter that has a gradient.
    steps = [float((a - b.detach()).abs().max()) for a, b in zip(before, one.model.parameters(), strict=True)]
    assert measures["learning_rate"] == pytest.approx(1e-3)
    assert max(steps) == pytest.approx(1e-3, rel=0.05)


def test_a_wish_to_stop_is_heard_between_steps(replay: ReplayBuffer) -> None:
    one, stopping = learner(), StopFlag()
    stopping.set()
    with pytest.raises(Stopped):
        one.learn(replay, 5, np.random.default_rng(5), stopping=stopping)
    assert one.step_count == 0


def test_the_random_beginning_is_soon_forgotten_by_the_average(replay: ReplayBuffer) -> None:
    one = learner(average=0.999, learning_rate=5e-3)
    first = [parameter.clone() for parameter in one.averaged.parameters()]
    one.learn(replay, 60, np.random.default_rng(7))

    @torch.no_grad()
    def apart(others: list[torch.Tensor]) -> float:
        return float(torch.stack([(a - b).norm() for a, b in zip(one.model.parameters(), others, strict=True)]).norm())

    assert apart(list(one.averaged.parameters())) < 0.5 * apart(first)


def spoiled(samples: Samples) -> Samples:
    return dataclasses.replace(samples, value=np.full_like(samples.value, np.nan))


def test_a_loss_that_is_not_finite_changes_nothing_and_three_stop_the_run(replay: ReplayBuffer) -> None:
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


def test_averaged_weights_follow_the_learnt_ones(replay: ReplayBuffer) -> None:
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


def test_a_restored_learner_takes_the_same_steps(replay: ReplayBuffer) -> None:
    one = learner()
    one.learn(replay, 5, np.random.default_rng(8))
    assert one.step(one._batch(spoiled(replay.draw(np.random.default_rng(5), 64)), np.random.default_rng(6))) is None
    twin = learner()
    twin.restore(one.state())
    for each in (one, twin):
        each.learn(replay, 5, np.random.default_rng(9))
    for a, b in zip(one.model.parameters(), twin.model.parameters(), strict=True):
        assert torch.equal(a, b)
    assert one.step_count == twin.step_count == 10
    assert one.skipped == twin.skipped == 1


# Threads


EVERY_KIND = {
    "orbit": (GAME, ModelConfig(width=6, blocks=2)),
    "orbit as matrices": (GAME, ModelConfig(width=4, blocks=1, reply=True, survival=True)),
    "mlp": (GAME, AUXILIARY),
    "graph": (GAME, ModelConfig(kind="graph", width=8, blocks=1)),
    "conv": (CONNECT_FOUR, ModelConfig(kind="conv", width=8, blocks=2)),
    "conv, its blocks used again": (CONNECT_FOUR, ModelConfig(kind="conv", width=8, blocks=1, repeats=3)),
}


def shared_learner(kind: str, threads: int) -> tuple[Learner, ReplayBuffer]:
    game, config = EVERY_KIND[kind]
    rng = np.random.default_rng(7)
    states = game.states_of(list(random_openings(200, plies=6, rng=rng, game=game)))
    filled = ReplayBuffer(ReplaySettings())
    filled.add(
        0,
        Samples(
            states=states,
            policy=game.legal(states).astype(np.float16),
            value=rng.dirichlet([1, 1, 1], len(states)).astype(np.float32),
            outcome=np.zeros(len(states), dtype=np.int8),
            reply=rng.integers(-1, game.actions, len(states)).astype(np.int16),
            survivors=states[:, 0],
            iteration=np.zeros(len(states), dtype=np.int32),
        ),
    )
    settings = LearnerSettings(batch=64 * 3 + 5, warmup=1, soft_weight=0.4)
    one = Learner(build_model(config, seed=1, game=game), settings, device=torch.device("cpu"), total_steps=100)
    if isinstance(one.model, ConvModel):
        one.model.mixed = True  # also on processors where that is slower
    one.use_threads(threads)
    return one, filled


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_threads_share_a_batch_and_change_no_more_than_rounding(kind: str) -> None:
    """Losses that are means over some of the samples are so over the whole batch, not over its parts."""
    (alone, filled), (three, _) = (shared_learner(kind, threads) for threads in (1, 3))
    coarse = 2e-2 if isinstance(alone.model, ConvModel) else 1e-4  # bfloat16
    batch = alone._batch(filled.draw(np.random.default_rng(4), 205), np.random.default_rng(4))
    found = [one._gradients(batch) for one in (alone, three)]
    for name, value in found[0].items():
        assert float(found[1][name].detach()) == pytest.approx(float(value.detach()), rel=coarse, abs=1e-6), name
    for one, two in zip(alone.model.parameters(), three.model.parameters(), strict=True):
        assert one.grad is not None
        assert two.grad is not None
        assert float((one.grad - two.grad).abs().max()) <= 1e-6 + coarse * float(one.grad.abs().max())
    assert torch.get_num_threads() == 1, "torch's own threads would take the cores of these while they wait"


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_so_many_threads_make_the_same_to_the_last_bit(kind: str) -> None:
    learnt = []
    for _ in range(2):
        one, filled = shared_learner(kind, 3)
        learnt.append((one, one.learn(filled, 3, np.random.default_rng(1))))
    (first, measured), (second, again) = learnt
    assert measured == again
    assert all(map(torch.equal, first.model.parameters(), second.model.parameters()))


def test_what_is_prepared_while_the_weights_change_is_what_one_thread_would_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = []
    for threads in (1, 2):
        one, filled = shared_learner("orbit", threads)
        seen: list[torch.Tensor] = []
        losses = one._gradients
        monkeypatch.setattr(
            one, "_gradients", lambda batch, s=seen, of=losses: (s.append(batch.features), of(batch))[1]
        )
        rng = np.random.default_rng(1)
        one.learn(filled, 3, rng)
        drawn.append((seen, rng.bit_generator.state))
    (alone, after), (ahead, then) = drawn
    assert after == then, "nothing is drawn that is not learnt from"
    assert len(alone) == len(ahead) == 3
    assert all(map(torch.equal, alone, ahead))


def test_a_batch_is_cut_no_finer_than_is_worth_a_thread(replay: ReplayBuffer, monkeypatch: pytest.MonkeyPatch) -> None:
    one = learner()
    seen: list[int] = []
    losses = one._losses
    monkeypatch.setattr(one, "_losses", lambda part, whole: (seen.append(len(part)), losses(part, whole))[1])
    one.use_threads(4)
    for size, parts in ((1, 1), (63, 1), (130, 2), (400, 4)):
        seen.clear()
        one.step(one._batch(replay.draw(np.random.default_rng(4), size), np.random.default_rng(4)))
        assert len(seen) == parts
        assert sum(seen) == size
