"""Exact margins in any maze, solved when it is met and kept while its games go on."""

import threading
from collections import OrderedDict
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base import game_kernels
from alphadiamond.base.game import ILLEGAL, States
from alphadiamond.games.labyrinth.board import cells_of
from alphadiamond.games.labyrinth.rules import PLIES_LEFT, POWER
from alphadiamond.games.labyrinth.solver import kernels

KEPT: Final = 16
"""Solved mazes that are kept, the last used ones: 3.8 to 5.5 MB each."""


class SolvedMaze:
    """One maze, solved with all its power-ups."""

    def __init__(self, maze: npt.NDArray[np.int64], rules: Any) -> None:
        self._rules = rules
        self.numbers = np.empty(rules.size * rules.size, dtype=np.int64)
        kernels.number_cells(maze, rules.size, self.numbers)
        self.power_ups = np.array(cells_of((int(maze[POWER]), int(maze[POWER + 1])), rules.size), dtype=np.int64)
        self._held = int(maze[POWER]), int(maze[POWER + 1])
        self.table = kernels.solve_maze(maze, rules.size, rules.deadline)

    def covers(self, state: npt.NDArray[np.int64]) -> bool:
        """Whether the power-ups of a state in the same maze are among its own."""
        low, high = self._held
        return not (int(state[POWER]) & ~low or int(state[POWER + 1]) & ~high)

    def margin(self, state: npt.NDArray[np.int64]) -> int:
        """What b will have paid more than a in the end, with best play, from a state of this maze."""
        return int(kernels.margin_of(self.table, self.numbers, self.power_ups, state))

    def plies_to_end(self, state: npt.NDArray[np.int64]) -> int:
        """How many there are when both play the first of their best actions."""
        return int(kernels.plies_to_end(self._rules, self.table, self.numbers, self.power_ups, state))


class LabyrinthSolution:
    """Exact values of any position; a maze that has not been met is solved on the spot. Safe to use from threads."""

    def __init__(self, rules: Any, *, kept: int = KEPT) -> None:
        self._rules = rules
        self._kept = kept
        self._mazes: OrderedDict[tuple[int, ...], SolvedMaze] = OrderedDict()
        self._lock = threading.Lock()

    def solved(self, state: npt.NDArray[np.int64]) -> SolvedMaze:
        """The maze of a state, solved with at least the power-ups that it has."""
        key = tuple(int(number) for number in state[:POWER])
        with self._lock:
            found = self._mazes.get(key)
            if found is None or not found.covers(state):
                found = self._mazes[key] = SolvedMaze(np.ascontiguousarray(state), self._rules)
            self._mazes.move_to_end(key)
            while len(self._mazes) > self._kept:
                self._mazes.popitem(last=False)
        return found

    def margins(self, states: States) -> npt.NDArray[np.int64]:
        """[B] what the opponent of the side to move will have paid more in the end."""
        signs: npt.NDArray[np.int64] = 1 - 2 * ((self._rules.deadline - states[:, PLIES_LEFT]) & 1)
        margins = np.array([self.solved(state).margin(state) for state in states], dtype=np.int64)
        return signs * margins

    def action_margins(self, states: States) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """[B, A] the same for every action, for the side that plays it, and which actions there are."""
        legal = game_kernels.legal_masks(self._rules, states)
        margins = np.zeros(legal.shape, dtype=np.int64)
        which, actions = np.nonzero(legal)
        after = game_kernels.expand_states(self._rules, states[which], actions.astype(np.int16))[0]
        margins[which, actions] = -self.margins(after)
        return margins, legal

    def values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """(1 won, 0 drawn, -1 lost [B], plies to the end with best play by both, 0 in a draw [B])."""
        values = np.sign(self.margins(states)).astype(np.int8)
        return values, np.where(values == 0, 0, self._plies_to_end(states)).astype(np.int16)

    def action_values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """The same for every action of each state, for the side to move there, [B, A]; `ILLEGAL` where it is none."""
        margins, legal = self.action_margins(states)
        values = np.where(legal, np.sign(margins), ILLEGAL).astype(np.int8)
        plies = np.zeros(values.shape, dtype=np.int16)
        which, actions = np.nonzero(legal & (values != 0))
        after = game_kernels.expand_states(self._rules, states[which], actions.astype(np.int16))[0]
        plies[which, actions] = 1 + self._plies_to_end(after)
        return values, plies

    def _plies_to_end(self, states: States) -> npt.NDArray[np.int16]:
        """[B] plies until the game is over when both play the first of their best actions."""
        return np.array([self.solved(state).plies_to_end(state) for state in states], dtype=np.int16)
