"""Players that are a function of the position alone, so that all they can ever do can be listed.

The history of the game is set aside: plies without a capture, earlier occurrences. Of the images of a position under
the symmetries of the board one is chosen, the move is found there, and turned back: so symmetric positions get
symmetric moves, ties included, whatever the player.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.base import Analysis, Game, Move, Position, line_of
from alphadiamond.base.game import States


def turn_back(
    game: Game, actions: npt.NDArray[np.integer[Any]], symmetries: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """[B] actions on boards that were turned by these symmetries, on the boards as they were."""
    inverse: npt.NDArray[np.int64] = np.argsort(game.shape.action_symmetries, axis=1)
    found: npt.NDArray[np.int64] = inverse[symmetries, actions]
    return found


def answers_on_canonical_boards(
    game: Game,
    states: States,
    answer: Callable[[States], tuple[npt.NDArray[np.integer[Any]], npt.NDArray[np.floating[Any]]]],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.floating[Any]]]:
    """(actions [B], win, draw, loss [B, 3]) by asking about the chosen image of each state, without history."""
    turned, symmetries = game.canonical(game.bare(states))
    actions, chances = answer(turned)
    return turn_back(game, actions, symmetries), chances


def analyses_on_canonical_boards(
    game: Game, positions: Sequence[Position], analyse: Callable[[Sequence[Position]], list[Analysis]]
) -> list[Analysis]:
    """The same for analyses of positions."""
    turned, symmetries = game.canonical(game.bare(game.states_of(positions)))
    asked = [game.position_of(state, position.side) for state, position in zip(turned, positions, strict=True)]
    found = analyse(asked)
    return [_turned_back(game, *one) for one in zip(found, positions, symmetries, strict=True)]


def _turned_back(game: Game, analysis: Analysis, position: Position, symmetry: int) -> Analysis:
    inverse = np.argsort(game.shape.action_symmetries[symmetry])

    def back(moves: Sequence[Move]) -> tuple[Move, ...]:
        return line_of(game, position, (int(inverse[move.action]) for move in moves))

    moves = tuple(
        dataclasses.replace(one, move=back([one.move])[0], variation=back(one.variation)) for one in analysis.moves
    )
    return dataclasses.replace(analysis, position=position, best=back([analysis.best])[0], moves=moves)
