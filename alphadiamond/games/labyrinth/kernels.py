"""Cells, costs and distances for compiled code: see `board` for the numbers."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.games.labyrinth.board import (
    BUMP_COST,
    COLUMN_STEPS,
    DIAGONAL_COST,
    LOW,
    POWER_UP_GAIN,
    ROW_STEPS,
    STEP_COST,
    TRAP_COST,
)

RULES_VERSION: Final = 1
FAR: Final = 1 << 20
"""A cost or distance for what cannot be reached."""


@njit
def holds(low: int, high: int, cell: int) -> bool:
    """Whether a set of cells contains one."""
    return ((low >> cell) if cell < LOW else (high >> (cell - LOW))) & 1 != 0


@njit
def neighbour(cell: int, direction: int, size: int) -> int:
    """The next cell in a direction, or -1 beyond the edge."""
    row = cell // size + ROW_STEPS[direction]
    column = cell % size + COLUMN_STEPS[direction]
    if row < 0 or row >= size or column < 0 or column >= size:
        return -1
    return row * size + column


@njit
def step_cost(direction: int) -> int:
    return DIAGONAL_COST if direction & 1 else STEP_COST


@njit
def entry_cost(state: npt.NDArray[np.int64], cell: int, other: int, size: int) -> int:
    """What entering a cell costs beside the step: a trap, a power-up that is still there, the other runner."""
    cost = 0
    if holds(state[2], state[3], cell):
        cost += TRAP_COST
    elif holds(state[4], state[5], cell):
        cost -= POWER_UP_GAIN
    if cell == other and cell != 0 and cell != size * size - 1:
        cost += BUMP_COST
    return cost


@njit
def transpose_cells(low: int, high: int, size: int) -> tuple[int, int]:
    """A set of cells, reflected in the diagonal from top left to bottom right."""
    new_low = new_high = np.int64(0)
    for cell in range(size * size):
        if holds(low, high, cell):
            image = cell % size * size + cell // size
            if image < LOW:
                new_low |= np.int64(1) << image
            else:
                new_high |= np.int64(1) << (image - LOW)
    return new_low, new_high


@njit
def transpose_states(
    states: npt.NDArray[np.int64], symmetries: npt.NDArray[np.int64], size: int
) -> npt.NDArray[np.int64]:
    """[B, S] each state as it is (symmetry 0) or reflected in the diagonal (1), the maze with the runners."""
    images = states.copy()
    for b in range(len(states)):
        if symmetries[b]:
            for part in range(0, 6, 2):
                images[b, part], images[b, part + 1] = transpose_cells(states[b, part], states[b, part + 1], size)
            for part in range(6, 8):
                images[b, part] = states[b, part] % size * size + states[b, part] // size
    return images


@njit
def steps_from(low: int, high: int, goal: int, size: int, steps: npt.NDArray[np.int64]) -> int:
    """Write how many steps each open cell is from a goal, FAR where there is no way; returns the most there are."""
    queue = np.empty(size * size, dtype=np.int64)
    steps[:] = FAR
    steps[goal] = 0
    queue[0] = goal
    first, last = 0, 1
    while first < last:
        cell = queue[first]
        first += 1
        for d in range(8):
            near = neighbour(cell, d, size)
            if near >= 0 and steps[near] == FAR and holds(low, high, near):
                steps[near] = steps[cell] + 1
                queue[last] = near
                last += 1
    return steps[queue[last - 1]]


@njit
def costs_home(state: npt.NDArray[np.int64], goal: int, size: int, costs: npt.NDArray[np.int64]) -> None:
    """Write what each open cell's cheapest way to a goal costs a runner who is alone, power-ups apart, which would
    make a way depend on what was taken before: FAR where there is no way."""
    costs[:] = FAR
    costs[goal] = 0
    waiting = np.zeros(size * size, dtype=np.bool_)
    waiting[goal] = True
    while True:
        cell = -1
        for other in range(size * size):
            if waiting[other] and (cell < 0 or costs[other] < costs[cell]):
                cell = other
        if cell < 0:
            return
        waiting[cell] = False
        entering = TRAP_COST if holds(state[2], state[3], cell) else 0
        for d in range(8):
            near = neighbour(cell, d, size)
            if near >= 0 and holds(state[0], state[1], near):
                cost = costs[cell] + step_cost(d) + entering
                if cost < costs[near]:
                    costs[near] = cost
                    waiting[near] = True


@njit
def cheapest_way(state: npt.NDArray[np.int64], begin: int, goal: int, size: int) -> int:
    """What the cheapest way from a cell to a goal costs a runner who is alone: exact, with every power-up taken at
    most once; FAR where there is no way.

    A node is a cell with the power-ups that are left. Steps onto a power-up may bring something in, but each leads to
    fewer of them, so that corrections come to an end.
    """
    count = 0
    places = np.empty(8, dtype=np.int64)
    for cell in range(size * size):
        if holds(state[4], state[5], cell) and count < 8:
            places[count] = cell
            count += 1
    cells = size * size
    costs = np.full((1 << count, cells), FAR, dtype=np.int64)
    queued = np.zeros((1 << count, cells), dtype=np.bool_)
    queue = np.empty((1 << count) * cells + 1, dtype=np.int64)
    everything = (1 << count) - 1
    costs[everything, begin] = 0
    queue[0] = everything * cells + begin
    first, last, room = 0, 1, len(queue)
    while first != last:
        live, cell = queue[first] // cells, queue[first] % cells
        first = (first + 1) % room
        queued[live, cell] = False
        if cell == goal:
            continue
        for d in range(8):
            near = neighbour(cell, d, size)
            if near < 0 or not holds(state[0], state[1], near):
                continue
            cost = costs[live, cell] + step_cost(d)
            left = live
            if holds(state[2], state[3], near):
                cost += TRAP_COST
            for i in range(count):
                if places[i] == near and live >> i & 1:
                    cost -= POWER_UP_GAIN
                    left = live ^ (1 << i)
            if cost < costs[left, near]:
                costs[left, near] = cost
                if not queued[left, near]:
                    queued[left, near] = True
                    queue[last] = left * cells + near
                    last = (last + 1) % room
    best = FAR
    for live in range(1 << count):
        best = min(best, costs[live, goal])
    return best
