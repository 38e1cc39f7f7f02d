"""Puzzles from a game's exam: positions in which few moves keep the value, with those that do."""

from typing import Any, Final

import numpy as np

from alphadiamond.arena.exam import Exam
from alphadiamond.base.game import Game

COUNT: Final = 366
"""One for every day of a year."""
_MOST_KEEPING: Final = 2
_LEAST_MOVES: Final = 4


def puzzles_of(game: Game, *, count: int = COUNT) -> list[dict[str, Any]]:
    """The first so many of the exam that are worth a thought: of several moves at most two hold."""
    if game.exam is None:
        return []
    exam = Exam.load(game=game)
    legal = game.legal(exam.states).sum(axis=1)
    keeping = exam.keeping.sum(axis=1)
    worth = np.flatnonzero((keeping <= _MOST_KEEPING) & (legal >= _LEAST_MOVES))[:count]
    found = []
    for index in worth:
        position = game.position_of(exam.states[index])
        moves = [str(move) for move in position.moves() if exam.keeping[index, move.action]]
        found.append({"position": str(position), "value": int(exam.values[index]), "moves": moves})
    return found
