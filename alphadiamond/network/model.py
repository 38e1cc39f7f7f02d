"""What every model is: node features in, policy and value logits out, and a fast form of itself for play."""

import abc
import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import layer_norm

from alphadiamond.base.game import Game, Shape
from alphadiamond.network.config import ModelConfig
from alphadiamond.network.devices import is_card
from alphadiamond.network.encoding import features_of, inputs_of

Tasks = list[Callable[[], None]]


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a model says of a batch; logits of the value are of win, draw, loss for the side to move."""

    policy: Tensor
    """[B, A] logits of all actions, legal or not."""
    value: Tensor
    """[B, 3] logits."""
    auxiliary: dict[str, Tensor] = field(default_factory=dict)
    """`reply` [B, A] logits of the opponent's next move, `survival` [B, nodes] logits that the piece here stays."""


def bfloat16_pays(device: torch.device) -> bool:
    """Whether large matrices in bfloat16 are the faster ones: on processors with instructions for it, about twice."""
    return not is_card(device) and bool(torch.cpu._is_avx512_bf16_supported())


class Model(nn.Module, abc.ABC):
    """A network with its weights as training sees them."""

    game: Game
    """What it plays; `build_model` says so."""
    equivariant: ClassVar[bool] = False
    """Whether its outputs turn with the board whatever its weights, so that turned samples teach it nothing new."""

    def __init__(self, config: ModelConfig, shape: Shape) -> None:
        super().__init__()
        self.config = config
        self.shape = shape

    @abc.abstractmethod
    def forward(self, features: Tensor) -> Outputs:
        """From features [B, nodes, features]."""

    @abc.abstractmethod
    def frozen(self) -> nn.Module:
        """A copy for inference alone: inputs [B, I] to (policy logits [B, A], value logits [B, 3])."""

    def halve(self) -> None:
        """Compute in bfloat16 from now on, for play alone, where that is faster; what the heads say stays exact."""

    def parameter_count(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())

    @contextlib.contextmanager
    def shared(self) -> Iterator["Shared"]:
        """For threads that each take part of a batch through the network, whose weights do not change meanwhile."""
        yield Shared(list(self.parameters()))


class Shared:
    """What threads do together before and after their parts of a batch, as tasks that may run at once."""

    def __init__(self, leaves: list[Tensor]) -> None:
        self.leaves = leaves
        """What each part is to find the gradients of."""

    def before(self, threads: int) -> Tasks:
        """What has to be done before the parts."""
        return []

    def after(self, found: Sequence[Sequence[Tensor | None]], threads: int) -> Tasks:
        """Add up the gradients of each part, in order, as those of the parameters."""
        return [functools.partial(self._add, found, slice(start, None, threads)) for start in range(threads)]

    def _add(self, found: Sequence[Sequence[Tensor | None]], which: slice) -> None:
        for leaf, *gradients in zip(self.leaves[which], *(part[which] for part in found), strict=True):
            total, *others = gradients
            for other in others:
                if total is not None and other is not None:
                    total += other
            leaf.grad = total


class Layers(NamedTuple):
    """A residual network as plain matrices, each [in, out]: what orbit and mlp models are when they run.

    A block is x + relu(x A + a) B. It has no normalisation and no bias on B: a constant added to x would only move the
    next a. So a block runs as two matrix products, of which the second adds to x in place, and one relu. The heads read
    the relu of x, normalised over all units once: a layer norm in every block learnt about as well and ran slower.
    """

    enter: tuple[Tensor, Tensor]
    """[I, H] and [H]."""
    blocks: list[tuple[Tensor, Tensor, Tensor]]
    """[H, H], [H] and [H, H] of each block."""
    heads: tuple[Tensor, Tensor]
    """[H, A + V] and [A + V]: the policy, and the hidden layer of the value."""
    value: tuple[Tensor, Tensor]
    """[V, 3] and [3]."""

    def trunk(self, inputs: Tensor) -> Tensor:
        """[B, H], what the heads read."""
        x = torch.addmm(self.enter[1], inputs, self.enter[0])
        for first, bias, second in self.blocks:
            x = torch.addmm(x, torch.addmm(bias, x, first).relu(), second)
        return layer_norm(x, x.shape[1:]).relu()

    def read(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Policy and value logits from the trunk."""
        return _split(torch.addmm(self.heads[1], x, self.heads[0]), self.value)


def _split(out: Tensor, value: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Policy and value logits from what the heads say [B, A + V]."""
    actions = out.shape[1] - value[0].shape[0]
    return out[:, :actions], torch.addmm(value[1], out[:, actions:].relu(), value[0])


class LayeredModel(Model):
    """A model that is a stack of matrices, laid out from its parameters."""

    @abc.abstractmethod
    def layers(self) -> Layers:
        """The matrices as functions of the parameters, for training to differentiate through."""

    def auxiliary(self, x: Tensor) -> dict[str, Tensor]:
        """Further outputs from the trunk [B, H]."""
        return {}

    def forward(self, features: Tensor) -> Outputs:
        layers = self.layers()
        x = layers.trunk(inputs_of(features, self.shape))
        policy, value = layers.read(x)
        return Outputs(policy, value, self.auxiliary(x))

    def frozen(self) -> nn.Module:
        with torch.no_grad():
            return FrozenLayers(self.layers())


class FrozenLayers(nn.Module):
    """Layers as contiguous constants, with nothing computed out of place that need not be."""

    def __init__(self, layers: Layers) -> None:
        super().__init__()
        self.count = len(layers.blocks)
        named = {"enter": layers.enter, "heads": layers.heads, "value": layers.value}
        named |= {f"block{k}": block for k, block in enumerate(layers.blocks)}  # type: ignore[misc]
        for name, tensors in named.items():
            for k, tensor in enumerate(tensors):
                self.register_buffer(f"{name}_{k}", tensor.detach().clone().contiguous())
        self._tie()

    def _tie(self) -> None:
        get = self.get_buffer
        self._layers = Layers(
            (get("enter_0"), get("enter_1")),
            [(get(f"block{k}_0"), get(f"block{k}_1"), get(f"block{k}_2")) for k in range(self.count)],
            (get("heads_0"), get("heads_1")),
            (get("value_0"), get("value_1")),
        )

    def _apply(self, fn: Any, recurse: bool = True) -> "FrozenLayers":
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._tie()
        return self

    def halve(self) -> None:
        """The trunk in bfloat16 from now on."""
        for name, buffer in self.named_buffers():
            if not name.startswith(("heads", "value")):
                setattr(self, name, buffer.bfloat16())
        self._tie()

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        enter, blocks, heads, value = self._layers
        x = torch.addmm(enter[1], inputs.to(enter[0].dtype), enter[0])
        for first, bias, second in blocks:
            x.addmm_(torch.addmm(bias, x, first).relu_(), second)
        x = x.to(heads[0].dtype)
        x = layer_norm(x, x.shape[1:]).relu_()
        return _split(torch.addmm(heads[1], x, heads[0]), value)


class FromInputs(nn.Module):
    """A model on features as a module on inputs, for models that have no faster form."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model

    def halve(self) -> None:
        self.model.halve()

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        outputs = self.model(features_of(inputs, self.model.shape))
        return outputs.policy, outputs.value


class FromFeatures(nn.Module):
    """A frozen model as a module on features [B, nodes, features], for export."""

    def __init__(self, frozen: nn.Module, shape: Shape) -> None:
        super().__init__()
        self.frozen = frozen
        self.shape = shape

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        policy, value = self.frozen(inputs_of(features, self.shape))
        return policy, value
