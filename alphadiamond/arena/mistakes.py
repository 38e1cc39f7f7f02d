"""What a player gave away in a game, by exact values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from alphadiamond.base.game import Game, Solution


@dataclass(frozen=True)
class Mistakes:
    moves: int = 0
    """That were made."""
    critical: int = 0
    """Of them those in whose place another would have been worse or better."""
    wins: int = 0
    """Given away."""
    draws: int = 0
    """Given away."""

    def __add__(self, other: "Mistakes") -> "Mistakes":
        return Mistakes(
            self.moves + other.moves,
            self.critical + other.critical,
            self.wins + other.wins,
            self.draws + other.draws,
        )

    @property
    def given_away(self) -> int:
        return self.wins + self.draws


NONE: Final = Mistakes()


def mistakes_of(game: Game, solution: Solution, seat: int, start: str, moves: Sequence[str]) -> Mistakes:
    """Of the player at one seat; `start` is the text of the first position, empty for the game's own."""
    position = game.parse(start) if start else game.start()
    states, actions = [], []
    for text in moves:
        move = game.move_in(position, text)
        if game.sides.index(position.side) == seat:
            states.append(game.state_of(position))
            actions.append(move.action)
        position = position.play(move)
    if not states:
        return NONE
    asked = np.stack(states)
    values = solution.action_values(asked)[0]
    legal = game.legal(asked)
    best = np.where(legal, values, -2).max(axis=1)
    worst = np.where(legal, values, 2).min(axis=1)
    given = values[np.arange(len(actions)), actions] < best
    return Mistakes(
        len(actions),
        int((worst < best).sum()),
        int((given & (best == 1)).sum()),
        int((given & (best == 0)).sum()),
    )
