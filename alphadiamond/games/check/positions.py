"""Positions and moves as people know them, the compiled rules against them, and what windows and processes need."""

import itertools
import pickle
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.drawing import Clicks
from alphadiamond.base.game import Game
from alphadiamond.base.notation import IllegalMoveError, NotationError
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import GameError
from alphadiamond.games.check import kernels
from alphadiamond.games.check.sample import Sample, need, start_of, state_of, status_at, untouched, with_room

_NONSENSE: Final = ("", "nonsense", "x" * 300, "\n", "½")


# Positions


def check_texts(sample: Sample) -> None:
    game = sample.game
    for position in sample.positions:
        text = str(position)
        need("\n" not in text, f"the text of a position has more than one line: {text!r}")
        twin = _read(game.parse, text, "parse")
        need(str(twin) == text, f"parse({text!r}) gives a position with the text {str(twin)!r}")
        need(twin == position, f"parse({text!r}) gives a position that is not equal to the one it was written from")
        moves = list(position.moves())
        over = position.outcome is not None
        need(over == (not moves), f"{text}: {'moves of a game that is over' if over else 'no moves, but no outcome'}")
        if over:
            reason, endings = str(position.outcome.reason), game.endings
            need(reason in endings, f"{text}: ended by {reason!r}, which is not among endings: {', '.join(endings)}")
        actions = [move.action for move in moves]
        need(actions == sorted(set(actions)), f"{text}: moves() has to be in order of actions, each once")
        for move in moves:
            _check_move(game, position, move)
        _check_refusal(game, position, set(actions))
    for text in _NONSENSE:
        for name, read in (("parse", game.parse), ("parse_move", game.parse_move)):
            try:
                read(text)
            except NotationError as error:
                need("\n" not in str(error), f"{name}: the error for {text!r} has more than one line")
            except Exception as error:
                raise GameError(f"{name}({text!r}) ends in {type(error).__name__}: raise a NotationError") from None
            else:
                raise GameError(f"{name} takes {text!r} for one: raise a NotationError")


def _check_move(game: Game, position: Any, move: Any) -> None:
    where = f"{position}: move {move}"
    need(0 <= move.action < game.actions, f"{where}: its action {move.action} is not from 0 to {game.actions - 1}")
    need(_read(game.parse_move, str(move), "parse_move") == move, f"{where}: parse_move reads its text as another move")
    need(game.move_of(move.action, position.side) == move, f"{where}: move_of({move.action}) is another move")
    need(move.squares, f"{where}: squares is empty, so that nobody can click it")
    need(position.play(str(move)) == position.play(move), f"{where}: play gives something else for its text")


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


def _value(position: Any) -> int:
    outcome = position.outcome
    if outcome is None:
        return ONGOING
    return DRAW if outcome.winner is None else WIN if outcome.winner is position.side else LOSS


def check_kernels(sample: Sample) -> None:
    game = sample.game
    for position in sample.positions:
        state = state_of(game, position)
        twin = game.position_of(state, position.side)
        need(str(twin) == str(position), f"{position}: position_of(state_of(...)) is {twin}")
        _check_alone(game, position, state)
        status, expected = status_at(game, state), _value(position)
        need(status in (WIN, DRAW, LOSS, ONGOING), f"{position}: status gives {status}, which is no result")
        history = game.history_of(position)
        seen = int((history[::-2] == history[-1]).sum())
        repeated = bool(game.repetition_limit) and seen >= game.repetition_limit
        need(1 <= len(history) <= game.history_limit, f"{position}: history_of is longer than history_limit")
        if repeated and status == ONGOING:
            need(expected == DRAW, f"{position}: has occurred {seen} times, which repetition_limit makes a draw")
            continue
        need(status == expected, f"{position}: status says {_word(status)}, its outcome {_word(expected)}")
        if expected == ONGOING:
            _check_moves(game, position, state)
        else:
            reason = str(position.outcome.reason)
            need(game.ending(state) == reason, f"{position}: ending() says {game.ending(state)!r}, not {reason!r}")
    _check_expand(sample)
    _check_perft(game)


def _check_alone(game: Game, position: Any, state: npt.NDArray[np.int64]) -> None:
    """A state alone makes a position, for whoever does not know the side: exams and openings keep states."""
    mend = "where the state does not say whose turn it is, take the first side"
    try:
        alone = game.position_of(state)
        known = state_of(game, alone)
        alone.outcome  # noqa: B018
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        raise GameError(f"{position}: its state makes no position without a side ({fault}): {mend}") from None
    need(alone.side in game.sides, f"{position}: position_of(state) has side {alone.side}: {mend}")
    need((known[:-1] == state[:-1]).all(), f"{position}: position_of(state) without a side has another state: {mend}")


