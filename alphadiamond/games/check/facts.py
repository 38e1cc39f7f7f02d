"""What a game says of itself: its rules, its shape, its starts and its bounds."""

import inspect
import itertools
from typing import Any, Final

import numpy as np
from numba.core.errors import NumbaError

from alphadiamond.base import rules
from alphadiamond.base.game import Game
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.results import ONGOING
from alphadiamond.base.rules import Rules
from alphadiamond.games import GameError
from alphadiamond.games.check import kernels
from alphadiamond.games.check.sample import ROOM, need, start_of, state_of, status_at, with_room

_MEASURED: Final = 400
"""Random games that bounds are held against."""
_BOARDS: Final = 8
"""Starts that they have, where a game draws its starts."""
_FUNCTIONS: Final = (
    (rules.list_moves, kernels.listed),
    (rules.play, kernels.played),
    (rules.status, kernels.status_of),
    (rules.is_irreversible, kernels.irreversible_of),
    (rules.position_key, kernels.key_of),
    (rules.input_key, kernels.input_key_of),
    (rules.encode, kernels.encoded),
    (rules.score, kernels.score_of),
    (rules.heuristic_value, kernels.guess_of),
)


# What a game says of itself


def check_facts(game: Game) -> None:
    sides = game.sides
    need(len(sides) == 2, "sides has to be the two members of its class of sides")
    need(all(hasattr(side, "other") for side in sides), "sides have to be of a subclass of alphadiamond.base.game.Side")
    need([int(side) for side in sides] == [0, 1], "sides has to begin with the side that moves first, of value 0")
    need(sides[0].letter != sides[1].letter, "the names of the sides have to begin with different letters")
    need(game.title, "title is empty")
    fields = getattr(type(game.rules), "_fields", ())
    expected = Rules._fields
    need(fields[: len(expected)] == expected, f"its rules have to begin with the fields {', '.join(expected)}")
    for name in expected:
        need(isinstance(getattr(game.rules, name), int), f"rules.{name} has to be a whole number")
    need(game.rules.actions == game.shape.actions, "rules.actions and shape.actions have to be the same number")
    need(1 <= game.rules.max_moves <= game.rules.actions, "rules.max_moves has to be from 1 to rules.actions")
    need(game.rules.actions < 1 << 15, "rules.actions has to be less than 32,768, since actions are int16")
    need(game.rules.state_size >= 2, "rules.state_size has to count the occurrences in the last column too")
    need(
        game.rules.inputs == game.shape.inputs,
        f"rules.inputs is {game.rules.inputs}, but shape says planes * nodes + globals = {game.shape.inputs}",
    )
    need(game.longest >= 1, "longest has to be the plies of the longest game")
    need(game.history_limit >= 1, "history_limit has to be 1 or more")
    repeats = game.rules.repetition_limit > 0
    need(
        not repeats or game.history_limit > 1,
        "history_limit is 1, but positions recur (repetition_limit): say how many",
    )
    need(game.score_scale > 0, "score_scale has to be more than 0")


def check_shape(game: Game) -> None:
    shape = game.shape
    symmetries, actions = np.asarray(shape.symmetries), np.asarray(shape.action_symmetries)
    need(
        symmetries.ndim == 2 and symmetries.shape[1] == shape.nodes,
        f"shape.symmetries has the shape {symmetries.shape}: expected [K, {shape.nodes}]",
    )
    need(
        actions.shape == (len(symmetries), shape.actions),
        f"shape.action_symmetries has the shape {actions.shape}: expected [{len(symmetries)}, {shape.actions}]",
    )
    for name, table, size in (("symmetries", symmetries, shape.nodes), ("action_symmetries", actions, shape.actions)):
        need((table[0] == np.arange(size)).all(), f"shape.{name} has to begin with the identity")
        need((np.sort(table, axis=1) == np.arange(size)).all(), f"each row of shape.{name} has to be a permutation")
    numbers = {row.tobytes(): number for number, row in enumerate(np.ascontiguousarray(symmetries))}
    need(len(numbers) == len(symmetries), "two of shape.symmetries are the same")
    for i, j in itertools.product(range(len(symmetries)), repeat=2):
        both = numbers.get(np.ascontiguousarray(symmetries[i][symmetries[j]]).tobytes())
        need(both is not None, f"symmetry {j} and then {i} is no symmetry of shape.symmetries: they have to be a group")
        need((actions[i][actions[j]] == actions[both]).all(), f"action_symmetries do not follow symmetries {j} and {i}")
    edges = np.asarray(shape.edges)
    need(edges.ndim == 2 and edges.shape[1] == 2, "shape.edges has to be pairs of nodes, [E, 2]")
    need(edges.size == 0 or (edges.min() >= 0 and edges.max() < shape.nodes), "shape.edges names a node that is none")
    if shape.action_nodes is not None:
        ends = np.asarray(shape.action_nodes)
        need(ends.shape == (shape.actions, 2), f"shape.action_nodes has to be [{shape.actions}, 2]")
        need(ends.min() >= 0 and ends.max() < shape.nodes, "shape.action_nodes names a node that is none")
    if shape.grid is not None:
        rows, columns = shape.grid
        need(rows * columns == shape.nodes, f"shape.grid is {rows} by {columns}, but there are {shape.nodes} nodes")


