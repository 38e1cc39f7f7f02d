"""Plays from the tablebase: keeps the exact value, wins as fast and loses as slowly as possible."""

import functools
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from alphadiamond.agents.base import (
    Agent,
    AgentError,
    Analysis,
    MoveAnalysis,
    Stop,
    UnavailableError,
    never,
    require_moves,
)
from alphadiamond.games.diamond_chase import Move, Outcome, Position
from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase, TablebaseError, default_directory
from alphadiamond.settings.ranges import SEED, text

_DECIDED = 1000.0  # the score of a win or a loss, before its distance; greater than any count of replies


class PerfectAgent(Agent):
    """A move's score is 1000 - distance for a win, distance - 1000 for a loss, and for a draw the number of replies
    that lose: among drawing moves it plays one that leaves the opponent the most ways to go wrong.

    Among moves of the best score it chooses at random. The values are those of a position without history, but a move
    that ends the game now by one of the draw rules is a draw.
    """

    def __init__(
        self,
        *,
        tablebase: Annotated[str, text("the directory of a tablebase; empty for the user's own")] = "",
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        super().check(tablebase=tablebase, seed=seed)  # the layers themselves are looked at right away
        try:
            self._tablebase = _load(Path(tablebase) if tablebase else default_directory())
        except TablebaseError as error:
            raise UnavailableError(str(error)) from None
        self._rng = np.random.default_rng(seed)

    @classmethod
    def check(cls, **parameters: Any) -> None:
        """Also whether the layers are there; what they hold is checked when they are used."""
        super().check(**parameters)
        named = parameters.get("tablebase", "")
        directory = Path(named) if named else default_directory()
        if not _is_whole(directory):
            lacking = f"{directory}: no whole tablebase there; `make solve` makes one in a minute or so"
            raise AgentError(lacking) if named else UnavailableError(lacking)

    def reseed(self, seed: int) -> bool:
        self._rng = np.random.default_rng(seed)
        return True

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position)
        after = [position.play(move) for move in moves]
        values, distances = self._tablebase.probe_actions(np.array([position.own]), np.array([position.opp]))
        traps = self._losing_replies(after)
        scored = [
            _analysis(move, child.outcome, int(values[0, move.action]), int(distances[0, move.action]), traps[i])
            for i, (move, child) in enumerate(zip(moves, after, strict=True))
        ]
        order = self._rng.permutation(len(scored))
        ranked = sorted((scored[i] for i in order), key=lambda one: -one.score)
        best = ranked[0]
        assert best.value is not None
        chances = (float(best.value == 1), float(best.value == 0), float(best.value == -1))
        return Analysis(position, best.move, tuple(ranked), best.value, chances, exact=True)

    def _losing_replies(self, after: list[Position]) -> list[int]:
        """In how many ways the opponent can throw the game away in each of these positions."""
        own, opp = np.array([child.own for child in after]), np.array([child.opp for child in after])
        going_on = np.array([child.outcome is None for child in after])
        values, _ = self._tablebase.probe_actions(own[going_on], opp[going_on])
        counts = np.zeros(len(after), dtype=np.int64)
        counts[going_on] = (values == -1).sum(axis=1)
        return [int(count) for count in counts]


def _is_whole(directory: Path) -> bool:
    return all(layer.path(directory).is_file() for layer in LAYERS)


@functools.cache
def _load(directory: Path) -> Tablebase:
    """One mapping of each directory, checked once, for all perfect players of a process."""
    return Tablebase.load(directory)


def _analysis(move: Move, outcome: Outcome | None, value: int, distance: int, traps: int) -> MoveAnalysis:
    if outcome is not None and outcome.winner is None:
        value, distance = 0, 0
    if value == 0:
        return MoveAnalysis(move, score=float(traps), value=0.0, variation=(move,))
    score = value * (_DECIDED - distance)
    return MoveAnalysis(move, score=score, value=float(value), distance=distance, variation=(move,))
