"""The path finders and what is known of ways in a maze, as windows and terminals show them."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from alphadiamond.base.drawing import Ply, Square
from alphadiamond.base.ways import Walk, Ways, efficiency
from alphadiamond.games.labyrinth.board import cells_of, contains, set_of
from alphadiamond.games.labyrinth.kernels import cheapest_ways
from alphadiamond.games.labyrinth.path_finders import (
    ALGORITHMS,
    GUIDED,
    HEURISTICS,
    MOVED,
    ON_POWER_UP,
    ON_TRAP,
    Problem,
    dijkstra,
    step_map,
)
from alphadiamond.games.labyrinth.position import Position, state_of
from alphadiamond.games.labyrinth.side import Side


class LabyrinthWays(Ways):
    finders: ClassVar[Mapping[str, str]] = {
        "hill_climbing": "Hill climbing",
        "greedy_best_first": "Greedy best-first",
        "breadth_first": "Breadth-first",
        "dijkstra": "Dijkstra",
        "a_star": "A*",
    }
    heuristics: ClassVar[tuple[str, ...]] = tuple(HEURISTICS)
    guided: ClassVar[tuple[str, ...]] = GUIDED
    sight: ClassVar[int] = 3
    letters: ClassVar[Mapping[str, str]] = {MOVED: "plain step", ON_TRAP: "trap", ON_POWER_UP: "power-up"}

    def walk(self, position: Position, finder: str, heuristic: str = "", *, side: Any | None = None) -> Walk:
        side = position.side if side is None else Side(side)
        heuristic = (heuristic or self.heuristics[0]) if finder in GUIDED else ""
        return _walk(Problem.of(position, side), finder, heuristic, _least(position, side))

    def cheapest(self, position: Position, side: Any) -> Walk:
        return self.walk(position, "dijkstra", side=side)

    def distances(self, position: Position, side: Any) -> dict[Square, int]:
        return step_map(position.maze, position.home(Side(side)))

    def to(
        self, position: Position, square: Square, *, known: frozenset[Square] | None = None
    ) -> tuple[tuple[Square, ...], int]:
        """The other runner is not reckoned with, whose cell costs more only while he stands there."""
        maze, here = position.maze, position.cells[position.side]
        if known is not None:
            maze = replace(maze, open=set_of([cell for cell in cells_of(maze.open, maze.size) if cell in known]))
        if square == here or not contains(maze.open, square) or position.at_home(position.side):
            return (), 0
        found = dijkstra(Problem(maze, here, square))
        return (tuple(found.path), found.cost) if found.arrived else ((), 0)

    def in_sight(self, positions: Sequence[Position], side: Any) -> frozenset[Square]:
        """Within three cells of where it is, what it has visited, and the corners."""
        last = positions[-1]
        size, corner = last.maze.size, last.maze.last
        row, column = divmod(last.cells[side], size)
        near = {
            r * size + c
            for r in range(max(0, row - self.sight), min(size, row + self.sight + 1))
            for c in range(max(0, column - self.sight), min(size, column + self.sight + 1))
        }
        return frozenset(near | {position.cells[side] for position in positions} | {0, corner})

    def log(self, plies: Sequence[Ply], side: Any) -> str:
        found = []
        for ply in plies:
            if ply.side != side or ply.move.is_pass:
                continue
            maze, cell = ply.before.maze, ply.after.cells[side]
            trap, power_up = contains(maze.traps, cell), contains(maze.power_ups, cell)
            found.append(ON_TRAP if trap else ON_POWER_UP if power_up else MOVED)
        return "".join(found)

    def result(self, start: Position, end: Position, side: Any) -> tuple[int, int, float | None]:
        paid = end.totals[side] - start.totals[side]
        least = _least(start, Side(side))
        return paid, least, efficiency(least, paid) if end.at_home(Side(side)) else None


@functools.lru_cache(maxsize=256)
def _walk(problem: Problem, finder: str, heuristic: str, least: int) -> Walk:
    found = ALGORITHMS[finder](problem, heuristic) if heuristic else ALGORITHMS[finder](problem)
    return Walk(
        finder=finder,
        heuristic=heuristic,
        explored=tuple(event.cell for event in found.events),
        frontiers=tuple(event.frontier for event in found.events),
        path=tuple(found.path),
        paid=tuple(found.paid),
        arrived=found.arrived,
        log=found.log,
        cheapest=least,
    )


def _least(position: Position, side: Side) -> int:
    homes = position.home(Side.A), position.home(Side.B)
    return int(cheapest_ways(state_of(position), position.cells, homes, position.maze.size)[side])
