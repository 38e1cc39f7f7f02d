"""The Duel of the Labyrinth as everything else knows it: see `rules` for what a state is."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.drawing import Drawing
from alphadiamond.base.game import Game, Questions, Shape, Solution, States
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.start_seeds import Purpose, any_seed
from alphadiamond.games.labyrinth import kernels, packed_positions, start_kernels
from alphadiamond.games.labyrinth.board import (
    ACTION_SYMMETRIES,
    ACTIONS,
    SIZE,
    deadline_of,
    edges_of,
    symmetries_of,
)
from alphadiamond.games.labyrinth.move import Move
from alphadiamond.games.labyrinth.position import Position, Reason, position_of, state_of
from alphadiamond.games.labyrinth.rules import (
    GLOBALS,
    PLAIN,
    PLANES,
    PLIES_LEFT,
    SCORE_SCALE,
    LabyrinthRules,
    rules_of,
    signed_inputs,
)
from alphadiamond.games.labyrinth.side import Side

EXAM: Final = Path(__file__).parent / "data" / "exam.npz"

if TYPE_CHECKING:
    from alphadiamond.games.labyrinth.solver import LabyrinthSolution


def shape_of(size: int) -> Shape:
    return Shape(
        nodes=size * size,
        planes=PLANES,
        globals=GLOBALS,
        actions=ACTIONS,
        symmetries=symmetries_of(size),
        action_symmetries=ACTION_SYMMETRIES,
        edges=edges_of(size),
        grid=(size, size),
        pieces=(3, 4),
        plain=PLAIN,
    )


class Labyrinth(Game):
    name: ClassVar[str] = "labyrinth"
    title: ClassVar[str] = "Labyrinth"
    rules_version: ClassVar[int] = kernels.RULES_VERSION
    encoding_version: ClassVar[int] = 2
    sides: ClassVar[tuple[Side, Side]] = (Side.A, Side.B)
    size: ClassVar[int] = SIZE
    rules: ClassVar[LabyrinthRules] = rules_of(SIZE)
    shape: ClassVar[Shape] = shape_of(SIZE)
    longest: ClassVar[int] = deadline_of(SIZE)
    score_scale: ClassVar[float] = SCORE_SCALE
    pictured: ClassVar[str] = (
        ".....#T../####.#.#./.....T.#T/.#.##..#P/.#.....#P/.#PP##.#./.#......./.#T#.####/...#..... g6 g7 196 148 19 b"
    )

    seeded: ClassVar[bool] = True
    exact_keys: ClassVar[bool] = False
    players: ClassVar[Mapping[str, str]] = {
        "perfect": "alphadiamond.games.labyrinth.players.perfect:PerfectAgent",
        **{
            name: f"alphadiamond.games.labyrinth.players.path_finders:{agent}Agent"
            for name, agent in (
                ("hill_climbing", "HillClimbing"),
                ("greedy_best_first", "GreedyBestFirst"),
                ("breadth_first", "BreadthFirst"),
                ("dijkstra", "Dijkstra"),
                ("a_star", "AStar"),
            )
        },
        **{
            name: f"alphadiamond.games.labyrinth.players.levels:{name.capitalize()}Agent"
            for name in ("beginner", "easy", "medium", "hard", "expert")
        },
    }

    def start(self, seed: int | None = None) -> Position:
        return Position.start(any_seed() if seed is None else seed, self.size)

    def parse(self, text: str) -> Position:
        return Position.parse(text)

    def parse_move(self, text: str) -> Move:
        return Move.parse(text)

    def move_in(self, position: Position, text: str) -> Move:
        return position.bound(Move.parse(text))

    def move_of(self, action: int, side: Side | None = None) -> Move:
        return Move.of_action(int(action), Side.A if side is None else side)

    def position_of(self, state: npt.NDArray[np.int64], side: Side | None = None) -> Position:
        """The plies left say who is to move."""
        return position_of(state, self.size)

    def state_of(self, position: Position) -> npt.NDArray[np.int64]:
        return state_of(position)

    def images(self, states: States, symmetries: npt.NDArray[np.int64]) -> States:
        return kernels.transpose_states(states, symmetries, self.size)

    def _somewhere(self, rng: np.random.Generator, purpose: Purpose, boards: int = 0) -> npt.NDArray[np.int64]:
        """After up to three quarters of all plies by runners who mostly go by the cheapest ways, and still open."""
        stream = random_stream(rng)
        while True:
            state = state_of(self.drawn_start(rng, purpose, boards))
            if start_kernels.walk(self.rules, state, int(rng.integers(3 * self.longest // 4 + 1)), stream):
                start_kernels.even_out(self.rules, state, stream)
                return state

    def pack_positions(self, states: States, board: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        return packed_positions.pack(states, board)

    def unpack_positions(self, numbers: npt.NDArray[np.uint64], board: npt.NDArray[np.int64]) -> States:
        return packed_positions.unpack(numbers, board)

    def ending(self, state: npt.NDArray[np.int64]) -> str:
        outcome = self.position_of(state).outcome
        assert outcome is not None
        return str(outcome.reason)

    def observe(self, position: Position, side: Side) -> npt.NDArray[np.float32]:
        """What a network sees, brought to 0 to 1: what has a sign from the middle, costs up to what a plane holds."""
        seen = super().observe(position, side)
        seen[signed_inputs(self.size)] = 0.5 + 0.5 * seen[signed_inputs(self.size)]
        return seen.clip(0.0, 1.0)

    @property
    def endings(self) -> tuple[str, ...]:
        return tuple(str(reason) for reason in Reason)

    @functools.cached_property
    def drawing(self) -> Drawing:  # type: ignore[override]  # a property that is worked out once
        from alphadiamond.games.labyrinth.drawing import LabyrinthDrawing

        return LabyrinthDrawing(self)

    def solution(self) -> Solution:
        """Always at hand: a maze is solved when it is met."""
        return _solution(self.rules)

    def questions(self, *, positions: int, games: int, seed: int) -> Questions:
        from alphadiamond.games.labyrinth.exam_builder import make_questions

        return make_questions(self, positions=positions, games=games, seed=seed)

    @property
    def exam(self) -> Path | None:
        return EXAM

    def phases(self, states: States) -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
        """By the plies played, eight at a time."""
        played = self.rules.deadline - states[:, PLIES_LEFT]
        names = tuple(f"plies {first} to {first + 7}" for first in range(0, self.rules.deadline, 8))
        return np.minimum(played // 8, len(names) - 1).astype(np.uint8), names


@functools.cache
def _solution(rules: LabyrinthRules) -> "LabyrinthSolution":
    from alphadiamond.games.labyrinth.solver import LabyrinthSolution  # learning must not see it

    return LabyrinthSolution(rules)


GAME: Final = Labyrinth()
