"""What searches, networks, players and windows expect of a game, tried out on positions of random games.

As `api_test` of pgx and `test_game` of AlphaZero.jl: for authors of games, and for our own. `check` stops at the first
thing that is wrong, with one sentence that says what to mend; what it looks at depends on the seed alone.
"""

import contextlib
import hashlib
import inspect
import itertools
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba.core.errors import NumbaError

from alphadiamond.base import game_kernels, rules
from alphadiamond.base.compilation import digest_of_rules
from alphadiamond.base.drawing import Clicks
from alphadiamond.base.game import Game
from alphadiamond.base.notation import IllegalMoveError, NotationError
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.base.rules import Rules
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import cache_directory, write_text
from alphadiamond.games import GameError
from alphadiamond.games import check_kernels as kernels
from alphadiamond.sources import PACKAGE, digest_of

_GAMES: Final = 8
"""Random games that positions are taken from."""
_POSITIONS: Final = 400
"""At most so many of them are looked at."""
_MEASURED: Final = 400
"""Random games that bounds are held against."""
_ROOM: Final = 512
"""Free places around every array that a game writes to."""
_UNTOUCHED: Final = -23_456
_LARGEST_SCORE: Final = 900_000
_NONSENSE: Final = ("", "nonsense", "x" * 300, "\n", "½")
_FUNCTIONS: Final = (
    (rules.list_moves, kernels.listed),
    (rules.play, kernels.played),
    (rules.status, kernels.status_of),
    (rules.is_fresh, kernels.fresh_of),
    (rules.position_key, kernels.key_of),
    (rules.input_key, kernels.input_key_of),
    (rules.encode, kernels.encoded),
    (rules.score, kernels.score_of),
    (rules.judge, kernels.guess_of),
)


@dataclass(frozen=True)
class Sample:
    """Positions of random games, and what the compiled rules make of them."""

    game: Game
    positions: tuple[Any, ...]
    """All of them, those that are over too."""
    states: npt.NDArray[np.int64]
    """[B, S] of those in which the game goes on."""
    actions: npt.NDArray[np.int16]
    """[B] a legal action in each of these."""


def check(game: Game, *, seed: int = 1) -> None:
    """Raise a `GameError` with what is wrong with a game, if anything is."""
    try:
        _look_at(game, seed)
    except GameError as error:
        raise GameError(f"{game.title}: {error}") from None


def check_once(game: Game) -> None:
    """The same for a game from outside that has not passed with the sources it has; a line says so to whoever waits."""
    if type(game).__module__.startswith(f"{PACKAGE.name}."):
        return
    files = (Path(inspect.getfile(type(game))).resolve(), Path(__file__))
    digests = "-".join((*map(digest_of, files), digest_of_rules(type(game.rules))))
    passed = cache_directory() / "checked" / f"{game.name}-{hashlib.sha256(digests.encode()).hexdigest()[:16]}"
    if passed.exists():
        return
    print(f"checking the rules of {game.title}, once for each change of them", file=sys.stderr, flush=True)
    check(game)
    with contextlib.suppress(OSError):
        write_text(passed, "")


def _look_at(game: Game, seed: int) -> None:
    _check_facts(game)
    _check_shape(game)
    _check_bodies(game)
    rng = np.random.default_rng(seed)
    _check_starts(game, seed)
    _check_bounds(game, rng)
    sample = _sample(game, rng)
    _check_texts(sample)
    _check_kernels(sample)
    _check_keys(sample)
    _check_inputs(sample)
    _check_opinions(sample)
    _check_symmetries(sample)
    _check_drawing(sample)
    _check_processes(sample)


def _need(holds: Any, sentence: str) -> None:
    if not holds:
        raise GameError(sentence)


# What a game says of itself


