"""The rules of the Labyrinth for kernels that play any game, and what a network sees of a position.

A state is twelve integers: open cells, traps and live power-ups (two each), the cells of runner a and runner b, their
totals, the plies left, and the occurrences (always 1). The board stands as it is written; whose turn it is follows from
the plies left. Actions and inputs are from the side to move: for runner b the board is turned by half, so that
the mover always runs from top left to bottom right.

| inputs | are |
| --- | --- |
| plane 0 | an open cell |
| plane 1 | a trap |
| plane 2 | a power-up that is still there |
| plane 3 | the mover |
| plane 4 | the other runner |
| plane 5 | steps to the mover's home, by breadth-first search, as a share of the plies of a whole game |
| plane 6 | steps to the other's home |
| plane 7 | what the mover pays from here on, alone, over 200: for his cheapest way home, power-ups included; with |
| | fewer than four moves to spare, until he is home or the game is over, being late included |
| plane 8 | the same for the other |
| plane 9 | how much more than his cheapest way the mover pays for one through here, over 50 and up to 1 |
| plane 10 | the same for the other |
| plane 11 | steps from the mover, as a share of the plies of a whole game |
| plane 12 | how many steps nearer the mover is than the other, over 8, held to -1 and 1 |
| plane 13 | as plane 9, with only those power-ups that the mover reaches first |
| plane 14 | the same for the other |
| then | the margin (what the other has paid more) over 100, held to -1 and 1, and over 400 |
| then | the plies left as a share of a whole game; whether the mover is at home; whether the other is |
| then | the margin if both go home by their cheapest ways, over 20 and over 100, held to -1 and 1 |
| then | the moves that the mover has left beyond his way home of fewest steps, over 10, held to -1 and 1; the other's |
| then | the margin if both go home by their cheapest ways once more, over 4, held to -1 and 1 |
| then | the margin if each takes only power-ups that he reaches first, over 4, 20 and 100, held to -1 and 1 |

Planes 0 to 4 and the first five numbers are the position itself. The others are worked out from the rules, for networks
that are to see them (`Shape.plain`).
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import rules as base
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.base.rules import Actions, State, implement
from alphadiamond.games.labyrinth import kernels
from alphadiamond.games.labyrinth.board import ACTIONS, LATE_COST, LOW, PASS, POWER_UPS, SIZE, deadline_of

STATE_SIZE: Final = 12
OPEN: Final = 0
TRAP: Final = 2
POWER: Final = 4
"""Where each set of cells begins."""
RUNNERS: Final = 6
TOTALS: Final = 8
PLIES_LEFT: Final = 10
OCCURRENCES: Final = 11

PLANES: Final = 15
GLOBALS: Final = 13
PLAIN: Final = (5, 5)
"""Of both, those that are not worked out."""
TIGHT: Final = 4
"""With fewer moves to spare than this, the cheapest way home may come too late: what is paid until the end counts."""
SCORE_SCALE: Final = 60.0
"""A margin of this size is taken for tanh(1) of a win."""


class LabyrinthRules(NamedTuple):
    actions: int = ACTIONS
    max_moves: int = 8
    state_size: int = STATE_SIZE
    repetition_limit: int = 0
    inputs: int = PLANES * SIZE * SIZE + GLOBALS
    size: int = SIZE
    """Rows and columns."""
    deadline: int = deadline_of(SIZE)
    """Plies of a whole game."""


def rules_of(size: int) -> LabyrinthRules:
    return LabyrinthRules(inputs=PLANES * size * size + GLOBALS, size=size, deadline=deadline_of(size))


def signed_inputs(size: int) -> list[int]:
    """The inputs that lie between -1 and 1, and not between 0 and 1: margins, and who is nearer."""
    cells = size * size
    return [*range(12 * cells, 13 * cells), *(PLANES * cells + i for i in (0, 1, 5, 6, 7, 8, 9, 10, 11, 12))]


@implement(base.list_moves, LabyrinthRules)
def list_moves(rules: LabyrinthRules, state: State, actions: Actions) -> int:
    last = rules.size * rules.size - 1
    mover = (rules.deadline - state[PLIES_LEFT]) & 1
    cell = state[RUNNERS + mover]
    if cell == (0 if mover else last):
        actions[0] = PASS
        return 1
    count = 0
    for action in range(8):
        near = kernels.neighbour(cell, (action + 4 * mover) & 7, rules.size)
        if near >= 0 and kernels.holds(state[OPEN], state[OPEN + 1], near):
            actions[count] = action
            count += 1
    return count


@implement(base.play, LabyrinthRules)
def play(rules: LabyrinthRules, state: State, action: int, after: State) -> None:
    mover = (rules.deadline - state[PLIES_LEFT]) & 1
    for column in range(rules.state_size):
        after[column] = state[column]
    after[10] -= 1
    after[11] = 1
    if action == PASS:
        return
    direction = (action + 4 * mover) & 7
    cell = kernels.neighbour(state[RUNNERS + mover], direction, rules.size)
    cost = kernels.step_cost(direction) + kernels.entry_cost(state, cell, state[RUNNERS + 1 - mover], rules.size)
    if cell < LOW:
        after[4] &= ~(np.int64(1) << cell)
    else:
        after[5] &= ~(np.int64(1) << (cell - LOW))
    after[6 + mover] = cell
    after[8 + mover] += cost


@implement(base.status, LabyrinthRules)
def status(rules: LabyrinthRules, state: State) -> int:
    last = rules.size * rules.size - 1
    a_home, b_home = state[RUNNERS] == last, state[RUNNERS + 1] == 0
    if state[PLIES_LEFT] > 0 and not (a_home and b_home):
        return ONGOING
    margin = state[TOTALS + 1] - state[TOTALS]
    if not a_home:
        margin -= LATE_COST
    if not b_home:
        margin += LATE_COST
    if (rules.deadline - state[PLIES_LEFT]) & 1:
        margin = -margin
    return WIN if margin > 0 else LOSS if margin < 0 else DRAW


@implement(base.position_key, LabyrinthRules)
def position_key(rules: LabyrinthRules, state: State) -> int:
    """Mixed from all columns, since the maze does not fit into one number."""
    key = np.uint64(0)
    for column in range(rules.state_size - 1):
        key = (key ^ np.uint64(state[column])) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return np.int64(key >> np.uint64(1))


@implement(base.encode, LabyrinthRules)
def encode(rules: LabyrinthRules, state: State, row: npt.NDArray[np.float32]) -> None:
    size, cells, width = rules.size, rules.size * rules.size, rules.size + 2
    board = width * width
    mover = (rules.deadline - state[PLIES_LEFT]) & 1
    cell_of, goals = (
        (state[RUNNERS + mover], state[RUNNERS + 1 - mover]),
        (0 if mover else cells - 1, cells - 1 if mover else 0),
    )
    entry = np.empty(board, dtype=np.int64)
    queue = np.empty(board, dtype=np.int64)
    places = np.empty(POWER_UPS, dtype=np.int64)
    kernels.fill_entry_costs(state, size, entry)
    count = kernels.find_power_ups(state, size, places)
    power = np.empty((count, board), dtype=np.int64)
    for i in range(count):
        kernels.fill_costs(entry, places[i], width, power[i], queue)
    rest = np.empty((1 << count, count), dtype=np.int64)
    to_home = np.empty(board, dtype=np.int64)
    steps = np.empty((3, board), dtype=np.int64)  # to the mover's home, from the mover, from the other
    home = np.empty((2, board), dtype=np.int64)  # what each pays from a cell on, the mover first
    first_home = np.empty((2, board), dtype=np.int64)  # the same with the power-ups that the runner reaches first
    reach = np.empty((2, board), dtype=np.int64)  # and to get there
    kernels.fill_steps(entry, kernels.with_margin(goals[0], size), width, steps[0], queue)
    to_go, slack = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    first_to_go = np.zeros(2, dtype=np.int64)
    for runner in range(2):
        kernels.fill_steps(entry, kernels.with_margin(cell_of[runner], size), width, steps[1 + runner], queue)
    nearer = np.zeros(2, dtype=np.int64)  # who reaches which power-ups first; who is at home reaches none
    for i in range(count):
        mine = cell_of[0] != goals[0] and (cell_of[1] == goals[1] or steps[1, places[i]] <= steps[2, places[i]])
        nearer[0 if mine else 1] |= 1 << i
    for runner in range(2):
        here, goal = kernels.with_margin(cell_of[runner], size), kernels.with_margin(goals[runner], size)
        left = (state[PLIES_LEFT] + 1 - runner) // 2
        slack[runner] = left - (steps[1 + runner, goal] if here != goal else 0)
        kernels.fill_costs(entry, here, width, reach[runner], queue)
        if slack[runner] < TIGHT and here != goal:
            kernels.fill_walks(
                entry,
                places[:count],
                nearer[runner],
                steps[1 + runner],
                goal,
                left,
                home[runner],
                first_home[runner],
            )
        else:
            kernels.fill_costs(entry, goal, width, to_home, queue)
            kernels.fill_rest(power, to_home, places, rest)
            for place in range(board):
                if entry[place] >= 0:
                    home[runner, place] = kernels.cheapest_home(power, to_home, place, (1 << count) - 1, rest)
                    first_home[runner, place] = kernels.cheapest_home(power, to_home, place, nearer[runner], rest)
        if here != goal:
            to_go[runner] = home[runner, here]
            first_to_go[runner] = first_home[runner, here]
    row[: PLANES * cells] = 0.0
    for cell in range(cells):
        at = kernels.with_margin(cell, size)
        if entry[at] < 0:
            continue
        place = cells - 1 - cell if mover else cell
        row[place] = 1.0
        row[cells + place] = entry[at] > 0
        row[2 * cells + place] = kernels.holds(state[POWER], state[POWER + 1], cell)
        if steps[0, at] >= kernels.FAR:
            continue
        far = steps[0, at] / rules.deadline
        row[5 * cells + place] = far
        row[7 * cells - 1 - place] = far  # walls are the same after a half turn, and so are the steps
        for runner in range(2):
            row[(7 + runner) * cells + place] = home[runner, at] / 200.0
            here = kernels.with_margin(cell_of[runner], size)
            paid = reach[runner, at] - entry[here] + entry[at]  # there instead of back
            more = paid + home[runner, at] - home[runner, here] if at != here else 0
            row[(9 + runner) * cells + place] = min(1.0, max(0.0, more / 50.0))
            more = paid + first_home[runner, at] - first_home[runner, here] if at != here else 0
            row[(13 + runner) * cells + place] = min(1.0, max(0.0, more / 50.0))
        row[11 * cells + place] = steps[1, at] / rules.deadline
        row[12 * cells + place] = min(1.0, max(-1.0, (steps[2, at] - steps[1, at]) / 8.0))
    for runner in range(2):
        row[(3 + runner) * cells + (cells - 1 - cell_of[runner] if mover else cell_of[runner])] = 1.0
    margin = state[TOTALS + 1 - mover] - state[TOTALS + mover]
    projected = margin + to_go[1] - to_go[0]
    row[PLANES * cells] = min(1.0, max(-1.0, margin / 100.0))
    row[PLANES * cells + 1] = margin / 400.0
    row[PLANES * cells + 2] = state[PLIES_LEFT] / rules.deadline
    row[PLANES * cells + 3] = cell_of[0] == goals[0]
    row[PLANES * cells + 4] = cell_of[1] == goals[1]
    row[PLANES * cells + 5] = min(1.0, max(-1.0, projected / 20.0))
    row[PLANES * cells + 6] = min(1.0, max(-1.0, projected / 100.0))
    row[PLANES * cells + 7] = min(1.0, max(-1.0, slack[0] / 10.0))
    row[PLANES * cells + 8] = min(1.0, max(-1.0, slack[1] / 10.0))
    fair = margin + first_to_go[1] - first_to_go[0]
    row[PLANES * cells + 9] = min(1.0, max(-1.0, projected / 4.0))
    row[PLANES * cells + 10] = min(1.0, max(-1.0, fair / 4.0))
    row[PLANES * cells + 11] = min(1.0, max(-1.0, fair / 20.0))
    row[PLANES * cells + 12] = min(1.0, max(-1.0, fair / 100.0))


@implement(base.score, LabyrinthRules)
def score(rules: LabyrinthRules, state: State) -> int:
    """The margin if both go home from here by their cheapest ways, alone."""
    last = rules.size * rules.size - 1
    to_go = kernels.cheapest_ways(state, (state[RUNNERS], state[RUNNERS + 1]), (last, 0), rules.size)
    margin = state[TOTALS + 1] - state[TOTALS] + to_go[1] - to_go[0]
    return -margin if (rules.deadline - state[PLIES_LEFT]) & 1 else margin


@implement(base.heuristic_value, LabyrinthRules)
def heuristic_value(rules: LabyrinthRules, state: State) -> float:
    """By the margin if both go home by their cheapest ways."""
    return 0.5 + 0.5 * np.tanh(base.score(rules, state) / SCORE_SCALE)


base.use_defaults(LabyrinthRules, base.is_irreversible, base.input_key)
