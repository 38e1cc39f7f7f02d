"""Where games of self-play begin: at the game's start, anywhere, or where something is to be learnt.

Two kinds of starts depend on what has been learnt so far, and on nothing else:

- **Strategy starts.** An adversary leads the bare network from the game's start to where it falls: see `adversary`.
  Games begin a few moves before that.
- **Regret starts.** A buffer keeps the positions where what came later contradicted the search most, and games begin
  there again, the more often the larger the contradiction was. The idea is that of regret-guided search control (arXiv
  2602.20809); the regret itself is measured here and not predicted by a network.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game
from alphadiamond.search import EvaluateFn
from alphadiamond.training.adversary import hunt
from alphadiamond.training.samples import Origin
from alphadiamond.training.settings import SelfPlaySettings

States = npt.NDArray[np.int64]

_REVISION: Final = 0.5
"""How much of a position's regret is what the newest game from it says."""
_FADING: Final = 0.98
"""What is left of every regret after an iteration: it is that of an older network."""


class Starts:
    """Draws the starts of one worker's games."""

    def __init__(self, settings: SelfPlaySettings, *, game: Game) -> None:
        self._settings = settings
        self._game = game
        self._boards = {"boards": settings.boards} if settings.boards else {}
        self.regret = RegretBuffer(settings.regret_positions if settings.regret_starts else 0, game.state_size)
        self._hunted = np.zeros((0, game.state_size), dtype=np.int64)

    def draw(self, rng: np.random.Generator) -> tuple[States, Origin, int]:
        """[S] a position, its origin, and which of the regret buffer's entries it is, -1 for none of them.

        As long as there is nothing of a kind, a game that it should begin with begins at a random position.
        """
        settings, share = self._settings, rng.random()
        if share >= settings.random_starts + settings.strategy_starts + settings.regret_starts:
            return self._game.short_opening(rng, settings.opening_plies, **self._boards), Origin.OPENING, -1
        if share >= settings.random_starts + settings.strategy_starts:
            if len(self.regret):
                state, entry = self.regret.draw(rng)
                return state, Origin.REGRET, entry
        elif share >= settings.random_starts and len(self._hunted):
            return self._hunted[rng.integers(len(self._hunted))].copy(), Origin.STRATEGY, -1
        return self._game.random_start(rng, **self._boards), Origin.RANDOM, -1

    def prepare(self, evaluator: EvaluateFn, rng: np.random.Generator) -> None:
        """Once an iteration: hunt for more strategy starts with the newest network, and let regrets fade."""
        settings = self._settings
        self.regret.fade()
        if settings.strategy_starts:
            found = hunt(evaluator, rng, game=self._game, plies=settings.strategy_plies, **self._boards)
            self._hunted = np.concatenate([self._hunted, found])[-settings.strategy_positions :]

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """What the next games depend on, as arrays."""
        return {"hunted": self._hunted.copy(), **self.regret.state()}

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        self._hunted = state["hunted"].copy()
        self.regret.restore(state)


class RegretBuffer:
    """Up to `capacity` positions with their regret: how far, from 0 to 1, the value target of a position was from what
    the search had said of it.

    A full buffer drops the entry with the least regret for one with more. When a game from an entry has ended, the
    entry's regret moves half of the way to what that game says, so what has been learnt is not drawn for long; and
    regrets fade with every iteration, so that nothing stays for what a much older network did not know.
    """

    def __init__(self, capacity: int, state_size: int) -> None:
        self._capacity = capacity
        self._states = np.zeros((0, state_size), dtype=np.int64)
        self._regrets = np.zeros(0, dtype=np.float64)
        self._numbers = np.zeros(0, dtype=np.int64)
        self._next = 0

    def __len__(self) -> int:
        return len(self._regrets)

    def draw(self, rng: np.random.Generator) -> tuple[States, int]:
        """A position, with chances in proportion to regret, and the number of its entry."""
        ends = np.cumsum(self._regrets)
        entry = min(int(np.searchsorted(ends, rng.random() * ends[-1], side="right")), len(self) - 1)
        return self._states[entry].copy(), int(self._numbers[entry])

    def add(self, state: npt.NDArray[np.int64], regret: float) -> None:
        """Keep a position, if it is worth more than what it would take the place of."""
        if regret <= 0 or not self._capacity:
            return
        state = state.copy()
        state[-1] = 1  # it occurs for the first time in a game that begins with it
        same = np.flatnonzero((self._states == state).all(axis=1))
        if len(same):
            self._regrets[same[0]] = max(self._regrets[same[0]], regret)
        elif len(self) < self._capacity:
            self._states = np.concatenate([self._states, state[None]])
            self._regrets = np.append(self._regrets, regret)
            self._numbers = np.append(self._numbers, self._next)
            self._next += 1
        elif regret > self._regrets[least := int(self._regrets.argmin())]:
            self._states[least], self._regrets[least], self._numbers[least] = state, regret, self._next
            self._next += 1

    def revise(self, number: int, regret: float) -> None:
        """A game from this entry has ended, with so much regret at its first position; the entry may be gone."""
        entry = np.flatnonzero(self._numbers == number)
        self._regrets[entry] += _REVISION * (regret - self._regrets[entry])

    def fade(self) -> None:
        """An iteration has passed."""
        self._regrets *= _FADING

    def state(self) -> dict[str, npt.NDArray[Any]]:
        return {
            "regret_states": self._states.copy(),
            "regrets": self._regrets.copy(),
            "regret_numbers": self._numbers.copy(),
            "regret_next": np.array([self._next], dtype=np.int64),
        }

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        kept = np.argsort(-state["regrets"], kind="stable")[: self._capacity]
        kept.sort()
        self._states, self._regrets = state["regret_states"][kept], state["regrets"][kept]
        self._numbers = state["regret_numbers"][kept]
        self._next = int(state["regret_next"][0])