def _check_moves(game: Game, position: Any, state: npt.NDArray[np.int64]) -> None:
    """What list_moves and play write, and that they write nothing else."""
    before, moves = state.copy(), with_room(game.max_moves, np.int16)
    count = int(kernels.listed(game.rules, state, moves))
    need(untouched(moves) and count <= game.max_moves, f"{position}: list_moves writes more than max_moves actions")
    expected = [move.action for move in position.moves()]
    need(
        moves[:count].tolist() == expected, f"{position}: list_moves gives {moves[:count].tolist()}, moves() {expected}"
    )
    for move in position.moves():
        after = with_room(game.state_size, np.int64)
        kernels.played(game.rules, state, move.action, after)
        where = f"{position}: play({move})"
        need((state == before).all(), f"{where} changes the state that it is given")
        need(untouched(after), f"{where} writes beyond the state: rules.state_size is {game.state_size}")
        need(after[-1] == 1, f"{where} has to set the last column, the occurrences, to 1")
        same = with_room(game.state_size, np.int64)
        same[:] = state
        kernels.played(game.rules, same, move.action, same)
        need(
            (same == after).all(),
            f"{where} is wrong where `after` is the same array as `state`: read what you need before you write",
        )
        known = state_of(game, position.play(move))
        need(
            (known[:-1] == after[:-1]).all(),
            f"{where} writes {after.tolist()}, but the state of the position after it is {known.tolist()}",
        )


def _check_expand(sample: Sample) -> None:
    """Many at once are as each alone, which a game might have in a way of its own."""
    game, states = sample.game, sample.states
    after, keys, irreversible, statuses, legal, counts = game.expand(states, sample.actions)
    masks = game.legal(states)
    for b, (state, action) in enumerate(zip(states, sample.actions.tolist(), strict=True)):
        one = np.empty_like(state)
        kernels.played(game.rules, state, action, one)
        known = (kernels.key_of(game.rules, one), kernels.irreversible_of(game.rules, one), status_at(game, one))
        same = (after[b] == one).all() and (int(keys[b]), bool(irreversible[b]), int(statuses[b])) == known
        need(same, f"expand differs from play, position_key, is_irreversible and status in {game.position_of(state)}")
        need(masks[b, action], f"legal() leaves out an action that list_moves gives in {game.position_of(state)}")
        need((counts[b] == 0) == (statuses[b] != ONGOING), "expand lists moves of a game that is over")
        need(len(set(legal[b, : counts[b]].tolist())) == counts[b], "expand lists a move twice")


def _check_perft(game: Game) -> None:
    def count(position: Any, depth: int) -> int:
        return 1 if depth == 0 else sum(count(position.play(move), depth - 1) for move in position.moves())

    for depth in range(1, 4):
        found = game.perft(depth, start_of(game, None))
        if found > 2_000:
            break
        expected = count(start_of(game, None), depth)
        need(found == expected, f"perft({depth}) is {found} by the compiled rules, and {expected} by positions")


def _word(status: int) -> str:
    return {WIN: "a win", DRAW: "a draw", LOSS: "a loss", ONGOING: "that it goes on"}[status]


# Windows and processes


def check_drawing(sample: Sample) -> None:
    for position in sample.positions:
        drawing = sample.game.drawing_for(position)
        count = len(drawing.names)
        spots = len(drawing.columns) or count
        need(len(drawing.points) == count, f"drawing: {count} names, but {len(drawing.points)} points")
        for square in drawing.pieces(position):
            need(0 <= square < count, f"drawing: a piece on square {square} of {count} in {position}")
        clicks = drawing.clicks(position)
        for move, path in clicks.paths.items():
            need(all(0 <= spot < spots for spot in path), f"{position}: move {move} is clicked where nothing is")
        for first, second in _alike(clicks):
            raise GameError(f"{position}: {first} and {second} are clicked alike: one's squares begin the other's")
        need(drawing.picture(position), f"drawing: no picture of {position}")
        for move in position.moves()[:1]:
            drawing.ply(position, move)


def _alike(clicks: Clicks) -> Iterator[tuple[Any, Any]]:
    """Moves that cannot be told apart by clicks."""
    paths = sorted(clicks.paths.items(), key=lambda item: item[1])
    for (first, path), (second, longer) in itertools.pairwise(paths):
        if longer[: len(path)] == path:
            yield first, second


def check_processes(sample: Sample) -> None:
    """Games, positions and moves go to other processes."""
    game, position = sample.game, sample.positions[0]
    for name, one in (("the game", game), ("a position", position), ("a move", position.moves()[0])):
        try:
            twin = pickle.loads(pickle.dumps(one))
        except Exception as error:
            raise GameError(f"{name} cannot be sent to another process ({error}): keep its class in a module") from None
        need(name == "the game" or twin == one, f"{name} that was sent to another process is not equal to itself")
    try:
        hash(position.moves()[0])
    except TypeError:
        raise GameError("moves have to be hashable: a NamedTuple or a frozen dataclass is") from None
