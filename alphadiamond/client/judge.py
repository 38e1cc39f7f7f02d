"""Exact judgement by the tablebase: the value of every move, and which played moves threw value away."""

import threading
from dataclasses import dataclass
from typing import Any

from alphadiamond.client.session import Ply
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.diamond_chase import Move, Position, Side


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
    """What a played move did to the value of the position, by the tablebase."""

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
    """Finds the tablebase in the background; until it is there, or if there is none, everything is unknown."""

    def __init__(self) -> None:
        self._tablebase: Any = None
        self.fault = ""
        self.loading = False
        self._verdicts: dict[tuple[int, int, int, Move], Verdict] = {}
        self._moves_of: tuple[Position | None, dict[Move, Exact]] = (None, {})

    @property
    def ready(self) -> bool:
        return self._tablebase is not None

    def use(self, tablebase: Any) -> None:
        self._tablebase = tablebase
        self._verdicts.clear()
        self._moves_of = (None, {})

    def load(self) -> None:
        """Look for the tablebase off the main thread."""
        if self.loading or self.ready:
            return
        self.loading = True
        threading.Thread(target=self._load, daemon=True).start()

    def _load(self) -> None:
        try:
            from alphadiamond.games.diamond_chase.solver import Tablebase

            found = Tablebase.find()
            if found is None:
                self.fault = "no tablebase has been built yet"
            else:
                found.probe(Position.start())  # compiles what needs compiling here, beside the window
                self.use(found)
        except ImportError:
            self.fault = "this installation has no solver"
        except AlphaDiamondError as error:
            self.fault = str(error)
        finally:
            self.loading = False

    def exact(self, position: Position) -> Exact | None:
        """The value of a position for its side to move; the draw rules' counters are not part of it."""
        outcome = position.outcome
        if outcome is not None:
            value = 0 if outcome.winner is None else (1 if outcome.winner is position.side else -1)
            return Exact(value, 0)
        if self._tablebase is None:
            return None
        try:
            found = self._tablebase.probe(position)
        except AlphaDiamondError as error:
            self.fault, self._tablebase = str(error), None
            return None
        return Exact(int(found.value), int(found.distance or 0))

    def moves(self, position: Position) -> dict[Move, Exact]:
        """Every legal move with its exact value; empty where there is no tablebase."""
        if self._tablebase is None:
            return {}
        if position is self._moves_of[0]:
            return self._moves_of[1]
        found = {}
        for move in position.moves():
            after = self.exact(position.play(move))
            if after is None:
                return {}
            found[move] = Exact(-after.value, after.distance + 1 if after.value else 0)
        self._moves_of = (position, found)
        return found

    def verdict(self, ply: Ply) -> Verdict | None:
        key = (ply.before.own, ply.before.opp, int(ply.before.side), ply.move)
        if key not in self._verdicts:
            before, after = self.exact(ply.before), self.exact(ply.after)
            if not self.ready or before is None or after is None:
                return None
            self._verdicts[key] = Verdict(before.value, -after.value)
        return self._verdicts[key]

    def accuracy(self, plies: list[Ply], side: Side) -> tuple[int, int]:
        """How many of a side's moves could be judged, and how many of those kept the value."""
        verdicts = [self.verdict(ply) for ply in plies if ply.side is side]
        known = [verdict for verdict in verdicts if verdict is not None]
        return len(known), sum(verdict.kept for verdict in known)
