"""What a board's symmetries map onto each other: orbits of nodes, actions and pairs.

A weight that depends only on the orbit it belongs to is the same for the board turned or mirrored, so a layer made of
such weights turns and mirrors its output with its input. A board without symmetries has an orbit for each of its
elements.
"""

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Shape

Table = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Orbits:
    nodes: Table
    """[N] the orbit of a node."""
    pairs: Table
    """[N, N] of an ordered pair of nodes."""
    actions: Table
    """[A] of an action."""
    action_nodes: Table
    """[A, N] of an action together with a node."""


@functools.cache
def orbits_of(shape: Shape) -> Orbits:
    nodes, actions = shape.symmetries, shape.action_symmetries
    return Orbits(_orbits(nodes), _pairs(nodes, nodes), _orbits(actions), _pairs(actions, nodes))


def count(orbits: Table) -> int:
    return int(orbits.max()) + 1


def _orbits(images: Table) -> Table:
    """[N] the orbit of each element, numbered from 0, given the image of each under every symmetry [K, N]."""
    return np.unique(images.min(axis=0), return_inverse=True)[1].astype(np.int64)


def _pairs(first: Table, second: Table) -> Table:
    images = first[:, :, None] * second.shape[1] + second[:, None, :]
    return _orbits(images.reshape(len(images), -1)).reshape(first.shape[1], second.shape[1])
