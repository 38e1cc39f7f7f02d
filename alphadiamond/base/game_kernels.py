"""What every game can do once its rules are compiled: described, expanded, counted and played out, many at once."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.base.random_kernels import random_below
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.base.rules import Rules, encode, input_key, is_fresh, list_moves, play, position_key, status

States: TypeAlias = npt.NDArray[np.int64]
Ints: TypeAlias = npt.NDArray[np.integer[Any]]


@njit
def expand_states(
    rules: Rules, states: States, actions: Ints
) -> tuple[
    States,
    npt.NDArray[np.int64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.int8],
    npt.NDArray[np.int16],
    npt.NDArray[np.int16],
]:
    """Play an action in each state (-1: none): see `alphadiamond.base.game.Game.expand`."""
    size = len(states)
    after = np.empty((size, rules.state_size), dtype=np.int64)
    keys = np.empty(size, dtype=np.int64)
    fresh = np.empty(size, dtype=np.bool_)
    statuses = np.empty(size, dtype=np.int8)
    legal = np.empty((size, rules.max_moves), dtype=np.int16)
    counts = np.empty(size, dtype=np.int16)
    for b in range(size):
        if actions[b] >= 0:
            play(rules, states[b], actions[b], after[b])
        else:
            after[b] = states[b]
            after[b, rules.state_size - 1] = 1
        fresh[b] = is_fresh(rules, after[b])
        keys[b] = position_key(rules, after[b])
        statuses[b] = status(rules, after[b])
        counts[b] = list_moves(rules, after[b], legal[b]) if statuses[b] == ONGOING else 0
    return after, keys, fresh, statuses, legal, counts


@njit
def foresee_states(
    rules: Rules, states: States
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """What two plies decide in states of games that go on: see `alphadiamond.base.game.Game.foresee`."""
    size = len(states)
    results = np.full(size, ONGOING, dtype=np.int8)
    distances = np.zeros(size, dtype=np.int16)
    keys = np.full((size, rules.max_moves), -1, dtype=np.int64)
    moves = np.empty(rules.max_moves, dtype=np.int16)
    replies = np.empty(rules.max_moves, dtype=np.int16)
    statuses = np.empty(rules.max_moves, dtype=np.int8)
    after = np.empty((rules.max_moves, rules.state_size), dtype=np.int64)
    last = np.empty(rules.state_size, dtype=np.int64)
    for b in range(size):
        count = list_moves(rules, states[b], moves)
        saved = False
        for i in range(count):
            play(rules, states[b], moves[i], after[i])
            statuses[i] = status(rules, after[i])
            if statuses[i] == LOSS:
                results[b], distances[b] = WIN, 1
                break
            saved |= statuses[i] == DRAW
        if results[b] == WIN or saved:
            continue
        longest = 1
        for i in range(count):
            if statuses[i] != ONGOING:
                continue
            longest = 2
            saved = True
            for j in range(list_moves(rules, after[i], replies)):
                play(rules, after[i], replies[j], last)
                if status(rules, last) == LOSS:
                    saved = False
                    break
            if saved:
                break
            keys[b, i] = position_key(rules, after[i])
        if not saved:
            results[b], distances[b] = LOSS, longest
    return results, distances, keys


@njit
def legal_masks(rules: Rules, states: States) -> npt.NDArray[np.bool_]:
    """[B, A] which actions each side to move may play; none in a game that is over."""
    legal = np.zeros((len(states), rules.actions), dtype=np.bool_)
    moves = np.empty(rules.max_moves, dtype=np.int16)
    for b in range(len(states)):
        if status(rules, states[b]) == ONGOING:
            for i in range(list_moves(rules, states[b], moves)):
                legal[b, moves[i]] = True
    return legal


@njit
def encode_states(rules: Rules, states: States) -> npt.NDArray[np.float32]:
    """[B, I] what a network sees of each state."""
    inputs = np.empty((len(states), rules.inputs), dtype=np.float32)
    for b in range(len(states)):
        encode(rules, states[b], inputs[b])
    return inputs


@njit
def input_keys(rules: Rules, states: States) -> npt.NDArray[np.int64]:
    """[B] equal for states of which a network sees the same."""
    keys = np.empty(len(states), dtype=np.int64)
    for b in range(len(states)):
        keys[b] = input_key(rules, states[b])
    return keys


@njit
def count_sequences(rules: Rules, state: npt.NDArray[np.int64], depth: int) -> int:
    """Move sequences of exactly this length from a state, none beyond a finished game; repetition is ignored.

    Minus the number of moves of a position that has more than `max_moves`: all other kernels trust that bound.
    """
    if depth == 0:
        return 1
    if status(rules, state) != ONGOING:
        return 0
    states = np.empty((depth, rules.state_size), dtype=np.int64)
    moves = np.empty((depth, rules.actions), dtype=np.int16)
    left = np.zeros(depth, dtype=np.int64)
    states[0] = state
    left[0] = list_moves(rules, state, moves[0])
    total = 0
    ply = 0
    while ply >= 0:
        if left[ply] > rules.max_moves:
            return -left[ply]
        if ply == depth - 1:
            total += left[ply]
            ply -= 1
        elif left[ply] == 0:
            ply -= 1
        else:
            left[ply] -= 1
            play(rules, states[ply], moves[ply, left[ply]], states[ply + 1])
            ply += 1
            over = status(rules, states[ply]) != ONGOING
            left[ply] = 0 if over else list_moves(rules, states[ply], moves[ply])
    return total


@njit
def random_playouts(
    rules: Rules, states: States, stream: npt.NDArray[np.uint64], longest: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
    """Random games from each state, without earlier history, draws after `longest` plies: (values for the side to move
    at the start, plies), each [B]."""
    values = np.empty(len(states), dtype=np.int8)
    plies = np.empty(len(states), dtype=np.int32)
    moves = np.empty(rules.max_moves, dtype=np.int16)
    keys = np.empty(longest + 1, dtype=np.int64)
    state = np.empty(rules.state_size, dtype=np.int64)
    for b in range(len(states)):
        state[:] = states[b]
        keys[0] = position_key(rules, state)
        known, ply = 1, 0
        while True:
            result = status(rules, state)
            if result == ONGOING and rules.repetition_limit > 0:
                seen = 0
                for i in range(known - 1, -1, -2):
                    seen += keys[i] == keys[known - 1]
                if seen >= rules.repetition_limit:
                    result = DRAW
            if result == ONGOING and ply == longest:
                result = DRAW
            if result != ONGOING:
                break
            count = list_moves(rules, state, moves)
            play(rules, state, moves[random_below(stream, count)], state)
            known = 1 if is_fresh(rules, state) else known + 1
            keys[known - 1] = position_key(rules, state)
            ply += 1
        values[b] = -result if ply & 1 else result
        plies[b] = ply
    return values, plies
