"""Five levels, each stronger than the one before: from a climber who sees no further than the next cell to minimax."""

from typing import Annotated

from alphadiamond.agents.levels import Level, LevelAgent
from alphadiamond.games.labyrinth.game import Labyrinth
from alphadiamond.games.labyrinth.players.path_finders import AStarAgent, GreedyBestFirstAgent, HillClimbingAgent
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


class HardAgent(LevelAgent):
    """Minimax of four plies over what both would pay on their cheapest ways."""

    level = Level("hard", depth=4, slips=0.0)


class ExpertAgent(LevelAgent):
    """Minimax of eight plies."""

    level = Level("expert", depth=8, slips=0.0)