def _check_facts(game: Game) -> None:
    sides = game.sides
    _need(len(sides) == 2, "sides has to be the two members of its class of sides")
    _need(
        all(hasattr(side, "other") for side in sides), "sides have to be of a subclass of alphadiamond.base.game.Side"
    )
    _need([int(side) for side in sides] == [0, 1], "sides has to begin with the side that moves first, of value 0")
    _need(sides[0].letter != sides[1].letter, "the names of the sides have to begin with different letters")
    _need(game.title, "title is empty")
    fields = getattr(type(game.rules), "_fields", ())
    expected = Rules._fields
    _need(fields[: len(expected)] == expected, f"its rules have to begin with the fields {', '.join(expected)}")
    for name in expected:
        _need(isinstance(getattr(game.rules, name), int), f"rules.{name} has to be a whole number")
    _need(game.rules.actions == game.shape.actions, "rules.actions and shape.actions have to be the same number")
    _need(1 <= game.rules.max_moves <= game.rules.actions, "rules.max_moves has to be from 1 to rules.actions")
    _need(game.rules.actions < 1 << 15, "rules.actions has to be less than 32,768, since actions are int16")
    _need(game.rules.state_size >= 2, "rules.state_size has to count the occurrences in the last column too")
    _need(
        game.rules.inputs == game.shape.inputs,
        f"rules.inputs is {game.rules.inputs}, but shape says planes * nodes + globals = {game.shape.inputs}",
    )
    _need(game.longest >= 1, "longest has to be the plies of the longest game")
    _need(game.history_limit >= 1, "history_limit has to be 1 or more")
    repeats = game.rules.repetition_limit > 0
    _need(
        not repeats or game.history_limit > 1,
        "history_limit is 1, but positions recur (repetition_limit): say how many",
    )
    _need(game.score_scale > 0, "score_scale has to be more than 0")


def _check_shape(game: Game) -> None:
    shape = game.shape
    symmetries, actions = np.asarray(shape.symmetries), np.asarray(shape.action_symmetries)
    _need(
        symmetries.ndim == 2 and symmetries.shape[1] == shape.nodes,
        f"shape.symmetries has the shape {symmetries.shape}: expected [K, {shape.nodes}]",
    )
    _need(
        actions.shape == (len(symmetries), shape.actions),
        f"shape.action_symmetries has the shape {actions.shape}: expected [{len(symmetries)}, {shape.actions}]",
    )
    for name, table, size in (("symmetries", symmetries, shape.nodes), ("action_symmetries", actions, shape.actions)):
        _need((table[0] == np.arange(size)).all(), f"shape.{name} has to begin with the identity")
        _need((np.sort(table, axis=1) == np.arange(size)).all(), f"each row of shape.{name} has to be a permutation")
    numbers = {row.tobytes(): number for number, row in enumerate(np.ascontiguousarray(symmetries))}
    _need(len(numbers) == len(symmetries), "two of shape.symmetries are the same")
    for i, j in itertools.product(range(len(symmetries)), repeat=2):
        both = numbers.get(np.ascontiguousarray(symmetries[i][symmetries[j]]).tobytes())
        _need(
            both is not None, f"symmetry {j} and then {i} is no symmetry of shape.symmetries: they have to be a group"
        )
        _need(
            (actions[i][actions[j]] == actions[both]).all(), f"action_symmetries do not follow symmetries {j} and {i}"
        )
    edges = np.asarray(shape.edges)
    _need(edges.ndim == 2 and edges.shape[1] == 2, "shape.edges has to be pairs of nodes, [E, 2]")
    _need(edges.size == 0 or (edges.min() >= 0 and edges.max() < shape.nodes), "shape.edges names a node that is none")
    if shape.action_nodes is not None:
        ends = np.asarray(shape.action_nodes)
        _need(ends.shape == (shape.actions, 2), f"shape.action_nodes has to be [{shape.actions}, 2]")
        _need(ends.min() >= 0 and ends.max() < shape.nodes, "shape.action_nodes names a node that is none")
    if shape.grid is not None:
        rows, columns = shape.grid
        _need(rows * columns == shape.nodes, f"shape.grid is {rows} by {columns}, but there are {shape.nodes} nodes")


def _check_bodies(game: Game) -> None:
    """Every function is there and compiles."""
    for function, _ in _FUNCTIONS:
        sentence = rules.missing(function, type(game.rules))
        _need(not sentence, sentence)
    state = _state(game, _start(game, None))
    _need(state.dtype == np.int64, f"state_of gives {state.dtype}: expected int64")
    _need(state.shape == (game.state_size,), f"state_of gives {state.shape}: rules.state_size is {game.state_size}")
    _need(state[-1] >= 1, "the last column of a state counts how often its position has occurred, so 1 or more")
    moves, after = _room(game.rules.actions + _ROOM, np.int16), _room(game.state_size, np.int64)
    row = _room(game.rules.inputs, np.float32)
    more: dict[Any, tuple[Any, ...]] = {kernels.listed: (moves,), kernels.encoded: (row,)}
    kernel: Any
    for function, kernel in _FUNCTIONS:
        if function is rules.play:
            count = kernels.listed(game.rules, state, moves)
            _need(0 < count <= game.rules.actions, f"list_moves finds {count} moves at the start")
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


