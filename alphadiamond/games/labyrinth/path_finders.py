"""The ways through a maze that a runner could plan alone, by five algorithms behind one interface.

    found = a_star(Problem.of(position), "euclidean")
    found.cost, found.steps, found.arrived, [event.cell for event in found.events]

A node is a cell together with the power-ups that are left, so that the cheapest way is exact although a power-up counts
once. A step onto one may bring something in. With 20 added for every power-up that was taken, no step costs less than
10, and Dijkstra's algorithm holds.

- `breadth_first` finds the fewest steps.
- `dijkstra` finds the lowest cost.
- `a_star` finds the lowest cost with `chebyshev`, which never says too much: a step costs at least 10 before a power-up
  is taken off. `euclidean` says 14.1 for a diagonal that costs 14, and `manhattan` says 20: with them it explores less
  and may miss the cheapest way.
- `greedy_best_first` goes on from whatever looks nearest. It promises to arrive, and nothing of the cost.
- `hill_climbing` steps to the neighbour that looks nearest and is new. Out of a dead end it goes back the way it came,
  and pays for it.
"""

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, TypeVar

from alphadiamond.games.labyrinth.board import (
    COLUMN_STEPS,
    DIAGONAL_COST,
    DIRECTIONS,
    POWER_UP_GAIN,
    ROW_STEPS,
    STEP_COST,
    TRAP_COST,
    Cell,
    cells_of,
    contains,
)
from alphadiamond.games.labyrinth.kernels import FAR
from alphadiamond.games.labyrinth.position import Maze, Position, steps_from
from alphadiamond.games.labyrinth.side import Side

Heuristic: TypeAlias = Callable[[int, int], float]
"""What rows and columns that are left are taken for, in steps."""

HEURISTICS: Final[dict[str, Heuristic]] = {
    "euclidean": math.hypot,
    "manhattan": lambda rows, columns: rows + columns,
    "chebyshev": max,
}

MOVED: Final = "M"
ON_TRAP: Final = "T"
ON_POWER_UP: Final = "P"
"""The letters of a log."""


class Node(NamedTuple):
    cell: Cell
    live: frozenset[Cell]
    """The power-ups that are still there."""


class Event(NamedTuple):
    """A node was taken and its neighbours looked at."""

    cell: Cell
    frontier: tuple[Cell, ...]
    """The cells that wait after that, in order."""


@dataclass(frozen=True)
class Problem:
    """From where to where, in which maze; the runner is alone."""

    maze: Maze
    """With the power-ups that are there at the beginning."""
    start: Cell
    goal: Cell

    @classmethod
    def of(cls, position: Position, side: Side | None = None) -> "Problem":
        """The way home of a runner, by default of the one to move."""
        side = position.side if side is None else side
        return cls(position.maze, position.cells[side], position.home(side))

    @property
    def first(self) -> Node:
        return Node(self.start, frozenset(cells_of(self.maze.power_ups, self.maze.size)))

    def steps(self, node: Node) -> Iterator[tuple[int, Node, int]]:
        """(direction, next node, cost) for every step from a node."""
        size = self.maze.size
        row, column = divmod(node.cell, size)
        for direction in range(len(DIRECTIONS)):
            r, c = row + int(ROW_STEPS[direction]), column + int(COLUMN_STEPS[direction])
            cell = r * size + c
            if 0 <= r < size and 0 <= c < size and contains(self.maze.open, cell):
                cost = DIAGONAL_COST if direction % 2 else STEP_COST
                if contains(self.maze.traps, cell):
                    cost += TRAP_COST
                taken = cell in node.live
                yield direction, Node(cell, node.live - {cell} if taken else node.live), cost - POWER_UP_GAIN * taken

    def distance(self, cell: Cell, heuristic: str) -> float:
        """A guess at the cost of the way that is left."""
        rows, columns = (
            abs(a - b) for a, b in zip(divmod(cell, self.maze.size), divmod(self.goal, self.maze.size), strict=True)
        )
        return STEP_COST * HEURISTICS[heuristic](rows, columns)


@dataclass
class Found:
    """What an algorithm came to."""

    path: list[Cell] = field(default_factory=list)
    """The cells of the way in order, the start included; as far as it got where it did not arrive."""
    directions: list[int] = field(default_factory=list)
    """The steps between them."""
    paid: list[int] = field(default_factory=lambda: [0])
    """What the game has charged a lone runner on each cell of the way."""
    arrived: bool = False
    events: list[Event] = field(default_factory=list)
    """What it explored, in order."""
    log: str = ""
    """One letter a step: M plain, T trap, P power-up; `base.huffman` codes it."""

    @property
    def cost(self) -> int:
        return self.paid[-1]

    @property
    def steps(self) -> int:
        return len(self.directions)

    @property
    def explored(self) -> int:
        """Different cells that were looked at from."""
        return len({event.cell for event in self.events})


N = TypeVar("N")
Algorithm: TypeAlias = Callable[..., Found]


def breadth_first(problem: Problem, heuristic: str = "") -> Found:
    """The way of the fewest steps; it looks at no costs, and so at no power-ups."""
    origin: dict[Cell, tuple[Cell, int] | None] = {problem.start: None}
    waiting = deque([problem.start])
    events = []
    while waiting:
        cell = waiting.popleft()
        if cell != problem.goal:
            for direction, node, _ in problem.steps(Node(cell, frozenset())):
                if node.cell not in origin:
                    origin[node.cell] = (cell, direction)
                    waiting.append(node.cell)
        events.append(Event(cell, tuple(waiting)))
        if cell == problem.goal:
            return _walk(problem, _traced(origin, cell), events)
    return _walk(problem, [], events)


