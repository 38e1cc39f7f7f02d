"""The board: the 18 dark squares of a 6x6 board, and every move that a man can make on it, numbered.

    6 |    15    16    17
    5 | 12    13    14
    4 |     9    10    11
    3 |  6     7     8
    2 |     3     4     5
    1 |  0     1     2
        a  b  c  d  e  f

Squares are numbered from white's side, so that half a turn of the board takes square i to 17 - i. Actions are numbered
as the side to move sees the board: it always goes up.
"""

import itertools
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Square: TypeAlias = int
Action: TypeAlias = int
Mask: TypeAlias = int  # bit i is square i
Path: TypeAlias = tuple[Square, ...]
"""Where a man starts and every square it lands on."""

FILES: Final = 6
RANKS: Final = 6
A_RANK: Final = 3
"""Dark squares in a rank."""
SQUARES: Final = A_RANK * RANKS
MEN: Final = 6
"""At the start, a side."""
FIRST_RANK: Final[Mask] = 0b111
FAR_RANK: Final[Mask] = FIRST_RANK << SQUARES - A_RANK
START: Final[Mask] = (1 << MEN) - 1
"""Both sides' men at the start, each as its own side sees the board."""


def rank_of(square: Square) -> int:
    """0 to 5, from white's side."""
    return square // A_RANK


def file_of(square: Square) -> int:
    """0 to 5, from a to f."""
    return 2 * (square % A_RANK) + rank_of(square) % 2


def square_at(file: int, rank: int) -> Square | None:
    """The dark square there; None on a light one or off the board."""
    if not (0 <= file < FILES and 0 <= rank < RANKS) or (file + rank) % 2:
        return None
    return A_RANK * rank + file // 2


def turned(square: Square) -> Square:
    """The same square as the other side sees the board."""
    return SQUARES - 1 - square


SQUARE_NAMES: Final = tuple(f"{'abcdef'[file_of(square)]}{rank_of(square) + 1}" for square in range(SQUARES))
SQUARE_IDS: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}


def _reached(square: Square, ranks: int) -> list[Square]:
    """The squares so many ranks up on the two diagonals, left first."""
    found = (square_at(file_of(square) + across, rank_of(square) + ranks) for across in (-ranks, ranks))
    return [to for to in found if to is not None]


STEPS: Final[tuple[Path, ...]] = tuple((a, b) for a in range(SQUARES) for b in _reached(a, 1))
JUMPS: Final[tuple[Path, ...]] = tuple((a, b) for a in range(SQUARES) for b in _reached(a, 2))
CHAINS: Final[tuple[Path, ...]] = tuple((*jump, c) for jump in JUMPS for c in _reached(jump[1], 2))
"""Two jumps; there is no room for three."""

PATHS: Final = STEPS + JUMPS + CHAINS
"""[A] the path of each action."""
ACTIONS: Final = len(PATHS)
ACTION_IDS: Final = {path: action for action, path in enumerate(PATHS)}
FIRST_JUMP: Final = len(STEPS)
FIRST_CHAIN: Final = len(STEPS + JUMPS)


def between(a: Square, b: Square) -> Square:
    """The square that a jump goes over."""
    over = square_at((file_of(a) + file_of(b)) // 2, (rank_of(a) + rank_of(b)) // 2)
    assert over is not None
    return over


def jumped(path: Path) -> list[Square]:
    """The squares that a path jumps over, in order."""
    return [between(a, b) for a, b in itertools.pairwise(path) if abs(rank_of(a) - rank_of(b)) == 2]


def mask_of(squares: list[Square] | Path) -> Mask:
    return sum(1 << square for square in squares)


def squares_of(mask: Mask) -> list[Square]:
    """The squares of a mask, in order."""
    return [square for square in range(SQUARES) if mask >> square & 1]


Masks: TypeAlias = npt.NDArray[np.int64]

SOURCES: Final[Masks] = np.array([1 << path[0] for path in PATHS])
TARGETS: Final[Masks] = np.array([1 << path[-1] for path in PATHS])
LANDINGS: Final[Masks] = np.array([mask_of(path[1:]) for path in PATHS])
"""[A] squares that have to be empty."""
CAPTURED: Final[Masks] = np.array([mask_of(jumped(path)) for path in PATHS])
"""[A] squares where there has to be a man of the other side, which comes off."""


def _continuations() -> npt.NDArray[np.int64]:
    table = np.full((ACTIONS, 2), -1)
    for number, jump in enumerate(JUMPS):
        longer = [ACTION_IDS[chain] for chain in CHAINS if chain[:2] == jump]
        table[FIRST_JUMP + number, : len(longer)] = longer
    return table


CONTINUATIONS: Final = _continuations()
"""[A, 2] the chains that a jump can go on as, -1 where there are fewer."""

EDGES: Final = STEPS
"""Neighbours on a diagonal, the lower square first."""
