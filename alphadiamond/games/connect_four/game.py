"""Connect Four as everything else knows it.

A state is a row of three integers: own mask, opponent's mask, occurrences of the position.
"""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.drawing import Drawing
from alphadiamond.base.game import Game, Questions, Shape, Solution, States
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.games.connect_four import kernels
from alphadiamond.games.connect_four.board import (
    ACTION_SYMMETRIES,
    ACTIONS,
    COLUMNS,
    EDGES,
    NODES,
    ROWS,
    SYMMETRIES,
)
from alphadiamond.games.connect_four.move import Move
from alphadiamond.games.connect_four.phases import phases_of
from alphadiamond.games.connect_four.position import Position, Reason, Side
from alphadiamond.games.connect_four.rules import GLOBALS, PLANES, RULES, SCORE_SCALE, STATE_SIZE, ConnectFourRules

if TYPE_CHECKING:
    from alphadiamond.games.connect_four.solver import Solver

OWN: Final = 0
OPP: Final = 1

EXAM: Final = Path(__file__).parent / "data" / "exam.npz"
_SOON: Final = 7
"""With so many discs or more a search takes about a second in the mean, and less with each further disc."""


class ConnectFour(Game):
    name: ClassVar[str] = "connect_four"
    title: ClassVar[str] = "Connect Four"
    rules_version: ClassVar[int] = kernels.RULES_VERSION
    encoding_version: ClassVar[int] = 1
    sides: ClassVar[tuple[Side, Side]] = (Side.X, Side.O)
    rules: ClassVar[ConnectFourRules] = RULES
    shape: ClassVar[Shape] = Shape(
        nodes=NODES,
        planes=PLANES,
        globals=GLOBALS,
        actions=ACTIONS,
        symmetries=SYMMETRIES,
        action_symmetries=ACTION_SYMMETRIES,
        edges=EDGES,
        grid=(ROWS, COLUMNS),
    )
    longest: ClassVar[int] = NODES
    score_scale: ClassVar[float] = SCORE_SCALE
    pictured: ClassVar[str] = "......./......./......./...x.../...o.../..ox... x"
    players: ClassVar[Mapping[str, str]] = {
        name: f"alphadiamond.games.connect_four.players.levels:{name.capitalize()}Agent"
        for name in ("easy", "medium", "hard")
    }

    def start(self, seed: int | None = None) -> Position:
        return Position.start()

    def parse(self, text: str) -> Position:
        return Position.parse(text)

    def parse_move(self, text: str) -> Move:
        return Move.parse(text)

    def move_of(self, action: int, side: Side | None = None) -> Move:
        return Move.of_action(int(action))

    def position_of(self, state: npt.NDArray[np.int64], side: Side | None = None) -> Position:
        """The number of discs says who is to move."""
        own, opp = int(state[OWN]), int(state[OPP])
        return Position(own, opp, Side((own | opp).bit_count() & 1) if side is None else side)

    def state_of(self, position: Position) -> npt.NDArray[np.int64]:
        return np.array([position.own, position.opp, 1], dtype=np.int64)

    def images(self, states: States, symmetries: npt.NDArray[np.int64]) -> States:
        return kernels.mirror_states(states, symmetries)

    def unpack_positions(self, numbers: npt.NDArray[np.uint64], board: npt.NDArray[np.int64]) -> States:
        return kernels.states_of_keys(numbers.view(np.int64))

    def random_start(self, rng: np.random.Generator, boards: int = 0) -> npt.NDArray[np.int64]:
        """[3] a position after up to three quarters of all plies, each number of them as likely."""
        return self.opening(rng, int(rng.integers(3 * NODES // 4 + 1)))

    def opening(self, rng: np.random.Generator, plies: int) -> npt.NDArray[np.int64]:
        stream = random_stream(rng)
        while True:
            own, opp, goes_on = kernels.random_walk(stream, plies)
            if goes_on:
                return np.array([own, opp, 1], dtype=np.int64)

    def phases(self, states: States) -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
        return phases_of(states)

    def ending(self, state: npt.NDArray[np.int64]) -> str:
        return str(Reason.FOUR if kernels.has_four(int(state[OPP])) else Reason.FULL)

    @property
    def endings(self) -> tuple[str, ...]:
        return tuple(str(reason) for reason in Reason)

    @functools.cached_property
    def drawing(self) -> Drawing:  # type: ignore[override]  # a property that is worked out once
        from alphadiamond.games.connect_four.drawing import ConnectFourDrawing

        return ConnectFourDrawing(self)

    def solution(self) -> Solution:
        """Always at hand: a search, and the book that is part of the package."""
        return _solution()

    @property
    def solution_searches(self) -> bool:
        return True

    def exact_soon(self, position: Position) -> bool:
        """By the book, or by a search that is short enough."""
        return position.plies >= _SOON or position.plies <= _solution().book.complete

    def questions(self, *, positions: int, games: int, seed: int) -> Questions:
        from alphadiamond.games.connect_four.exam_builder import make_questions

        return make_questions(positions=positions, games=games, seed=seed)

    def question_sets(self, *, positions: int, seed: int) -> tuple[Questions, npt.NDArray[np.uint8], tuple[str, ...]]:
        from alphadiamond.games.connect_four.exam_sets import NAMES, make_sets

        questions, sets = make_sets(positions=positions, seed=seed)
        return questions, np.array(sets, dtype=np.uint8), NAMES

    @property
    def exam(self) -> Path:
        return EXAM


@functools.cache
def _solution() -> "Solver":
    from alphadiamond.games.connect_four.solver import Solver  # learning must not see it

    return Solver()


GAME: Final = ConnectFour()

__all__ = ["GAME", "OPP", "OWN", "STATE_SIZE", "ConnectFour"]
