"""The orbit network in the symmetry's own basis for learning: the same function as its dense form, and its gradient.

Positions are columns: an array [rows, row] holds a layer's values, with rows as in `kernels` and some unused
columns at the end of each row, always zero, so that rows do not all fall into the same few places of a cache.
"""

import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import Tensor

from alphadiamond.network.kernels import Floats
from alphadiamond.network.model import Shared, Tasks
from alphadiamond.network.orbit_basis import kernels as basis_kernels
from alphadiamond.network.orbit_basis import layout as basis_layout
from alphadiamond.network.orbit_basis.basis import Bases
from alphadiamond.network.orbit_basis.kernels import NODES, SINGLES
from alphadiamond.network.orbit_basis.vector_intrinsics import BROAD, DEEP, LANES

if TYPE_CHECKING:
    from alphadiamond.network.orbit import OrbitModel

_PADDING: Final = LANES


def outputs(
    model: "OrbitModel", bases: Bases, inputs: Tensor, laid_out: "LaidOut | None" = None
) -> tuple[Tensor, Tensor]:
    """Policy and value logits from inputs [B, I], on a CPU in single precision."""
    hidden = model.config.value_width
    weights = [laid_out.entries] if laid_out else basis_layout.weights(model)
    weights = weights + basis_layout.bias_weights(model)
    rows = _Network.apply(inputs, model.config, bases, laid_out, *weights)  # type: ignore[no-untyped-call]
    policy = (_actions(bases, hidden) @ rows).T + model.policy.bias()
    first = bases.actions.counts[0]
    units = (rows[first : first + hidden] + model.value_bias[:, None]).relu()
    value = (model.value.weight @ units).T + model.value.bias
    return policy, value


@functools.cache
def _actions(bases: Bases, hidden: int) -> Tensor:
    """[A, A + hidden] from the rows of the heads to the logits of the actions."""
    rows, factors = basis_layout.action_table(bases, hidden)
    count = len(rows)
    matrix = np.zeros((count, count + hidden), dtype=np.float32)
    np.add.at(matrix, (np.arange(count)[:, None], rows), factors)
    return basis_layout.constant(matrix)


@functools.cache
def _enter(bases: Bases) -> Tensor:
    """[1 + I, I] from inputs to the rows that the first layer reads, all but the 1."""
    planes, whole, inputs = bases.shape.planes, bases.shape.globals, bases.shape.inputs
    matrix = np.zeros((1 + inputs, inputs))
    matrix[np.arange(whole), planes * NODES + np.arange(whole)] = 1.0
    functions = bases.nodes.matrix()
    for plane in range(planes):
        columns = slice(plane * NODES, (plane + 1) * NODES)
        matrix[whole + 1 + planes * np.arange(SINGLES) + plane, columns] = functions[:SINGLES]
        pairs = whole + 1 + planes * SINGLES + 2 * planes * np.arange(5) + 2 * plane
        matrix[pairs, columns] = functions[SINGLES::2]
        matrix[pairs + 1, columns] = functions[SINGLES + 1 :: 2]
    return basis_layout.constant(matrix, torch.float32)


class _Workspace:
    """The arrays of one pass forward and back, kept for the next: new memory costs as much as using it."""

    free: Final[dict[tuple[int, ...], list["_Workspace"]]] = {}

    def __init__(self, size: tuple[int, ...]) -> None:
        self.size = size
        channels, count, hidden, self.columns, inputs, actions, weights = size
        self.row = self.columns + _PADDING
        units = NODES * channels
        self.enter = self._rows(1 + inputs)
        self.trunk = [self._rows(units) for _ in range(count + 1)]
        self.before = [self._rows(units) for _ in range(count)]
        self.after = [self._rows(units) for _ in range(count + 1)]
        self.out = self._rows(actions + hidden)
        self.gradient, self.inner = self._rows(units), self._rows(units)
        self.out_gradient = self._rows(actions + hidden)
        self.scale = torch.zeros(self.columns)
        self.sums = torch.zeros(count, channels, 5, LANES)
        self.weights, self.plain = np.zeros(weights, dtype=np.float32), np.zeros(weights, dtype=np.float32)

    def _rows(self, count: int) -> Tensor:
        return torch.zeros(count, self.row)

    @classmethod
    def take(cls, size: tuple[int, ...]) -> "_Workspace":
        try:
            return cls.free.setdefault(size, []).pop()
        except IndexError:
            with torch.inference_mode(False):  # it may be used again for learning
                return cls(size)

    def give_back(self) -> None:
        self.free[self.size].append(self)