def dijkstra(problem: Problem, heuristic: str = "") -> Found:
    """The cheapest way."""
    return _cheapest(problem, lambda cell: 0.0)


def a_star(problem: Problem, heuristic: str = "euclidean") -> Found:
    """The cheapest way as far as the heuristic allows."""
    return _cheapest(problem, lambda cell: problem.distance(cell, heuristic))


def greedy_best_first(problem: Problem, heuristic: str = "euclidean") -> Found:
    """Always on from the cell that looks nearest."""
    origin: dict[Cell, tuple[Cell, int] | None] = {problem.start: None}
    waiting = [(problem.distance(problem.start, heuristic), 0, problem.start)]
    events = []
    while waiting:
        _, _, cell = heapq.heappop(waiting)
        if cell != problem.goal:
            for direction, node, _ in problem.steps(Node(cell, frozenset())):
                if node.cell not in origin:
                    origin[node.cell] = (cell, direction)
                    heapq.heappush(waiting, (problem.distance(node.cell, heuristic), len(origin), node.cell))
        events.append(Event(cell, tuple(one for _, _, one in sorted(waiting))))
        if cell == problem.goal:
            return _walk(problem, _traced(origin, cell), events)
    return _walk(problem, [], events)


def hill_climbing(problem: Problem, heuristic: str = "euclidean") -> Found:
    """Step by step to the neighbour that looks nearest and is new; out of a dead end back the way it came."""
    visited = {problem.start}
    way: list[tuple[Cell, int]] = []
    cell, directions, events = problem.start, list[int](), list[Event]()
    while cell != problem.goal:
        new = [(node.cell, direction) for direction, node, _ in problem.steps(Node(cell, frozenset()))]
        new = [one for one in new if one[0] not in visited]
        new.sort(key=lambda one: problem.distance(one[0], heuristic))
        events.append(Event(cell, tuple(one for one, _ in new)))
        if new:
            way.append((cell, new[0][1]))
            cell = new[0][0]
            visited.add(cell)
            directions.append(way[-1][1])
        elif way:
            cell, direction = way.pop()
            directions.append((direction + 4) % 8)
        else:
            return _walk(problem, directions, events)
    events.append(Event(cell, ()))
    return _walk(problem, directions, events)


ALGORITHMS: Final[dict[str, Algorithm]] = {
    "hill_climbing": hill_climbing,
    "greedy_best_first": greedy_best_first,
    "breadth_first": breadth_first,
    "dijkstra": dijkstra,
    "a_star": a_star,
}
"""From the simplest on."""
GUIDED: Final = ("hill_climbing", "greedy_best_first", "a_star")
"""Those that take a heuristic."""


def step_map(maze: Maze, goal: Cell) -> dict[Cell, int]:
    """The steps from each cell to a goal; cells from which no way leads there are left out."""
    return {cell: int(steps) for cell, steps in enumerate(steps_from(maze.open, goal, maze.size)) if steps < FAR}


def _cheapest(problem: Problem, guess: Callable[[Cell], float]) -> Found:
    """Best first by cost so far and guess, over cells and power-ups; on until nothing that waits can be cheaper."""
    first = problem.first
    whole = len(first.live)
    costs = {first: 0}
    origin: dict[Node, tuple[Node, int] | None] = {first: None}
    waiting = [(guess(first.cell), 0, first)]
    done: set[Node] = set()
    best: Node | None = None
    events: list[Event] = []
    while waiting:
        reached, _, node = heapq.heappop(waiting)
        if best is not None and reached - POWER_UP_GAIN * whole >= costs[best]:
            break  # whatever is still to be taken, it cannot be cheaper
        if node in done:
            continue
        done.add(node)
        if node.cell == problem.goal:
            best = node if best is None or costs[node] < costs[best] else best
        else:
            for direction, after, cost in problem.steps(node):
                if costs[node] + cost < costs.get(after, math.inf):
                    costs[after] = costs[node] + cost
                    origin[after] = (node, direction)
                    done.discard(after)  # a guess that says too much may have it taken too early
                    taken = POWER_UP_GAIN * (whole - len(after.live))
                    heapq.heappush(waiting, (costs[after] + taken + guess(after.cell), len(origin), after))
        frontier = dict.fromkeys(one.cell for _, _, one in sorted(waiting) if one not in done)
        events.append(Event(node.cell, tuple(frontier)))
    return _walk(problem, _traced(origin, best) if best is not None else [], events)


def _traced(origin: dict[N, tuple[N, int] | None], node: N) -> list[int]:
    """The directions that lead to a node."""
    directions = []
    while (step := origin[node]) is not None:
        node = step[0]
        directions.append(step[1])
    return directions[::-1]


def _walk(problem: Problem, directions: list[int], events: list[Event]) -> Found:
    """Take the steps and pay for them."""
    node, path, costs, log = problem.first, [problem.start], [0], []
    for direction in directions:
        node, paid = next((after, paid) for way, after, paid in problem.steps(node) if way == direction)
        plain = DIAGONAL_COST if direction % 2 else STEP_COST
        log.append(ON_TRAP if paid > plain else ON_POWER_UP if paid < plain else MOVED)
        path.append(node.cell)
        costs.append(costs[-1] + paid)
    return Found(path, directions, costs, path[-1] == problem.goal, events, "".join(log))
