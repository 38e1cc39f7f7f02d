"""Mazes by seed, compiled: rooms and passages under a half turn, a few more openings, traps and power-ups."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.random_kernels import random_below, random_unit
from alphadiamond.games.labyrinth.board import LOW, POWER_UPS, TRAPS
from alphadiamond.games.labyrinth.kernels import cheapest_ways

OPENED: Final = 0.10
"""The chance that a pair of walls between two open cells is opened."""
MOST_APART: Final = 20
LEAST_COST: Final = 40
"""A maze is kept if the two cheapest ways home are no further apart than this and none is below that."""

_ROW_STEPS: Final = np.array([-1, 0, 1, 0])
_COLUMN_STEPS: Final = np.array([0, 1, 0, -1])


@njit
def open_pair(open_cells: npt.NDArray[np.bool_], row: int, column: int) -> None:
    """Open a cell and its image under a half turn."""
    size = len(open_cells)
    open_cells[row, column] = True
    open_cells[size - 1 - row, size - 1 - column] = True


@njit
def dig(stream: npt.NDArray[np.uint64], open_cells: npt.NDArray[np.bool_]) -> None:
    """A randomised depth-first search from the top left through the rooms, the cells of even row and column; whatever
    it opens is opened under a half turn too, so that two trees grow, one from each corner.

    A room in the centre is joined once, as a dead end of both. Where the centre is no room the trees are joined by one
    passage and its image.
    """
    size = len(open_cells)
    middle = size // 2
    seen = np.zeros((size, size), dtype=np.bool_)
    mine = np.zeros((size, size), dtype=np.bool_)  # the rooms of the tree that grows from the top left
    rows = np.empty(size * size, dtype=np.int64)
    columns = np.empty(size * size, dtype=np.int64)
    rows[0] = columns[0] = 0
    depth = 1
    seen[0, 0] = seen[size - 1, size - 1] = mine[0, 0] = True
    open_pair(open_cells, 0, 0)
    choices = np.empty(4, dtype=np.int64)
    while depth > 0:
        row, column = rows[depth - 1], columns[depth - 1]
        count = 0
        for d in range(4):
            r, c = row + 2 * _ROW_STEPS[d], column + 2 * _COLUMN_STEPS[d]
            if 0 <= r < size and 0 <= c < size and not seen[r, c]:
                choices[count] = d
                count += 1
        if count == 0:
            depth -= 1
            continue
        d = choices[random_below(stream, count)]
        r, c = row + 2 * _ROW_STEPS[d], column + 2 * _COLUMN_STEPS[d]
        open_pair(open_cells, row + _ROW_STEPS[d], column + _COLUMN_STEPS[d])
        open_pair(open_cells, r, c)
        seen[r, c] = seen[size - 1 - r, size - 1 - c] = True
        if r == middle and c == middle:
            continue
        mine[r, c] = True
        rows[depth], columns[depth] = r, c
        depth += 1
    if middle % 2 == 0:
        return
    passages = np.empty(2 * size * size, dtype=np.int64)
    count = 0
    for row in range(0, size, 2):
        for column in range(0, size, 2):
            for d in range(4):
                r, c = row + 2 * _ROW_STEPS[d], column + 2 * _COLUMN_STEPS[d]
                if 0 <= r < size and 0 <= c < size and mine[row, column] and not mine[r, c]:
                    passages[count] = (row + _ROW_STEPS[d]) * size + column + _COLUMN_STEPS[d]
                    count += 1
    chosen = passages[random_below(stream, count)]
    open_pair(open_cells, chosen // size, chosen % size)


@njit
def widen(stream: npt.NDArray[np.uint64], open_cells: npt.NDArray[np.bool_]) -> None:
    """Open pairs of walls, each with a small chance, that had two open cells or more beside them."""
    size = len(open_cells)
    before = open_cells.copy()
    for cell in range(size * size // 2):
        row, column = cell // size, cell % size
        if before[row, column]:
            continue
        beside = 0
        for d in range(4):
            r, c = row + _ROW_STEPS[d], column + _COLUMN_STEPS[d]
            beside += 0 <= r < size and 0 <= c < size and before[r, c]
        if beside >= 2 and random_unit(stream) < OPENED:
            open_pair(open_cells, row, column)


@njit
def fill_maze(stream: npt.NDArray[np.uint64], size: int, state: npt.NDArray[np.int64]) -> None:
    """Write the next maze of a stream into the first six columns of a state: open cells, traps, power-ups."""
    last = size * size - 1
    while True:
        open_cells = np.zeros((size, size), dtype=np.bool_)
        dig(stream, open_cells)
        widen(stream, open_cells)
        cells = np.empty(size * size, dtype=np.int64)
        count = 0
        state[:6] = 0
        for cell in range(size * size):
            if open_cells[cell // size, cell % size]:
                if cell < LOW:
                    state[0] |= np.int64(1) << cell
                else:
                    state[1] |= np.int64(1) << (cell - LOW)
                if cell not in (0, last):
                    cells[count] = cell
                    count += 1
        for item in range(TRAPS + POWER_UPS):
            chosen = item + random_below(stream, count - item)
            cells[item], cells[chosen] = cells[chosen], cells[item]
            part = 2 if item < TRAPS else 4
            if cells[item] < LOW:
                state[part] |= np.int64(1) << cells[item]
            else:
                state[part + 1] |= np.int64(1) << (cells[item] - LOW)
        there, back = cheapest_ways(state, (0, last), (last, 0), size)
        if abs(there - back) <= MOST_APART and min(there, back) >= LEAST_COST:
            return
