"""The convolution, for boards that are a grid: every cell sees its neighbours by the direction in which they lie."""

import contextlib
import copy

import torch
from torch import Tensor, nn
from torch.nn.functional import layer_norm

from alphadiamond.base.game import Shape
from alphadiamond.network.config import ModelConfig, ModelError
from alphadiamond.network.kernels import OUTCOMES
from alphadiamond.network.mlp import linear
from alphadiamond.network.model import FromInputs, Model, Outputs


def _convolution(inner: int, outer: int, *, gain: float, bias: bool = True) -> nn.Conv2d:
    """3 by 3, the board's edge padded with nothing."""
    layer = nn.Conv2d(inner, outer, 3, padding=1, bias=bias)
    nn.init.normal_(layer.weight, std=gain / (9 * inner) ** 0.5)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    return layer


class ConvBlock(nn.Module):
    """x + B relu(A x + a), as the blocks of the other networks are."""

    def __init__(self, width: int, *, gain: float) -> None:
        super().__init__()
        self.first = _convolution(width, width, gain=2**0.5)
        self.second = _convolution(width, width, gain=gain, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        change: Tensor = self.second(self.first(x).relu())
        return x + change


class ConvModel(Model):
    mixed = False
    """Whether the convolutions compute in bfloat16 in training; the heads never do."""

    def __init__(self, config: ModelConfig, shape: Shape) -> None:
        super().__init__(config, shape)
        if shape.grid is None:
            raise ModelError("model: kind=conv: the board of this game is no grid, take orbit, graph or mlp")
        self.grid = shape.grid
        width, units = config.width, config.width * shape.nodes
        self.enter = _convolution(shape.planes + shape.globals, width, gain=1.0)
        self.blocks = nn.ModuleList(ConvBlock(width, gain=config.blocks**-0.5) for _ in range(config.blocks))
        self.policy = linear(units, shape.actions, gain=0.1)
        self.value_hidden = linear(units, config.value_width, gain=2**0.5)
        self.value = linear(config.value_width, OUTCOMES, gain=0.1)
        self.reply = linear(units, shape.actions, gain=0.1) if config.reply else None
        self.survival = linear(units, shape.nodes, gain=0.1) if config.survival else None

    def forward(self, features: Tensor) -> Outputs:
        x = features.reshape(-1, *self.grid, features.shape[2]).permute(0, 3, 1, 2).to(self.enter.weight.dtype)
        with torch.autocast("cpu", dtype=torch.bfloat16) if self.mixed else contextlib.nullcontext():
            x = self.enter(x)
            for block in self.blocks:
                x = block(x)
        x = x.permute(0, 2, 3, 1).flatten(1).to(self.policy.weight.dtype)
        x = layer_norm(x, x.shape[1:]).relu()
        heads = {"reply": self.reply, "survival": self.survival}
        auxiliary = {name: head(x) for name, head in heads.items() if head is not None}
        return Outputs(self.policy(x), self.value(self.value_hidden(x).relu()), auxiliary)

    def frozen(self) -> nn.Module:
        return FromInputs(copy.deepcopy(self)).eval().requires_grad_(False)

    def halve(self) -> None:
        self.enter.bfloat16()
        self.blocks.bfloat16()
