"""A table of evaluations keyed by what the network sees, searched and filled for whole batches at a time.

An evaluation is found by the key of a state. Where keys are exact (`Game.exact_keys`) that is all there is to compare;
where they are hashes, the state itself is kept beside the key and has to be the same: never is an answer given to a
position because its hash is that of another.

Open addressing: a key lives in one of the `WINDOW` slots from its home slot on. Slots are never emptied singly, so a
free slot ends the search; where the window is full the entry unused for longest makes room. A policy is stored as the
probabilities of the legal moves, in the order of the actions.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.rules import Rules, State, input_key, list_moves
from alphadiamond.network.kernels import OUTCOMES, Floats, States

WINDOW: Final = 8
FREE: Final = -1  # no key: keys are not negative


class Table(NamedTuple):
    """N slots."""

    keys: npt.NDArray[np.int64]
    """[N] FREE where there is none."""
    states: States
    """[N, S] whose evaluation it is; [0, S] where keys are exact."""
    used: npt.NDArray[np.int64]
    """[N] the clock when it was last asked for."""
    policies: Floats
    """[N, M] of the legal moves, in the order of the actions."""
    outcomes: Floats
    """[N, 3]"""


@njit
def same(one: State, other: State) -> bool:
    differing = 0
    for column in range(len(one)):
        differing |= one[column] ^ other[column]
    return differing == 0


@njit
def home_slot(key: int, slots: int) -> int:
    """Where the search for a key begins; `slots` is a power of two."""
    z = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.int64((z ^ (z >> np.uint64(32))) & np.uint64(slots - 1))


@njit
def look_up(
    rules: Rules,
    states: States,
    table: Table,
    clock: int,
    policy: Floats,
    wdl: Floats,
    first: npt.NDArray[np.int64],
    missing: npt.NDArray[np.int64],
) -> int:
    """Fill the rows of `policy` and `wdl` that are known, and list the others: returns how many need the network.

    `missing` [B] gets the rows to evaluate, each position once; `first` [B] gets -1 for a known row, otherwise the
    place in `missing` of the row that stands for it. `clock` marks what was used, and is larger with each call.
    """
    keys, rows, used, policies, outcomes = table  # taken out once: in the loop each would be counted anew
    slots = len(keys)
    exact = len(rows) == 0
    moves = np.empty(rules.max_moves, dtype=np.int16)
    count = 0
    size = 1
    while size < 2 * len(states):
        size *= 2
    seen = np.full(size, -1, dtype=np.int64)  # the places in `missing` of this batch, by the same hash
    for b in range(len(states)):
        key = input_key(rules, states[b])
        home = home_slot(key, slots)
        found = -1
        for step in range(WINDOW):
            slot = (home + step) & (slots - 1)
            if keys[slot] == key and (exact or same(rows[slot], states[b])):
                found = slot
                break
            if keys[slot] == FREE:
                break
        if found >= 0:
            used[found] = clock
            policy[b] = 0.0
            for i in range(list_moves(rules, states[b], moves)):
                policy[b, moves[i]] = policies[found, i]
            for k in range(OUTCOMES):
                wdl[b, k] = outcomes[found, k]
            first[b] = -1
            continue
        place = home_slot(key, size)
        while seen[place] >= 0:
            other = states[missing[seen[place]]]
            if key == input_key(rules, other) and (exact or same(other, states[b])):
                break
            place = (place + 1) & (size - 1)
        if seen[place] < 0:
            seen[place] = count
            missing[count] = b
            count += 1
        first[b] = seen[place]
    return count


@njit
def insert(
    rules: Rules,
    states: States,
    table: Table,
    clock: int,
    policy: Floats,
    wdl: Floats,
) -> int:
    """Keep what the network said of these states, none of which is in the table; returns how many slots were free."""
    keys, rows, used, policies, outcomes = table
    slots = len(keys)
    exact = len(rows) == 0
    moves = np.empty(rules.max_moves, dtype=np.int16)
    taken = 0
    for b in range(len(states)):
        key = input_key(rules, states[b])
        home = home_slot(key, slots)
        best = home
        for step in range(WINDOW):
            slot = (home + step) & (slots - 1)
            if keys[slot] == FREE:
                best = slot
                break
            if used[slot] < used[best]:
                best = slot
        for i in range(list_moves(rules, states[b], moves)):
            policies[best, i] = policy[b, moves[i]]
        taken += keys[best] == FREE
        keys[best] = key
        used[best] = clock
        if not exact:
            rows[best] = states[b]
        for k in range(OUTCOMES):
            outcomes[best, k] = wdl[b, k]
    return taken


@njit
def spread(first: npt.NDArray[np.int64], source: Floats, target: Floats) -> None:
    """Copy to each row of `target` that was not known the row of `source` that stands for it."""
    for b in range(len(first)):
        if first[b] >= 0:
            for k in range(source.shape[1]):
                target[b, k] = source[first[b], k]