class LaidOut(Shared):
    """The weights as all passes of a step need them, laid out once, and their gradients taken back once."""

    free: Final[dict[int, list[tuple[Floats, Floats]]]] = {}
    """Memory of earlier steps."""

    def __init__(self, model: "OrbitModel", bases: Bases) -> None:
        config = model.config
        self._weights = basis_layout.weights(model)
        self._layout = basis_layout.layout(bases, config.width, config.blocks, config.value_width)
        count = len(self._layout.places)
        kept = self.free.setdefault(count, [])
        self.packed, self.packed_back = (
            kept.pop() if kept else (np.zeros(count, dtype=np.float32), np.zeros(count, dtype=np.float32))
        )
        self.entries = torch.empty(count, requires_grad=True)  # stands for them; only its gradient is of interest
        others = {id(weight) for weight in self._weights}
        super().__init__([self.entries, *(one for one in model.parameters() if id(one) not in others)])

    def give_back(self) -> None:
        self.free[len(self.packed)].append((self.packed, self.packed_back))

    def before(self, threads: int) -> Tasks:
        jobs = [
            (_flat(weight.detach()), *self._layout.terms[name][number], packed)
            for number, weight in enumerate(self._weights)
            for name, packed in (("packed", self.packed), ("packed_back", self.packed_back))
        ]
        return [functools.partial(_lay_out, jobs[start::threads]) for start in range(threads)]

    def after(self, found: Sequence[Sequence[Tensor | None]], threads: int) -> Tasks:
        plain = [part[0].numpy() for part in found if part[0] is not None]
        numbers = [*range(len(self._weights))]
        layers = [numbers[:3], *([number] for number in numbers[3:-2]), numbers[-2:]]
        rest = Shared(self.leaves[1:])
        tasks = rest.after([part[1:] for part in found], threads)
        return [functools.partial(self._take_back, plain, layers, start, tasks) for start in range(threads)]

    def _take_back(self, plain: list[Floats], layers: list[list[int]], start: int, tasks: Tasks) -> None:
        """The gradients of the weights of some layers, and a share of all other gradients."""
        tasks[start]()
        first, *others = plain
        for layer in range(start, len(layers), len(tasks)):
            part = slice(self._layout.begins[layer], self._layout.begins[layer + 1])
            for other in others:
                np.add(first[part], other[part], out=first[part])
            for number in layers[layer]:
                weight = self._weights[number]
                weight.grad = torch.empty_like(weight, requires_grad=False)
                basis_kernels.take_back(_flat(weight.grad), *self._layout.terms["places"][number], first)


def _lay_out(jobs: Iterable[tuple[Any, ...]]) -> None:
    for job in jobs:
        basis_kernels.lay_out(*job)


