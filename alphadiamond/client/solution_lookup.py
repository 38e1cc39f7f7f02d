"""Exact judgement by the solved game: the value of every move, and which played moves threw value away."""

import threading
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from alphadiamond.base.drawing import Ply
from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError

_Numbers: TypeAlias = tuple[Any, Any]
"""Values and distances, as a solution gives them."""
_Question: TypeAlias = tuple[str, str]
"""What is asked of the solution, and of which position."""
_MOST_KNOWN: Final = 10_000


@dataclass(frozen=True)
class Exact:
    """A proven value from the view of the side that moves."""

    value: int
    """1, 0 or -1."""
    distance: int
    """Plies to the end; 0 for draws."""
    margin: int | None = None
    """By how much, where games are won by a margin."""

    @property
    def text(self) -> str:
        if self.value == 0:
            return "draws"
        word = "wins" if self.value > 0 else "loses"
        return f"{word} in {self.distance}" if self.margin is None else f"{word} by {abs(self.margin)}"

    @property
    def score(self) -> str:
        """The margin as a number with its sign; empty where there is none."""
        return "" if self.margin is None else f"{self.margin:+}".replace("-", "−")

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


class SolutionLookup:
    """Finds a game's solution in the background; until it is there, or if there is none, everything is unknown.

    Where the solution has to search (`Game.solution_searches`) it is asked in a thread of its own, the newest question
    first: what is not known yet is unknown, and `version` goes up when something has become known.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._solution: Any = None
        self.fault = ""
        self.loading = False
        self.version = 0
        self._verdicts: dict[tuple[str, Any], Verdict] = {}
        self._moves_of: tuple[Any, dict[Any, Exact]] = (None, {})
        self._known: dict[_Question, _Numbers | None] = {}
        self._open: dict[_Question, Any] = {}
        """Questions that wait for the thread, with their positions, the newest last."""
        self._asked = threading.Condition()
        self._thread: threading.Thread | None = None

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
                if not self.game.solution_searches:  # compiles what needs compiling, beside the window
                    found.values(self.game.states_of([self.game.sample_start()]))
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
        found = self._numbers("values", position)
        return Exact(int(found[0][0]), int(found[1][0])) if found is not None else None

    def _numbers(self, what: str, position: Any) -> "_Numbers | None":
        """What the solution says: at once where it looks up, and where it searches as soon as it is known."""
        if self._solution is None:
            return None
        if not self.game.solution_searches:
            return self._ask(what, position)
        question = what, str(position)
        with self._asked:
            if question in self._known:
                return self._known[question]
            if not self._soon(what, position):
                self._known[question] = None
                return None
            self._open.pop(question, None)
            self._open[question] = position
            if self._thread is None:
                self._thread = threading.Thread(target=self._search, name="solution lookup", daemon=True)
                self._thread.start()
            self._asked.notify()
        return None

    def _soon(self, what: str, position: Any) -> bool:
        """Whether it is worth asking: a search of minutes would keep all other questions waiting."""
        return self.game.exact_soon(position) if what == "values" else self.game.moves_exact_soon(position)

    def _ask(self, what: str, position: Any) -> "_Numbers | None":
        try:
            values, distances = getattr(self._solution, what)(self.game.states_of([position]))
        except AlphaDiamondError as error:
            self.fault, self._solution = str(error), None
            return None
        return values, distances

    def _search(self) -> None:
        """In the thread: answer for ever, the newest question first."""
        while True:
            with self._asked:
                while not self._open:
                    self._asked.wait()
                question, position = self._open.popitem()
            found = self._ask(question[0], position)
            with self._asked:
                self._open.pop(question, None)  # asked again meanwhile
                if found is None:
                    self._open.clear()
                    continue
                if len(self._known) >= _MOST_KNOWN:
                    self._known.pop(next(iter(self._known)))
                self._known[question] = found
                self.version += 1

    def moves(self, position: Any) -> dict[Any, Exact]:
        """Every legal move with its exact value; empty where there is no solution."""
        if self._solution is None:
            return {}
        if position is self._moves_of[0]:
            return self._moves_of[1]
        numbers = self._numbers("action_values", position)
        if numbers is None:
            return {}
        found, (values, distances) = {}, numbers
        margins = self._margins(position)
        for move in position.moves():
            outcome = position.play(move).outcome
            if outcome is not None and outcome.winner is None:  # by a rule that looks back, which the values do not
                found[move] = Exact(0, 0)
            else:
                margin = None if margins is None else int(margins[0, move.action])
                found[move] = Exact(int(values[0, move.action]), int(distances[0, move.action]), margin)
        self._moves_of = (position, found)
        return found

    def _margins(self, position: Any) -> Any | None:
        """[1, A] by how much each action wins, from a solution that knows."""
        asked = getattr(self._solution, "action_margins", None)
        return None if asked is None else asked(self.game.states_of([position]))[0]

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
