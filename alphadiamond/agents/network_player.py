"""A network with its search, asked about many positions at once: by the gate, by ratings, and for the exam."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from alphadiamond.agents.base import Game, Move, Position
from alphadiamond.search import SearchSettings, TreeSearch

if TYPE_CHECKING:
    from alphadiamond.search import EvaluateFn

GUMBEL: Final = SearchSettings(method="gumbel")


class NetworkPlayer:
    """Every position is searched as it would be alone, without noise."""

    def __init__(
        self, evaluator: "EvaluateFn", game: Game, *, simulations: int, search: SearchSettings = GUMBEL
    ) -> None:
        self._evaluator = evaluator
        self._game = game
        self._simulations = simulations
        self._settings = search
        self._search: TreeSearch | None = None

    def search(self, positions: Sequence[Position]) -> TreeSearch:
        """The trees, of which the first are those of the positions; the next call grows them anew."""
        game, count = self._game, len(positions)
        if self._search is None or self._search.games < count:
            self._search = TreeSearch(game, self._settings, games=count, nodes=self._simulations + 2)
        games = np.arange(count, dtype=np.int32)
        self._search.set_roots(games, game.states_of(positions), *game.histories_of(positions), self._evaluator)
        self._search.run(self._evaluator, self._simulations, games=games)
        return self._search

    def choose_many(self, positions: Sequence[Position]) -> list[Move]:
        if self._simulations == 0:
            chosen = self._evaluator(self._game.states_of(positions))[0].argmax(axis=1)
        else:
            chosen = self.search(positions).roots().chosen_actions
        return [self._game.move_of(int(a), position.side) for a, position in zip(chosen, positions, strict=False)]
