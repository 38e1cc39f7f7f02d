"""What a solution tells of a game, whichever game it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from alphadiamond.base.game import ILLEGAL, Game, Solution


@dataclass(frozen=True)
class Stakes:
    """How a player who moves at random fares in positions of one value."""

    positions: int
    wrong: float
    """The chance that a random move gives the value away."""
    at_stake: float
    """The share of positions in which some move does."""
    only_move: float
    """The share in which only one of several moves does not."""

    @classmethod
    def of(cls, positions: float, *sums: float) -> "Stakes":
        """From the number of positions, and the sums over them of what is above."""
        return cls(int(positions), *(float(total / positions) if positions else 0.0 for total in sums))

    @classmethod
    def over(cls, parts: Iterable["Stakes"]) -> "Stakes":
        """Those of several kinds of positions together."""
        rows = [np.array([1, part.wrong, part.at_stake, part.only_move]) * part.positions for part in parts]
        return cls.of(*np.sum(rows, axis=0))

    @property
    def shares(self) -> tuple[float, float, float]:
        return self.wrong, self.at_stake, self.only_move


def best_line(game: Game, solution: Solution, position: Any) -> list[Any]:
    """A decided position played out, the winner as fast and the loser as slowly as possible: the moves."""
    moves: list[Any] = []
    while position.outcome is None:
        values, plies = (row[0].astype(np.int64) for row in solution.action_values(game.states_of([position])))
        legal = values != ILLEGAL
        best = int(values[legal].max())
        among = legal & (values == best)
        order = np.where(among, -plies if best > 0 else plies, np.iinfo(np.int64).min)
        moves.append(game.move_of(int(order.argmax()), position.side))
        position = position.play(moves[-1])
    return moves
