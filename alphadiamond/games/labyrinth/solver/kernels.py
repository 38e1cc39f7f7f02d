"""A maze solved backwards from its deadline, compiled.

What is still to be gained depends on the plies left, the live power-ups, both cells and the side to move, and not on
the totals, since costs add up. An entry is the margin to go: what runner b pays more than runner a from here on, when
a wants it large and b small.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base import rules as base
from alphadiamond.base.compilation import njit
from alphadiamond.base.results import ONGOING
from alphadiamond.games.labyrinth.board import BUMP_COST, LATE_COST, POWER_UP_GAIN, TRAP_COST
from alphadiamond.games.labyrinth.kernels import holds, neighbour, step_cost
from alphadiamond.games.labyrinth.rules import PLIES_LEFT, POWER, RUNNERS, TOTALS, LabyrinthRules

NOWHERE: Final = -1


@njit
def number_cells(maze: npt.NDArray[np.int64], size: int, numbers: npt.NDArray[np.int64]) -> int:
    """Number the open cells in order, NOWHERE for walls; returns how many there are. The corners are first and last."""
    count = 0
    for cell in range(size * size):
        numbers[cell] = NOWHERE
        if holds(maze[0], maze[1], cell):
            numbers[cell] = count
            count += 1
    return count


@njit
def list_steps(
    maze: npt.NDArray[np.int64],
    size: int,
    numbers: npt.NDArray[np.int64],
    targets: npt.NDArray[np.int64],
    costs: npt.NDArray[np.int64],
    items: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
) -> int:
    """Write the steps of each open cell: targets and costs [cells, 8], the power-up on each cell as a bit, 0 for none
    [cells], how many steps there are [cells]; returns the number of power-ups.

    A cost holds the trap of its target; power-ups and the other runner depend on more than the step.
    """
    power_ups = 0
    for cell in range(size * size):
        n = numbers[cell]
        if n == NOWHERE:
            continue
        items[n] = 0
        if holds(maze[4], maze[5], cell):
            items[n] = 1 << power_ups
            power_ups += 1
        counts[n] = 0
        for d in range(8):
            near = neighbour(cell, d, size)
            if near >= 0 and numbers[near] != NOWHERE:
                targets[n, counts[n]] = numbers[near]
                costs[n, counts[n]] = step_cost(d) + (TRAP_COST if holds(maze[2], maze[3], near) else 0)
                counts[n] += 1
    return power_ups


@njit
def solve_maze(maze: npt.NDArray[np.int64], size: int, deadline: int) -> npt.NDArray[np.int16]:
    """[plies left 0 to deadline, live power-ups, cell of a, cell of b] margins to go."""
    numbers = np.empty(size * size, dtype=np.int64)
    count = number_cells(maze, size, numbers)
    targets = np.empty((count, 8), dtype=np.int64)
    costs = np.empty((count, 8), dtype=np.int64)
    items = np.empty(count, dtype=np.int64)
    counts = np.empty(count, dtype=np.int64)
    sets = 1 << list_steps(maze, size, numbers, targets, costs, items, counts)
    last = count - 1
    table = np.empty((deadline + 1, sets, count, count), dtype=np.int16)
    for live in range(sets):
        for a in range(count):
            for b in range(count):
                table[0, live, a, b] = (0 if a == last else -LATE_COST) + (0 if b == 0 else LATE_COST)
    for left in range(1, deadline + 1):
        before = table[left - 1]
        for live in range(sets):
            layer = table[left, live]
            for a in range(count):
                for b in range(count):
                    if (deadline - left) & 1 == 0:
                        if a == last:
                            layer[a, b] = 0 if b == 0 else before[live, a, b]
                            continue
                        best = -32768
                        for i in range(counts[a]):
                            to = targets[a, i]
                            margin = -costs[a, i]
                            taken = items[to] & live
                            if taken:
                                margin += POWER_UP_GAIN
                            if to == b and to != 0 and to != last:
                                margin -= BUMP_COST
                            best = max(best, margin + before[live ^ taken, to, b])
                        layer[a, b] = best
                    else:
                        if b == 0:
                            layer[a, b] = 0 if a == last else before[live, a, b]
                            continue
                        best = 32767
                        for i in range(counts[b]):
                            to = targets[b, i]
                            margin = costs[b, i]
                            taken = items[to] & live
                            if taken:
                                margin -= POWER_UP_GAIN
                            if to == a and to != 0 and to != last:
                                margin += BUMP_COST
                            best = min(best, margin + before[live ^ taken, a, to])
                        layer[a, b] = best
    return table


@njit
def margin_of(
    table: npt.NDArray[np.int16],
    numbers: npt.NDArray[np.int64],
    power_ups: npt.NDArray[np.int64],
    state: npt.NDArray[np.int64],
) -> int:
    """What b will have paid more than a in the end, with best play, from a state of the maze that the table is of;
    `power_ups` are the cells of those it was solved with."""
    live = 0
    for i in range(len(power_ups)):
        if holds(state[POWER], state[POWER + 1], power_ups[i]):
            live |= 1 << i
    a, b = numbers[state[RUNNERS]], numbers[state[RUNNERS + 1]]
    return state[TOTALS + 1] - state[TOTALS] + table[state[PLIES_LEFT], live, a, b]


@njit
def plies_to_end(
    rules: LabyrinthRules,
    table: npt.NDArray[np.int16],
    numbers: npt.NDArray[np.int64],
    power_ups: npt.NDArray[np.int64],
    state: npt.NDArray[np.int64],
) -> int:
    """Plies until the game is over when both play the first of their best actions."""
    here, after, best = state.copy(), state.copy(), state.copy()
    actions = np.empty(rules.max_moves, dtype=np.int16)
    plies = 0
    while base.status(rules, here) == ONGOING:
        most = -32768
        sign = 1 - 2 * ((rules.deadline - here[PLIES_LEFT]) & 1)
        for i in range(base.list_moves(rules, here, actions)):
            base.play(rules, here, actions[i], after)
            margin = margin_of(table, numbers, power_ups, after)
            if sign * margin > most:
                most = sign * margin
                best[:] = after
        here[:] = best
        plies += 1
    return plies
