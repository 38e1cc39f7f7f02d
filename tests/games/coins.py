"""Coins in a row: a small game whose board is drawn anew for each game and is part of the state.

Eight coins of 1 to 9 lie in a row. In turn a side takes the one at the left end or at the right; whoever has taken more
in the end wins. A text is the coins as they lay at first, how many were taken at either end, by how much the side to
move leads, and that side: `31415926 2 1 -3 b`.
"""

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import drawing, game, rules
from alphadiamond.base.notation import IllegalMoveError, NotationError, shown
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.base.rules import Actions, State, implement, use_defaults
from alphadiamond.base.start_seeds import any_seed

COINS: Final = 8
LEFT: Final = 0
RIGHT: Final = 1
MIRRORED: Final = np.arange(COINS)[::-1]
# A state has two columns of coins, four each, so that no key holds a board; then those taken, and the lead.
SIZE: Final = 6


class Side(game.Side):
    A = 0
    B = 1


class Move(NamedTuple):
    action: int

    @property
    def squares(self) -> tuple[int, ...]:
        return (0 if self.action == LEFT else COINS - 1,)

    def __str__(self) -> str:
        return ("left", "right")[self.action]


@dataclass(frozen=True)
class Position:
    coins: tuple[int, ...]
    left: int = 0
    right: int = 0
    lead: int = 0
    """Of the side to move."""

    @property
    def side(self) -> Side:
        return Side((self.left + self.right) % 2)

    @property
    def outcome(self) -> game.Ended | None:
        if self.left + self.right < COINS:
            return None
        return game.Ended(None if not self.lead else self.side if self.lead > 0 else self.side.other, "no coins left")

    def moves(self) -> list[Move]:
        return [] if self.outcome else [Move(LEFT), Move(RIGHT)]

    def play(self, move: Move | str) -> "Position":
        move = GAME.parse_move(move) if isinstance(move, str) else move
        if move not in self.moves():
            raise IllegalMoveError(f"{move}: the game is over")
        coin = self.coins[self.left] if move.action == LEFT else self.coins[COINS - 1 - self.right]
        taken = (1, 0) if move.action == LEFT else (0, 1)
        return Position(self.coins, self.left + taken[0], self.right + taken[1], -(self.lead + coin))

    def __str__(self) -> str:
        return f"{''.join(map(str, self.coins))} {self.left} {self.right} {self.lead} {self.side.letter}"


class CoinsRules(NamedTuple):
    actions: int = 2
    max_moves: int = 2
    state_size: int = SIZE
    repetition_limit: int = 0
    inputs: int = COINS + 1


@implement(rules.list_moves, CoinsRules)
def list_moves(rules: CoinsRules, state: State, actions: Actions) -> int:
    actions[0], actions[1] = 0, 1
    return 2


