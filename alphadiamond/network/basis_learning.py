"""The orbit network in the symmetry's own basis for learning: the same function as its dense form, and its gradient.

Positions are columns: an array [rows, row] holds a layer's values, with rows as in `basis_kernels` and some unused
columns at the end of each row, always zero, so that rows do not all fall into the same few places of a cache.
"""

import functools
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import Tensor

from alphadiamond.game.board import ACTIONS, NODES
from alphadiamond.network import basis, basis_kernels, blocks
from alphadiamond.network.basis_kernels import PAIRS, SINGLES
from alphadiamond.network.compiled_kernels import EXTRAS
from alphadiamond.network.kernels import GLOBALS, INPUTS, PLANES, Floats
from alphadiamond.network.vector_kernels import LANES

if TYPE_CHECKING:
    from alphadiamond.network.orbit import OrbitModel

_PADDING: Final = LANES
_INPUT_ROWS: Final = EXTRAS + PLANES * NODES


def outputs(model: "OrbitModel", inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Policy and value logits from inputs [B, 48], on a CPU in single precision."""
    hidden = model.config.value_width
    rows = _Network.apply(inputs, blocks.entries(model), blocks.biases(model), model.config)  # type: ignore[no-untyped-call]
    policy = (_edges(hidden) @ rows).T + model.policy.bias()
    first = basis.EDGE_BASIS.counts[0]
    units = (rows[first : first + hidden] + model.value_bias[:, None]).relu()
    value = (model.value.weight @ units).T + model.value.bias
    return policy, value


@functools.cache
def _edges(hidden: int) -> Tensor:
    """[72, 72 + hidden] from the rows of the heads to the logits of the edges."""
    rows, factors = blocks.edge_table(hidden)
    matrix = np.zeros((ACTIONS, ACTIONS + hidden), dtype=np.float32)
    np.add.at(matrix, (np.arange(ACTIONS)[:, None], rows), factors)
    return torch.from_numpy(matrix)


@functools.cache
def _enter() -> Tensor:
    """[49, 48] from inputs to the rows that the first layer reads, all but the 1."""
    matrix = np.zeros((_INPUT_ROWS, INPUTS))
    matrix[np.arange(GLOBALS), PLANES * NODES + np.arange(GLOBALS)] = 1.0
    functions = basis.NODE_BASIS.matrix()
    for plane in range(PLANES):
        columns = slice(plane * NODES, (plane + 1) * NODES)
        matrix[EXTRAS + PLANES * np.arange(SINGLES) + plane, columns] = functions[:SINGLES]
        pairs = EXTRAS + PLANES * SINGLES + 2 * PLANES * np.arange(5) + 2 * plane
        matrix[pairs, columns] = functions[SINGLES::2]
        matrix[pairs + 1, columns] = functions[SINGLES + 1 :: 2]
    return torch.from_numpy(matrix).float()


class _Workspace:
    """The arrays of one pass forward and back, kept for the next: new memory costs as much as using it."""

    free: Final[dict[tuple[int, ...], list["_Workspace"]]] = {}

    def __init__(self, size: tuple[int, ...]) -> None:
        self.size = size
        channels, count, hidden, self.columns = size
        self.row = self.columns + _PADDING
        units = NODES * channels
        self.enter = self._rows(_INPUT_ROWS)
        self.trunk = [self._rows(units) for _ in range(count + 1)]
        self.before = [self._rows(units) for _ in range(count)]
        self.after = [self._rows(units) for _ in range(count + 1)]
        self.out = self._rows(ACTIONS + hidden)
        self.gradient, self.inner = self._rows(units), self._rows(units)
        self.out_gradient = self._rows(ACTIONS + hidden)
        self.scale = torch.zeros(self.columns)
        self.sums = torch.zeros(count, channels, 5, LANES)

    def _rows(self, count: int) -> Tensor:
        return torch.zeros(count, self.row)

    @classmethod
    def take(cls, size: tuple[int, ...]) -> "_Workspace":
        kept = cls.free.setdefault(size, [])
        return kept.pop() if kept else cls(size)

    def give_back(self) -> None:
        self.free[self.size].append(self)


class _Network(torch.autograd.Function):
    """From inputs [B, 48] to the rows of the heads [72 + hidden, B], in the basis."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, entries: Tensor, biases: Tensor, config: Any) -> Tensor:  # type: ignore[override]
        layout = blocks.layout(config.width, config.blocks, config.value_width)
        channels, batch = config.width, len(inputs)
        space = _Workspace.take((channels, config.blocks, config.value_width, -batch % LANES + batch))
        row, columns = space.row, space.columns
        weights, offsets = entries.detach()[layout.index("packed")].numpy(), biases.detach().reshape(-1).numpy()
        space.enter[:, :batch] = _enter() @ inputs.T
        space.enter[GLOBALS, :batch] = 1.0
        space.enter[:, batch:columns] = 0.0
        x = _flat(space.trunk[0])
        basis_kernels.multiply(x, _flat(space.enter), weights, layout.plan[0], row, columns, False)
        for k in range(config.blocks):
            h, r, following = (_flat(each[at]) for each, at in _around(space, k))
            basis_kernels.multiply(h, x, weights, layout.plan[1 + 2 * k], row, columns, False)
            basis_kernels.rectify(r, h, offsets, 5 * channels * k, channels, row, columns)
            np.copyto(following, x)
            x = following
            basis_kernels.multiply(x, r, weights, layout.plan[2 + 2 * k], row, columns, True)
        basis_kernels.normalise(x, channels, row, columns, space.scale.numpy())
        basis_kernels.rectify(_flat(space.after[-1]), x, _zeros(channels), 0, channels, row, columns)
        heads = 1 + 2 * config.blocks
        basis_kernels.multiply(
            _flat(space.out), _flat(space.after[-1]), weights, layout.plan[heads], row, columns, False
        )
        out = space.out[:, :batch] * space.scale[:batch]
        if any(ctx.needs_input_grad):
            ctx.space, ctx.layout, ctx.channels, ctx.count = space, layout, channels, config.blocks
            ctx.batch, ctx.offsets, ctx.entries = batch, offsets, entries.detach()
        else:
            space.give_back()
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor, Tensor, None]:  # type: ignore[override]
        space, layout, channels, count = ctx.space, ctx.layout, ctx.channels, ctx.count
        assert space is not None, "a gradient is worked out once"
        row, columns, offsets = space.row, space.columns, ctx.offsets
        weights = ctx.entries[layout.index("packed_back")].numpy()
        plain = torch.zeros(len(layout.places))
        found = _views(plain, layout)
        g, inner = _flat(space.gradient), _flat(space.inner)
        space.sums.zero_()
        torch.mul(gradient, space.scale[: ctx.batch], out=space.out_gradient[:, : ctx.batch])
        space.out_gradient[:, ctx.batch : columns] = 0.0
        heads = 1 + 2 * count
        _weights_gradient(found[heads], layout.plan[heads], space.after[-1], space.out_gradient)
        basis_kernels.multiply(g, _flat(space.out_gradient), weights, layout.back[heads], row, columns, False)
        x = _flat(space.trunk[-1])
        unused = np.empty(5 * channels * LANES, dtype=np.float32)
        basis_kernels.rectify_gradient(g, x, _zeros(channels), 0, unused, channels, row, columns)
        basis_kernels.normalise_gradient(g, x, channels, row, columns, space.scale.numpy())
        for k in range(count - 1, -1, -1):
            first, second = 1 + 2 * k, 2 + 2 * k
            _weights_gradient(found[second], layout.plan[second], space.after[k], space.gradient)
            basis_kernels.multiply(inner, g, weights, layout.back[second], row, columns, False)
            sums = space.sums[k].view(-1).numpy()
            h = _flat(space.before[k])
            basis_kernels.rectify_gradient(inner, h, offsets, 5 * channels * k, sums, channels, row, columns)
            _weights_gradient(found[first], layout.plan[first], space.trunk[k], space.inner)
            basis_kernels.multiply(g, inner, weights, layout.back[first], row, columns, True)
        _weights_gradient(found[0], layout.plan[0], space.enter, space.gradient)
        biases = space.sums.sum(dim=3)
        ctx.space = None
        space.give_back()
        return None, plain[layout.index("places")], biases, None


