"""Dame as everything else knows it.

A state is a row of three integers: own mask, opponent's mask, occurrences, with the board turned for black.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.drawing import Drawing
from alphadiamond.base.game import Game, Shape, Solution, States
from alphadiamond.base.results import LOSS, WIN
from alphadiamond.games.dame import kernels
from alphadiamond.games.dame.board import ACTIONS, EDGES, MEN, SOURCES, SQUARES, TARGETS
from alphadiamond.games.dame.move import Move
from alphadiamond.games.dame.position import Position, Reason, reason_of
from alphadiamond.games.dame.rules import GLOBALS, PLANES, RULES, DameRules
from alphadiamond.games.dame.side import Side

OWN: Final = 0
OPP: Final = 1
OCCURRENCES: Final = 2
PHASES: Final = ("12 men", "11 and 10", "9 and 8", "7 and 6", "5 and 4", "3 and 2")


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
    longest: ClassVar[int] = 37  # the solver's report counts it
    score_scale: ClassVar[float] = 20.0  # two men

    def start(self, seed: int | None = None) -> Position:
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

    def unpack_positions(self, numbers: npt.NDArray[np.uint64], board: npt.NDArray[np.int64]) -> States:
        keys, all_squares = numbers.view(np.int64), (1 << SQUARES) - 1
        return np.stack([keys & all_squares, keys >> SQUARES & all_squares, np.ones_like(keys)], axis=1)

    def random_start(self, rng: np.random.Generator, boards: int = 0) -> npt.NDArray[np.int64]:
        """[3] any position of a game of random moves, each as likely: few such games are half as long as the
        longest."""
        states = self.states_of([self.start()])
        seen: list[npt.NDArray[np.int64]] = []
        _, _, _, _, legal, counts = self.expand(states, np.full(1, -1, dtype=np.int16))
        while counts[0]:
            seen.append(states[0])
            states, _, _, _, legal, counts = self.expand(states, legal[:, rng.integers(counts[0])])
        return seen[int(rng.integers(len(seen)))]

    survival: ClassVar[bool] = True
    draws: ClassVar[bool] = False
    pictured: ClassVar[str] = ".b.b.b/....../.b.w.b/....../.w..../w.w.w. w"  # e1-d2 wins, all else loses

    def pieces(self, states: States) -> npt.NDArray[np.int64]:
        masks: npt.NDArray[np.int64] = states[:, OWN] | states[:, OPP]
        return masks

    def survivors(self, states: States, actions: Sequence[int], end: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        masks = np.zeros(len(states), dtype=np.int32)
        alive = int(end[OWN] | end[OPP])
        for t in range(len(states) - 1, -1, -1):
            alive = int(kernels.turn(alive))  # each state is seen from its own side to move
            source, target = int(SOURCES[actions[t]]), int(TARGETS[actions[t]])
            if alive & target:
                alive ^= target | source
            masks[t] = alive
        return masks

    def ending(self, state: npt.NDArray[np.int64]) -> str:
        return str(reason_of(int(state[OWN]), int(state[OPP])))

    @property
    def endings(self) -> tuple[str, ...]:
        return tuple(str(reason) for reason in Reason)

    @functools.cached_property
    def drawing(self) -> Drawing:  # type: ignore[override]  # a property that is worked out once
        from alphadiamond.games.dame.drawing import DameDrawing

        return DameDrawing(self)

    def solution(self) -> Solution:
        """Solved in seconds where it has not been yet, and kept."""
        from alphadiamond.games.dame.solver.solution import shared

        return shared()

    def solution_in(self, directory: Path) -> Solution:
        from alphadiamond.games.dame.solver.solution import DameSolution

        return DameSolution.load(directory)

    def has_solution_in(self, directory: Path) -> bool:
        from alphadiamond.games.dame.solver.table_file import NAME

        return (directory / NAME).exists()

    def solution_facts(self, directory: Path) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
        from alphadiamond.games.dame.solver.table_file import NAME

        return {"bytes": (directory / NAME).stat().st_size}, {}

    @property
    def solving(self) -> str:
        return '`make solve ARGS="game=dame"` solves it in seconds'

    def phases(self, states: States) -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
        """By the men on the board."""
        gone = np.clip(2 * MEN - np.bitwise_count(self.pieces(states)).astype(np.int64), 0, 2 * MEN - 2)
        return ((gone + 1) // 2).astype(np.uint8), PHASES

    def strata(self, states: States) -> npt.NDArray[np.int64]:
        """By the men of each side; the easy ones, in which the next move wins, or lets the opponent win at once if it
        is wrong, all in one."""
        own, opp = (np.bitwise_count(states[:, side]).astype(np.int64) for side in (OWN, OPP))
        values, plies = self.solution().action_values(states)
        hard = ((values == LOSS) & (plies > 2)).any(axis=1) & ~((values == WIN) & (plies == 1)).any(axis=1)
        return np.where(hard, own * (MEN + 1) + opp, 0)

    @property
    def exam(self) -> Path:
        return Path(__file__).parent / "data" / "exam.npz"


GAME: Final = Dame()
