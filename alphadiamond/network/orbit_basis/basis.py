"""The basis of a board's symmetry group, in which a layer of the orbit network falls apart into small blocks.

The compiled passes are for one family of boards: the 8 symmetries of a square, and nodes of which one is the centre,
three times four and once eight are images of each other, as in Diamond Chase. `bases_of` says None of any other, and
the orbit network runs there as dense matrices, which are the same function.

A linear map between functions on the nodes that commutes with the 8 symmetries cannot mix functions that behave
differently under them. There are five ways to behave (the irreducible representations of the group): four with one
function each, by the sign that a quarter turn and a mirror give, and one of pairs of functions that turn like the two
coordinates of the plane. Such nodes have 5 + 4 + 1 + 1 functions of the first four kinds and 5 pairs; the 72 directed
edges of Diamond Chase, its actions, have 12 + 12 + 6 + 6 and 18 pairs. A block links functions of one kind, and for
pairs the same block serves both: 25 + 16 + 1 + 1 + 25 = 68 numbers for 441 node pairs, which is the number of their
orbits.
"""

import functools
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Shape
from alphadiamond.network import orbits
from alphadiamond.network.orbit_basis.kernels import KINDS, ORBIT_SIZES, PAIRS, to_basis

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Basis:
    """Orthonormal functions on the nodes or on the actions, sorted by how they behave."""

    vectors: tuple[Doubles, ...]
    """For each of the five kinds [functions, N]; of a pair, the first."""
    partners: Doubles
    """[pairs, N] the second of each pair."""

    @property
    def counts(self) -> tuple[int, ...]:
        """How many functions, or pairs, there are of each kind."""
        return tuple(len(vectors) for vectors in self.vectors)

    def matrix(self) -> Doubles:
        """[N, N] all functions as rows: the first four kinds, then the pairs, first and second side by side."""
        pairs = np.stack([self.vectors[PAIRS], self.partners], axis=1).reshape(-1, self.partners.shape[1])
        return np.concatenate([*self.vectors[:PAIRS], pairs])


def _generators(symmetries: npt.NDArray[np.int64]) -> tuple[int, int] | None:
    """Which of the symmetries are a quarter turn, and a mirror that leaves nodes other than the centre alone."""
    here = np.arange(symmetries.shape[1])
    fixed = (here == symmetries).sum(axis=1)
    square = np.array([(each[each] == here).all() for each in symmetries])
    turns, mirrors = np.flatnonzero(~square), np.flatnonzero(square & (fixed > 1) & (fixed < len(here)))
    return (int(turns[0]), int(mirrors[0])) if len(turns) and len(mirrors) else None


def _orbit_order(
    images: npt.NDArray[np.int64], turn: npt.NDArray[np.int64], mirror: npt.NDArray[np.int64]
) -> list[list[int]] | None:
    """The orbits of what the symmetries [8, N] move, smallest first: one element, four or eight of them; None where
    there are others.

    Four are in the order of quarter turns, from one that the mirror leaves alone. Eight are four in the order of
    quarter turns, then the quarter turns of the first one's mirror image.
    """
    found: list[list[int]] = []
    for orbit in np.unique(images.min(axis=0)):
        members = sorted({int(image) for image in images[:, orbit]})
        alone = [member for member in members if mirror[member] == member]
        if len(members) == 1:
            found.append(members)
        elif len(members) == 4 and alone:
            found.append(_turns(alone[0], turn))
        elif len(members) == 8:
            found.append(_turns(members[0], turn) + _turns(int(mirror[members[0]]), turn))
        else:
            return None
    return sorted(found, key=len)


def _turns(start: int, turn: npt.NDArray[np.int64]) -> list[int]:
    members = [start]
    while len(members) < 4:
        members.append(int(turn[members[-1]]))
    return members


def _basis(found: list[list[int]]) -> Basis:
    """The functions of all orbits; each orbit's own are those of `kernels`."""
    size = sum(map(len, found))
    kinds: list[list[Doubles]] = [[] for _ in range(KINDS + 1)]
    for orbit in found:
        parts: list[list[Any]] = to_basis([*np.eye(size)[orbit]])
        for kind, vectors in zip(kinds, parts, strict=True):
            kind += vectors
    stacked = [np.array(kind).reshape(-1, size) for kind in kinds]
    return Basis(tuple(stacked[:KINDS]), stacked[KINDS])


BOARD_BASIS: Final = Basis((np.ones((1, 1)), *(np.zeros((0, 1)),) * 4), np.zeros((0, 1)))
"""The one function on the whole board, which is all that looks alike from every side."""


@dataclass(frozen=True)
class BlockMap:
    """From weights by orbit to the blocks of the same map, a matrix [blocks' entries, orbits]."""

    matrix: Doubles
    """[sum of rows x columns, orbits]"""
    shapes: tuple[tuple[int, int], ...]
    """(rows, columns) of the block of each kind."""


def block_map(rows: Basis, columns: Basis, table: npt.NDArray[np.int64]) -> BlockMap:
    """How maps with `table` [rows, columns] of orbits look in the two bases."""
    count = orbits.count(table)
    members = np.eye(count)[table]  # [rows, columns, orbits]
    parts = [
        np.einsum("ai,bj,ijo->abo", first, second, members, optimize=True).reshape(-1, count)
        for first, second in zip(rows.vectors, columns.vectors, strict=True)
    ]
    return BlockMap(np.concatenate(parts), tuple(zip(rows.counts, columns.counts, strict=True)))


@dataclass(frozen=True, eq=False)  # one object for each shape, and compared as such
class Bases:
    """All there is to know of a board to which the compiled passes apply."""

    shape: Shape
    node_order: list[list[int]]
    """The centre, three orbits of four nodes and one of eight, in the order in which compiled code keeps them."""
    action_order: list[list[int]]
    """In Diamond Chase six orbits of four directed edges and six of eight."""
    nodes: Basis
    actions: Basis
    nodes_to_nodes: BlockMap
    nodes_to_actions: BlockMap
    board_to_nodes: BlockMap


@functools.cache
def bases_of(shape: Shape) -> Bases | None:
    """The bases of a board, or None where the compiled passes do not apply."""
    generators = _generators(shape.symmetries) if len(shape.symmetries) == 8 else None
    if generators is None:
        return None
    orders = [_orbit_order(images, *images[list(generators)]) for images in (shape.symmetries, shape.action_symmetries)]
    node_order, action_order = orders
    if node_order is None or action_order is None or tuple(map(len, node_order)) != ORBIT_SIZES:
        return None
    if shape.inputs >= shape.actions:  # what is seen is laid out where the heads come later
        return None
    nodes, actions, tables = _basis(node_order), _basis(action_order), orbits.orbits_of(shape)
    return Bases(
        shape,
        node_order,
        action_order,
        nodes,
        actions,
        nodes_to_nodes=block_map(nodes, nodes, tables.pairs),
        nodes_to_actions=block_map(nodes, actions, tables.action_nodes.T),
        board_to_nodes=block_map(BOARD_BASIS, nodes, tables.nodes[None, :]),
    )
