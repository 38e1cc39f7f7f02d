"""The learned player on many positions at once, with one network call a round for all of them."""

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.base import Analysis, Position, Stop
from alphadiamond.base.game import States
from alphadiamond.search import TreeSearch
from alphadiamond.search.judging import Evaluator
from alphadiamond.search.trees import UNKNOWN

Beginnings: TypeAlias = tuple[States, npt.NDArray[np.int64], npt.NDArray[np.int32]]
"""States [B, S], the keys of their games [B, H] and how many there are [B]: what a search is told of positions."""
Reader = Callable[[Sequence[Position], TreeSearch, Sequence[int]], list[Analysis]]
"""Says what the search has found in these games."""

_ENDLESS: Final = 1 << 30


class NeuralBatch:
    """A tree for each place, all grown by the same rounds; a new position takes over the place of a finished one, so
    that the network's batches stay full."""

    def __init__(
        self,
        search: TreeSearch,
        roots: Callable[[Sequence[Position]], Beginnings],
        evaluator: Evaluator,
        read: Reader,
        *,
        simulations: int | None,
        seconds: float | None,
    ) -> None:
        self._search = search
        self._roots = roots
        self._evaluator = evaluator
        self._read = read
        self._budget = _ENDLESS if simulations is None else simulations
        self._seconds = seconds
        self._positions: dict[int, Position] = {}
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
            self._search.set_roots(places, *self._roots(positions), self._evaluator)
        except BaseException:
            self._free += places
            raise
        self._positions.update(zip(places, positions, strict=True))
        self._ends[places] = time.monotonic() + (self._seconds if self._seconds is not None else np.inf)
        return places

    def work(self, *, stop: Stop) -> None:
        done = set(self.done())
        active = np.array([place for place in self._positions if place not in done], dtype=np.int32)
        if not len(active):
            return
        left = np.maximum(self._budget - self._search.trees.game["done"], 0)
        self._search.run(self._evaluator, left.astype(np.int32), games=active, stop=stop)

    def done(self) -> list[int]:
        places = np.fromiter(self._positions, dtype=np.int64, count=len(self._positions))
        return [int(place) for place in places[self._spent()[places]]]

    def analyses(self, places: Sequence[int]) -> list[Analysis]:
        return self._read([self._positions[place] for place in places], self._search, places) if places else []

    def end(self, places: Sequence[int]) -> None:
        for place in places:
            del self._positions[place]
            self._free.append(place)

    def _spent(self) -> npt.NDArray[np.bool_]:
        """[G] whether another round would add nothing: the same conditions under which the search passes a game by."""
        trees = self._search.trees
        proven = (trees.node["result"][:, 0] != UNKNOWN) & self._search.settings.prove
        full = trees.game["used"] >= self._search.nodes
        late = time.monotonic() >= self._ends
        spent: npt.NDArray[np.bool_] = (trees.game["done"] >= self._budget) | proven | full | late
        return spent


class PolicyBatch:
    """The bare network, without a search: everything is known as soon as it is asked."""

    def __init__(self, judge: Callable[[Sequence[Position]], list[Analysis]], *, places: int) -> None:
        self._judge = judge
        self._free = list(range(places))[::-1]
        self._found: dict[int, Analysis] = {}

    @property
    def free(self) -> int:
        return len(self._free)

    def begin(self, positions: Sequence[Position]) -> list[int]:
        found = self._judge(positions) if positions else []
        places = [self._free.pop() for _ in positions]
        self._found.update(zip(places, found, strict=True))
        return places

    def work(self, *, stop: Stop) -> None:
        pass

    def done(self) -> list[int]:
        return list(self._found)

    def analyses(self, places: Sequence[int]) -> list[Analysis]:
        return [self._found[place] for place in places]

    def end(self, places: Sequence[int]) -> None:
        for place in places:
            del self._found[place]
            self._free.append(place)