def _room(size: int, kind: type) -> npt.NDArray[Any]:
    """An array with untouched places around it: `_untouched` says whether they still are."""
    return np.full(size + 2 * _ROOM, _UNTOUCHED, dtype=kind)[_ROOM : _ROOM + size]


def _untouched(view: npt.NDArray[Any]) -> bool:
    whole: Any = view.base
    return bool((whole[:_ROOM] == _UNTOUCHED).all() and (whole[_ROOM + len(view) :] == _UNTOUCHED).all())


# Starts and bounds


def _start(game: Game, seed: int | None) -> Any:
    """A start, drawn by a seed where a game draws its starts."""
    return game.start(seed=seed) if "seed" in inspect.signature(game.start).parameters else game.start()  # type: ignore[call-arg]


def _check_starts(game: Game, seed: int) -> None:
    for number in (None, *range(seed, seed + 4)):
        start = _start(game, number)
        _need(start.side is game.sides[0], f"start: the first side, {game.sides[0]}, has to be to move")
        _need(start.outcome is None and start.moves(), "start: the game is over before it has begun")
        if number is not None:
            _need(_start(game, number) == start, f"start: the seed {number} has given two different positions")
    first, second = (np.random.default_rng(seed) for _ in range(2))
    for name, draw in (("random_start", game.random_start), ("opening", lambda rng: game.opening(rng, 2))):
        for _ in range(5):
            state, again = draw(first), draw(second)
            _need((state == again).all(), f"{name}: the same generator has given two different states")
            _need(_status(game, state) == ONGOING, f"{name}: the game is over in one of its states")


def _check_bounds(game: Game, rng: np.random.Generator) -> None:
    state, stream = _state(game, _start(game, None)), random_stream(rng)
    found = kernels.measure_games(game.rules, state, stream, _MEASURED, game.longest + 1, _ROOM)
    moves, plies, known, stuck = map(int, found)
    _need(not stuck, "status says that a game goes on in which list_moves finds no move")
    _need(moves <= game.max_moves, f"rules.max_moves is {game.max_moves}, but a position has {moves} moves: raise it")
    _need(plies <= game.longest, f"longest is {game.longest}, but a game has more plies: raise it")
    if game.repetition_limit:
        _need(
            known <= game.history_limit,
            f"history_limit is {game.history_limit}, but {known} positions follow each other that may recur: raise it",
        )


# Positions


def _sample(game: Game, rng: np.random.Generator) -> Sample:
    positions = []
    for number in range(_GAMES):
        position = _start(game, int(rng.integers(1 << 31)) if number else None)
        while True:
            positions.append(position)
            moves = position.moves()
            if not moves:
                break
            position = position.play(moves[int(rng.integers(len(moves)))])
    keep = np.sort(rng.permutation(len(positions))[:_POSITIONS])
    chosen = tuple(positions[i] for i in keep)
    going = [position for position in chosen if position.outcome is None]
    actions = [moves[int(rng.integers(len(moves)))].action for moves in (one.moves() for one in going)]
    return Sample(game, chosen, game.states_of(going), np.array(actions, dtype=np.int16))


def _check_texts(sample: Sample) -> None:
    game = sample.game
    for position in sample.positions:
        text = str(position)
        _need("\n" not in text, f"the text of a position has more than one line: {text!r}")
        twin = _read(game.parse, text, "parse")
        _need(str(twin) == text, f"parse({text!r}) gives a position with the text {str(twin)!r}")
        _need(twin == position, f"parse({text!r}) gives a position that is not equal to the one it was written from")
        moves = list(position.moves())
        over = position.outcome is not None
        _need(over == (not moves), f"{text}: {'moves of a game that is over' if over else 'no moves, but no outcome'}")
        if over:
            reason, endings = str(position.outcome.reason), game.endings
            _need(reason in endings, f"{text}: ended by {reason!r}, which is not among endings: {', '.join(endings)}")
        actions = [move.action for move in moves]
        _need(actions == sorted(set(actions)), f"{text}: moves() has to be in order of actions, each once")
        for move in moves:
            _check_move(game, position, move)
        _check_refusal(game, position, set(actions))
    for text in _NONSENSE:
        for name, read in (("parse", game.parse), ("parse_move", game.parse_move)):
            try:
                read(text)
            except NotationError as error:
                _need("\n" not in str(error), f"{name}: the error for {text!r} has more than one line")
            except Exception as error:
                raise GameError(f"{name}({text!r}) ends in {type(error).__name__}: raise a NotationError") from None
            else:
                raise GameError(f"{name} takes {text!r} for one: raise a NotationError")


