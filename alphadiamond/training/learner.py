"""The learner: samples in, better weights out."""

import copy
import functools
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.network import Model, encode, legal_actions, log_policy
from alphadiamond.network.conv import ConvModel
from alphadiamond.network.devices import onto, prepare
from alphadiamond.network.kernels import turn
from alphadiamond.network.model import Tasks, bfloat16_pays
from alphadiamond.training.replay_buffer import ReplayBuffer
from alphadiamond.training.samples import Samples
from alphadiamond.training.settings import LearnerSettings
from alphadiamond.training.stop_flag import StopFlag, Stopped

SOFTNESS: Final = 4.0
"""The root that is taken of policies for `LearnerSettings.soft_weight`."""
_SMALLEST_PART: Final = 64
"""Samples that are worth a thread."""

T = TypeVar("T")


class LearningError(AlphaDiamondError):
    """Losses or gradients that are not finite, several times in a row."""


@dataclass(frozen=True)
class Batch:
    features: Tensor
    """[B, nodes, features]"""
    legal: Tensor
    """[B, A]"""
    policy: Tensor
    """[B, A]"""
    value: Tensor
    """[B, 3]"""
    reply: Tensor
    """[B] -1 where there was none."""
    survivors: Tensor
    """[B, nodes]"""
    pieces: Tensor
    """[B, nodes] where a piece stands, so that its survival is a question."""

    def __len__(self) -> int:
        return len(self.features)

    def split(self, parts: int) -> "list[Batch]":
        columns = [getattr(self, field.name).tensor_split(parts) for field in fields(self)]
        return [Batch(*column) for column in zip(*columns, strict=True)]


