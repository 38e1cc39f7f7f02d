"""What a game is to everything that plays, learns and shows.

It has positions and moves as people know them, the same rules as arrays for searches and networks, and much that is
optional: a solution, an exam, lessons, a drawing.

`alphadiamond.games.load(name)` gives one. Values are always from the side to move.
"""

import abc
import enum
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from alphadiamond.base import game_kernels
from alphadiamond.base.board_plot import plot_board
from alphadiamond.base.drawing import Drawing
from alphadiamond.base.notation import NotationError
from alphadiamond.base.plain_drawing import PlainDrawing
from alphadiamond.base.record import GameRecord
from alphadiamond.base.rules import Rules
from alphadiamond.base.start_seeds import Purpose
from alphadiamond.errors import AlphaDiamondError

States: TypeAlias = npt.NDArray[np.int64]
"""[B, S] states: see `alphadiamond.base.rules`."""


class Side(enum.IntEnum):
    """The two sides of a game: a game's own class names them, the one that moves first as 0, the other as 1."""

    @property
    def other(self) -> Self:
        return type(self)(1 - self)

    @property
    def letter(self) -> str:
        """How a position's text names it."""
        return self.name[0].lower()

    def __str__(self) -> str:
        return self.name.lower()


class Outcome(Protocol):
    """How a game ended; its text says so in words."""

    @property
    def winner(self) -> Side | None:
        """None for a draw."""

    @property
    def reason(self) -> Any:
        """Its text is a word or two: `repetition`, `four in a row`."""


@dataclass(frozen=True)
class Ended:
    """An outcome for games that need no more words than this."""

    winner: Any
    """The side, or None for a draw."""
    reason: str

    def __str__(self) -> str:
        return f"{'draw' if self.winner is None else f'{self.winner} wins'} by {self.reason}"


class Move(Protocol):
    """A move, whatever the position; its text is what people write."""

    @property
    def action(self) -> int:
        """Its number among all moves of the game."""

    @property
    def squares(self) -> tuple[int, ...]:
        """What a person clicks, in order: source and target, every landing of a chain, or a single square or column."""


class Position(Protocol):
    """An immutable position with the history that the rules need; its text is what people write.

    A `line` says where its game began and what was played since, so that another program can be told. A game
    that remembers earlier positions needs it to be played in another process: see `line_after`.
    """

    @property
    def side(self) -> Any:
        """Who is to move."""

    @property
    def outcome(self) -> Any | None:
        """None while the game goes on."""

    def moves(self) -> Sequence[Any]:
        """The legal moves in order of action; none in a finished game."""

    def play(self, move: Any) -> Any:
        """The position after a legal move or its text; `IllegalMoveError` says why not."""


Line: TypeAlias = tuple[Any, tuple[Any, ...]]
"""A position and the moves played from there."""


def played_line(position: Any) -> Line:
    """Where a game began and what has been played since, as far as the position knows: its `line`, if it has one."""
    line: Line | None = getattr(position, "line", None)
    return line or (position, ())


def line_after(position: Any, move: Any) -> Line:
    """The same after one move more, for the position that comes of it."""
    start, moves = played_line(position)
    return start, (*moves, move)


