"""The cells of a maze, the eight directions, and how both are written.

      a  b  c  d  e  f  g  h  i
 1    0  1  2  3  4  5  6  7  8      runner a starts on a1 and is at home on i9,
 2    9 10 11 12 13 14 15 16 17      runner b the other way round
 3   18 19 20 21 22 23 24 25 26
 4   27 28 29 30 31 32 33 34 35      nw n ne
 5   36 37 38 39 40 41 42 43 44       w    e
 6   45 46 47 48 49 50 51 52 53      sw s se
 7   54 55 56 57 58 59 60 61 62
 8   63 64 65 66 67 68 69 70 71      a half turn takes cell c to 80 - c,
 9   72 73 74 75 76 77 78 79 80      the reflection in the diagonal a1-i9 swaps row and column

A set of cells is two integers: the first 61 cells are the bits of the first, the others those of the second. Mazes of
other odd sizes up to 11 x 11 fit as well.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Cell: TypeAlias = int
"""Row after row from the top left."""
Cells: TypeAlias = tuple[int, int]
"""A set of cells: see above."""

SIZE: Final = 9
"""Rows and columns of the game that people play."""
LARGEST: Final = 11
LOW: Final = 61
"""Cells in the first integer of a set."""

DIRECTIONS: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
ROW_STEPS: Final[npt.NDArray[np.int64]] = np.array([-1, -1, 0, 1, 1, 1, 0, -1])
COLUMN_STEPS: Final[npt.NDArray[np.int64]] = np.array([0, 1, 1, 1, 0, -1, -1, -1])
PASS: Final = 8
"""The action of a runner who is at home."""
ACTIONS: Final = 9

TRAPS: Final = 4
POWER_UPS: Final = 4

STEP_COST: Final = 10
DIAGONAL_COST: Final = 14
TRAP_COST: Final = 30
POWER_UP_GAIN: Final = 20
BUMP_COST: Final = 30
LATE_COST: Final = 100
"""Paid at the deadline by whoever is not at home."""
MOST_A_STEP: Final = DIAGONAL_COST + TRAP_COST + BUMP_COST


def deadline_of(size: int) -> int:
    """The plies of a game in a maze of this size: 48 on 9 x 9."""
    return 4 * size + 12


def name_of(cell: Cell, size: int = SIZE) -> str:
    """`e5`: the column's letter, then the row counted from the top."""
    return f"{chr(ord('a') + cell % size)}{cell // size + 1}"


def cell_of(name: str, size: int = SIZE) -> Cell | None:
    """The cell of a name; None where there is none of that name."""
    column, row = ord(name[:1] or " ") - ord("a"), name[1:]
    if not 0 <= column < size or row not in {str(number + 1) for number in range(size)}:
        return None
    return (int(row) - 1) * size + column


def contains(cells: Cells, cell: Cell) -> bool:
    return bool(cells[0] >> cell & 1 if cell < LOW else cells[1] >> cell - LOW & 1)


def set_of(cells: list[Cell]) -> Cells:
    low = sum(1 << cell for cell in set(cells) if cell < LOW)
    return low, sum(1 << cell - LOW for cell in set(cells) if cell >= LOW)


def cells_of(cells: Cells, size: int = SIZE) -> list[Cell]:
    """In order."""
    return [cell for cell in range(size * size) if contains(cells, cell)]


def symmetries_of(size: int) -> npt.NDArray[np.int64]:
    """[2, cells] the identity and the reflection in the diagonal from top left to bottom right."""
    cells = np.arange(size * size).reshape(size, size)
    return np.array([cells.ravel(), cells.T.ravel()])


ACTION_SYMMETRIES: Final[npt.NDArray[np.int64]] = np.array([range(ACTIONS), [*((6 - d) % 8 for d in range(8)), PASS]])
"""[2, 9] where both take each action."""


def edges_of(size: int) -> npt.NDArray[np.int64]:
    """[E, 2] neighbouring cells, walls or not."""
    found = []
    for cell in range(size * size):
        row, column = divmod(cell, size)
        for d in range(2, 6):
            other = row + int(ROW_STEPS[d]), column + int(COLUMN_STEPS[d])
            if 0 <= other[0] < size and 0 <= other[1] < size:
                found.append((cell, other[0] * size + other[1]))
    return np.sort(np.array(found), axis=1)
