"""Plays from a game's solution: keeps the exact value, wins as fast and loses as slowly as possible."""

from typing import Annotated, Any, ClassVar

import numpy as np

from alphadiamond.agents.base import (
    Agent,
    Analysis,
    Game,
    Move,
    MoveAnalysis,
    Position,
    Stop,
    UnavailableError,
    never,
    require_moves,
)
from alphadiamond.agents.minimax import MinimaxAgent
from alphadiamond.base.game import SearchingSolution, Solution
from alphadiamond.settings.ranges import SEED

_DECIDED = 1000.0  # the score of a win or a loss, before its distance; greater than any count of replies

_UNKNOWN = -0.5  # worse than any draw, better than any loss
_GUESS_DEPTH = 6  # plies of the search that stands in where a solution was stopped: milliseconds


class PerfectAgent(Agent):
    """A move's score is 1000 - distance for a win, distance - 1000 for a loss, and for a draw the number of replies
    that lose: among drawing moves it plays one that leaves the opponent the most ways to go wrong.

    Among moves of the best score it chooses at random. The values are those of a position without history, but a move
    that ends the game now by one of the draw rules is a draw. Where the solution has to search it may be stopped; moves
    that it has not solved then are held to be worse than a draw and better than a loss, in the order that a short
    alpha-beta search gives them.
    """

    solution: Solution
    weighs_every_draw: ClassVar[bool] = False
    """Count the losing replies of drawing moves also where a win is at hand: where looking up costs nothing."""

    def __init__(self, *, game: Game, seed: Annotated[int | None, SEED] = None) -> None:
        super().check(seed=seed)
        self.game = game
        solution = self.game.solution()
        if solution is None:
            raise UnavailableError(_unsolved(self.game))
        self.prepare(solution, seed)

    def prepare(self, solution: Solution, seed: int | None) -> None:
        self.solution = solution
        self._rng = np.random.default_rng(seed)

    @classmethod
    def check(cls, **parameters: Any) -> None:
        """Also whether the game has a solution at all; asking for it may solve the game and write a file, so that is
        left to whoever builds the player."""
        game = parameters.pop("game", None)
        super().check(**parameters)
        if game is not None and type(game).solution is Game.solution:
            raise UnavailableError(_unsolved(game))

    def reseed(self, seed: int) -> bool:
        self._rng = np.random.default_rng(seed)
        return True

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position, self.game)
        after = [position.play(move) for move in moves]
        found = self._results(position, moves, after, stop)
        best_value = max((value for value, _ in found if value is not None), default=None)
        drawing = [value == 0 and (best_value == 0 or self.weighs_every_draw) for value, _ in found]
        traps = self._losing_replies(after, drawing, stop)
        guesses = self._guesses(position) if any(value is None for value, _ in found) else {}
        scored = [
            _analysis(move, value, distance, trap, guesses.get(move.action, 0.0))
            for move, (value, distance), trap in zip(moves, found, traps, strict=True)
        ]
        order = self._rng.permutation(len(scored))
        ranked = sorted((scored[i] for i in order), key=lambda one: -one.score)
        best = ranked[0]
        if best.value is None:  # it was stopped, and what it has looked at loses
            return Analysis(position, best.move, tuple(ranked))
        chances = (float(best.value == 1), float(best.value == 0), float(best.value == -1))
        exact = best.value == 1 or all(value is not None for value, _ in found)
        return Analysis(position, best.move, tuple(ranked), best.value, chances, exact=exact)

    def _results(
        self, position: Position, moves: list[Move], after: list[Position], stop: Stop
    ) -> list[tuple[int | None, int]]:
        """Value and plies to the end of each move; None for those that were not solved when it was stopped."""
        found: list[tuple[int | None, int]] = []
        if not self.game.solution_searches:
            values, distances = self.solution.action_values(self.game.states_of([position]))
            found = [(int(values[0, move.action]), int(distances[0, move.action])) for move in moves]
        for child in after[len(found) :]:
            known = self._search(child, stop)
            found.append((None, 0) if known is None else (-known[0], known[1] + 1 if known[0] else 0))
        drawn = [child.outcome is not None and child.outcome.winner is None for child in after]
        return [(0, 0) if is_drawn else one for one, is_drawn in zip(found, drawn, strict=True)]

    def _losing_replies(self, after: list[Position], wanted: list[bool], stop: Stop) -> list[int]:
        """In how many ways the opponent can throw the game away in each of these positions, where it is wanted."""
        counts = np.zeros(len(after), dtype=np.int64)
        asked = [i for i, child in enumerate(after) if wanted[i] and child.outcome is None]
        if self.game.solution_searches:
            for i in asked:
                found = [self._search(after[i].play(reply), stop) for reply in after[i].moves()]
                if None in found:  # a part of the replies would compare with nothing
                    break
                counts[i] = sum(known is not None and known[0] == 1 for known in found)
        elif asked:
            values, _ = self.solution.action_values(self.game.states_of([after[i] for i in asked]))
            counts[asked] = (values == -1).sum(axis=1)
        return [int(count) for count in counts]

    def _search(self, position: Position, stop: Stop) -> tuple[int, int] | None:
        """The value of a position and the plies to its end, unless it is stopped before they are found."""
        state = self.game.states_of([position])
        if isinstance(self.solution, SearchingSolution):
            return self.solution.search(state[0], stop)
        if stop():
            return None
        (value,), (distance,) = self.solution.values(state)
        return int(value), int(distance)

    def _guesses(self, position: Position) -> dict[int, float]:
        """What a short search thinks of each move, by its action, in [-1, 1]."""
        looked = MinimaxAgent(game=self.game, depth=_GUESS_DEPTH, seed=0).analyse(position)
        return {one.move.action: one.value or 0.0 for one in looked.moves}


def _unsolved(game: Game) -> str:
    return f"{game.title} is not solved here" + (f"; {game.solving}" if game.solving else "")


def _analysis(move: Move, value: int | None, distance: int, traps: int, guess: float) -> MoveAnalysis:
    if value is None:
        return MoveAnalysis(move, score=_UNKNOWN * (1 - 0.9 * guess), variation=(move,))
    if value == 0:
        return MoveAnalysis(move, score=float(traps), value=0.0, variation=(move,))
    score = value * (_DECIDED - distance)
    return MoveAnalysis(move, score=score, value=float(value), distance=distance, variation=(move,))