def _around(space: _Workspace, k: int) -> list[tuple[list[Tensor], int]]:
    """Where block k keeps what goes into its rectifier, what comes out, and the trunk after it."""
    return [(space.before, k), (space.after, k), (space.trunk, k + 1)]


def _weights_gradient(found: list[Tensor], layer: basis_kernels.Plan, x: Tensor, g: Tensor) -> None:
    """The gradient of each block [depth, rows] of a layer that made of x what has the gradient g."""
    row = x.shape[1]
    for kind, matrix in enumerate(found):
        depth, rows = matrix.shape
        wide = 2 if kind == PAIRS else 1
        source, target = int(layer[kind, 4]), int(layer[kind, 5])
        left = x[source : source + wide * depth].view(depth, wide * row)
        right = g[target : target + wide * rows].view(rows, wide * row)
        torch.mm(left, right.T, out=matrix)


def _views(plain: Tensor, layout: blocks.Layout) -> list[list[Tensor]]:
    """[layers][kinds] the blocks as matrices, in one array."""
    at, found = 0, []
    for layer in layout.shapes:
        matrices = []
        for depth, rows in layer:
            matrices.append(plain[at : at + depth * rows].view(depth, rows))
            at += depth * rows
        found.append(matrices)
    return found


@functools.cache
def _zeros(channels: int) -> Floats:
    return np.zeros(5 * channels, dtype=np.float32)


def _flat(rows: Tensor) -> Floats:
    array: Floats = rows.view(-1).numpy()
    return array
