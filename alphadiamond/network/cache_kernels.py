"""A table of evaluations keyed by what the network sees, searched and filled for whole batches at a time.

Open addressing: a key lives in one of the `WINDOW` slots from its home slot on. Slots are never emptied singly, so a
free slot ends the search; where the window is full the entry unused for longest makes room. A policy is stored as the
probabilities of the legal moves, in the order of the actions.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compiling import lowest_bit, njit
from alphadiamond.games.diamond_chase.board import ACTION_IDS, ADJACENT, ALL_NODES
from alphadiamond.network.kernels import OUTCOMES, Floats, States, state_key

WINDOW: Final = 8
MAX_MOVES: Final = 24  # six beads with four empty neighbours each; a position with more is not kept
FREE: Final = -1  # no key: keys have 47 bits


@njit
def home_slot(key: int, slots: int) -> int:
    """Where the search for a key begins; `slots` is a power of two."""
    z = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.int64((z ^ (z >> np.uint64(32))) & np.uint64(slots - 1))


@njit
def pack_policy(own: int, opp: int, policy: Floats, packed: Floats) -> bool:
    """The legal moves' probabilities side by side; False when there is no room for them."""
    empty = ALL_NODES & ~(own | opp)
    count = 0
    while own:
        source = lowest_bit(own)
        own &= own - 1
        targets = ADJACENT[source] & empty
        while targets:
            if count == MAX_MOVES:
                return False
            packed[count] = policy[ACTION_IDS[source, lowest_bit(targets)]]
            targets &= targets - 1
            count += 1
    return True


@njit
def unpack_policy(own: int, opp: int, packed: Floats, policy: Floats) -> None:
    policy[:] = 0.0
    empty = ALL_NODES & ~(own | opp)
    count = 0
    while own:
        source = lowest_bit(own)
        own &= own - 1
        targets = ADJACENT[source] & empty
        while targets:
            policy[ACTION_IDS[source, lowest_bit(targets)]] = packed[count]
            targets &= targets - 1
            count += 1


@njit
def look_up(
    states: States,
    keys: npt.NDArray[np.int64],
    used: npt.NDArray[np.int64],
    policies: Floats,
    outcomes: Floats,
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
    slots = len(keys)
    count = 0
    size = 1
    while size < 2 * len(states):
        size *= 2
    seen = np.full(size, -1, dtype=np.int64)  # the places in `missing` of this batch, by the same hash
    for b in range(len(states)):
        own, opp = np.int64(states[b, 0]), np.int64(states[b, 1])
        key = state_key(own, opp, np.int64(states[b, 2]), np.int64(states[b, 3]))
        home = home_slot(key, slots)
        found = -1
        for step in range(WINDOW):
            slot = (home + step) & (slots - 1)
            if keys[slot] == key:
                found = slot
                break
            if keys[slot] == FREE:
                break
        if found >= 0:
            used[found] = clock
            unpack_policy(own, opp, policies[found], policy[b])
            for k in range(OUTCOMES):
                wdl[b, k] = outcomes[found, k]
            first[b] = -1
            continue
        place = home_slot(key, size)
        while seen[place] >= 0:
            other = missing[seen[place]]
            if key == state_key(states[other, 0], states[other, 1], np.int64(states[other, 2]), states[other, 3]):
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
    states: States,
    keys: npt.NDArray[np.int64],
    used: npt.NDArray[np.int64],
    policies: Floats,
    outcomes: Floats,
    clock: int,
    policy: Floats,
    wdl: Floats,
) -> int:
    """Keep what the network said of these states, none of which is in the table; returns how many slots were free."""
    slots = len(keys)
    taken = 0
    for b in range(len(states)):
        own, opp = np.int64(states[b, 0]), np.int64(states[b, 1])
        key = state_key(own, opp, np.int64(states[b, 2]), np.int64(states[b, 3]))
        home = home_slot(key, slots)
        best = home
        for step in range(WINDOW):
            slot = (home + step) & (slots - 1)
            if keys[slot] == FREE:
                best = slot
                break
            if used[slot] < used[best]:
                best = slot
        if not pack_policy(own, opp, policy[b], policies[best]):
            # The slot's old policy may be half overwritten, so its key must not be found again; a key that no
            # position has keeps the slot occupied for the searches that run through it.
            if keys[best] != FREE:
                keys[best] = FREE - 1
                used[best] = 0
            continue
        taken += keys[best] == FREE
        keys[best] = key
        used[best] = clock
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
