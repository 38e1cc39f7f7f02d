"""Positions, moves and the game: two sides lay dominoes in turn, one upright, one flat; who cannot has lost."""

from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base import game
from alphadiamond.base.drawing import Drawing
from alphadiamond.base.notation import IllegalMoveError, NotationError, shown
from alphadiamond.base.rules import State

from .board import ACTION_SYMMETRIES, CELLS, DOMINOES, EDGES, HALF, MASKS, NAMES, SYMMETRIES
from .rules import DomineeringRules
from .size import SIZE


class Side(game.Side):
    VERTICAL = 0
    HORIZONTAL = 1


class Move(NamedTuple):
    action: int

    @property
    def squares(self) -> tuple[int, ...]:
        return tuple(DOMINOES[self.action].tolist())

    def __str__(self) -> str:
        return "".join(NAMES[square] for square in self.squares)


class Position(NamedTuple):
    own: int = 0
    opp: int = 0
    side: Side = Side.VERTICAL

    @property
    def outcome(self) -> game.Ended | None:
        return None if self._free() else game.Ended(self.side.other, "no room")

    def _free(self) -> list[int]:
        first = HALF * self.side
        return [a for a in range(first, first + HALF) if not (self.own | self.opp) & int(MASKS[a])]

    def moves(self) -> list[Move]:
        return [Move(action) for action in self._free()]

    def play(self, move: Move | str) -> "Position":
        move = GAME.parse_move(move) if isinstance(move, str) else move
        if move not in self.moves():
            why = "the game is over" if self.outcome else f"no {self.side} domino fits there"
            raise IllegalMoveError(f"{move}: {why}")
        return Position(self.opp, self.own | int(MASKS[move.action]), self.side.other)

    def __str__(self) -> str:
        own, other = self.side.letter, self.side.other.letter
        cells = "".join(own if self.own >> c & 1 else other if self.opp >> c & 1 else "." for c in range(CELLS))
        return "/".join(cells[row : row + SIZE] for row in range(0, CELLS, SIZE)) + f" {own}"


class Domineering(game.Game):
    name: ClassVar[str] = "domineering"
    title: ClassVar[str] = "Domineering"
    sides: ClassVar[tuple[Side, Side]] = (Side.VERTICAL, Side.HORIZONTAL)
    rules: ClassVar[DomineeringRules] = DomineeringRules()
    shape: ClassVar[game.Shape] = game.Shape(
        CELLS, 2, 1, 2 * HALF, SYMMETRIES, ACTION_SYMMETRIES, EDGES, action_nodes=DOMINOES, grid=(SIZE, SIZE)
    )
    longest: ClassVar[int] = CELLS // 2
    endings: ClassVar[tuple[str, ...]] = ("no room",)

    def start(self, seed: int | None = None) -> Position:
        return Position()

    def parse(self, text: str) -> Position:
        v, h = (sum(1 << i for i, cell in enumerate(text.replace("/", "")[:CELLS]) if cell == x) for x in "vh")
        position = Position(v, h) if text.endswith("v") else Position(h, v, Side.HORIZONTAL)
        if str(position) != text:
            raise NotationError(f"position {shown(text)}: expected {SIZE} rows of ., v and h, and whose turn it is")
        return position

    def parse_move(self, text: str) -> Move:
        for action in range(2 * HALF):
            if str(Move(action)) == text:
                return Move(action)
        raise NotationError(f"move {shown(text)}: expected two neighbouring cells, such as {Move(0)}")

    def move_of(self, action: int, side: Any = None) -> Move:
        return Move(action)

    def position_of(self, state: State, side: Any = None) -> Position:
        return Position(int(state[0]), int(state[1]), Side(int(state[2])))

    def state_of(self, position: Position) -> State:
        return np.array([position.own, position.opp, int(position.side), 1])

    def images(self, states: game.States, symmetries: npt.NDArray[np.int64]) -> game.States:
        cells = states[:, :2, None] >> np.arange(CELLS) & 1
        return np.column_stack([(cells << SYMMETRIES[symmetries][:, None]).sum(axis=2), states[:, 2:]])

    @property
    def drawing(self) -> Drawing:
        from .drawing import DomineeringDrawing

        return DomineeringDrawing(self)


GAME = Domineering()
