"""Cells, costs and distances for compiled code: see `board` for the numbers."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.games.labyrinth.board import (
    BUMP_COST,
    COLUMN_STEPS,
    DIAGONAL_COST,
    LATE_COST,
    LOW,
    POWER_UP_GAIN,
    POWER_UPS,
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
def fill_entry_costs(state: npt.NDArray[np.int64], size: int, entry: npt.NDArray[np.int64]) -> None:
    """Write what entering each cell costs beside the step, power-ups apart, [(size + 2)^2]: a board with a margin, on
    which walls and the margin are -1, so that no search has to look for an edge."""
    entry[:] = -1
    cell = 0
    for row in range(size):
        place = (row + 1) * (size + 2) + 1
        for _ in range(size):
            if holds(state[0], state[1], cell):
                entry[place] = TRAP_COST if holds(state[2], state[3], cell) else 0
            cell += 1
            place += 1


@njit
def with_margin(cell: int, size: int) -> int:
    """Where a cell lies on a board with a margin."""
    return (cell // size + 1) * (size + 2) + cell % size + 1


@njit
def fill_costs(
    entry: npt.NDArray[np.int64],
    goal: int,
    width: int,
    costs: npt.NDArray[np.int64],
    queue: npt.NDArray[np.int64],
) -> None:
    """Write what the cheapest way from each open cell to a goal costs a runner who is alone, power-ups apart: FAR where
    there is no way. All on a board with a margin of this width; the queue has room for its cells and is left empty.

    Costs are corrected until none gets less: in corridors hardly any is touched twice.
    """
    costs[:] = FAR
    queue[:] = 0  # 1 + the place that follows a waiting one; the last one follows itself
    costs[goal] = 0
    first = last = goal
    queue[goal] = goal + 1
    while True:
        place = first
        paid = costs[place] + entry[place]
        for d in range(8):
            near = place + ROW_STEPS[d] * width + COLUMN_STEPS[d]
            if entry[near] >= 0 and paid + step_cost(d) < costs[near]:
                costs[near] = paid + step_cost(d)
                if queue[near] == 0:
                    queue[last] = near + 1
                    queue[near] = near + 1
                    last = near
        if first == last:
            queue[first] = 0
            return
        first = queue[place] - 1
        queue[place] = 0


@njit
def fill_steps(
    entry: npt.NDArray[np.int64],
    goal: int,
    width: int,
    steps: npt.NDArray[np.int64],
    queue: npt.NDArray[np.int64],
) -> None:
    """The same for the number of steps, by breadth-first search."""
    steps[:] = FAR
    steps[goal] = 0
    queue[0] = goal
    first, last = 0, 1
    while first < last:
        place = queue[first]
        first += 1
        for d in range(8):
            near = place + ROW_STEPS[d] * width + COLUMN_STEPS[d]
            if entry[near] >= 0 and steps[near] == FAR:
                steps[near] = steps[place] + 1
                queue[last] = near
                last += 1


@njit
def find_power_ups(state: npt.NDArray[np.int64], size: int, places: npt.NDArray[np.int64]) -> int:
    """Write where the live power-ups lie on a board with a margin; returns how many there are."""
    count = 0
    for cell in range(size * size):
        if count < POWER_UPS and holds(state[4], state[5], cell):
            places[count] = with_margin(cell, size)
            count += 1
    return count


@njit
def fill_rest(
    costs: npt.NDArray[np.int64],
    home: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    rest: npt.NDArray[np.int64],
) -> None:
    """Write what the cheapest way home costs from each power-up while some others are still there, [others, count];
    `costs` [count, board] to each power-up and `home` [board] without any.

    A way is the stretches between the power-ups that it takes, and each stretch is a cheapest one without them: one
    that crosses another power-up is beaten by the way that takes that one too.
    """
    count = len(costs)
    for others in range(1 << count):
        for i in range(count):
            rest[others, i] = cheapest_home(costs, home, places[i], others & ~(1 << i), rest)


@njit
def cheapest_home(
    costs: npt.NDArray[np.int64],
    home: npt.NDArray[np.int64],
    place: int,
    live: int,
    rest: npt.NDArray[np.int64],
) -> int:
    """What the cheapest way home from a place costs a runner who is alone, with those power-ups still there."""
    best = home[place]
    for i in range(len(costs)):
        if live >> i & 1:
            best = min(best, costs[i, place] - POWER_UP_GAIN + rest[live ^ (1 << i), i])
    return best


@njit
def fill_walks(
    entry: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    own: int,
    away: npt.NDArray[np.int64],
    goal: int,
    moves: int,
    all_of_them: npt.NDArray[np.int64],
    own_alone: npt.NDArray[np.int64],
) -> None:
    """Write what a runner who is alone, and has so many moves left, pays from each place on if he goes there by the
    fewest steps, `away`: until he comes home, or runs out of moves and pays for being late. With all the power-ups at
    `places`, and with those of the mask `own`.
    """
    width = int(np.sqrt(len(entry)))
    live = np.empty(1 << len(places), dtype=np.int64)  # masks of those that he can reach
    power_at = np.full(len(entry), -1, dtype=np.int64)
    live[0], masks, reachable = 0, 1, 0
    for i in range(len(places)):
        if away[places[i]] <= moves:
            power_at[places[i]] = i
            reachable |= 1 << i
            for k in range(masks):
                live[masks + k] = live[k] | 1 << i
            masks *= 2
    before = np.full((len(entry), 1 << len(places)), LATE_COST, dtype=np.int64)
    after = np.empty_like(before)
    before[goal] = 0
    after[goal] = 0
    all_of_them[:] = own_alone[:] = LATE_COST
    all_of_them[goal] = own_alone[goal] = 0
    for left in range(1, moves + 1):
        for place in range(width, width * (width - 1)):
            if entry[place] < 0 or place == goal or away[place] > moves - left:
                continue
            for k in range(masks):
                after[place, live[k]] = FAR
            for d in range(8):
                near = place + ROW_STEPS[d] * width + COLUMN_STEPS[d]
                if entry[near] < 0:
                    continue
                cost, power = step_cost(d) + entry[near], power_at[near]
                for k in range(masks):
                    paid = cost + before[near, live[k]]
                    if power >= 0 and live[k] >> power & 1:
                        paid = cost - POWER_UP_GAIN + before[near, live[k] ^ (1 << power)]
                    after[place, live[k]] = min(after[place, live[k]], paid)
            if away[place] == moves - left:
                all_of_them[place] = after[place, reachable]
                own_alone[place] = after[place, reachable & own]
        before, after = after, before


@njit
def steps_from(state: npt.NDArray[np.int64], goal: int, size: int) -> npt.NDArray[np.int64]:
    """[cells] how many steps each cell is from a goal; FAR for walls and where there is no way."""
    width = size + 2
    entry = np.empty(width * width, dtype=np.int64)
    steps = np.empty(width * width, dtype=np.int64)
    queue = np.empty(width * width, dtype=np.int64)
    fill_entry_costs(state, size, entry)
    fill_steps(entry, with_margin(goal, size), width, steps, queue)
    return steps.reshape(width, width)[1:-1, 1:-1].copy().ravel()


@njit
def cheapest_ways(
    state: npt.NDArray[np.int64],
    begins: tuple[int, int],
    goals: tuple[int, int],
    size: int,
) -> tuple[int, int]:
    """What the cheapest ways of two runners cost, each as if alone: exact, with every power-up taken at most once; FAR
    where there is no way."""
    width = size + 2
    entry = np.empty(width * width, dtype=np.int64)
    queue = np.empty(width * width, dtype=np.int64)
    places = np.empty(POWER_UPS, dtype=np.int64)
    fill_entry_costs(state, size, entry)
    count = find_power_ups(state, size, places)
    costs = np.empty((count, width * width), dtype=np.int64)
    for i in range(count):
        fill_costs(entry, places[i], width, costs[i], queue)
    home = np.empty(width * width, dtype=np.int64)
    rest = np.empty((1 << count, count), dtype=np.int64)
    found = np.empty(2, dtype=np.int64)
    for runner in range(2):
        begin = with_margin(begins[runner], size)
        fill_costs(entry, with_margin(goals[runner], size), width, home, queue)
        if begins[runner] == goals[runner]:
            found[runner] = 0
            continue
        fill_rest(costs, home, places, rest)
        found[runner] = min(cheapest_home(costs, home, begin, (1 << count) - 1, rest), FAR)
    return found[0], found[1]