class Learner:
    """A model, its averaged twin, and the optimiser.

    With several threads each takes its part of a batch forward and back, and the gradients are added up in order: so
    many threads make the same of the same samples to the last bit. Torch's own threads, which share every single
    operation, wait for each other thousands of times a second; these meet once a step.
    """

    def __init__(self, model: Model, settings: LearnerSettings, *, device: torch.device, total_steps: int) -> None:
        self.settings = settings
        self.game = model.game
        self.device = device
        prepare(device)
        self.total_steps = max(1, total_steps)
        self.model = model.to(device)
        self.averaged = copy.deepcopy(self.model).requires_grad_(False)
        if isinstance(self.model, ConvModel):
            self.model.mixed = bfloat16_pays(device)
        self.step_count = 0
        self.skipped = 0
        self.threads = 1
        self._bad_in_a_row = 0
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(),
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            betas=(0.9, 0.98),
            fused=device.type in ("cpu", "cuda"),
        )

    def use_threads(self, threads: int) -> None:
        """Learn with so many threads of the processor from now on."""
        torch.set_num_threads(1)
        self.threads = threads
        if isinstance(self.model, ConvModel):
            self.model.alone = threads == 1

    def learn(
        self, replay: ReplayBuffer, steps: int, rng: np.random.Generator, *, stopping: StopFlag | None = None
    ) -> dict[str, float]:
        """So many steps on random samples of the window; the mean of every measure."""
        self.model.train()
        sums: dict[str, float] = {}
        counted = 0
        batches: list[Batch] = []

        def prepare() -> None:
            batches.append(self._batch(replay.draw(rng, self.settings.batch), rng))

        for number in range(steps):
            if stopping is not None and stopping.is_set():
                raise Stopped
            if not batches:
                prepare()
            ahead = self.threads > 1 and number + 1 < steps
            measures = self.step(batches.pop(), meanwhile=prepare if ahead else None)
            if measures is not None:
                counted += 1
                for name, value in measures.items():
                    sums[name] = sums.get(name, 0.0) + value
        return {name: value / counted for name, value in sums.items()}

    def step(self, batch: Batch, *, meanwhile: Callable[[], None] | None = None) -> dict[str, float] | None:
        """One step of the optimiser; None, and nothing changed, if the loss or a gradient is not finite.

        What is to be done meanwhile is done by another thread while the weights are changed.
        """
        rate = self.learning_rate()
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        named = self._gradients(batch)
        gradients = [one.grad for one in self.model.parameters() if one.grad is not None]
        norm = named["gradient_norm"] = torch.nn.utils.get_total_norm(gradients)
        # All of them at once: to read a number from a card waits for all that it was told to do.
        found = dict(zip(named, torch.stack([one.detach() for one in named.values()]).tolist(), strict=True))
        if not (math.isfinite(found["loss"]) and math.isfinite(found["gradient_norm"])):
            self.skipped += 1
            self._bad_in_a_row += 1
            if self._bad_in_a_row >= 3:
                raise LearningError("the loss or its gradient was not finite three times in a row")
            return None
        self._bad_in_a_row = 0
        tasks: Tasks = [functools.partial(self._update, norm if found["gradient_norm"] > self.settings.clip else None)]
        _together([*tasks, meanwhile] if meanwhile else tasks)
        return {**found, "learning_rate": rate}

    def learning_rate(self) -> float:
        settings, done = self.settings, self.step_count / self.total_steps
        rate = settings.learning_rate * min(1.0, (self.step_count + 1) / max(1, settings.warmup))
        if done > settings.decay_from:
            share = min(1.0, (done - settings.decay_from) / max(1e-9, 1 - settings.decay_from))
            rate *= 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * share))
        return rate

    def state(self) -> dict[str, Any]:
        """Plain tensors and numbers, fit for `torch.save` and `weights_only` loading."""
        return {
            "model": self.model.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step_count": self.step_count,
            "skipped": self.skipped,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.averaged.load_state_dict(state["averaged"])
        self.optimiser.load_state_dict(copy.deepcopy(state["optimiser"]))  # it would go on sharing the tensors
        self.step_count = state["step_count"]
        self.skipped = state["skipped"]

    def _gradients(self, batch: Batch) -> dict[str, Tensor]:
        """The gradients of a batch, into the parameters; returns the losses and what is measured beside them."""
        parts = batch.split(max(1, min(self.threads, len(batch) // _SMALLEST_PART)))
        if len(parts) == 1:
            named = self._named(batch, batch)
            named["loss"].backward()  # type: ignore[no-untyped-call]
            return named
        with self.model.shared() as shared:

            def work(part: Batch) -> tuple[dict[str, Tensor], Sequence[Tensor | None]]:
                named = self._named(part, batch)
                # Not `backward`, in which the threads would add to the same gradients in whatever order.
                return named, torch.autograd.grad(named["loss"], shared.leaves, allow_unused=True)

            _together(shared.before(len(parts)))
            found = _together([functools.partial(work, part) for part in parts])
            _together(shared.after([gradients for _, gradients in found], len(parts)))
        return {name: sum(one[name].detach() for one, _ in found) for name in found[0][0]}  # type: ignore[misc]

    def _named(self, part: Batch, whole: Batch) -> dict[str, Tensor]:
        losses, measures = self._losses(part, whole)
        total = torch.stack(list(losses.values())).sum()
        return {"loss": total, **{f"loss_{name}": loss for name, loss in losses.items()}, **measures}

    def _losses(self, batch: Batch, whole: Batch) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """What a part of a batch adds to the losses and measures of the whole."""
        share = len(batch) / len(whole)
        outputs = self.model(batch.features)
        logs = log_policy(outputs.policy, batch.legal)
        policy = -(batch.policy * logs).sum(dim=1).mean() * share
        value = -(batch.value * outputs.value.log_softmax(dim=1)).sum(dim=1).mean() * share
        losses = {"policy": policy, "value": self.settings.value_weight * value}
        if self.settings.soft_weight:
            losses["soft"] = self.settings.soft_weight * _soft_loss(outputs.policy, batch) * share
        if "reply" in outputs.auxiliary:
            known = batch.reply >= 0
            reply = F.cross_entropy(outputs.auxiliary["reply"], batch.reply.clamp(min=0), reduction="none")
            losses["reply"] = self.settings.reply_weight * (reply * known).sum() / (whole.reply >= 0).sum().clamp(min=1)
        if "survival" in outputs.auxiliary:
            survival = F.binary_cross_entropy_with_logits(
                outputs.auxiliary["survival"], batch.survivors, reduction="none"
            )
            losses["survival"] = self.settings.survival_weight * (survival * batch.pieces).sum() / whole.pieces.sum()
        with torch.no_grad():
            entropy = -(logs.exp() * batch.legal * logs).sum(dim=1).mean() * share
            target_entropy = -(batch.policy * (batch.policy + 1e-9).log()).sum(dim=1).mean() * share
            right = (outputs.value.argmax(dim=1) == batch.value.argmax(dim=1)).float().mean() * share
        measures = {
            "policy_entropy": entropy,
            "divergence": policy.detach() - target_entropy,
            "value_accuracy": right,
        }
        return losses, measures

    def _batch(self, samples: Samples, rng: np.random.Generator) -> Batch:
        """Targets as tensors, each sample turned or mirrored by a random symmetry if the model can learn from that."""
        game, shape = self.game, self.game.shape
        states, policy = samples.states, samples.policy.astype(np.float32)
        reply, survivors = samples.reply.astype(np.int64), _planes(samples.survivors, shape.nodes)
        if not self.model.equivariant:
            symmetries = rng.integers(len(shape.symmetries), size=len(samples))
            images = shape.action_symmetries
            states, policy = game.images(states, symmetries), turn(policy, images, symmetries)
            reply = np.where(reply >= 0, images[symmetries, reply], -1)
            survivors = turn(survivors, shape.symmetries, symmetries)
        policy /= policy.sum(axis=1, keepdims=True)
        pieces = _planes(game.pieces(states), shape.nodes)
        arrays = (encode(states, game), legal_actions(states, game), policy, samples.value, reply, survivors, pieces)
        return Batch(*(onto(torch.from_numpy(np.ascontiguousarray(array)), self.device) for array in arrays))

    @torch.no_grad()
    def _update(self, too_long: Tensor | None) -> None:
        """Move the weights and the averaged ones; faster at first, so that the random beginning is soon forgotten."""
        if too_long is not None:
            torch.nn.utils.clip_grads_with_norm_(self.model.parameters(), self.settings.clip, too_long)
        self.optimiser.step()
        self.step_count += 1
        decay = min(self.settings.average, (1 + self.step_count) / (10 + self.step_count))
        torch._foreach_lerp_(list(self.averaged.parameters()), list(self.model.parameters()), 1 - decay)


def _soft_loss(logits: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of target and policy to the power of 1 / `SOFTNESS`, each made to sum to 1 again.

    KataGo has a head of its own for the softened target; here the policy's own logits are divided, which ask for the
    same and cost nothing in play.
    """
    target = torch.where(batch.legal, batch.policy, torch.zeros_like(batch.policy)) ** (1 / SOFTNESS)
    target = target / target.sum(dim=1, keepdim=True)
    return -(target * log_policy(logits / SOFTNESS, batch.legal)).sum(dim=1).mean()


def _together(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """The results of tasks that spend their time in compiled code, each in a thread."""
    running = [_pool().submit(task) for task in tasks[1:]]
    return [*(task() for task in tasks[:1]), *(task.result() for task in running)]


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_name_prefix="learner")


def _planes(masks: np.ndarray[Any, Any], nodes: int) -> np.ndarray[Any, Any]:
    """[B, nodes] masks as zeros and ones."""
    return (masks[:, None] >> np.arange(nodes) & 1).astype(np.float32)
