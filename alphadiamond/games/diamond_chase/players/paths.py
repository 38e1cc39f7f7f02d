"""Shortest ways over free nodes, found by A*."""

import heapq
import itertools
from typing import Final

import numpy as np

from alphadiamond.games.diamond_chase.board import COORDINATES, EDGES, NEIGHBOURS, Mask, Node

_LONGEST_EDGE: Final = max(float(np.abs(COORDINATES[a] - COORDINATES[b]).sum()) for a, b in EDGES)


def heuristic(node: Node, goal: Node) -> float:
    """The Manhattan distance on the drawn board, in steps: no step covers more than the longest edge does."""
    return float(np.abs(COORDINATES[node] - COORDINATES[goal]).sum()) / _LONGEST_EDGE


_ESTIMATES: Final = [[heuristic(a, b) for b in range(len(NEIGHBOURS))] for a in range(len(NEIGHBOURS))]


def find_path(start: Node, goal: Node, occupied: Mask) -> list[Node]:
    """The nodes of a shortest way, both ends included; empty where there is none.

    Every node after the start has to be free; each step costs one.
    """
    if occupied >> goal & 1:
        return []
    order = itertools.count()  # equals in the order they were found
    waiting = [(_ESTIMATES[start][goal], next(order), start)]
    cost = {start: 0}
    came_from: dict[Node, Node] = {}
    done: set[Node] = set()
    while waiting:
        _, _, node = heapq.heappop(waiting)
        if node == goal:
            path = [node]
            while node in came_from:
                node = came_from[node]
                path.append(node)
            return path[::-1]
        if node in done:
            continue
        done.add(node)
        for neighbour in NEIGHBOURS[node]:
            steps = cost[node] + 1
            if occupied >> neighbour & 1 or steps >= cost.get(neighbour, len(NEIGHBOURS) + 1):
                continue
            cost[neighbour] = steps
            came_from[neighbour] = node
            heapq.heappush(waiting, (steps + _ESTIMATES[neighbour][goal], next(order), neighbour))
    return []