def _check_move(game: Game, position: Any, move: Any) -> None:
    where = f"{position}: move {move}"
    _need(0 <= move.action < game.actions, f"{where}: its action {move.action} is not from 0 to {game.actions - 1}")
    _need(
        _read(game.parse_move, str(move), "parse_move") == move, f"{where}: parse_move reads its text as another move"
    )
    _need(game.move_of(move.action, position.side) == move, f"{where}: move_of({move.action}) is another move")
    _need(move.squares, f"{where}: squares is empty, so that nobody can click it")
    _need(position.play(str(move)) == position.play(move), f"{where}: play gives something else for its text")


def _check_refusal(game: Game, position: Any, legal: set[int]) -> None:
    action = next((action for action in range(game.actions) if action not in legal), None)
    if action is None:
        return
    move = game.move_of(action, position.side)
    try:
        position.play(move)
    except IllegalMoveError:
        return
    except Exception as error:
        raise GameError(f"{position}: play({move}) ends in {type(error).__name__}: raise an IllegalMoveError") from None
    raise GameError(f"{position}: play takes {move}, which is no legal move: raise an IllegalMoveError")


def _read(read: Callable[[str], Any], text: str, name: str) -> Any:
    try:
        return read(text)
    except AlphaDiamondError as error:
        raise GameError(f"{name} does not read {text!r}, which was written by the game: {error}") from None


# Compiled rules against positions


def _state(game: Game, position: Any) -> npt.NDArray[np.int64]:
    return np.asarray(game.state_of(position))


def _status(game: Game, state: npt.NDArray[np.int64]) -> int:
    return int(kernels.status_of(game.rules, state))


def _value(position: Any) -> int:
    outcome = position.outcome
    if outcome is None:
        return ONGOING
    return DRAW if outcome.winner is None else WIN if outcome.winner is position.side else LOSS


def _check_kernels(sample: Sample) -> None:
    game = sample.game
    for position in sample.positions:
        state = _state(game, position)
        twin = game.position_of(state, position.side)
        _need(str(twin) == str(position), f"{position}: position_of(state_of(...)) is {twin}")
        status, expected = _status(game, state), _value(position)
        _need(status in (WIN, DRAW, LOSS, ONGOING), f"{position}: status gives {status}, which is no result")
        history = game.history_of(position)
        seen = int((history[::-2] == history[-1]).sum())
        repeated = bool(game.repetition_limit) and seen >= game.repetition_limit
        _need(1 <= len(history) <= game.history_limit, f"{position}: history_of is longer than history_limit")
        if repeated and status == ONGOING:
            _need(expected == DRAW, f"{position}: has occurred {seen} times, which repetition_limit makes a draw")
            continue
        _need(status == expected, f"{position}: status says {_word(status)}, its outcome {_word(expected)}")
        if expected == ONGOING:
            _check_moves(game, position, state)
        else:
            reason = str(position.outcome.reason)
            _need(game.ending(state) == reason, f"{position}: ending() says {game.ending(state)!r}, not {reason!r}")
    _check_expand(sample)
    _check_perft(game)


def _check_moves(game: Game, position: Any, state: npt.NDArray[np.int64]) -> None:
    """What list_moves and play write, and that they write nothing else."""
    before, moves = state.copy(), _room(game.max_moves, np.int16)
    count = int(kernels.listed(game.rules, state, moves))
    _need(_untouched(moves) and count <= game.max_moves, f"{position}: list_moves writes more than max_moves actions")
    expected = [move.action for move in position.moves()]
    _need(
        moves[:count].tolist() == expected, f"{position}: list_moves gives {moves[:count].tolist()}, moves() {expected}"
    )
    for move in position.moves():
        after = _room(game.state_size, np.int64)
        kernels.played(game.rules, state, move.action, after)
        where = f"{position}: play({move})"
        _need((state == before).all(), f"{where} changes the state that it is given")
        _need(_untouched(after), f"{where} writes beyond the state: rules.state_size is {game.state_size}")
        _need(after[-1] == 1, f"{where} has to set the last column, the occurrences, to 1")
        same = _room(game.state_size, np.int64)
        same[:] = state
        kernels.played(game.rules, same, move.action, same)
        _need(
            (same == after).all(),
            f"{where} is wrong where `after` is the same array as `state`: read what you need before you write",
        )
        known = _state(game, position.play(move))
        _need(
            (known[:-1] == after[:-1]).all(),
            f"{where} writes {after.tolist()}, but the state of the position after it is {known.tolist()}",
        )


