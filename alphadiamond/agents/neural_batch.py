"""The learned player on many positions at once, with one network call a round for all of them."""

import functools
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.base import Analysis, Game, Position, Stop
from alphadiamond.agents.batch import Finding, found
from alphadiamond.agents.root_snapshot import RootSnapshot
from alphadiamond.base.game import States
from alphadiamond.search import EvaluateFn, TreeSearch

Beginnings: TypeAlias = tuple[States, npt.NDArray[np.int64], npt.NDArray[np.int32]]
"""States [B, S], the keys of their games [B, H] and how many there are [B]: what a search is told of positions."""


def beginnings(game: Game, positions: Sequence[Position]) -> Beginnings:
    return (game.states_of(positions), *game.histories_of(positions))


_ENDLESS: Final = 1 << 30


class NeuralBatch:
    """A tree for each place, all grown by the same rounds; a new position takes over the place of a finished one, so
    that the network's batches stay full."""

    def __init__(
        self,
        game: Game,
        search: TreeSearch,
        evaluator: EvaluateFn,
        *,
        simulations: int | None,
        seconds: float | None,
    ) -> None:
        self._search = search
        self._game = game
        self._evaluator = evaluator
        self._budget = _ENDLESS if simulations is None else simulations
        self._seconds = seconds
        self._positions: dict[int, Position] = {}
        self._places = np.zeros(0, dtype=np.int32)
        self._free = list(range(search.games))[::-1]
        self._ends = np.full(search.games, np.inf)

    @property
    def free(self) -> int:
        return len(self._free)

    def begin(self, positions: Sequence[Position]) -> list[int]:
        if not positions:
            return []
        places = [self._free.pop() for _ in positions]
        try:
            self._search.set_roots(places, *beginnings(self._game, positions), self._evaluator)
        except BaseException:
            self._free += places
            raise
        self._positions.update(zip(places, positions, strict=True))
        self._count()
        self._ends[places] = time.monotonic() + (self._seconds if self._seconds is not None else np.inf)
        return places

    def work(self, *, stop: Stop) -> None:
        active = self._places[~self._spent()]
        if not len(active):
            return
        left = np.maximum(self._budget - self._search.trees.game["done"], 0)
        self._search.run(self._evaluator, left.astype(np.int32), games=active, stop=stop)

    def done(self) -> list[int]:
        places: list[int] = self._places[self._spent()].tolist()
        return places

    def read(self, places: Sequence[int]) -> list[Finding]:
        if not places:
            return []
        reading = RootSnapshot(self._game, self._search, places)
        positions = [self._positions[place] for place in places]
        return [functools.partial(reading.analysis, row, position) for row, position in enumerate(positions)]

    def end(self, places: Sequence[int]) -> None:
        for place in places:
            del self._positions[place]
            self._free.append(place)
        self._count()

    def _count(self) -> None:
        """Keep the places in use at hand, since they are looked at after every round."""
        self._places = np.fromiter(self._positions, dtype=np.int32, count=len(self._positions))

    def _spent(self) -> npt.NDArray[np.bool_]:
        """[P] which of the places in use another round would add nothing to."""
        spent = self._search.finished(self._places, self._budget)
        return spent if self._seconds is None else spent | (time.monotonic() >= self._ends[self._places])


class PolicyBatch:
    """The bare network, without a search: everything is known as soon as it is asked."""

    def __init__(self, analyse: Callable[[Sequence[Position]], list[Analysis]], *, places: int) -> None:
        self._analyse = analyse
        self._free = list(range(places))[::-1]
        self._found: dict[int, Analysis] = {}

    @property
    def free(self) -> int:
        return len(self._free)

    def begin(self, positions: Sequence[Position]) -> list[int]:
        analyses = self._analyse(positions) if positions else []
        places = [self._free.pop() for _ in positions]
        self._found.update(zip(places, analyses, strict=True))
        return places

    def work(self, *, stop: Stop) -> None:
        pass

    def done(self) -> list[int]:
        return list(self._found)

    def read(self, places: Sequence[int]) -> list[Finding]:
        return [found(self._found[place]) for place in places]

    def end(self, places: Sequence[int]) -> None:
        for place in places:
            del self._found[place]
            self._free.append(place)
