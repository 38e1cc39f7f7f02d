"""Positions of random games, and the small things that every check needs."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game
from alphadiamond.games import GameError
from alphadiamond.games.check import kernels

_GAMES: Final = 8
"""Random games that positions are taken from."""
_POSITIONS: Final = 400
"""At most so many of them are looked at."""
ROOM: Final = 512
"""Free places around every array that a game writes to."""
_UNTOUCHED: Final = -23_456


@dataclass(frozen=True)
class Sample:
    """Positions of random games, and what the compiled rules make of them."""

    game: Game
    positions: tuple[Any, ...]
    """All of them, those that are over too."""
    states: npt.NDArray[np.int64]
    """[B, S] of those in which the game goes on."""
    actions: npt.NDArray[np.int16]
    """[B] a legal action in each of these."""


def take_sample(game: Game, rng: np.random.Generator) -> Sample:
    positions = []
    for number in range(_GAMES):
        position = start_of(game, int(rng.integers(1 << 31)) if number else None)
        while True:
            positions.append(position)
            moves = position.moves()
            if not moves:
                break
            position = position.play(moves[int(rng.integers(len(moves)))])
    keep = np.sort(rng.permutation(len(positions))[:_POSITIONS])
    chosen = tuple(positions[i] for i in keep)
    going = [position for position in chosen if position.outcome is None]
    actions = [moves[int(rng.integers(len(moves)))].action for moves in (one.moves() for one in going)]
    return Sample(game, chosen, game.states_of(going), np.array(actions, dtype=np.int16))


def need(holds: Any, sentence: str) -> None:
    if not holds:
        raise GameError(sentence)


def start_of(game: Game, seed: int | None) -> Any:
    """A start, drawn by a seed where a game draws its starts; always the same one without a seed."""
    return game.sample_start() if seed is None or not game.seeded else game.start(seed)


def state_of(game: Game, position: Any) -> npt.NDArray[np.int64]:
    return np.asarray(game.state_of(position))


def status_at(game: Game, state: npt.NDArray[np.int64]) -> int:
    return int(kernels.status_of(game.rules, state))


def with_room(size: int, kind: type) -> npt.NDArray[Any]:
    """An array with untouched places around it: `_untouched` says whether they still are."""
    return np.full(size + 2 * ROOM, _UNTOUCHED, dtype=kind)[ROOM : ROOM + size]


def untouched(view: npt.NDArray[Any]) -> bool:
    whole: Any = view.base
    return bool((whole[:ROOM] == _UNTOUCHED).all() and (whole[ROOM + len(view) :] == _UNTOUCHED).all())
