"""Minimax with what it can be told in this game: what a bead is worth, and whether captures are played out."""

from typing import Annotated

from alphadiamond.agents import minimax
from alphadiamond.agents.base import Game
from alphadiamond.agents.minimax import TABLE_BITS, Searcher
from alphadiamond.agents.minimax_kernels import MAX_DEPTH
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.settings.ranges import SECONDS, SEED, between


class MinimaxAgent(minimax.MinimaxAgent):
    """Looks `depth` plies ahead, or as deep as it gets in `seconds`.

    A score is the sum of own beads' empty neighbours less the opponent's plus `weight` times the difference in beads,
    at the end of the line; a win in n plies is 1,000,000 - n and a loss its negative. `analyse` gives every move its
    exact score at the depth reached. With `quiescence` the captures at the end of a line are played out first; left
    open, a player by depth does without, as the rules' Minimax of that depth does, and a player by time does it.
    Equally good moves are chosen among by the seed.
    """

    def __init__(
        self,
        *,
        game: Game = GAME,
        depth: Annotated[int | None, between(1, MAX_DEPTH)] = None,
        seconds: Annotated[float | None, SECONDS] = None,
        weight: Annotated[int, between(0, 1000)] = 1,
        quiescence: bool | None = None,
        table_bits: Annotated[int, between(4, 26)] = TABLE_BITS,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(game=game, depth=depth, seconds=seconds, weight=weight, table_bits=table_bits, seed=seed)
        self.prepare(game=game, depth=depth, seconds=seconds, seed=seed)
        quiesce = quiescence if quiescence is not None else seconds is not None
        rules = GAME.rules._replace(bead_weight=weight)
        self._searcher = Searcher(self.game, rules, quiesce=quiesce, table_bits=table_bits)