def _check_expand(sample: Sample) -> None:
    """Many at once are as each alone, which a game might have in a way of its own."""
    game, states = sample.game, sample.states
    after, keys, fresh, statuses, legal, counts = game.expand(states, sample.actions)
    masks = game.legal(states)
    for b, (state, action) in enumerate(zip(states, sample.actions.tolist(), strict=True)):
        one = np.empty_like(state)
        kernels.played(game.rules, state, action, one)
        known = (kernels.key_of(game.rules, one), kernels.fresh_of(game.rules, one), _status(game, one))
        same = (after[b] == one).all() and (int(keys[b]), bool(fresh[b]), int(statuses[b])) == known
        _need(same, f"expand differs from play, position_key, is_fresh and status in {game.position_of(state)}")
        _need(masks[b, action], f"legal() leaves out an action that list_moves gives in {game.position_of(state)}")
        _need((counts[b] == 0) == (statuses[b] != ONGOING), "expand lists moves of a game that is over")
        _need(len(set(legal[b, : counts[b]].tolist())) == counts[b], "expand lists a move twice")


def _check_perft(game: Game) -> None:
    def count(position: Any, depth: int) -> int:
        return 1 if depth == 0 else sum(count(position.play(move), depth - 1) for move in position.moves())

    for depth in range(1, 4):
        found = game.perft(depth)
        if found > 2_000:
            break
        expected = count(_start(game, None), depth)
        _need(found == expected, f"perft({depth}) is {found} by the compiled rules, and {expected} by positions")


def _word(status: int) -> str:
    return {WIN: "a win", DRAW: "a draw", LOSS: "a loss", ONGOING: "that it goes on"}[status]


# Keys, inputs and opinions


def _check_keys(sample: Sample) -> None:
    """Equal keys are taken for the same position, in which the same can be played."""
    game, known = sample.game, dict[int, tuple[bytes, bytes]]()
    planes = game.shape.planes * game.shape.nodes
    texts = dict[str, int]()
    legal, rows = game.legal(sample.states), game_kernels.encode_states(game.rules, sample.states)
    for state, moves, row in zip(sample.states, legal, rows, strict=True):
        key, where = int(kernels.key_of(game.rules, state)), game.position_of(state)
        _need(key >= 0, f"position_key is {key} in {where}: keys must not be negative, so stay below 2**63")
        seen = moves.tobytes(), row[:planes].tobytes()
        _need(
            known.setdefault(key, seen) == seen, f"position_key is {key} for {where} and for a position that is another"
        )
        _need(texts.setdefault(str(where), key) == key, f"position_key differs between two occurrences of {where}")


def _check_inputs(sample: Sample) -> None:
    game, rows = sample.game, dict[int, bytes]()
    states = np.repeat(sample.states, 2 if game.repetition_limit else 1, axis=0)
    if game.repetition_limit:
        states[1::2, -1] = 2
    for state in states:
        where = game.position_of(state)
        row, again = _room(game.rules.inputs, np.float32), np.full(game.rules.inputs, 7, dtype=np.float32)
        for room in (row, again):
            kernels.encoded(game.rules, state, room)
        _need(_untouched(row), f"encode writes beyond its row: rules.inputs is {game.rules.inputs}")
        left = np.flatnonzero(row != again)
        _need(not left.size, f"encode leaves input {left[0] if left.size else 0} as it was in {where}: write every one")
        _need(np.isfinite(row).all(), f"encode writes a number that is not finite in {where}")
        key = int(kernels.input_key_of(game.rules, state))
        _need(key >= 0, f"input_key is {key} in {where}: keys must not be negative, so stay below 2**63")
        _need(
            rows.setdefault(key, row.tobytes()) == row.tobytes(),
            f"input_key is {key} for {where} and for a state of which encode writes something else",
        )


def _check_opinions(sample: Sample) -> None:
    game = sample.game
    for state in sample.states:
        where = game.position_of(state)
        score, guess = kernels.score_of(game.rules, state), kernels.guess_of(game.rules, state)
        _need(isinstance(score, int | np.integer), f"score gives {score!r}: expected a whole number")
        _need(
            abs(score) < _LARGEST_SCORE,
            f"score is {score} in {where}: stay between -900,000 and 900,000, beyond which are wins and losses",
        )
        _need(0 <= guess <= 1, f"judge is {guess} in {where}: expected a share of a point, from 0 to 1")


