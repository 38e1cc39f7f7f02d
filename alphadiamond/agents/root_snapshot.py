"""What a tree search has found, as analyses."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.base import Analysis, Game, Move, MoveAnalysis, Position, line_of
from alphadiamond.agents.tactics import winning_moves
from alphadiamond.base.game import States
from alphadiamond.base.results import LOSS, WIN
from alphadiamond.search import TreeSearch
from alphadiamond.search.trees import UNKNOWN

_PROVEN: Final = 1e6  # the score of a win on the spot


class RootSnapshot:
    """Some games of a search as they are now, copied, so that the analyses can be put together later and elsewhere
    while the trees grow on."""

    def __init__(self, game: Game, search: TreeSearch, games: Sequence[int]) -> None:
        self._game = game
        rows = np.asarray(games, dtype=np.int32)
        trees, roots = search.trees, search.roots()
        child = trees.edge["child"][rows, 0]
        self._prospects = search.prospects(roots)[rows]
        self._lines, self._lengths = search.variations(rows)
        self._results = np.where(child >= 0, trees.node["result"][rows[:, None], child], UNKNOWN)
        self._distances = trees.node["distance"][rows[:, None], child]
        self._simulations = trees.node["visits"][rows, 0] - 1
        self._moves, self._choice, self._proven = roots.moves[rows], roots.choice[rows], roots.result[rows] != UNKNOWN
        self._actions = roots.actions[rows]
        self._visits, self._values, self._priors = roots.visits[rows], roots.values[rows], roots.priors[rows]

    def analysis(self, row: int, position: Position) -> Analysis:
        """Of the game that was named in this place, whose root is this position."""
        wins = winning_moves(self._game, position)
        moves = self._move_analyses(row, position, wins)
        choice = moves[int(self._choice[row])].move
        moves.sort(key=lambda one: (-one.score, one.move != choice))
        win, draw, loss = (1.0, 0.0, 0.0) if wins else self._prospects[row].tolist()
        return Analysis(
            position,
            best=moves[0].move,
            moves=tuple(moves),
            value=win - loss,
            win_draw_loss=(win, draw, loss),
            exact=bool(wins) or bool(self._proven[row]),
            simulations=int(self._simulations[row]),
        )

    def answers(self, states: States) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """(best actions [B], win, draw, loss [B, 3]) of the games whose roots these states are; as `analysis` says."""
        rows, edges = np.arange(len(states)), np.arange(self._actions.shape[1])
        legal = edges < self._moves[:, None]
        decided = (self._results == WIN) | (self._results == LOSS)
        scores = np.where(decided, -self._results * (_PROVEN - (self._distances + 1)), self._visits).astype(np.float64)
        wins = legal & self._wins(states, legal)
        scores[wins] = _PROVEN
        scores[~legal] = -np.inf
        best, wins_at_once = scores.max(axis=1), np.asarray(wins.any(axis=1))
        chosen = np.where(scores[rows, self._choice] == best, self._choice, scores.argmax(axis=1))
        chances = np.where(wins_at_once[:, None], (1.0, 0.0, 0.0), self._prospects)
        return self._actions[rows, chosen].astype(np.int64), chances

    def _wins(self, states: States, legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """[B, M] which of the moves win at once."""
        row, edge = np.nonzero(legal)
        found = np.zeros(legal.shape, dtype=np.bool_)
        found[row, edge] = self._game.expand(states[row], self._actions[row, edge])[3] == LOSS
        return found

    def _move_analyses(self, row: int, position: Position, wins: list[Move]) -> list[MoveAnalysis]:
        """A proven win ranks above everything else, the faster the better; a proven loss below."""
        count = int(self._moves[row])
        columns = (self._visits, self._values, self._priors, self._results, self._distances, self._lengths)
        numbers = [column[row, :count].tolist() for column in columns]
        longest = max(numbers[-1])
        found = []
        for *edge, length, line in zip(*numbers, self._lines[row, :count, :longest].tolist(), strict=True):
            visits, value, prior, result, distance = edge
            score, plies = float(visits), None
            moves = line_of(self._game, position, line[: length if visits else 1])
            if wins and moves[0] in wins:
                value, score, plies = 1.0, _PROVEN, 1
            elif result in (1, -1):
                plies = distance + 1
                score = -result * (_PROVEN - plies)
            found.append(MoveAnalysis(moves[0], score, value, visits, prior, plies, moves))
        return found
