"""Replies and sorted sets as compiled code."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.game_kernels import States
from alphadiamond.base.results import ONGOING
from alphadiamond.base.rules import Rules, list_moves, play, status

Numbers = npt.NDArray[np.uint64]


@njit
def after_moves(rules: Rules, states: States, actions: npt.NDArray[np.int16]) -> tuple[States, npt.NDArray[np.int8]]:
    """[B, S] the states after a legal action in each, and [B] what the rules say of them."""
    after = np.empty((len(states), rules.state_size), dtype=np.int64)
    statuses = np.empty(len(states), dtype=np.int8)
    for b in range(len(states)):
        play(rules, states[b], actions[b], after[b])
        statuses[b] = status(rules, after[b])
    return after, statuses


@njit
def all_replies(
    rules: Rules, states: States
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int16], States, npt.NDArray[np.int8]]:
    """(row, action, state after it, what the rules say of that), each [M], of all legal actions in states of games that
    go on; other rows have none."""
    moves = np.empty(rules.max_moves, dtype=np.int16)
    most = len(states) * rules.max_moves
    rows = np.empty(most, dtype=np.int64)
    actions = np.empty(most, dtype=np.int16)
    after = np.empty((most, rules.state_size), dtype=np.int64)
    statuses = np.empty(most, dtype=np.int8)
    count = 0
    for b in range(len(states)):
        if status(rules, states[b]) != ONGOING:
            continue
        for i in range(list_moves(rules, states[b], moves)):
            play(rules, states[b], moves[i], after[count])
            rows[count], actions[count] = b, moves[i]
            statuses[count] = status(rules, after[count])
            count += 1
    return rows[:count], actions[:count], after[:count], statuses[:count]


@njit
def merged(first: Numbers, second: Numbers) -> Numbers:
    """Two sorted arrays with nothing in common as one."""
    both = np.empty(len(first) + len(second), dtype=np.uint64)
    i = j = 0
    for k in range(len(both)):
        if j == len(second) or (i < len(first) and first[i] < second[j]):
            both[k] = first[i]
            i += 1
        else:
            both[k] = second[j]
            j += 1
    return both


@njit
def missing_from(numbers: Numbers, known: Numbers) -> Numbers:
    """Those of sorted numbers that are not among sorted known ones, each once."""
    found = np.empty(len(numbers), dtype=np.uint64)
    count = j = 0
    for i in range(len(numbers)):
        if i > 0 and numbers[i] == numbers[i - 1]:
            continue
        while j < len(known) and known[j] < numbers[i]:
            j += 1
        if j == len(known) or known[j] != numbers[i]:
            found[count] = numbers[i]
            count += 1
    return found[:count]


@njit
def distinct_below(rows: npt.NDArray[np.int64], numbers: Numbers, chosen: Numbers) -> npt.NDArray[np.uint8]:
    """[B] how many different ones among the numbers [M] of each row are below `chosen` [B]; `rows` [M] are sorted."""
    found = np.zeros(len(chosen), dtype=np.uint8)
    start = 0
    while start < len(rows):
        stop = start
        while stop < len(rows) and rows[stop] == rows[start]:
            stop += 1
        limit = chosen[rows[start]]
        for i in range(start, stop):
            counts = numbers[i] < limit
            for j in range(start, i):
                counts = counts and numbers[j] != numbers[i]
            found[rows[start]] += counts
        start = stop
    return found


@njit
def leb128(values: Numbers) -> npt.NDArray[np.uint8]:
    """Seven bits a byte, lowest first, the eighth bit set where more follow."""
    content = np.empty(10 * len(values), dtype=np.uint8)
    size = 0
    for value in values:
        while value >= np.uint64(128):
            content[size] = np.uint8(value & np.uint64(127)) | np.uint8(128)
            size += 1
            value >>= np.uint64(7)
        content[size] = np.uint8(value)
        size += 1
    return content[:size]
