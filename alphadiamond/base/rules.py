"""The rules of a game as functions that compiled code calls, whichever game it is for.

A game's rules are a NamedTuple class of its own (`Rules` below says what is in it), and its one value is the first
argument of every kernel that plays. The functions here have no body: each game gives them one for its class, in its
module `rules.py`, with `implement`. The compiler chooses by the class, so that a kernel is compiled once for each game,
as if it had been written for it, and the cache on disk finds it again in the next process.

A state is a row of int64. Its last column is how often the position has occurred, which whoever keeps the history fills
in; all else is the game's. Everything is from the side to move.

The functions under "Helps for the searches" each have a default that is right for every game; a game that gives a body
of its own is searched faster or better.

A compiled function may call itself, but only with arguments of the types that it was called with (slices of a row keep
theirs, columns do not): with others it crashes the interpreter once it is loaded from the cache (numba issue 6061).
"""

import inspect
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from numba.extending import overload

from alphadiamond.base.compilation import BODIES
from alphadiamond.base.random_kernels import random_below
from alphadiamond.errors import AlphaDiamondError

State: TypeAlias = npt.NDArray[np.int64]
"""[S] one state."""
Actions: TypeAlias = npt.NDArray[np.int16]
"""[M] room for the legal actions of one state."""

F = TypeVar("F", bound=Callable[..., Any])


class Rules(NamedTuple):
    """What any game's rules hold; a game's own class has these fields first, and may have more."""

    actions: int
    """How many actions there are in all."""
    max_moves: int
    """A bound on the legal actions of any state."""
    state_size: int
    """Columns of a state."""
    repetition_limit: int
    """The occurrence of a position that makes a draw; 0 where nothing can recur."""
    inputs: int
    """Numbers that a network sees of a state."""


def list_moves(rules: Rules, state: State, actions: Actions) -> int:
    """Write the legal actions, in order, into `actions` and return how many there are; the game goes on."""
    raise NotImplementedError


def play(rules: Rules, state: State, action: int, after: State) -> None:
    """Write the state after a legal action into `after`, as the other side sees it; its count of occurrences is 1.

    `after` may be `state` itself.
    """
    raise NotImplementedError


def status(rules: Rules, state: State) -> int:
    """WIN, DRAW, LOSS or ONGOING for the side to move; repetition apart."""
    raise NotImplementedError


def is_irreversible(rules: Rules, state: State) -> bool:
    """Whether no position before this one can come back: always, where nothing can recur."""
    raise NotImplementedError


def position_key(rules: Rules, state: State) -> int:
    """A number, not negative, that is equal for what repetition takes for the same position with the same side to
    move. Where positions recur it is equal for nothing else: a hash would end games that go on."""
    raise NotImplementedError


def input_key(rules: Rules, state: State) -> int:
    """A number, not negative, that is equal for states of which a network sees the same, and for no others unless the
    game says that its keys are not exact (`Game.exact_keys`)."""
    raise NotImplementedError


def encode(rules: Rules, state: State, row: npt.NDArray[np.float32]) -> None:
    """Write what a network sees of a state into `row`: plane after plane by node, then what is said of the whole."""
    raise NotImplementedError


def heuristic_value(rules: Rules, state: State) -> float:
    """A guess, from 0 to 1, at what the side to move will score in a game that goes on: where rollouts are cut."""
    raise NotImplementedError


def score(rules: Rules, state: State) -> int:
    """What minimax takes a game that goes on for at its leaves; from -900,000 to 900,000, beyond are wins."""
    raise NotImplementedError


# Helps for the searches


def is_legal(rules: Rules, state: State, action: int, actions: Actions) -> bool:
    """Whether an action is legal; `actions` is room for the legal ones. By default they are listed."""
    raise NotImplementedError


def move_promise(rules: Rules, state: State, after: State) -> int:
    """How a move looks before it is searched, from -1000 to 1000: 0 says nothing, a larger number is tried sooner than
    moves that say nothing, a smaller one later. By default 0."""
    raise NotImplementedError


def quiescence(rules: Rules, state: State, alpha: int, beta: int) -> int:
    """The score of a game that goes on when the exchanges at hand are played out, exact within the window; a win in n
    plies is WON - n. By default the score as it stands."""
    raise NotImplementedError


def pack_state(rules: Rules, state: State, left: int, packed: State) -> int:
    """Write what the next `left` plies can depend on, repetition apart, into `packed` and return how many numbers that
    is, the same for all states. By default the whole state but its count of occurrences."""
    raise NotImplementedError


def return_plies(rules: Rules, state: State, key: int, same_side: bool) -> int:
    """At least this many plies pass before the position of `key` is on the board again; `same_side`: the side to move
    now is to move there. By default 1 or 2, whichever leaves the right side to move."""
    raise NotImplementedError


