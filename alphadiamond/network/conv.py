"""The convolution, for boards that are a grid: every cell sees its neighbours by the direction in which they lie.

With `repeats` the same blocks are gone through several times, and each time the input is added again: a longer way can
be followed with the same weights. With `heads=pieces` the answers are read where the pieces stand, so that the same
weights fit a board of any size.
"""

import abc
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
    """x + B relu(A x + a), as the blocks of the other networks are; a repeated block adds what it is told of the input
    inside the bracket."""

    def __init__(self, width: int, *, gain: float) -> None:
        super().__init__()
        self.first = _convolution(width, width, gain=2**0.5)
        self.second = _convolution(width, width, gain=gain, bias=False)

    def forward(self, x: Tensor, recalled: Tensor | None = None) -> Tensor:
        inner = self.first(x)
        if recalled is not None:
            inner = inner + recalled
        change: Tensor = self.second(inner.relu())
        return x + change


class ConvModel(Model):
    """The trunk; how its answers are read is for those below."""

    mixed = False
    """Whether the convolutions compute in bfloat16 in training; the heads never do."""
    alone = True
    """Whether one thread at a time computes with it: what autocast keeps for a second use is one list for all threads,
    and whoever is done first empties it."""

    def __init__(self, config: ModelConfig, shape: Shape) -> None:
        super().__init__(config, shape)
        if shape.grid is None:
            raise ModelError("model: kind=conv: the board of this game is no grid, take orbit, graph or mlp")
        self.grid = shape.grid
        planes, whole = shape.planes, shape.globals
        if not config.worked_out and shape.plain is not None:
            planes, whole = shape.plain
        self.seen = [*range(planes), *range(shape.planes, shape.planes + whole)]
        width, depth = config.width, config.blocks * config.repeats
        self.enter = _convolution(len(self.seen), width, gain=1.0)
        self.blocks = nn.ModuleList(ConvBlock(width, gain=depth**-0.5) for _ in range(config.blocks))
        recalls = config.blocks if config.repeats > 1 else 0
        self.recall = nn.ModuleList(_convolution(width, width, gain=1.0, bias=False) for _ in range(recalls))

    def forward(self, features: Tensor) -> Outputs:
        x = features if len(self.seen) == features.shape[2] else features[:, :, self.seen]
        x = x.reshape(-1, *self.grid, x.shape[2]).permute(0, 3, 1, 2).to(self.enter.weight.dtype)
        half = torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=self.alone)
        with half if self.mixed else contextlib.nullcontext():
            x = self.enter(x)
            recalled = [layer(x) for layer in self.recall] or [None] * len(self.blocks)
            for _ in range(self.config.repeats):
                for block, known in zip(self.blocks, recalled, strict=True):
                    x = block(x, known)
        return self.read(x.to(features.dtype), features)

    @abc.abstractmethod
    def read(self, x: Tensor, features: Tensor) -> Outputs:
        """From the trunk's output [B, C, rows, columns], and the features [B, nodes, F] that it was made of."""

    def frozen(self) -> nn.Module:
        return FromInputs(copy.deepcopy(self)).eval().requires_grad_(False)

    def halve(self) -> None:
        self.enter.bfloat16()
        self.blocks.bfloat16()
        self.recall.bfloat16()


class BoardConvModel(ConvModel):
    """Its heads are dense layers over all cells."""

    def __init__(self, config: ModelConfig, shape: Shape) -> None:
        super().__init__(config, shape)
        units = config.width * shape.nodes
        self.policy = linear(units, shape.actions, gain=0.1)
        self.value_hidden = linear(units, config.value_width, gain=2**0.5)
        self.value = linear(config.value_width, OUTCOMES, gain=0.1)
        self.reply = linear(units, shape.actions, gain=0.1) if config.reply else None
        self.survival = linear(units, shape.nodes, gain=0.1) if config.survival else None

    def read(self, x: Tensor, features: Tensor) -> Outputs:
        x = x.permute(0, 2, 3, 1).flatten(1)
        x = layer_norm(x, x.shape[1:]).relu()
        heads = {"reply": self.reply, "survival": self.survival}
        auxiliary = {name: head(x) for name, head in heads.items() if head is not None}
        return Outputs(self.policy(x), self.value(self.value_hidden(x).relu()), auxiliary)


class PieceConvModel(ConvModel):
    """Actions are read from the mover's cell and those around it, the value from the cells of both pieces and from mean
    and greatest over the board."""

    def __init__(self, config: ModelConfig, shape: Shape) -> None:
        super().__init__(config, shape)
        if not shape.pieces:
            raise ModelError("model: heads=pieces: this game is not one of a single piece a side, take heads=board")
        if config.survival:
            raise ModelError("model: heads=pieces has no head for survival, set it to false")
        known = (2 + len(shape.pieces)) * config.width
        self.near = linear(9 * config.width, shape.actions, gain=0.1)
        self.policy = linear(known, shape.actions, gain=0.1)
        self.value_hidden = linear(known, config.value_width, gain=2**0.5)
        self.value = linear(config.value_width, OUTCOMES, gain=0.1)
        self.reply = linear(known, shape.actions, gain=0.1) if config.reply else None

    def read(self, x: Tensor, features: Tensor) -> Outputs:
        x = layer_norm(x, x.shape[1:]).relu()
        width, columns = x.shape[1], x.shape[3]
        places = features[:, :, list(self.shape.pieces)].argmax(dim=1)  # [B, P]
        corner = places[:, :1] // columns * (columns + 2) + places[:, :1] % columns  # up and left, on a padded board
        offsets = [row * (columns + 2) + column for row in range(3) for column in range(3)]
        around = corner + torch.tensor(offsets, device=x.device)  # [B, 9]
        padded = nn.functional.pad(x, (1, 1, 1, 1)).flatten(2)
        near = padded.gather(2, around[:, None, :].expand(-1, width, -1)).flatten(1)
        cells = x.flatten(2)
        here = cells.gather(2, places[:, None, :].expand(-1, width, -1)).flatten(1)
        known = torch.cat([here, cells.mean(dim=2), cells.amax(dim=2)], dim=1)
        auxiliary = {} if self.reply is None else {"reply": self.reply(known)}
        return Outputs(self.near(near) + self.policy(known), self.value(self.value_hidden(known).relu()), auxiliary)


def conv_model(config: ModelConfig, shape: Shape) -> ConvModel:
    return PieceConvModel(config, shape) if config.heads == "pieces" else BoardConvModel(config, shape)
