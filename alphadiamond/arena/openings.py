"""Positions that matches start from: random, seeded, and no two the same game in disguise."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.arena.play import ArenaError
from alphadiamond.base.game import Game, Purpose

Accept: TypeAlias = Callable[[Any], bool]
"""Whether a position may be an opening; for example, whether it is drawn by the tablebase."""
ValueEstimator: TypeAlias = Callable[[Sequence[Any]], npt.NDArray[np.floating[Any]]]
"""What the side to move scores in each position, from -1 to 1, in somebody's opinion."""

_TRIES = 2_000  # attempts in a row that give nothing new before we believe that there is nothing new
_POOL = 8  # positions looked at for each even one


def opening_key(position: Any, game: Game) -> object:
    """The same for positions that differ by a symmetry of the board, or by sides alone.

    Sides do not count since every opening is played with both.
    """
    count = len(game.shape.symmetries)
    images = game.images(np.repeat(game.states_of([position]), count, axis=0), np.arange(count))
    if not game.exact_keys:
        return tuple(min(game.bare(images).tolist()))
    return int(game.expand(images, np.full(count, -1, dtype=np.int16))[1].min())


def random_openings(
    count: int, *, plies: int = 4, rng: np.random.Generator, accept: Accept | None = None, game: Game
) -> list[Any]:
    """Positions after `plies` random moves from the start, in which the game goes on.

    They differ under the symmetries as long as there are enough; where there are not, those found come round again.
    """
    if plies < 0:
        raise ArenaError(f"openings of {plies} plies: expected 0 or more")
    found = _distinct(count, _walks(plies, rng, game), accept, f"{plies} random plies from the start", game)
    return [found[i % len(found)] for i in range(count)]


def random_positions(count: int, *, rng: np.random.Generator, accept: Accept | None = None, game: Game) -> list[Any]:
    """Positions from anywhere in the game, as `Game.random_position` gives them."""
    found = _distinct(count, _anywhere(rng, game), accept, "random positions", game)
    return [found[i % len(found)] for i in range(count)]


def even_openings(count: int, estimate: ValueEstimator, *, rng: np.random.Generator, game: Game) -> list[Any]:
    """The positions, of a pool of random openings of any length up to a third of the longest game, that the estimate
    finds most even: up to `count` of them, no two alike.

    Where the side that moves first mostly wins, two strong players score one all from most openings, and a match of
    such pairs says nothing of them.
    """
    walks = (next(_walks(int(rng.integers(game.longest // 3 + 1)), rng, game)) for _ in iter(int, 1))
    pool = _distinct(_POOL * count, walks, None, "random openings", game)
    order = np.argsort(np.abs(estimate(pool)), kind="stable")
    return [pool[i] for i in order[:count]]


def _walks(plies: int, rng: np.random.Generator, game: Game) -> Iterator[Any | None]:
    """Without end: the position after random moves, or None where the game ended on the way."""
    while True:
        position = game.drawn_start(rng, Purpose.MATCH)
        for _ in range(plies):
            moves = position.moves()
            if not moves:
                break
            position = position.play(moves[rng.integers(len(moves))])
        # Without the history, so that a record of the game, which does not hold it, tells the same game.
        fresh = game.position_of(game.state_of(position), position.side)
        yield fresh if position.outcome is None and fresh.outcome is None else None


def _anywhere(rng: np.random.Generator, game: Game) -> Iterator[Any | None]:
    while True:
        yield game.random_position(rng)


def _distinct(
    count: int, candidates: Iterator[Any | None], accept: Accept | None, source: str, game: Game
) -> list[Any]:
    """Up to so many of the candidates, each once."""
    seen: set[object] = set()
    found: list[Any] = []
    idle = 0
    while len(found) < count and idle < _TRIES:
        idle += 1
        position = next(candidates)
        if position is None or (key := opening_key(position, game)) in seen:
            continue
        seen.add(key)
        idle = 0  # something new, even if it is refused below: the source is not exhausted
        if accept is None or accept(position):
            found.append(position)
    if count > 0 and not found:
        raise ArenaError(f"no opening among {source} is accepted")
    return found
