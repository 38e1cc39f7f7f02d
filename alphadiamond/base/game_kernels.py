"""What every game can do once its rules are compiled: described, expanded, counted and played out, many at once."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, njit_inner
from alphadiamond.base.random_kernels import random_below
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.base.rules import (
    Actions,
    Rules,
    State,
    encode,
    input_key,
    is_irreversible,
    list_moves,
    play,
    position_key,
    status,
)

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
    irreversible = np.empty(size, dtype=np.bool_)
    statuses = np.empty(size, dtype=np.int8)
    legal = np.empty((size, rules.max_moves), dtype=np.int16)
    counts = np.empty(size, dtype=np.int16)
    for b in range(size):
        if actions[b] >= 0:
            play(rules, states[b], actions[b], after[b])
        else:
            after[b] = states[b]
            after[b, rules.state_size - 1] = 1
        irreversible[b] = is_irreversible(rules, after[b])
        keys[b] = position_key(rules, after[b])
        statuses[b] = status(rules, after[b])
        counts[b] = list_moves(rules, after[b], legal[b]) if statuses[b] == ONGOING else 0
    return after, keys, irreversible, statuses, legal, counts


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


class Lookahead(NamedTuple):
    """Room for looking two plies ahead from one state after another. A row of an array is costly to pass on in compiled
    code, so that whoever has states in one copies them here."""

    state: npt.NDArray[np.int64]
    """[S] the state that is looked at."""
    moves: npt.NDArray[np.int16]
    """[M] its legal actions."""
    after: npt.NDArray[np.int64]
    """[S] the state after a move."""
    replies: npt.NDArray[np.int16]
    """[M] the legal actions there."""
    last: npt.NDArray[np.int64]
    """[S] the state after a reply."""
    keys: npt.NDArray[np.int64]
    """[M] of a loss, the positions after each move that does not end the game; -1 for the other moves."""


@njit
def lookahead_room(rules: Rules) -> Lookahead:
    moves, size = rules.max_moves, rules.state_size
    return Lookahead(
        np.empty(size, dtype=np.int64),
        np.empty(moves, dtype=np.int16),
        np.empty(size, dtype=np.int64),
        np.empty(moves, dtype=np.int16),
        np.empty(size, dtype=np.int64),
        np.empty(moves, dtype=np.int64),
    )


@njit_inner
def wins_at_once(rules: Rules, state: State, moves: Actions, count: int, after: State) -> bool:
    """Whether one of the first `count` of `moves` wins; `after` is room for a state."""
    for i in range(count):
        play(rules, state, moves[i], after)
        if status(rules, after) == LOSS:
            return True
    return False


@njit_inner
def two_ply_lookahead(rules: Rules, count: int, room: Lookahead) -> tuple[int, int]:
    """What two plies decide in `room.state`, where the game goes on and there are `count` legal `room.moves`: the
    result and the plies to it, or ONGOING and 0. Of a loss `room.keys` then says where it leads."""
    drawn = False
    for i in range(count):
        play(rules, room.state, room.moves[i], room.after)
        result = status(rules, room.after)
        if result == LOSS:
            return WIN, 1
        drawn |= result == DRAW
    if drawn:
        return ONGOING, 0
    longest = 1
    for i in range(count):
        room.keys[i] = -1
        play(rules, room.state, room.moves[i], room.after)
        if status(rules, room.after) != ONGOING:
            continue
        longest = 2
        replies = list_moves(rules, room.after, room.replies)
        if not wins_at_once(rules, room.after, room.replies, replies, room.last):
            return ONGOING, 0
        room.keys[i] = position_key(rules, room.after)
    return LOSS, longest


@njit
def lookahead_states(
    rules: Rules, states: States
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """What two plies decide in states of games that go on: see `alphadiamond.base.game.Game.two_ply_lookahead`."""
    size = len(states)
    results = np.empty(size, dtype=np.int8)
    distances = np.empty(size, dtype=np.int16)
    keys = np.full((size, rules.max_moves), -1, dtype=np.int64)
    room = lookahead_room(rules)
    for b in range(size):
        room.state[:] = states[b]
        count = list_moves(rules, room.state, room.moves)
        results[b], distances[b] = two_ply_lookahead(rules, count, room)
        if results[b] == LOSS:
            keys[b, :count] = room.keys[:count]
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
def position_keys(rules: Rules, states: States) -> npt.NDArray[np.int64]:
    """[B] equal for states that repetition takes for the same position."""
    keys = np.empty(len(states), dtype=np.int64)
    for b in range(len(states)):
        keys[b] = position_key(rules, states[b])
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
            known = 1 if is_irreversible(rules, state) else known + 1
            keys[known - 1] = position_key(rules, state)
            ply += 1
        values[b] = -result if ply & 1 else result
        plies[b] = ply
    return values, plies