def check_bodies(game: Game) -> None:
    """Every function is there and compiles."""
    for function, _ in _FUNCTIONS:
        sentence = rules.missing(function, type(game.rules))
        need(not sentence, sentence)
    state = state_of(game, start_of(game, None))
    need(state.dtype == np.int64, f"state_of gives {state.dtype}: expected int64")
    need(state.shape == (game.state_size,), f"state_of gives {state.shape}: rules.state_size is {game.state_size}")
    need(state[-1] >= 1, "the last column of a state counts how often its position has occurred, so 1 or more")
    moves, after = with_room(game.rules.actions + ROOM, np.int16), with_room(game.state_size, np.int64)
    row = with_room(game.rules.inputs, np.float32)
    more: dict[Any, tuple[Any, ...]] = {kernels.listed: (moves,), kernels.encoded: (row,)}
    kernel: Any
    for function, kernel in _FUNCTIONS:
        if function is rules.play:
            count = kernels.listed(game.rules, state, moves)
            need(0 < count <= game.rules.actions, f"list_moves finds {count} moves at the start")
            more[kernels.played] = (int(moves[0]), after)
        try:
            kernel(game.rules, state.copy(), *more.get(kernel, ()))
        except NumbaError as error:
            raise GameError(f"{function.__name__} does not compile: {_reason(error)}") from None


def _reason(error: NumbaError) -> str:
    """What the compiler's page comes to."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:", "File", "-", "^", "<source"))]
    return telling[0][:200] if telling else type(error).__name__


# Starts and bounds


def check_starts(game: Game, seed: int) -> None:
    seeds = range(seed, seed + 8)
    takes_seed = "seed" in inspect.signature(game.start).parameters
    need(takes_seed or not game.seeded, "seeded is True, but start takes no seed")
    for number in seeds if takes_seed else ():
        start = game.start(number)
        need(game.start(number) == start, f"start: the seed {number} has given two different positions")
        need(game.seeded or start == game.start(), "start looks at its seed: say so with seeded = True")
    need(
        not game.seeded or len({str(game.start(number)) for number in seeds}) > 1,
        "seeded is True, but eight seeds have given the same position",
    )
    for number in (None, *seeds):
        start = start_of(game, number)
        need(start.side is game.sides[0], f"start: the first side, {game.sides[0]}, has to be to move")
        need(start.outcome is None and start.moves(), "start: the game is over before it has begun")
    first, second = (np.random.default_rng(seed) for _ in range(2))
    for name, draw in (("random_start", game.random_start), ("opening", lambda rng: game.opening(rng, 2))):
        for _ in range(5):
            state, again = draw(first), draw(second)
            need((state == again).all(), f"{name}: the same generator has given two different states")
            need(status_at(game, state) == ONGOING, f"{name}: the game is over in one of its states")


def check_bounds(game: Game, rng: np.random.Generator) -> None:
    found = np.zeros(4, dtype=np.int64)
    for number in range(_BOARDS):
        state = state_of(game, start_of(game, number))
        count = _MEASURED // _BOARDS
        measured = kernels.measure_games(game.rules, state, random_stream(rng), count, game.longest + 1, ROOM)
        found = np.maximum(found, measured)
    moves, plies, known, stuck = found.tolist()
    need(not stuck, "status says that a game goes on in which list_moves finds no move")
    need(moves <= game.max_moves, f"rules.max_moves is {game.max_moves}, but a position has {moves} moves: raise it")
    need(plies <= game.longest, f"longest is {game.longest}, but a game has more plies: raise it")
    if game.repetition_limit:
        need(
            known <= game.history_limit,
            f"history_limit is {game.history_limit}, but {known} positions follow each other that may recur: raise it",
        )