class _Pass:
    """A batch on its way forward and back."""

    def __init__(self, config: Any, bases: Bases, laid_out: "LaidOut | None", weights: Sequence[Tensor]) -> None:
        self.layout = basis_layout.layout(bases, config.width, config.blocks, config.value_width)
        self._config, self._shape, self._bases = config, bases.shape, bases
        self._laid_out = laid_out
        count = len(weights) - config.blocks
        self._weights = [weight.detach() for weight in weights[:count]]
        self._offsets = basis_layout.biases(weights[count:], bases).reshape(-1)

    def forward(self, enter: Tensor) -> Tensor:
        """[A + hidden, B] the rows of the heads, from the rows that the first layer reads but for the 1."""
        channels, count, hidden = self._config.width, self._config.blocks, self._config.value_width
        self.batch = batch = enter.shape[1]
        sizes = (self._shape.inputs, self._shape.actions, len(self.layout.places))
        self.space = space = _Workspace.take((channels, count, hidden, -batch % LANES + batch, *sizes))
        row, columns, plan = space.row, space.columns, self.layout.plan
        weights = self._laid_out.packed if self._laid_out else self._packed("packed")
        space.enter[:, :batch] = enter
        space.enter[self._shape.globals, :batch] = 1.0
        space.enter[:, batch:columns] = 0.0
        x = _flat(space.trunk[0])
        basis_kernels.multiply(x, _flat(space.enter), weights, plan[0], row, columns, False)
        for k in range(count):
            h, r, following = (_flat(each[at]) for each, at in _around(space, k))
            basis_kernels.multiply(h, x, weights, plan[1 + 2 * k], row, columns, False)
            basis_kernels.rectify(r, h, self._offsets, 5 * channels * k, channels, row, columns)
            np.copyto(following, x)
            x = following
            basis_kernels.multiply(x, r, weights, plan[2 + 2 * k], row, columns, True)
        basis_kernels.normalise(x, channels, row, columns, space.scale.numpy())
        last, out = _flat(space.after[-1]), _flat(space.out)
        basis_kernels.rectify(last, x, _zeros(channels), 0, channels, row, columns)
        basis_kernels.multiply(out, last, weights, plan[1 + 2 * count], row, columns, False)
        return space.out[:, :batch] * space.scale[:batch]

    def _packed(self, name: str) -> Floats:
        """The weights in the order in which products read them; what the heads' own layer needs is not among them."""
        for weight, terms in zip(self._weights, self.layout.terms[name], strict=True):
            basis_kernels.lay_out(_flat(weight), *terms, self.space.weights)
        return self.space.weights

    def backward(self, gradient: Tensor) -> list[Tensor]:
        """The gradients of the weights, or of the entries that are laid out, and of the biases."""
        space, layout = self.space, self.layout
        channels, count = self._config.width, self._config.blocks
        row, columns, back = space.row, space.columns, layout.back
        weights = self._laid_out.packed_back if self._laid_out else self._packed("packed_back")
        kept = torch.empty(len(layout.places)) if self._laid_out else None
        plain = space.plain if kept is None else kept.numpy()
        scratch = np.empty(DEEP[0] * BROAD[0], dtype=np.float32)
        g, inner = _flat(space.gradient), _flat(space.inner)

        def learn(layer: int, x: Tensor, of: Tensor) -> None:
            at, plan = layout.begins[layer], layout.plan[layer]
            basis_kernels.weights_gradient(plain, at, _flat(x), _flat(of), plan, row, scratch)

        space.sums.zero_()
        torch.mul(gradient, space.scale[: self.batch], out=space.out_gradient[:, : self.batch])
        space.out_gradient[:, self.batch : columns] = 0.0
        heads = 1 + 2 * count
        learn(heads, space.after[-1], space.out_gradient)
        basis_kernels.multiply(g, _flat(space.out_gradient), weights, back[heads], row, columns, False)
        x = _flat(space.trunk[-1])
        unused = np.empty(5 * channels * LANES, dtype=np.float32)
        basis_kernels.rectify_gradient(g, x, _zeros(channels), 0, unused, channels, row, columns)
        basis_kernels.normalise_gradient(g, x, channels, row, columns, space.scale.numpy())
        for k in range(count - 1, -1, -1):
            first, second = 1 + 2 * k, 2 + 2 * k
            learn(second, space.after[k], space.gradient)
            basis_kernels.multiply(inner, g, weights, back[second], row, columns, False)
            sums = space.sums[k].view(-1).numpy()
            h = _flat(space.before[k])
            basis_kernels.rectify_gradient(inner, h, self._offsets, 5 * channels * k, sums, channels, row, columns)
            learn(first, space.trunk[k], space.inner)
            basis_kernels.multiply(g, inner, weights, back[first], row, columns, True)
        learn(0, space.enter, space.gradient)
        if kept is not None:
            found = [kept]
        else:
            found = [torch.empty_like(weight) for weight in self._weights]
            for part, terms in zip(found, layout.terms["places"], strict=True):
                basis_kernels.take_back(_flat(part), *terms, plain)
        biases = space.sums.sum(dim=3).transpose(1, 2)
        offsets = torch.empty_like(biases)
        offsets[:, basis_layout.bias_order(self._bases)] = biases
        space.give_back()
        return [*found, *offsets]


class _Network(torch.autograd.Function):
    """From inputs [B, I] to the rows of the heads [A + hidden, B], in the basis."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, inputs: Tensor, config: Any, bases: Bases, laid_out: "LaidOut | None", *weights: Tensor
    ) -> Tensor:
        one = _Pass(config, bases, laid_out, weights)
        out = one.forward(_enter(bases) @ inputs.T)
        if any(ctx.needs_input_grad):
            ctx.of = one
        else:
            one.space.give_back()
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:  # type: ignore[override]
        one: _Pass | None = ctx.of
        assert one is not None, "a gradient is worked out once"
        ctx.of = None
        return None, None, None, None, *one.backward(gradient)


def _around(space: _Workspace, k: int) -> list[tuple[list[Tensor], int]]:
    """Where block k keeps what goes into its rectifier, what comes out, and the trunk after it."""
    return [(space.before, k), (space.after, k), (space.trunk, k + 1)]


@functools.cache
def _zeros(channels: int) -> Floats:
    return np.zeros(5 * channels, dtype=np.float32)


def _flat(rows: Tensor) -> Floats:
    array: Floats = rows.view(-1).numpy()
    return array
