"""The board: 21 nodes, 36 edges, 72 directed edges numbered as actions, 8 symmetries.

                           n 0
                      nw 1     ne 2
                           ni 3
            wn 4           cn 5           en 6
        w 7      wi 8  cw 9  c 10  ce 11  ei 12     e 13
            ws 14          cs 15          es 16
                           si 17
                      sw 18    se 19
                           s 20

The first letter names the group, the second the direction inside it; `i` is a corner's inner node. Ids run in reading
order, so a half turn maps node i to 20 - i.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Node: TypeAlias = int
Action: TypeAlias = int
Mask: TypeAlias = int  # bit i is node i

NODE_NAMES: Final = (
    *("n", "nw", "ne", "ni", "wn", "cn", "en"),
    *("w", "wi", "cw", "c", "ce", "ei", "e"),
    *("ws", "cs", "es", "si", "sw", "se", "s"),
)
NODES: Final = len(NODE_NAMES)
NODE_IDS: Final = {name: node for node, name in enumerate(NODE_NAMES)}
RANKS: Final = (1, 2, 1, 3, 7, 3, 1, 2, 1)  # nodes in each row of the picture, top to bottom
ALL_NODES: Final[Mask] = (1 << NODES) - 1


def _edges() -> list[tuple[Node, Node]]:
    corners = [("n", "nw", "ne", "ni"), ("w", "wn", "ws", "wi"), ("s", "sw", "se", "si"), ("e", "en", "es", "ei")]
    named = []
    for tip, left, right, inner in corners:
        named += [(tip, left), (tip, right), (tip, inner), (inner, left), (inner, right)]
    named += [("nw", "wn"), ("ne", "en"), ("sw", "ws"), ("se", "es")]  # bridges between corners
    named += [("c", "cn"), ("c", "ce"), ("c", "cs"), ("c", "cw")]
    named += [("cn", "ce"), ("ce", "cs"), ("cs", "cw"), ("cw", "cn")]  # the ring
    named += [("cn", "ni"), ("ce", "ei"), ("cs", "si"), ("cw", "wi")]  # spokes
    return sorted(tuple(sorted((NODE_IDS[a], NODE_IDS[b]))) for a, b in named)  # type: ignore[misc]


EDGES: Final = _edges()

NEIGHBOURS: Final = tuple(tuple(sorted({a + b - node for a, b in EDGES if node in (a, b)})) for node in range(NODES))

ADJACENT: Final[npt.NDArray[np.int64]] = np.array([sum(1 << n for n in row) for row in NEIGHBOURS])
"""[21] the neighbours of each node as a mask."""

ACTION_NODES: Final = tuple((source, target) for source in range(NODES) for target in NEIGHBOURS[source])
ACTIONS: Final = len(ACTION_NODES)
SOURCES: Final[npt.NDArray[np.int64]] = np.array([source for source, _ in ACTION_NODES])
TARGETS: Final[npt.NDArray[np.int64]] = np.array([target for _, target in ACTION_NODES])
"""[72] where each action starts and ends; actions are ordered by source, then target."""


def _action_table() -> npt.NDArray[np.int64]:
    table = np.full((NODES, NODES), -1)
    table[SOURCES, TARGETS] = np.arange(ACTIONS)
    return table


ACTION_IDS: Final = _action_table()
"""[21, 21] the action from one node to another, -1 where there is no edge."""


def _automorphisms() -> npt.NDArray[np.int64]:
    """Every one-to-one map of nodes that keeps edges, found by extending partial maps; the identity is first."""
    partial: list[tuple[Node, ...]] = [()]
    for node in range(NODES):
        earlier = [n for n in range(node) if n in NEIGHBOURS[node]]
        partial = [
            (*images, image)
            for images in partial
            for image in range(NODES)
            if image not in images
            and len(NEIGHBOURS[image]) == len(NEIGHBOURS[node])
            and [n for n in range(node) if images[n] in NEIGHBOURS[image]] == earlier
        ]
    return np.array(partial)


SYMMETRIES: Final = _automorphisms()
"""[8, 21] the image of each node; row 0 is the identity."""

ACTION_SYMMETRIES: Final[npt.NDArray[np.int64]] = ACTION_IDS[SYMMETRIES[:, SOURCES], SYMMETRIES[:, TARGETS]]
"""[8, 72] the image of each action."""

INVERSE_SYMMETRIES: Final[npt.NDArray[np.int64]] = np.array(
    [next(k for k, other in enumerate(SYMMETRIES) if (other[row] == np.arange(NODES)).all()) for row in SYMMETRIES]
)
"""[8] which symmetry undoes each symmetry."""


def _coordinates() -> npt.NDArray[np.float64]:
    reach = {"tip": 5.49, "side": 4.49, "inner": 3.49, "ring": 1.0}
    compass = {"n": (0.0, 1.0), "e": (1.0, 0.0), "s": (0.0, -1.0), "w": (-1.0, 0.0)}
    points = []
    for name in NODE_NAMES:
        if name == "c":
            points.append((0.0, 0.0))
            continue
        x, y = compass[name[-1]] if name[0] == "c" else compass[name[0]]
        if name[0] == "c":
            distance, aside = reach["ring"], (0.0, 0.0)
        elif len(name) == 1:
            distance, aside = reach["tip"], (0.0, 0.0)
        elif name[1] == "i":
            distance, aside = reach["inner"], (0.0, 0.0)
        else:
            distance, aside = reach["side"], compass[name[1]]
        points.append((x * distance + aside[0], y * distance + aside[1]))
    return np.array(points)


COORDINATES: Final = _coordinates()
"""[21, 2] x to the east, y to the north; the side of a small rhombus is sqrt(2)."""

START_RED: Final[Mask] = sum(1 << NODE_IDS[name] for name in ("n", "nw", "ne", "ni", "wn", "en"))
START_GREEN: Final[Mask] = sum(1 << NODE_IDS[name] for name in ("s", "sw", "se", "si", "ws", "es"))


def nodes_of(mask: Mask) -> list[Node]:
    """The nodes of a mask, in order."""
    return [node for node in range(NODES) if mask >> node & 1]
