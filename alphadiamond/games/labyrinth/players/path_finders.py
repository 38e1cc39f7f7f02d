"""The path finders as players: each plans its own way home and goes it, whatever the other runner does."""

from typing import Annotated, ClassVar

from alphadiamond.agents.base import Agent, Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.games.labyrinth.game import Labyrinth
from alphadiamond.games.labyrinth.move import Move
from alphadiamond.games.labyrinth.path_finders import ALGORITHMS, HEURISTICS, Found, Problem
from alphadiamond.games.labyrinth.position import Position
from alphadiamond.settings.ranges import SEED, one_of


class PathFinderAgent(Agent):
    """Plans from where it stands at every move, with the power-ups that are still there.

    A move's score is what the step and the way that would be planned after it cost, negative: less is better. The move
    that is played follows the plan, which need not be the cheapest: an algorithm that promises less keeps less.
    """

    algorithm: ClassVar[str]

    def __init__(self, *, game: Labyrinth, seed: Annotated[int | None, SEED] = None) -> None:
        """Nothing is random: the seed is taken as every player takes one."""
        self.check(seed=seed)
        self.game = game
        self.heuristic = ""
        self.reset()

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        scored = [self._weighed(position, move) for move in moves]
        scored.sort(key=lambda one: -one.score)
        return Analysis(position, self._step(position), tuple(scored))

    def plan(self, position: Position) -> Found:
        """The way home from here of the runner to move."""
        return self._found(Problem.of(position))

    def _step(self, position: Position) -> Move:
        if position.at_home(position.side):
            return position.moves()[0]
        return position.bound(Move(self.plan(position).directions[0]))

    def _weighed(self, position: Position, move: Move) -> MoveAnalysis:
        after = position.play(move)
        side = position.side
        paid = after.totals[side] - position.totals[side]
        left = 0 if after.at_home(side) else self._found(Problem.of(after, side)).cost
        return MoveAnalysis(move, score=-float(paid + left), variation=(move,))

    def _found(self, problem: Problem) -> Found:
        algorithm = ALGORITHMS[self.algorithm]
        return algorithm(problem, self.heuristic) if self.heuristic else algorithm(problem)

    def reseed(self, seed: int) -> bool:
        return True


class GuidedAgent(PathFinderAgent):
    """A path finder with a heuristic."""

    def __init__(
        self,
        *,
        game: Labyrinth,
        heuristic: Annotated[str, one_of(*HEURISTICS)] = "euclidean",
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(heuristic=heuristic, seed=seed)
        super().__init__(game=game, seed=seed)
        self.heuristic = heuristic


class HillClimbingAgent(GuidedAgent):
    """Goes to the neighbour that looks nearest and is new to it; out of a dead end back the way it came.

    It remembers where it has been in this game; asked about a position that it did not come to by its own plan, it
    begins there.
    """

    algorithm: ClassVar[str] = "hill_climbing"

    def reset(self) -> None:
        self._way: dict[tuple[object, int, int], int] = {}
        """Directions by walls, cell and plies left."""

    def _step(self, position: Position) -> Move:
        if position.at_home(position.side):
            return position.moves()[0]
        if self._key(position) not in self._way:
            found = self.plan(position)
            self._way = {
                (position.maze.open, cell, position.plies_left - 2 * number): direction
                for number, (cell, direction) in enumerate(zip(found.path, found.directions, strict=False))
            }
        return position.bound(Move(self._way[self._key(position)]))

    def _key(self, position: Position) -> tuple[object, int, int]:
        return position.maze.open, position.cells[position.side], position.plies_left


class GreedyBestFirstAgent(GuidedAgent):
    """Goes the way that greedy best-first search finds from where it stands."""

    algorithm: ClassVar[str] = "greedy_best_first"


class BreadthFirstAgent(PathFinderAgent):
    """Goes the way of the fewest steps."""

    algorithm: ClassVar[str] = "breadth_first"


class DijkstraAgent(PathFinderAgent):
    """Goes the cheapest way, planned anew at every move."""

    algorithm: ClassVar[str] = "dijkstra"


class AStarAgent(GuidedAgent):
    """Goes the way that A* finds, planned anew at every move."""

    algorithm: ClassVar[str] = "a_star"