# Symmetries


def _check_symmetries(sample: Sample) -> None:
    game, shape, states = sample.game, sample.game.shape, sample.states
    legal, inputs = game.legal(states), game_kernels.encode_states(game.rules, states)
    after, _, _, statuses, *_ = game.expand(states, sample.actions)
    planes = shape.planes * shape.nodes
    for number in range(len(shape.symmetries)):
        which = np.full(len(states), number, dtype=np.int64)
        images, moved = game.images(states, which), shape.action_symmetries[number]
        name = f"symmetry {number}"
        _need(
            images.dtype == states.dtype and images.shape == states.shape, "images has to give states as it gets them"
        )
        _need((images[:, -1] == states[:, -1]).all(), f"{name}: images changes the last column, the occurrences")
        _need(number or (images == states).all(), "symmetry 0 has to be the identity, but images changes states by it")
        wrong = np.flatnonzero((game.legal(images)[:, moved] != legal).any(axis=1))
        _need(
            not wrong.size, f"{name}: the legal moves of an image are not the images of the moves{_at(sample, wrong)}"
        )
        turned = game_kernels.encode_states(game.rules, images)
        nodes = turned[:, :planes].reshape(-1, shape.planes, shape.nodes)[:, :, shape.symmetries[number]]
        wrong = np.flatnonzero((nodes.reshape(len(states), -1) != inputs[:, :planes]).any(axis=1))
        _need(
            not wrong.size,
            f"{name}: encode of an image is not the image of encode by shape.symmetries{_at(sample, wrong)}",
        )
        wrong = np.flatnonzero((turned[:, planes:] != inputs[:, planes:]).any(axis=1))
        _need(not wrong.size, f"{name}: an input of the whole board changes under it{_at(sample, wrong)}")
        other, _, _, results, *_ = game.expand(images, moved[sample.actions].astype(np.int16))
        wrong = np.flatnonzero((other != game.images(after, which)).any(axis=1))
        _need(
            not wrong.size,
            f"{name}: playing in the image is not the image, by the same symmetry, of playing{_at(sample, wrong)}",
        )
        _need((results == statuses).all(), f"{name}: status differs between a state and its image")


def _at(sample: Sample, wrong: npt.NDArray[np.int64]) -> str:
    return f" in {sample.game.position_of(sample.states[wrong[0]])}" if wrong.size else ""


# Windows and processes


def _check_drawing(sample: Sample) -> None:
    drawing = sample.game.drawing
    count = len(drawing.names)
    _need(len(drawing.points) == count, f"drawing: {count} names, but {len(drawing.points)} points")
    spots = len(drawing.columns) or count
    for position in sample.positions:
        for square in drawing.pieces(position):
            _need(0 <= square < count, f"drawing: a piece on square {square} of {count} in {position}")
        clicks = drawing.clicks(position)
        for move, path in clicks.paths.items():
            _need(all(0 <= spot < spots for spot in path), f"{position}: move {move} is clicked where nothing is")
        for first, second in _alike(clicks):
            raise GameError(f"{position}: {first} and {second} are clicked alike: one's squares begin the other's")
        _need(drawing.picture(position), f"drawing: no picture of {position}")
    moves = sample.positions[0].moves()
    drawing.ply(sample.positions[0], moves[0])


def _alike(clicks: Clicks) -> Iterator[tuple[Any, Any]]:
    """Moves that cannot be told apart by clicks."""
    paths = sorted(clicks.paths.items(), key=lambda item: item[1])
    for (first, path), (second, longer) in itertools.pairwise(paths):
        if longer[: len(path)] == path:
            yield first, second


def _check_processes(sample: Sample) -> None:
    """Games, positions and moves go to other processes."""
    game, position = sample.game, sample.positions[0]
    for name, one in (("the game", game), ("a position", position), ("a move", position.moves()[0])):
        try:
            twin = pickle.loads(pickle.dumps(one))
        except Exception as error:
            raise GameError(f"{name} cannot be sent to another process ({error}): keep its class in a module") from None
        _need(name == "the game" or twin == one, f"{name} that was sent to another process is not equal to itself")
    try:
        hash(position.moves()[0])
    except TypeError:
        raise GameError("moves have to be hashable: a NamedTuple or a frozen dataclass is") from None


__all__ = ["check", "check_once"]
