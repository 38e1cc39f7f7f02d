"""Dame as everything else knows it.

A state is a row of three integers: own mask, opponent's mask, occurrences, with the board turned for black.
"""

import functools
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.drawing import Drawing
from alphadiamond.base.game import Game, Shape
from alphadiamond.games.dame import kernels
from alphadiamond.games.dame.board import ACTIONS, EDGES, SQUARES
from alphadiamond.games.dame.move import Move
from alphadiamond.games.dame.position import Position, Reason, reason_of
from alphadiamond.games.dame.rules import GLOBALS, PLANES, RULES, DameRules
from alphadiamond.games.dame.side import Side

OWN: Final = 0
OPP: Final = 1
OCCURRENCES: Final = 2


class Dame(Game):
    name: ClassVar[str] = "dame"
    title: ClassVar[str] = "Dame"
    rules_version: ClassVar[int] = kernels.RULES_VERSION
    encoding_version: ClassVar[int] = 1
    sides: ClassVar[tuple[Side, Side]] = (Side.WHITE, Side.BLACK)
    rules: ClassVar[DameRules] = RULES
    shape: ClassVar[Shape] = Shape(
        nodes=SQUARES,
        planes=PLANES,
        globals=GLOBALS,
        actions=ACTIONS,
        symmetries=np.arange(SQUARES)[None],
        action_symmetries=np.arange(ACTIONS)[None],
        edges=np.array(EDGES, dtype=np.int64),
    )
    longest: ClassVar[int] = 54  # ranks that all men have before them at the start, and every ply takes at least one

    def start(self) -> Position:
        return Position.start()

    def parse(self, text: str) -> Position:
        return Position.parse(text)

    def parse_move(self, text: str) -> Move:
        return Move.parse(text)

    def move_of(self, action: int, side: Side | None = None) -> Move:
        return Move.of_action(action, Side.WHITE if side is None else side)

    def position_of(self, state: npt.NDArray[np.int64], side: Side | None = None) -> Position:
        return Position(int(state[OWN]), int(state[OPP]), Side.WHITE if side is None else side)

    def state_of(self, position: Position) -> npt.NDArray[np.int64]:
        return np.array([position.own, position.opp, 1], dtype=np.int64)

    def ending(self, state: npt.NDArray[np.int64]) -> str:
        return str(reason_of(int(state[OWN]), int(state[OPP])))

    @property
    def endings(self) -> tuple[str, ...]:
        return tuple(str(reason) for reason in Reason)

    @functools.cached_property
    def drawing(self) -> Drawing:  # type: ignore[override]  # a property that is worked out once
        from alphadiamond.games.dame.drawing import DameDrawing

        return DameDrawing(self)