def cycle_plies(rules: Rules) -> int:
    """At least this many plies pass before any position that is on the board comes back. By default 2."""
    raise NotImplementedError


def random_move(rules: Rules, state: State, actions: Actions, stream: npt.NDArray[np.uint64]) -> int:
    """A legal action, each with the same chance: number `random_below(stream, count)` of those that are listed."""
    raise NotImplementedError


def _always_irreversible(rules: Rules, state: State) -> bool:
    return True


def _whole_position(rules: Rules, state: State) -> int:
    return position_key(rules, state)


def _even(rules: Rules, state: State) -> float:
    return 0.5


def use_defaults(rules: type, *functions: Callable[..., Any]) -> None:
    """Give functions what is right for a simple game: nothing can recur (`is_irreversible`), a network sees the whole
    position (`input_key`), and rollouts are never cut, or nothing is known where they are (`heuristic_value`)."""
    for function in functions:
        if function not in _DEFAULTS:
            raise TypeError(f"{function.__name__} has no default: give it a body with @implement")
        implement(function, rules)(_DEFAULTS[function])


_DEFAULTS = {is_irreversible: _always_irreversible, input_key: _whole_position, heuristic_value: _even}


def implement(function: Callable[..., Any], rules: type) -> Callable[[F], F]:
    """Give one of the functions above its body for a class of rules."""

    def decorate(body: F) -> F:
        names = list(inspect.signature(function).parameters)
        if list(inspect.signature(body).parameters) != names:
            raise TypeError(f"{body.__name__}: expected the arguments {', '.join(names)}")

        def choose(rules_type: Any, *_: Any) -> F | None:
            return body if getattr(rules_type, "instance_class", None) is rules else None

        overload(function, strict=False)(choose)  # a game's own code may make arrays
        BODIES.setdefault(function, {})[rules] = body
        return body

    return decorate


def missing(function: Callable[..., Any], rules: type) -> str:
    """A sentence that says so where a class of rules gives a function no body; empty where it does."""
    if rules in BODIES.get(function, {}):
        return ""
    usual = f", or pass rules.{function.__name__} to use_defaults" if function in _DEFAULTS else ""
    name = function.__name__
    return f"{rules.__name__} has no {name}: give it one with @implement(rules.{name}, {rules.__name__}){usual}"


def _demand(function: Callable[..., Any]) -> None:
    """Let a class that gives a function no body be told so, in place of a page by the compiler."""

    def refuse(rules_type: Any, *_: Any) -> None:
        rules = getattr(rules_type, "instance_class", None)
        if rules is not None and (sentence := missing(function, rules)):
            raise AlphaDiamondError(sentence)

    overload(function, strict=False)(refuse)


for _function in (list_moves, play, status, is_irreversible, position_key, input_key, encode, heuristic_value, score):
    _demand(_function)


def body_of(function: Callable[..., Any], rules: Rules) -> Callable[..., Any]:
    """The body of one of the functions above for a game's rules, to be called outside of compiled code."""
    return BODIES.get(function, {}).get(type(rules)) or _HELPS[function]


_HELPS: Final[dict[Callable[..., Any], Callable[..., Any]]] = {}


def _by_default(function: Callable[..., Any]) -> Callable[[F], F]:
    """Give a function its body for all rules that bring none."""

    def decorate(body: F) -> F:
        _HELPS[function] = body

        def choose(rules_type: Any, *_: Any) -> F | None:
            one = getattr(rules_type, "instance_class", None)
            return body if one is not None and one not in BODIES.get(function, {}) else None

        overload(function, strict=False)(choose)
        return body

    return decorate


@_by_default(is_legal)
def _is_listed(rules: Rules, state: State, action: int, actions: Actions) -> bool:
    i = list_moves(rules, state, actions) - 1
    while i >= 0 and actions[i] != action:
        i -= 1
    return i >= 0


@_by_default(move_promise)
def _no_promise(rules: Rules, state: State, after: State) -> int:
    return 0


@_by_default(quiescence)
def _as_it_stands(rules: Rules, state: State, alpha: int, beta: int) -> int:
    return score(rules, state)


@_by_default(pack_state)
def _whole_state(rules: Rules, state: State, left: int, packed: State) -> int:
    for column in range(len(state) - 1):
        packed[column] = state[column]
    return len(state) - 1


@_by_default(return_plies)
def _any_way_back(rules: Rules, state: State, key: int, same_side: bool) -> int:
    return 2 if same_side else 1


@_by_default(cycle_plies)
def _there_and_back(rules: Rules) -> int:
    return 2


@_by_default(random_move)
def _any_listed(rules: Rules, state: State, actions: Actions, stream: npt.NDArray[np.uint64]) -> int:
    return int(actions[random_below(stream, list_moves(rules, state, actions))])
