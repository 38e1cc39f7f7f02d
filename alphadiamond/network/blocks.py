"""The weights of the orbit network as the blocks of the symmetry's own basis, laid out for compiled code.

A model keeps its weights by orbit, whichever way it runs. Here they become, by one small matrix for each layer, the
entries of the blocks; where each entry goes is worked out once for a size of model and is a matter of indices then.
"""

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from alphadiamond.games.diamond_chase.board import ACTIONS
from alphadiamond.network import basis, orbits
from alphadiamond.network.basis_kernels import KINDS, Plan
from alphadiamond.network.compiled_kernels import EXTRAS
from alphadiamond.network.kernels import GLOBALS, OUTCOMES, PLANES
from alphadiamond.network.vector_kernels import ROWS

if TYPE_CHECKING:
    from alphadiamond.network.orbit import OrbitModel

Indices = npt.NDArray[np.int64]

_BOARD_TO_NODES: Final = basis.block_map(basis.BOARD_BASIS, basis.NODE_BASIS, orbits.NODE_ORBITS[None, :])
_SHARES: Final = 1.0 / np.bincount(orbits.NODE_ORBITS)  # the value's hidden layer reads means over node orbits


def constant(array: npt.NDArray[Any], dtype: torch.dtype | None = None) -> Tensor:
    """A tensor that is kept: also one made while a network plays can be learnt with."""
    with torch.inference_mode(False):
        return torch.from_numpy(array).to(dtype)


@functools.cache
def _map(name: str, dtype: torch.dtype) -> Tensor:
    """[entries, orbits]"""
    matrix = {
        "nodes": basis.NODES_TO_NODES.matrix,
        "edges": basis.NODES_TO_EDGES.matrix,
        "board": _BOARD_TO_NODES.matrix,
        "means": _BOARD_TO_NODES.matrix * _SHARES,
    }[name]
    return constant(matrix, dtype)


def _entries(name: str, weight: Tensor) -> Tensor:
    """The blocks' entries, each [inner, outer], from weights by orbit, all in a row."""
    table = _map(name, weight.dtype)
    return (table @ weight.reshape(table.shape[1], -1)).reshape(-1)


def entries(model: "OrbitModel") -> Tensor:
    """Every number of every block, in the order in which `Layout` expects them."""
    parts = [_entries("nodes", model.beads.weight), _entries("board", model.globals.weight)]
    parts.append(_entries("board", model.bias.weight))
    for block in model.blocks:
        parts += [_entries("nodes", block.first.weight), _entries("nodes", block.second.weight)]  # type: ignore[union-attr,arg-type]
    parts += [_entries("edges", model.policy.weights.weight), _entries("means", model.value_hidden.weight)]
    return torch.cat([*parts, model.value.weight.T.reshape(-1)])


def biases(model: "OrbitModel") -> Tensor:
    """[blocks, C, 5] of the rectifiers, orbits in the order of the basis."""
    order = [orbits.NODE_ORBITS[orbit[0]] for orbit in basis.NODE_ORDER]
    return torch.stack([block.bias.weight[order].T for block in model.blocks])  # type: ignore[union-attr,index]


@dataclass(frozen=True)
class Layout:
    """Where the entries of a model of one size go."""

    plan: Plan
    """Layers as compiled code multiplies with them."""
    back: Plan
    """The same layers transposed, for gradients."""
    packed: Indices
    """The entry behind each weight of the plan."""
    packed_back: Indices
    """The entry behind each weight of the transposed plan."""
    begins: list[int]
    """Where the blocks of each layer begin if all are in a row as plain matrices [depth, rows]."""
    places: Indices
    """Where each entry is among them."""
    _tensors: dict[str, Tensor] = field(default_factory=dict)

    def index(self, name: str) -> Tensor:
        """One of the three lists of indices, for torch."""
        if name not in self._tensors:
            self._tensors[name] = constant(getattr(self, name))
        return self._tensors[name]


@functools.cache
def layout(channels: int, blocks: int, hidden: int) -> Layout:
    """The layout for so many channels, blocks, and units of the value's hidden layer."""
    taken = 0

    def take(*shape: int) -> Indices:
        nonlocal taken
        taken += int(np.prod(shape))
        return np.arange(taken - int(np.prod(shape)), taken).reshape(shape)

    def matrices(shapes: tuple[tuple[int, int], ...], inner: int, outer: int) -> list[Indices]:
        """The entries of each kind's block as [functions x inner, functions x outer]."""
        found = [take(rows, columns, inner, outer) for rows, columns in shapes]
        return [each.transpose(0, 2, 1, 3).reshape(-1, each.shape[1] * outer) for each in found]

    square = basis.NODES_TO_NODES.shapes
    enter = matrices(square, PLANES, channels)
    whole = take(5, GLOBALS, channels).transpose(1, 0, 2).reshape(GLOBALS, -1)
    bias = take(5, 1, channels).transpose(1, 0, 2).reshape(1, -1)
    enter[0] = np.concatenate([whole, bias, enter[0]])
    layers = [enter, *(matrices(square, channels, channels) for _ in range(2 * blocks))]
    heads = matrices(basis.NODES_TO_EDGES.shapes, channels, 1)
    heads[0] = np.concatenate([heads[0], take(5, channels, hidden).reshape(-1, hidden)], axis=1)
    empty = np.zeros((0, 0), dtype=np.int64)
    layers += [heads, [take(hidden, OUTCOMES), *[empty] * 4]]

    nodes = _starts(basis.NODE_BASIS.counts, channels)
    inputs = [0, *(EXTRAS + start for start in _starts(basis.NODE_BASIS.counts, PLANES)[1:])]
    edges = _starts(basis.EDGE_BASIS.counts, 1)
    outputs = [0, *(start + hidden for start in edges[1:])]
    inner = [inputs, *[nodes] * (2 * blocks + 1), [basis.EDGE_BASIS.counts[0], 0, 0, 0, 0]]
    outer = [*[nodes] * (2 * blocks + 1), outputs, [ACTIONS, 0, 0, 0, 0]]
    plan, packed = _pack(layers, inner, outer)
    back, packed_back = _pack([[matrix.T for matrix in layer] for layer in layers], outer, inner)
    plain = np.concatenate([matrix.reshape(-1) for layer in layers for matrix in layer])
    places = np.empty(taken, dtype=np.int64)
    places[plain] = np.arange(taken)
    sizes = [sum(matrix.size for matrix in layer) for layer in layers]
    begins = [sum(sizes[:number]) for number in range(len(layers))]
    return Layout(plan, back, packed, packed_back, begins, places)


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


def edge_table(hidden: int) -> tuple[Indices, npt.NDArray[np.float32]]:
    """[72, 8] which rows of the heads make up the logit of each edge, and with what factors."""
    matrix = basis.EDGE_BASIS.matrix()
    first = basis.EDGE_BASIS.counts[0]
    rows, factors = np.zeros((ACTIONS, 8), dtype=np.int64), np.zeros((ACTIONS, 8), dtype=np.float32)
    for edge in range(ACTIONS):
        found = np.flatnonzero(np.abs(matrix[:, edge]) > 1e-9)
        rows[edge, : len(found)] = np.where(found < first, found, found + hidden)
        factors[edge, : len(found)] = matrix[found, edge]
    return rows, factors


__all__ = ["Layout", "biases", "constant", "edge_table", "entries", "layout"]
