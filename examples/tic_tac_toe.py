"""Tic-tac-toe: a whole game, explained step by step in docs/guides/add-a-game.md."""

from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import game, rules
from alphadiamond.base.notation import IllegalMoveError, NotationError, shown
from alphadiamond.base.results import DRAW, LOSS, ONGOING
from alphadiamond.base.rules import Actions, State, implement, use_defaults

CELLS: Final = 9  # bits 0 to 8 by rows from the top left; people count from 1
FULL: Final = 0o777
LINES: Final = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124])
TURNS: Final = [np.rot90(np.arange(CELLS).reshape(3, 3), turns) for turns in range(4)]
SYMMETRIES: Final = np.array([image.ravel() for turned in TURNS for image in (turned, turned.T)])


class Side(game.Side):
    X = 0
    O = 1  # noqa: E741


class Move(NamedTuple):
    action: int

    @property
    def squares(self) -> tuple[int, ...]:
        return (self.action,)

    def __str__(self) -> str:
        return str(self.action + 1)


class Position(NamedTuple):
    own: int = 0
    opp: int = 0

    @property
    def side(self) -> Side:
        return Side((self.own | self.opp).bit_count() % 2)

    @property
    def outcome(self) -> game.Ended | None:
        if np.any(self.opp & LINES == LINES):
            return game.Ended(self.side.other, "three in a row")
        return game.Ended(None, "full board") if self.own | self.opp == FULL else None

    def moves(self) -> list[Move]:
        return [Move(c) for c in range(CELLS) if self.outcome is None and not (self.own | self.opp) >> c & 1]

    def play(self, move: Move | str) -> "Position":
        move = TicTacToe().parse_move(move) if isinstance(move, str) else move
        if move not in self.moves():
            raise IllegalMoveError(f"{move}: {'the game is over' if self.outcome else 'the cell is taken'}")
        return Position(self.opp, self.own | 1 << move.action)

    def __str__(self) -> str:
        own, other = self.side.letter, self.side.other.letter
        cells = "".join(own if self.own >> c & 1 else other if self.opp >> c & 1 else "." for c in range(CELLS))
        return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {own}"


class TicTacToeRules(NamedTuple):
    actions: int = CELLS
    max_moves: int = CELLS
    state_size: int = 3  # own cells, the opponent's, occurrences
    repetition_limit: int = 0
    inputs: int = 2 * CELLS


@implement(rules.list_moves, TicTacToeRules)
def list_moves(rules: TicTacToeRules, state: State, actions: Actions) -> int:
    count = 0
    for cell in range(CELLS):
        if (state[0] | state[1]) >> cell & 1 == 0:
            actions[count] = cell
            count += 1
    return count


@implement(rules.play, TicTacToeRules)
def play(rules: TicTacToeRules, state: State, action: int, after: State) -> None:
    after[0], after[1], after[2] = state[1], state[0] | 1 << action, 1


@implement(rules.status, TicTacToeRules)
def status(rules: TicTacToeRules, state: State) -> int:
    if np.any(state[1] & LINES == LINES):
        return LOSS
    return DRAW if state[0] | state[1] == FULL else ONGOING


@implement(rules.position_key, TicTacToeRules)
def position_key(rules: TicTacToeRules, state: State) -> int:
    return state[0] | state[1] << CELLS


@implement(rules.encode, TicTacToeRules)
def encode(rules: TicTacToeRules, state: State, row: npt.NDArray[np.float32]) -> None:
    for cell in range(CELLS):
        row[cell], row[CELLS + cell] = state[0] >> cell & 1, state[1] >> cell & 1


@implement(rules.score, TicTacToeRules)
def score(rules: TicTacToeRules, state: State) -> int:
    return np.sum(state[1] & LINES == 0) - np.sum(state[0] & LINES == 0)  # lines that are still open


use_defaults(TicTacToeRules, rules.is_irreversible, rules.input_key, rules.heuristic_value)


class TicTacToe(game.Game):
    name: ClassVar[str] = "tic_tac_toe"
    title: ClassVar[str] = "Tic-tac-toe"
    sides: ClassVar[tuple[Side, Side]] = (Side.X, Side.O)
    rules: ClassVar[TicTacToeRules] = TicTacToeRules()
    shape: ClassVar[game.Shape] = game.Shape(9, 2, 0, 9, SYMMETRIES, SYMMETRIES, np.argwhere(np.tri(9, k=-1)))
    longest: ClassVar[int] = CELLS
    endings: ClassVar[tuple[str, ...]] = ("three in a row", "full board")

    def start(self, seed: int | None = None) -> Position:
        return Position()

    def parse(self, text: str) -> Position:
        x, o = (sum(1 << i for i, cell in enumerate(text.replace("/", "")[:9]) if cell == letter) for letter in "xo")
        position = Position(x, o) if text.endswith("x") else Position(o, x)
        if str(position) != text:
            raise NotationError(f"position {shown(text)}: expected three rows of ., x and o, and whose turn it is")
        return position

    def parse_move(self, text: str) -> Move:
        if text not in tuple("123456789"):
            raise NotationError(f"move {shown(text)}: expected a cell from 1 to 9")
        return Move(int(text) - 1)

    def move_of(self, action: int, side: Any = None) -> Move:
        return Move(action)

    def position_of(self, state: State, side: Any = None) -> Position:
        return Position(int(state[0]), int(state[1]))

    def state_of(self, position: Position) -> State:
        return np.array([position.own, position.opp, 1])

    def images(self, states: game.States, symmetries: npt.NDArray[np.int64]) -> game.States:
        cells = states[:, :2, None] >> np.arange(CELLS) & 1
        return np.column_stack([(cells << SYMMETRIES[symmetries][:, None]).sum(axis=2), states[:, 2]])
