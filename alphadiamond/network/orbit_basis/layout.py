"""The weights of the orbit network as the blocks of the symmetry's own basis, laid out for compiled code.

A model keeps its weights by orbit, whichever way it runs. Here they become, by one small matrix for each layer, the
entries of the blocks; where each entry goes is worked out once for a size of model and is a matter of indices then.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from alphadiamond.network import orbits
from alphadiamond.network.kernels import OUTCOMES
from alphadiamond.network.orbit_basis.basis import Bases
from alphadiamond.network.orbit_basis.kernels import KINDS, Plan, lay_out
from alphadiamond.network.orbit_basis.vector_intrinsics import ROWS

if TYPE_CHECKING:
    from alphadiamond.network.orbit import OrbitModel

Indices = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Terms = tuple[Indices, Indices, npt.NDArray[Any], Places]
"""What `lay_out` and `take_back` are told of a weight."""


def constant(array: npt.NDArray[Any], dtype: torch.dtype | None = None) -> Tensor:
    """A tensor that is kept: also one made while a network plays can be learnt with."""
    with torch.inference_mode(False):
        return torch.from_numpy(array).to(dtype)


class Sums(NamedTuple):
    """Which few orbits make up each entry of the blocks, and with what factors."""

    starts: Indices
    """[entries + 1] where each entry's terms begin."""
    orbits: Indices
    factors: npt.NDArray[Any]


@functools.cache
def sums(bases: Bases, name: str, dtype: Any) -> Sums:
    shares = 1.0 / np.bincount(orbits.orbits_of(bases.shape).nodes)  # the value reads means over node orbits
    matrix = {
        "nodes": bases.nodes_to_nodes.matrix,
        "actions": bases.nodes_to_actions.matrix,
        "board": bases.board_to_nodes.matrix,
        "means": bases.board_to_nodes.matrix * shares,
    }[name]
    rows, columns = np.nonzero(np.abs(matrix) > 1e-12)
    starts = np.searchsorted(rows, np.arange(len(matrix) + 1))
    return Sums(starts, columns, matrix[rows, columns].astype(dtype))


def weights(model: "OrbitModel") -> list[Tensor]:
    """The weights by orbit that become blocks, in the order of `Layout`."""
    found: list[Any] = [model.planes, model.globals, model.bias]
    for block in model.blocks:
        found += [block.first, block.second]
    return [module.weight for module in (*found, model.policy.weights, model.value_hidden)]


def entries(model: "OrbitModel", bases: Bases) -> npt.NDArray[Any]:
    """Every number of every block, in the order in which `Layout` expects them."""
    last = model.value.weight.detach().T.reshape(-1).numpy()
    parts = [weight.detach().reshape(-1).numpy() for weight in weights(model)]
    found = np.empty(sum(weight.size for weight in parts) + last.size, dtype=last.dtype)
    found[-last.size :] = last
    sizes, here = [weight.size for weight in parts], np.arange(found.size, dtype=np.int32)
    for weight, terms in zip(parts, terms_of(sizes, bases, here, last.dtype), strict=True):
        lay_out(weight, *terms, found)
    return found


def terms_of(sizes: Sequence[int], bases: Bases, places: Places, dtype: Any = np.float32) -> list[Terms]:
    """For each of `weights`, of so many numbers, how its entries are made of it, and their places."""
    names = ["nodes", "board", "board", *["nodes"] * (len(sizes) - 5), "actions", "means"]
    ends = np.cumsum(sizes)
    return [
        (*sums(bases, name, dtype), places[end - size : end])
        for name, size, end in zip(names, sizes, ends, strict=True)
    ]


def bias_weights(model: "OrbitModel") -> list[Tensor]:
    """Of the rectifiers, for each block [5, C]."""
    return [block.bias.weight for block in model.blocks]  # type: ignore[union-attr,misc]


def biases(weights: Iterable[Tensor], bases: Bases) -> npt.NDArray[Any]:
    """[blocks, C, 5] of the rectifiers, orbits in the order of the basis."""
    return np.stack([weight.detach().numpy()[bias_order(bases)].T for weight in weights])


