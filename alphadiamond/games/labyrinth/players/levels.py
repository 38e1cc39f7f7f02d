"""Five levels, each stronger than the one before: from a climber who sees no further than the next cell to minimax."""

from dataclasses import replace
from typing import Annotated

from alphadiamond.agents.base import Analysis, Stop, never
from alphadiamond.agents.levels import Level, LevelAgent
from alphadiamond.games.labyrinth.game import Labyrinth
from alphadiamond.games.labyrinth.move import Move
from alphadiamond.games.labyrinth.path_finders import Problem, dijkstra
from alphadiamond.games.labyrinth.players.path_finders import AStarAgent, GreedyBestFirstAgent, HillClimbingAgent
from alphadiamond.games.labyrinth.position import Position
from alphadiamond.settings.ranges import SEED


class BeginnerAgent(HillClimbingAgent):
    """Hill climbing by straight distance: to whatever looks nearest, into dead ends and out again."""

    def __init__(self, *, game: Labyrinth, seed: Annotated[int | None, SEED] = None) -> None:
        super().__init__(game=game, heuristic="euclidean", seed=seed)


class EasyAgent(GreedyBestFirstAgent):
    """Greedy best-first search by straight distance: it arrives, and looks at no cost."""

    def __init__(self, *, game: Labyrinth, seed: Annotated[int | None, SEED] = None) -> None:
        super().__init__(game=game, heuristic="euclidean", seed=seed)


class MediumAgent(AStarAgent):
    """A* with a heuristic that never says too much: its own cheapest way, planned anew at every move."""

    def __init__(self, *, game: Labyrinth, seed: Annotated[int | None, SEED] = None) -> None:
        super().__init__(game=game, heuristic="chebyshev", seed=seed)


class _SearchingAgent(LevelAgent):
    """Minimax, until the other is at home: then the cheapest way is the best there is. Minimax that has lost would put
    the end off and go to and fro until the deadline."""

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        analysis = super().analyse(position, stop=stop)
        if position.at_home(position.side) or not position.at_home(position.side.other):
            return analysis
        way = dijkstra(Problem.of(position))
        if way.steps > (position.plies_left + 1) // 2:  # too late for it
            return analysis
        return replace(analysis, best=position.bound(Move(way.directions[0])))


class HardAgent(_SearchingAgent):
    """Minimax of four plies over what both would pay on their cheapest ways."""

    level = Level("hard", depth=4, slips=0.0)


class ExpertAgent(_SearchingAgent):
    """Minimax of eight plies."""

    level = Level("expert", depth=8, slips=0.0)
