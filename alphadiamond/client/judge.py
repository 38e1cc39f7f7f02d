"""Exact judgement by the solved game: the value of every move, and which played moves threw value away."""

import threading
from dataclasses import dataclass
from typing import Any

from alphadiamond.base.drawing import Ply
from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load


@dataclass(frozen=True)
class Exact:
    """A proven value from the view of the side that moves."""

    value: int
    """1, 0 or -1."""
    distance: int
    """Plies to the end; 0 for draws."""

    @property
    def text(self) -> str:
        if self.value == 0:
            return "draws"
        word = "wins" if self.value > 0 else "loses"
        return f"{word} in {self.distance}"

    @property
    def order(self) -> tuple[int, int]:
        """Larger is better: win soon, draw, lose late."""
        return self.value, -self.distance * (1 if self.value > 0 else -1)


@dataclass(frozen=True)
class Verdict:
    """What a played move did to the value of the position, by the solution."""

    before: int
    after: int
    """Both from the view of the side that moved."""

    @property
    def kept(self) -> bool:
        return self.after >= self.before

    @property
    def mark(self) -> str:
        """`??` for a whole point thrown away, `?` for half of one."""
        return {0: "", 1: "?", 2: "??"}[max(0, self.before - self.after)]

    @property
    def text(self) -> str:
        words = {1: "a win", 0: "a draw", -1: "a loss"}
        return "" if self.kept else f"turned {words[self.before]} into {words[self.after]}"


class Judge:
    """Finds a game's solution in the background; until it is there, or if there is none, everything is unknown."""

    def __init__(self, game: Game | None = None) -> None:
        self.game = game or load()
        self._solution: Any = None
        self.fault = ""
        self.loading = False
        self._verdicts: dict[tuple[str, Any], Verdict] = {}
        self._moves_of: tuple[Any, dict[Any, Exact]] = (None, {})

    @property
    def ready(self) -> bool:
        return self._solution is not None

    def use(self, solution: Any) -> None:
        self._solution = solution
        self._verdicts.clear()
        self._moves_of = (None, {})

    def load(self) -> None:
        """Look for the solution off the main thread."""
        if self.loading or self.ready:
            return
        self.loading = True
        threading.Thread(target=self._load, daemon=True).start()

    def _load(self) -> None:
        try:
            found = self.game.solution()
            if found is None:
                self.fault = "the game has not been solved here yet"
            else:
                found.values(
                    self.game.states_of([self.game.start()])
                )  # compiles what needs compiling, beside the window
                self.use(found)
        except AlphaDiamondError as error:
            self.fault = str(error)
        except Exception as error:  # a game that is solved here may be cut short when the window closes
            self.fault = f"solving it failed: {type(error).__name__}: {error}"
        finally:
            self.loading = False

    def exact(self, position: Any) -> Exact | None:
        """The value of a position for its side to move; the draw rules' counters are not part of it."""
        outcome = position.outcome
        if outcome is not None:
            value = 0 if outcome.winner is None else (1 if outcome.winner is position.side else -1)
            return Exact(value, 0)
        if self._solution is None:
            return None
        try:
            values, distances = self._solution.values(self.game.states_of([position]))
        except AlphaDiamondError as error:
            self.fault, self._solution = str(error), None
            return None
        return Exact(int(values[0]), int(distances[0]))

    def moves(self, position: Any) -> dict[Any, Exact]:
        """Every legal move with its exact value; empty where there is no solution."""
        if self._solution is None:
            return {}
        if position is self._moves_of[0]:
            return self._moves_of[1]
        found = {}
        try:
            values, distances = self._solution.action_values(self.game.states_of([position]))
        except AlphaDiamondError as error:
            self.fault, self._solution = str(error), None
            return {}
        for move in position.moves():
            outcome = position.play(move).outcome
            if outcome is not None and outcome.winner is None:  # by a rule that looks back, which the values do not
                found[move] = Exact(0, 0)
            else:
                found[move] = Exact(int(values[0, move.action]), int(distances[0, move.action]))
        self._moves_of = (position, found)
        return found

    def verdict(self, ply: Ply) -> Verdict | None:
        key = (str(ply.before), ply.move)
        if key not in self._verdicts:
            before, after = self.exact(ply.before), self.exact(ply.after)
            if not self.ready or before is None or after is None:
                return None
            self._verdicts[key] = Verdict(before.value, -after.value)
        return self._verdicts[key]

    def accuracy(self, plies: list[Ply], side: Any) -> tuple[int, int]:
        """How many of a side's moves could be judged, and how many of those kept the value."""
        verdicts = [self.verdict(ply) for ply in plies if ply.side == side]
        known = [verdict for verdict in verdicts if verdict is not None]
        return len(known), sum(verdict.kept for verdict in known)
