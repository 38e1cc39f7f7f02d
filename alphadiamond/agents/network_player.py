"""A network with its search, asked about many positions at once: by the gate, by ratings, and for the exam."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.base import Game, Move, Position
from alphadiamond.base.game import States
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
        self.simulations = simulations
        self.simulations_made = 0
        """By all searches so far."""
        self._settings = search
        self._search: TreeSearch | None = None

    def search(self, positions: Sequence[Position]) -> TreeSearch:
        """The trees, of which the first are those of the positions; the next call grows them anew."""
        return self.search_states(self._game.states_of(positions), *self._game.histories_of(positions))

    def search_states(
        self, states: States, histories: npt.NDArray[np.int64], known: npt.NDArray[np.int32]
    ) -> TreeSearch:
        """The same for states [B, S] and the keys of their games [B, H], of which so many are `known` [B]."""
        count = len(states)
        if self._search is None or self._search.games < count:
            self._search = TreeSearch(self._game, self._settings, games=count, nodes=self.simulations + 2)
        games = np.arange(count, dtype=np.int32)
        self._search.set_roots(games, states, histories, known, self._evaluator)
        self._search.run(self._evaluator, self.simulations, games=games)
        self.simulations_made += int(self._search.trees.game["done"][:count].sum())
        return self._search

    def choose_many(self, positions: Sequence[Position]) -> list[Move]:
        if self.simulations == 0:
            chosen = self._evaluator(self._game.states_of(positions))[0].argmax(axis=1)
        else:
            chosen = self.search(positions).roots().chosen_actions
        return [self._game.move_of(int(a), position.side) for a, position in zip(chosen, positions, strict=False)]
