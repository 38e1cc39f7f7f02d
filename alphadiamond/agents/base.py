"""What a player is: something that looks at a position and says what it thinks of every move."""

import abc
import functools
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game, States
from alphadiamond.settings.players import AgentError, UnavailableError
from alphadiamond.settings.ranges import Allowed
from alphadiamond.settings.validation import shown

if TYPE_CHECKING:
    from alphadiamond.agents.batch import Batch

Position: TypeAlias = Any
"""A position of the player's game; `alphadiamond.base.game.Position` says what any can do."""
Move: TypeAlias = Any
"""A move of the player's game: `alphadiamond.base.game.Move`."""

Stop: TypeAlias = Callable[[], bool]
"""Asked now and then by a player who thinks for long; True means: answer with what you have."""


def never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """What a player thinks of one legal move, from the view of the side that plays it."""

    move: Move
    score: float
    """The player's own measure, larger is better; what it means is said by the player."""
    value: float | None = None
    """The expected result in [-1, 1], for players that have one."""
    visits: int | None = None
    """Simulations through this move, for players that search a tree by visits."""
    prior: float | None = None
    """The chance a policy gave the move before the search."""
    distance: int | None = None
    """Plies to the end under best play, where the end is known; None otherwise, and for draws."""
    variation: tuple[Move, ...] = ()
    """The principal variation, this move first."""
    margin: int | None = None
    """By how much under best play, where games are won by a margin and it is known; negative where they are lost."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a player thinks of a position; values are from the side to move."""

    position: Position
    best: Move
    """The move the player would play."""
    moves: tuple[MoveAnalysis, ...]
    """Every legal move, best first."""
    value: float | None = None
    """The expected result in [-1, 1]."""
    win_draw_loss: tuple[float, float, float] | None = None
    """Chances that add up to 1."""
    exact: bool = False
    """Whether the value is proven."""
    depth: int | None = None
    """Plies looked ahead, for players that deepen."""
    simulations: int | None = None
    """Simulations made, for players that sample."""


class Agent(abc.ABC):
    """A player. One object plays one game at a time and may be asked about any position of the game that it knows.

    A constructor that takes `game` is given the one that is to be played; without it the player is for every game.
    """

    spec: str = ""
    """The text that `make_agent` built it from."""
    independent: bool = False
    """Whether its analysis of a position is the same whatever it was asked before."""

    positional: bool = False
    """Whether its move is a function of the position alone, the way there set aside, and all images of a position under
    the symmetries of the board get the images of one move: see `alphadiamond.agents.positional`."""
    digest: str = ""
    """Of the weights that it plays by, if it does by any."""

    game: Game
    """What it plays; `make_agent` says so to a player whose constructor does not take it."""

    @classmethod
    def check(cls, **parameters: Any) -> None:
        """Refuse parameters that the player cannot take, without building it.

        A constructor calls it with what it was given, so that a player built by hand is checked like one from a text.
        Ranges stand in the annotations of the constructor: `depth: Annotated[int | None, between(1, 60)]`.
        """
        ranges = ranges_of(cls)
        for name, value in parameters.items():
            if value is not None and name in ranges and (fault := ranges[name].fault(value)):
                raise AgentError(f"{name}={shown(value)}: {fault}")

    @abc.abstractmethod
    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        """Think about a position in a game that goes on."""

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        """The move to play."""
        return self.analyse(position, stop=stop).best

    def choose_many(self, positions: Sequence[Position]) -> list[Move]:
        """The move to play in each of several games; some players answer all at once."""
        return [self.choose(position) for position in positions]

    def analyse_many(self, positions: Sequence[Position]) -> list[Analysis]:
        """Think about positions that have nothing to do with each other; some players do it faster than one by one."""
        analyses = []
        for position in positions:
            self.reset()
            analyses.append(self.analyse(position))
        return analyses

    def answer_states(
        self, states: States
    ) -> tuple[npt.NDArray[np.integer[Any]], npt.NDArray[np.floating[Any]]] | None:
        """(best actions [B], win, draw, loss [B, 3]) of positions without history [B, S], as `analyse_many` finds them;
        None for players who think about positions, not arrays."""
        return None

    @property
    def simulations_made(self) -> int:
        """By all answers to `answer_states` so far."""
        return 0

    def batch(self, *, places: int, memory: int) -> "Batch | None":
        """Room for up to `places` positions to be thought about together in about `memory` bytes; None for players who
        think about one at a time."""
        return None

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        """Analyses that get better until `stop` says so or the player has no more to say."""
        yield self.analyse(position, stop=stop)

    def reset(self) -> None:  # noqa: B027  (most players remember nothing)
        """Forget the game so far; called before each new one."""

    def record_result(self, score: float) -> float | None:
        """Hear how its opponent has done in a game, 1 won, 0.5 drawn, 0 lost; returns the new strength of a player who
        minds."""
        return None

    def reseed(self, seed: int) -> bool:
        """Start the random numbers again from a seed, as if built with it; False: this player has to be built anew.

        Worth writing for players that are slow to build, a network above all.
        """
        return False


def require_moves(position: Position, game: Game | None = None) -> list[Move]:
    """The legal moves; asking a player about a finished game is an error, and so is a position of another game than the
    one it is said to play."""
    if game is not None:
        game.check_position(position)
    moves: list[Move] = list(position.moves())
    if not moves:
        raise AgentError(f"nothing to choose: the game is over, {position.outcome}")
    return moves


def line_of(game: Game, position: Position, actions: Iterable[int]) -> tuple[Move, ...]:
    """The moves that a line of actions from a position stands for, the sides in turn."""
    sides = (position.side, position.side.other)
    return tuple([game.move_of(int(action), sides[ply & 1]) for ply, action in enumerate(actions)])


@functools.cache
def ranges_of(cls: type[Agent]) -> dict[str, Allowed]:
    """The ranges that a player states for its parameters."""
    hints = typing.get_type_hints(cls.__init__, include_extras=True)
    stated = {name: typing.get_args(hint)[1:] for name, hint in hints.items() if typing.get_origin(hint) is Annotated}
    return {name: one for name, notes in stated.items() for one in notes if isinstance(one, Allowed)}


__all__ = [
    "Agent",
    "AgentError",
    "Analysis",
    "Game",
    "Move",
    "MoveAnalysis",
    "Position",
    "Stop",
    "UnavailableError",
    "line_of",
    "never",
    "ranges_of",
    "require_moves",
]
