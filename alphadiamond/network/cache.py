"""The evaluation cache: a fixed number of positions that need no network."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from alphadiamond.base.game import Game
from alphadiamond.network import cache_kernels as kernels
from alphadiamond.network.kernels import OUTCOMES, Floats, States

Evaluate: TypeAlias = Callable[[States], tuple[Floats, Floats]]
"""(policy [B, A], wdl [B, 3]) of states [B, S]."""


@dataclass(slots=True)
class CacheStats:
    hits: int = 0
    """Positions answered from the table, or by an equal position of the same batch."""
    misses: int = 0
    """Positions the network was asked about."""
    entries: int = 0
    """Slots in use."""

    @property
    def hit_rate(self) -> float:
        return self.hits / max(1, self.hits + self.misses)


class EvaluationCache:
    """Evaluations of up to `capacity` positions (rounded up to a power of two), in Diamond Chase 124 bytes each; where
    keys are not exact, with the whole state of each."""

    def __init__(self, capacity: int, game: Game) -> None:
        self._rules = game.rules
        slots = max(kernels.WINDOW, 1 << max(0, capacity - 1).bit_length())
        self._table = kernels.Table(
            keys=np.full(slots, kernels.FREE, dtype=np.int64),
            states=np.zeros((0 if game.exact_keys else slots, game.state_size), dtype=np.int64),
            used=np.zeros(slots, dtype=np.int64),
            policies=np.zeros((slots, game.max_moves), dtype=np.float32),
            outcomes=np.zeros((slots, OUTCOMES), dtype=np.float32),
        )
        self._clock = 0
        self.stats = CacheStats()

    @property
    def capacity(self) -> int:
        return len(self._table.keys)

    @property
    def bytes(self) -> int:
        return sum(array.nbytes for array in self._table)

    def clear(self) -> None:
        """Forget every evaluation; the counts of hits and misses go on."""
        self._table.keys.fill(kernels.FREE)
        self._table.used.fill(0)
        self.stats.entries = 0

    def __call__(self, states: States, evaluate: Evaluate) -> tuple[Floats, Floats]:
        """What `evaluate` says of the states, asked only about those that are not known, each once."""
        size = len(states)
        policy = np.empty((size, self._rules.actions), dtype=np.float32)
        wdl = np.empty((size, OUTCOMES), dtype=np.float32)
        first = np.empty(size, dtype=np.int64)
        missing = np.empty(size, dtype=np.int64)
        self._clock += 1
        count = kernels.look_up(self._rules, states, self._table, self._clock, policy, wdl, first, missing)
        if count:
            unknown = states[missing[:count]]
            found_policy, found_wdl = evaluate(unknown)
            self.stats.entries += kernels.insert(
                self._rules, unknown, self._table, self._clock, found_policy, found_wdl
            )
            kernels.spread(first, found_policy, policy)
            kernels.spread(first, found_wdl, wdl)
        self.stats.hits += size - count
        self.stats.misses += count
        return policy, wdl