@implement(rules.play, CoinsRules)
def play(rules: CoinsRules, state: State, action: int, after: State) -> None:
    at = state[2] if action == 0 else 7 - state[3]
    coin = state[at // 4] >> 4 * (at % 4) & 15
    lead = -(state[4] + coin)
    left, right = state[2] + (action == 0), state[3] + (action == 1)
    after[0], after[1], after[2], after[3], after[4], after[5] = state[0], state[1], left, right, lead, 1


@implement(rules.status, CoinsRules)
def status(rules: CoinsRules, state: State) -> int:
    if state[2] + state[3] < 8:
        return ONGOING
    return WIN if state[4] > 0 else LOSS if state[4] < 0 else DRAW


@implement(rules.position_key, CoinsRules)
def position_key(rules: CoinsRules, state: State) -> int:
    """As poor a hash as there can be: the same for all boards."""
    return state[2] * 16 + state[3]


@implement(rules.encode, CoinsRules)
def encode(rules: CoinsRules, state: State, row: npt.NDArray[np.float32]) -> None:
    for at in range(8):
        there = state[2] <= at < 8 - state[3]
        row[at] = (state[at // 4] >> 4 * (at % 4) & 15) / 9.0 if there else 0.0
    row[8] = state[4] / 36.0


@implement(rules.score, CoinsRules)
def score(rules: CoinsRules, state: State) -> int:
    return state[4]


use_defaults(CoinsRules, rules.is_irreversible, rules.input_key, rules.heuristic_value)


class CoinsDrawing(drawing.Drawing):
    surface: ClassVar[str] = drawing.GRID
    names: ClassVar[tuple[str, ...]] = tuple("abcdefgh")
    points: ClassVar[tuple[tuple[float, float], ...]] = tuple((at - 3.5, 0.0) for at in range(COINS))
    reach: ClassVar[float] = 4.0
    colours: ClassVar[tuple[str, str]] = ("green", "red")
    side_names: ClassVar[tuple[str, str]] = ("a", "b")

    def __init__(self, game: game.Game, coins: tuple[int, ...]) -> None:
        super().__init__(game)
        self.coins = coins

    def pieces(self, position: Position) -> dict[int, Any]:
        assert position.coins == self.coins, "a drawing of another board"
        return {}


class Coins(game.Game):
    name: ClassVar[str] = "coins"
    title: ClassVar[str] = "Coins in a row"
    sides: ClassVar[tuple[Side, Side]] = (Side.A, Side.B)
    rules: ClassVar[CoinsRules] = CoinsRules()
    shape: ClassVar[game.Shape] = game.Shape(
        nodes=COINS,
        planes=1,
        globals=1,
        actions=2,
        symmetries=np.array([np.arange(COINS), MIRRORED]),
        action_symmetries=np.array([[0, 1], [1, 0]]),
        edges=np.array([(at, at + 1) for at in range(COINS - 1)]),
        grid=(1, COINS),
    )
    longest: ClassVar[int] = COINS
    seeded: ClassVar[bool] = True
    exact_keys: ClassVar[bool] = False
    endings: ClassVar[tuple[str, ...]] = ("no coins left",)

    def start(self, seed: int | None = None) -> Position:
        rng = np.random.default_rng(any_seed() if seed is None else seed)
        return Position(tuple(int(coin) for coin in rng.integers(1, 10, size=COINS)))

    def parse(self, text: str) -> Position:
        found = re.fullmatch(r"([1-9]{8}) ([0-8]) ([0-8]) (-?\d+) [ab]", text)
        if not found or int(found[2]) + int(found[3]) > COINS:
            raise NotationError(f"position {shown(text)}: expected something like 31415926 2 1 -3 b")
        position = Position(tuple(map(int, found[1])), *map(int, found.groups()[1:]))
        if str(position) != text:
            raise NotationError(f"position {shown(text)}: it is the turn of {position.side}")
        return position

    def parse_move(self, text: str) -> Move:
        if text not in ("left", "right"):
            raise NotationError(f"move {shown(text)}: expected left or right")
        return Move(("left", "right").index(text))

    def move_of(self, action: int, side: Any = None) -> Move:
        return Move(int(action))

    def position_of(self, state: State, side: Any = None) -> Position:
        coins = tuple(int(state[at // 4]) >> 4 * (at % 4) & 15 for at in range(COINS))
        return Position(coins, int(state[2]), int(state[3]), int(state[4]))

    def state_of(self, position: Position) -> State:
        halves = (position.coins[:4], position.coins[4:])
        packed = [sum(coin << 4 * at for at, coin in enumerate(half)) for half in halves]
        return np.array([*packed, position.left, position.right, position.lead, 1], dtype=np.int64)

    def images(self, states: game.States, symmetries: npt.NDArray[np.int64]) -> game.States:
        """The board turns with the position: it is part of the state."""
        turned = states.copy()
        for row, symmetry in zip(turned, symmetries, strict=True):
            if symmetry:
                one = self.position_of(row)
                row[:] = self.state_of(Position(one.coins[::-1], one.right, one.left, one.lead))
        return turned

    def drawing_for(self, position: Position) -> CoinsDrawing:
        return CoinsDrawing(self, position.coins)


GAME: Final = Coins()
