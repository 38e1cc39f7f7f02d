"""The rules of a game as functions that compiled code calls, whichever game it is for.

A game's rules are a NamedTuple class of its own (`Rules` below says what is in it), and its one value is the first
argument of every kernel that plays. The functions here have no body: each game gives them one for its class, in its
module `rules.py`, with `implement`. The compiler chooses by the class, so that a kernel is compiled once for each game,
as if it had been written for it, and the cache on disk finds it again in the next process.

A state is a row of int64. Its last column is how often the position has occurred, which whoever keeps the history fills
in; all else is the game's. Everything is from the side to move.

A compiled function that takes rules must not call itself: loaded from the cache it would crash the interpreter.
"""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from numba.extending import overload

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


def is_fresh(rules: Rules, state: State) -> bool:
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


def judge(rules: Rules, state: State) -> float:
    """A guess, from 0 to 1, at what the side to move will score in a game that goes on: where playouts are cut."""
    raise NotImplementedError


def score(rules: Rules, state: State) -> int:
    """What minimax takes a game that goes on for at its leaves; from -900,000 to 900,000, beyond are wins."""
    raise NotImplementedError


def _always_fresh(rules: Rules, state: State) -> bool:
    return True


def _whole_position(rules: Rules, state: State) -> int:
    return position_key(rules, state)


def _even(rules: Rules, state: State) -> float:
    return 0.5


def use_defaults(rules: type, *functions: Callable[..., Any]) -> None:
    """Give functions what is right for a simple game: nothing can recur (`is_fresh`), a network sees the whole
    position (`input_key`), and playouts are never cut, or nothing is known where they are (`judge`)."""
    defaults = {is_fresh: _always_fresh, input_key: _whole_position, judge: _even}
    for function in functions:
        implement(function, rules)(defaults[function])


def implement(function: Callable[..., Any], rules: type) -> Callable[[F], F]:
    """Give one of the functions above its body for a class of rules."""

    def decorate(body: F) -> F:
        names = list(inspect.signature(function).parameters)
        if list(inspect.signature(body).parameters) != names:
            raise TypeError(f"{body.__name__}: expected the arguments {', '.join(names)}")

        def choose(rules_type: Any, *_: Any) -> F | None:
            return body if getattr(rules_type, "instance_class", None) is rules else None

        overload(function, strict=False)(choose)
        return body

    return decorate