@dataclass(frozen=True, eq=False)  # one object for each game, and compared as such
class Shape:
    """What a network has to know of the board: nodes with features, the moves, and what maps them onto themselves."""

    nodes: int
    planes: int
    """Features that differ from node to node; the inputs begin with plane after plane."""
    globals: int
    """Features of the whole position, which follow them."""
    actions: int
    symmetries: npt.NDArray[np.int64]
    """[K, nodes] where each symmetry takes each node; the first is the identity."""
    action_symmetries: npt.NDArray[np.int64]
    """[K, actions] where each takes each action."""
    edges: npt.NDArray[np.int64]
    """[E, 2] pairs of nodes that are neighbours, for networks over a graph; a line of cells may join more."""
    action_nodes: npt.NDArray[np.int64] | None = None
    """[A, 2] from where to where each action leads, if every action does that between two nodes."""
    grid: tuple[int, int] | None = None
    """(rows, columns) where the nodes are the cells of a grid, row by row, for convolutions."""
    pieces: tuple[int, ...] = ()
    """Planes with one piece each, the mover's first, where each side has a single piece and every action is a step of
    it: then a network may read its answers there, on a board of any size."""
    plain: tuple[int, int] | None = None
    """How many planes and whole features, the first of each, are the position itself, where others are worked out."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "Shape":
        return self

    @property
    def inputs(self) -> int:
        return self.planes * self.nodes + self.globals


class Solution(Protocol):
    """Exact knowledge: a table, or a solver that is fast enough to be asked."""

    def values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """(1 won, 0 drawn, -1 lost [B], plies to the end of a decided game, 0 in a draw [B])."""

    def action_values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """The same for every action of each state, for the side to move there, [B, A]; `ILLEGAL` where it is none."""


@runtime_checkable
class SearchingSolution(Solution, Protocol):
    """One that may search for long when it is asked."""

    def search(self, state: npt.NDArray[np.int64], stop: Callable[[], bool]) -> tuple[int, int] | None:
        """Value and plies to the end of one state; None if `stop`, which is asked all the time, came first."""


class TableSolution(Solution, Protocol):
    """A solution that is a table of all positions."""

    @property
    def entries(self) -> int:
        """How many there are, those that stand for no position included."""

    def states_between(self, start: int, stop: int) -> States:
        """[B, S] the positions of some entries, without history, each once up to the symmetries of the board."""


class Questions(NamedTuple):
    """The positions of an exam with their answers; `alphadiamond.arena.exam` says what each field is."""

    states: States
    values: npt.NDArray[np.int8]
    distances: npt.NDArray[np.int16]
    keeping: npt.NDArray[np.bool_]
    origins: npt.NDArray[np.uint8]
    origin_names: tuple[str, ...]


class GameMismatchError(AlphaDiamondError, ValueError):
    """Something of one game where another is played, or a game that contradicts itself."""


ILLEGAL = 2
"""In place of a value, for an action that cannot be played."""


class Game(abc.ABC):
    """One game. What a subclass does not give it does not have."""

    name: ClassVar[str]
    """As settings, directories and files have it: `connect_four`."""
    title: ClassVar[str]
    """As people read it: `Connect Four`."""
    rules_version: ClassVar[int] = 1
    """Raised when a rule changes: what was learnt or solved under another is refused."""
    encoding_version: ClassVar[int] = 1
    """Raised when an input of the network changes its meaning."""
    sides: ClassVar[tuple[Any, Any]]
    """The two members of its class of sides."""
    rules: ClassVar[Any]
    """Its rules for compiled code: see `alphadiamond.base.rules`."""
    shape: ClassVar[Shape]
    history_limit: ClassVar[int] = 1
    """How many positions there can be since the last one after which nothing earlier can recur, that one included; a
    game in which positions recur has to say so."""
    exact_keys: ClassVar[bool] = True
    """Whether `input_key` differs wherever a network sees something else, and `position_key` wherever the position is
    another. A game whose state does not fit in 63 bits says False: then whole states are compared. Where positions
    recur, `position_key` has to be exact whatever is said here, since repetition goes by it alone."""
    draws: ClassVar[bool] = True
    """Whether a game can end in a draw."""
    seeded: ClassVar[bool] = False
    """Whether each game is played on a board of its own, which `start` draws from a seed and the state holds. Then
    nobody may take two calls of `start` for the same position: whoever goes on with a game carries its first one."""
    longest: ClassVar[int]
    """No game has more plies than this."""
    score_scale: ClassVar[float] = 10.0
    """Minimax shows a score as tanh(score / scale): at the scale itself, three quarters of the way to a win."""
    players: ClassVar[Mapping[str, str]] = {}
    """Players that only this game has, or has in its own way: `{"hard": "package.module:Class"}`."""
    unnamed_records: ClassVar[bool] = False
    """Whether its records do without a tag Game: only those that were written before there was a second game."""
    networks_of: ClassVar[tuple[str, ...]] = ()
    """Other games whose networks can play it: the same game on boards of other sizes."""
    even: ClassVar[bool] = False
    """Whether random openings are about as good for either side; where they are not, the gate looks for such ones."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        """To another process a game goes by its class."""
        return type(self), ()

    def __eq__(self, other: object) -> bool:
        """So that what came from another process is the same game."""
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    # Positions and moves

    @abc.abstractmethod
    def start(self, seed: int | None = None) -> Any:
        """The position that a game begins with: the same for the same seed. A game that is not `seeded` has one and
        does not look at the seed; one that is takes `start_seeds.any_seed()` where there is none."""

    def drawn_start(self, rng: np.random.Generator, purpose: Purpose, boards: int = 0) -> Any:
        """Where a new game begins, on one of so many boards, or with 0 on any; nothing is taken from the generator
        unless the game is `seeded`."""
        return self.start(purpose.draw(rng, boards)) if self.seeded else self.start()

    def sample_start(self) -> Any:
        """The same each time, for pictures and for whoever needs just any position."""
        return self.start(0) if self.seeded else self.start()

    @functools.cached_property
    def position_class(self) -> type:
        """What its positions are objects of, by which those of another game are told."""
        return type(self.sample_start())

    def check_position(self, position: Any) -> None:
        """Refuse a position of another game."""
        if not isinstance(position, self.position_class):
            raise GameMismatchError(f"{position} is no position of {self.title}: name the game that it is of")

    @abc.abstractmethod
    def parse(self, text: str) -> Any:
        """A position from its text; `NotationError` says what is wrong."""

    @abc.abstractmethod
    def parse_move(self, text: str) -> Any:
        """A move from its text; whether it is legal is the position's to say."""

    def move_in(self, position: Any, text: str) -> Any:
        """The same for a move that is to be played there: where its number or its squares depend on who plays it and
        from where, it has them."""
        return self.parse_move(text)

    @abc.abstractmethod
    def move_of(self, action: int, side: Any = None) -> Any:
        """The move with this number as that side plays it, or the first side: where the numbers are seen from the side
        to move, black's is another move than white's."""

    @abc.abstractmethod
    def position_of(self, state: npt.NDArray[np.int64], side: Any = None) -> Any:
        """The position of a state, without history, with that side to move (the first if the state does not say)."""

    @abc.abstractmethod
    def state_of(self, position: Any) -> npt.NDArray[np.int64]:
        """[S] a position as searches and networks see it."""

    def history_of(self, position: Any) -> npt.NDArray[np.int64]:
        """[H] keys of the positions since the last one after which nothing earlier can recur, this one last."""
        state = self.state_of(position)[None]
        return self.expand(state, np.full(1, -1, dtype=np.int16))[1]

    def perft(self, depth: int, position: Any = None) -> int:
        """How many move sequences of this length there are, none beyond a finished game; from the start of a game whose
        board is always the same if no position is named."""
        if depth < 0:
            raise ValueError(f"depth {depth}: expected 0 or more")
        if position is None and self.seeded:
            raise ValueError(f"every game of {self.title} begins elsewhere: name the position to count from")
        state = self.state_of(self.start() if position is None else position)
        found = int(game_kernels.count_sequences(self.rules, state, depth))
        if found < 0:
            raise AlphaDiamondError(f"rules.max_moves is {self.max_moves}, but a position has {-found} moves: raise it")
        return found

    # Arrays

    @property
    def actions(self) -> int:
        """How many actions there are in all."""
        return int(self.rules.actions)

    @property
    def max_moves(self) -> int:
        """A bound on the legal actions of any state."""
        return int(self.rules.max_moves)

    @property
    def state_size(self) -> int:
        """Columns of a state."""
        return int(self.rules.state_size)

    @property
    def repetition_limit(self) -> int:
        """The occurrence of a position that makes a draw; 0 where nothing can recur."""
        return int(self.rules.repetition_limit)

    def expand(
        self, states: States, actions: npt.NDArray[np.int16]
    ) -> tuple[
        States,
        npt.NDArray[np.int64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.int8],
        npt.NDArray[np.int16],
        npt.NDArray[np.int16],
    ]:
        """Play one action in each state (-1: none), and describe what comes of it.

        Returns states [B, S]; keys [B], equal for positions that count as the same with the same side to move;
        irreversible [B], whether no earlier position can recur; status [B] (1 win, 0 draw, -1 loss for the side to
        move, 2 goes on), repetition apart; legal actions [B, M]; and their number [B], 0 where the game is over.
        """
        return game_kernels.expand_states(self.rules, states, actions)

    def two_ply_lookahead(
        self, states: States
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16], npt.NDArray[np.int64]]:
        """What two plies decide in states of games that go on.

        Returns results [B]: 1 where an action wins at once, -1 where after every action the opponent can, else 2; plies
        to that end [B]; and of a loss the keys [B, M] of the positions after each action that does not end the game, -1
        elsewhere: where one of them has occurred before, a draw by repetition may save the side to move.
        """
        return game_kernels.lookahead_states(self.rules, states)

    def states_of(self, positions: Sequence[Any]) -> States:
        """[B, S]"""
        return np.array([self.state_of(position) for position in positions], dtype=np.int64).reshape(
            -1, self.state_size
        )

    def histories_of(self, positions: Sequence[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        """[B, H] keys of each position's game since nothing earlier could recur, its own last, and [B] how many."""
        histories = [self.history_of(position) for position in positions]
        known = np.array([len(history) for history in histories], dtype=np.int32)
        keys = self.empty_histories(len(histories))
        if len(known) and known.max() > keys.shape[1]:
            raise GameMismatchError(self.history_fault(f"a game has {known.max()} positions that can recur"))
        for row, history in zip(keys, histories, strict=True):
            row[: len(history)] = history
        return keys, known

    def empty_histories(self, count: int, *, beyond: int = 0) -> npt.NDArray[np.int64]:
        """[B, H] room for the keys of so many games, and of so many plies `beyond` them. Arrays for histories come from
        here, where the limit is checked, since compiled code would write beyond a row that is too short."""
        if self.repetition_limit and self.history_limit < self.repetition_limit:
            raise GameMismatchError(self.history_fault("positions recur"))
        return np.zeros((count, self.history_limit + 1 + beyond), dtype=np.int64)

    def history_fault(self, why: str) -> str:
        """What is wrong with `history_limit`, and how to mend it."""
        return (
            f"{self.title}: history_limit is {self.history_limit}, but {why}: "
            "set it to the most plies between two moves that cannot be undone, plus 1"
        )

    def legal(self, states: States) -> npt.NDArray[np.bool_]:
        """[B, A] which actions may be played."""
        return game_kernels.legal_masks(self.rules, states)

    def images(self, states: States, symmetries: npt.NDArray[np.int64]) -> States:
        """[B, S] each state turned or mirrored by one of the symmetries of the shape."""
        if len(self.shape.symmetries) == 1:
            return states.copy()
        raise NotImplementedError

    def canonical(self, states: States) -> tuple[States, npt.NDArray[np.int64]]:
        """[B, S] the image of each state with the least position key, and [B] the first symmetry that leads there. A
        player that chooses a move there and turns it back plays all images alike."""
        count = len(self.shape.symmetries)
        if count == 1:
            return states, np.zeros(len(states), dtype=np.int64)
        keys = np.empty((count, len(states)), dtype=np.int64)
        for symmetry in range(count):
            images = self.images(states, np.full(len(states), symmetry)) if symmetry else states
            keys[symmetry] = game_kernels.position_keys(self.rules, images)
        symmetries = keys.argmin(axis=0)
        return self.images(states, symmetries), symmetries

    def pack_positions(self, states: States, board: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """[B] each position without its history as a number, for sets of millions of them. It is unique among positions
        on the board of the state `board` [S], and `unpack_positions` makes a state of it again."""
        if not self.exact_keys:
            raise NotImplementedError
        return game_kernels.position_keys(self.rules, states).view(np.uint64)

    def unpack_positions(self, numbers: npt.NDArray[np.uint64], board: npt.NDArray[np.int64]) -> States:
        """[B, S] the positions of such numbers, without history; a game that does not say how has no such sets."""
        raise NotImplementedError

    # Starts of games of self-play, as states of games that go on

    def random_start(self, rng: np.random.Generator, boards: int = 0) -> npt.NDArray[np.int64]:
        """[S] a position from anywhere in the game, so that every phase is seen: by default random moves from a
        start, their number drawn between none and three quarters of the longest game. `boards`: see `drawn_start`."""
        return self._somewhere(rng, Purpose.TRAINING, boards)

    def opening(self, rng: np.random.Generator, plies: int) -> npt.NDArray[np.int64]:
        """[S] the position after so many random moves from the start."""
        while True:
            state = self._walked(rng, plies)
            if state is not None:
                return state

    def short_opening(self, rng: np.random.Generator, most: int, boards: int = 0) -> npt.NDArray[np.int64]:
        """[S] the position after up to so many random moves from the start, every number being as likely."""
        while True:
            state = self._walked(rng, int(rng.integers(most + 1)), boards=boards)
            if state is not None:
                return state

    def random_position(self, rng: np.random.Generator) -> Any | None:
        """A position from anywhere in the game to begin a match with; None where an attempt gave none."""
        state = self._somewhere(rng, Purpose.MATCH) if self.seeded else self.random_start(rng)
        return self.position_of(state)

    def _somewhere(self, rng: np.random.Generator, purpose: Purpose, boards: int = 0) -> npt.NDArray[np.int64]:
        while True:
            state = self._walked(rng, int(rng.integers(3 * self.longest // 4 + 1)), purpose, boards)
            if state is not None:
                return state

    def _walked(
        self, rng: np.random.Generator, plies: int, purpose: Purpose = Purpose.TRAINING, boards: int = 0
    ) -> npt.NDArray[np.int64] | None:
        """The state after random moves, or None where the game ended on the way."""
        start = self.states_of([self.drawn_start(rng, purpose, boards)])
        states, *_, legal, counts = self.expand(start, np.full(1, -1, dtype=np.int16))
        for _ in range(plies):
            if not counts[0]:
                return None
            action = legal[0, rng.integers(counts[0])]
            states, *_, legal, counts = self.expand(states, np.array([action], dtype=np.int16))
        return states[0] if counts[0] else None

    # What else a network may learn of a game

    survival: ClassVar[bool] = False
    """Whether pieces leave the board, so that a network can be asked which of them will stay."""

    def pieces(self, states: States) -> npt.NDArray[np.int64]:
        """[B] where pieces stand, as a mask of nodes."""
        return np.zeros(len(states), dtype=np.int64)

    def survivors(
        self, states: States, actions: Sequence[int], end: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.signedinteger[Any]]:
        """[B] which pieces at each of a game's states were still there at its end, as a mask of where they stood then.
        `actions` lead from each state to the next, and the last to `end`."""
        return np.zeros(len(states), dtype=np.int64)

    # Words

    pictured: ClassVar[str] = ""
    """A position from the middle of a game, by which a run shows what its network thinks; empty for the start."""

    def plot(self, axes: Any, position: Any, policy: npt.NDArray[np.float32]) -> None:
        """Draw a position on axes of matplotlib that fill a dark square, each move as strong as the policy [A] is on
        it."""
        plot_board(axes, self.drawing_for(position), position, policy)

    def ending(self, state: npt.NDArray[np.int64]) -> str:
        """Why a finished game ended, if not by repetition: a word or two, the text of the outcome's reason."""
        return str(self.position_of(state).outcome.reason)

    @property
    def endings(self) -> tuple[str, ...]:
        """All such words, `repetition` among them where that ends games."""
        return ()

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Of what `observe` gives."""
        return (self.shape.inputs + 1,)

    def observe(self, position: Any, side: Any) -> npt.NDArray[np.float32]:
        """What an agent of another library sees as one of the sides, from 0 to 1. By default it is what a network sees
        from the side to move, and whether that is this side."""
        inputs = game_kernels.encode_states(self.rules, self.states_of([position]))[0]
        return np.append(inputs, np.float32(side is position.side))

    # How it is shown

    @property
    def drawing(self) -> Drawing:
        """What a window, a terminal or a picture has to know of it; by default squares and texts."""
        return PlainDrawing(self)

    def drawing_for(self, position: Any) -> Drawing:
        """The same for the board that a position is on, which holds for a whole game. Where boards differ, it knows the
        walls and whatever else this board has."""
        return self.drawing

    def picture(self, position: Any) -> list[str]:
        """The board as lines of text."""
        return self.drawing_for(position).picture(position)

    # Records

    def record(
        self,
        start: Any,
        moves: Iterable[Any],
        *,
        players: tuple[str, str],
        result: str | None = None,
        ending: str | None = None,
        date: str = "",
        tags: dict[str, str] | None = None,
    ) -> GameRecord:
        """A game as a record, checked; result and ending are needed only where the rules do not tell."""
        return GameRecord.checked(
            self, start, moves, players=players, result=result, ending=ending, date=date, tags=tags
        )

    def note_of(self, position: Any, move: Any) -> str:
        """What a record adds to a move, in brackets: what it takes, say. Nothing by default."""
        return ""

    def check_note(self, position: Any, move: Any, note: str) -> None:
        """Refuse what a record adds to a legal move with a `NotationError` that says what is wrong."""
        if note != self.note_of(position, move):
            raise NotationError(f"expected ({self.note_of(position, move)}) after the move, found ({note})")

    # What is known exactly

    def solution(self) -> Solution | None:
        """Exact values, where they are at hand; None: the game is not solved, or not here yet (`solving` says how)."""
        return None

    @property
    def solution_searches(self) -> bool:
        """Whether an exact value is looked for when it is asked, which may take long: who must not wait asks aside."""
        return False

    def exact_soon(self, position: Any) -> bool:
        """Whether a solution that searches finds the value of this position within seconds."""
        return True

    def moves_exact_soon(self, position: Any) -> bool:
        """The same for the values of all its moves."""
        after = [position.play(move) for move in position.moves()]
        return all(self.exact_soon(one) for one in after if one.outcome is None)

    def solution_in(self, directory: Path) -> Solution:
        """Exact values from a directory that somebody names."""
        raise AlphaDiamondError(f"{self.title} keeps its solution in no directory: leave it out")

    def has_solution_in(self, directory: Path) -> bool:
        """Whether a directory holds files of its solution, or what is left of them."""
        return False

    def solution_facts(self, directory: Path) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
        """What there is to tell of the files of its solution, and longer lists by their titles."""
        return {}, {}

    @property
    def solving(self) -> str:
        """What a person does to get the exact values where they are not at hand."""
        return ""

    def solve(
        self, directory: Path | None = None, *, threads: int = 0, watch: Callable[[float, str], None] | None = None
    ) -> None:
        """Make the exact values, where that has to be done once, in the user's data directory if no other is named;
        `watch` hears the share that is done and a few words."""
        raise NotImplementedError(f"{self.title} cannot be solved beforehand")

    def bare(self, states: States) -> States:
        """[B, S] the same positions without whatever the rules remember of the way there, as an exam asks for them."""
        bare = states.copy()
        bare[:, -1] = 1
        return bare

    def phases(self, states: States) -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
        """Which phase of the game each state is of [B], and the names of all, from the beginning to the end."""
        return np.zeros(len(states), dtype=np.uint8), ("all",)

    def strata(self, states: States) -> npt.NDArray[np.int64]:
        """[B] over what the positions of an exam are spread: by default the phases."""
        return self.phases(states)[0].astype(np.int64)

    def questions(self, *, positions: int, games: int, seed: int) -> Questions | None:
        """The game's own choice for an exam, where the usual one would have to solve too much; None: it has none."""
        return None

    def question_sets(
        self, *, positions: int, seed: int
    ) -> tuple[Questions, npt.NDArray[np.uint8], tuple[str, ...]] | None:
        """Sets of questions, so many positions of each, as benchmarks have them: the questions, the set of each and the
        names of the sets; None: there are none."""
        return None

    @property
    def exam(self) -> Path | None:
        """The file with its exam."""
        return None


__all__ = [
    "ILLEGAL",
    "Ended",
    "Game",
    "GameMismatchError",
    "Line",
    "Move",
    "Outcome",
    "Position",
    "Purpose",
    "Questions",
    "Rules",
    "Shape",
    "Side",
    "Solution",
    "States",
    "line_after",
    "played_line",
]