@functools.cache
def bias_order(bases: Bases) -> Indices:
    """[5] the orbits of nodes in the order of the basis."""
    nodes = orbits.orbits_of(bases.shape).nodes
    return np.array([nodes[orbit[0]] for orbit in bases.node_order])


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the entries of a model of one size go."""

    plan: Plan
    """Layers as compiled code multiplies with them."""
    back: Plan
    """The same layers transposed, for gradients."""
    packed: Places
    """Where each entry is among the weights of the plan."""
    packed_back: Places
    """Where each entry is among the weights of the transposed plan."""
    begins: list[int]
    """Where the blocks of each layer begin if all are in a row as plain matrices [depth, rows]."""
    places: Places
    """Where each entry is among them."""
    terms: dict[str, list[Terms]]
    """For `packed`, `packed_back` and `places`, of each of the weights."""


@functools.cache
def layout(bases: Bases, channels: int, blocks: int, hidden: int) -> Layout:
    """The layout for so many channels, blocks, and units of the value's hidden layer."""
    planes, extras = bases.shape.planes, bases.shape.globals
    taken = 0

    def take(*shape: int) -> Indices:
        nonlocal taken
        taken += int(np.prod(shape))
        return np.arange(taken - int(np.prod(shape)), taken).reshape(shape)

    def matrices(shapes: tuple[tuple[int, int], ...], inner: int, outer: int) -> list[Indices]:
        """The entries of each kind's block as [functions x inner, functions x outer]."""
        found = [take(rows, columns, inner, outer) for rows, columns in shapes]
        return [each.transpose(0, 2, 1, 3).reshape(-1, each.shape[1] * outer) for each in found]

    square = bases.nodes_to_nodes.shapes
    enter = matrices(square, planes, channels)
    whole = take(5, extras, channels).transpose(1, 0, 2).reshape(extras, -1)
    bias = take(5, 1, channels).transpose(1, 0, 2).reshape(1, -1)
    enter[0] = np.concatenate([whole, bias, enter[0]])
    layers = [enter, *(matrices(square, channels, channels) for _ in range(2 * blocks))]
    heads = matrices(bases.nodes_to_actions.shapes, channels, 1)
    heads[0] = np.concatenate([heads[0], take(5, channels, hidden).reshape(-1, hidden)], axis=1)
    empty = np.zeros((0, 0), dtype=np.int64)
    layers += [heads, [take(hidden, OUTCOMES), *[empty] * 4]]

    nodes = _starts(bases.nodes.counts, channels)
    inputs = [0, *(extras + 1 + start for start in _starts(bases.nodes.counts, planes)[1:])]
    actions = _starts(bases.actions.counts, 1)
    outputs = [0, *(start + hidden for start in actions[1:])]
    inner = [inputs, *[nodes] * (2 * blocks + 1), [bases.actions.counts[0], 0, 0, 0, 0]]
    outer = [*[nodes] * (2 * blocks + 1), outputs, [bases.shape.actions, 0, 0, 0, 0]]
    plan, packed = _pack(layers, inner, outer)
    back, packed_back = _pack([[matrix.T for matrix in layer] for layer in layers], outer, inner)
    plain = np.concatenate([matrix.reshape(-1) for layer in layers for matrix in layer])
    sizes = [sum(matrix.size for matrix in layer) for layer in layers]
    begins = [sum(sizes[:number]) for number in range(len(layers))]
    found = {"packed": _reverse(packed), "packed_back": _reverse(packed_back), "places": _reverse(plain)}
    of_nodes, of_board = len(bases.nodes_to_nodes.matrix), len(bases.board_to_nodes.matrix)
    counts = [of_nodes * planes * channels, of_board * extras * channels, of_board * channels]
    counts += [of_nodes * channels * channels] * (2 * blocks)
    counts += [len(bases.nodes_to_actions.matrix) * channels, of_board * channels * hidden]
    terms = {name: terms_of(counts, bases, places) for name, places in found.items()}
    return Layout(plan, back, begins=begins, terms=terms, **found)


def _reverse(order: Indices) -> Places:
    """Where each entry is in an order of all."""
    found = np.empty(len(order), dtype=np.int32)
    found[order] = np.arange(len(order), dtype=np.int32)
    return found


def _starts(counts: tuple[int, ...], channels: int) -> list[int]:
    """The first row of each kind."""
    return [sum(counts[:kind]) * channels for kind in range(KINDS)]


def _pack(layers: list[list[Indices]], inner: list[list[int]], outer: list[list[int]]) -> tuple[Plan, Indices]:
    """A plan for matrices [depth, rows], and their entries in the order in which products read them."""
    plan = np.zeros((len(layers), KINDS, 6), dtype=np.int64)
    parts: list[Indices] = []
    at = 0
    for layer, sources, targets, lines in zip(layers, inner, outer, plan, strict=True):
        for kind, matrix in enumerate(layer):
            depth, rows = matrix.shape
            height = next(height for height in ROWS if rows % height == 0)
            lines[kind] = at, depth, rows, height, sources[kind], targets[kind]
            parts.append(matrix.reshape(depth, rows // height, height).transpose(1, 0, 2).reshape(-1))
            at += matrix.size
    return plan, np.concatenate(parts)


def action_table(bases: Bases, hidden: int) -> tuple[Indices, npt.NDArray[np.float32]]:
    """[A, 8] which rows of the heads make up the logit of each action, and with what factors."""
    matrix = bases.actions.matrix()
    first, count = bases.actions.counts[0], bases.shape.actions
    rows, factors = np.zeros((count, 8), dtype=np.int64), np.zeros((count, 8), dtype=np.float32)
    for action in range(count):
        found = np.flatnonzero(np.abs(matrix[:, action]) > 1e-9)
        rows[action, : len(found)] = np.where(found < first, found, found + hidden)
        factors[action, : len(found)] = matrix[found, action]
    return rows, factors


__all__ = [
    "Layout",
    "action_table",
    "bias_order",
    "bias_weights",
    "biases",
    "constant",
    "entries",
    "layout",
    "terms_of",
    "weights",
]
