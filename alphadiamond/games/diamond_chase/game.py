"""Diamond Chase as everything else knows it.

A state is a row of four integers: own mask, opponent's mask, plies since the last capture, occurrences of the position.
"""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.drawing import Drawing
from alphadiamond.base.game import Game, Shape, Solution, States
from alphadiamond.base.notation import NotationError, shown
from alphadiamond.base.record import GameRecord
from alphadiamond.games.diamond_chase import kernels, observation, position, starts
from alphadiamond.games.diamond_chase.board import (
    ACTION_NODES,
    ACTION_SYMMETRIES,
    ACTIONS,
    ALL_NODES,
    EDGES,
    NODE_IDS,
    NODES,
    SOURCES,
    SYMMETRIES,
    TARGETS,
)
from alphadiamond.games.diamond_chase.move import Move
from alphadiamond.games.diamond_chase.notation import names_of
from alphadiamond.games.diamond_chase.position import Position, Reason, Side
from alphadiamond.games.diamond_chase.rules import GLOBALS, PLANES, RULES, STATE_SIZE, DiamondChaseRules

OWN: Final = 0
OPP: Final = 1
QUIET: Final = 2
OCCURRENCES: Final = 3


class DiamondChase(Game):
    name: ClassVar[str] = "diamond_chase"
    title: ClassVar[str] = "Diamond Chase"
    rules_version: ClassVar[int] = kernels.RULES_VERSION
    encoding_version: ClassVar[int] = 1
    sides: ClassVar[tuple[Side, Side]] = (Side.GREEN, Side.RED)
    rules: ClassVar[DiamondChaseRules] = RULES
    shape: ClassVar[Shape] = Shape(
        nodes=NODES,
        planes=PLANES,
        globals=GLOBALS,
        actions=ACTIONS,
        symmetries=SYMMETRIES,
        action_symmetries=ACTION_SYMMETRIES,
        edges=np.array(EDGES, dtype=np.int64),
        action_nodes=np.array(ACTION_NODES, dtype=np.int64),
    )
    history_limit: ClassVar[int] = kernels.QUIET_LIMIT + 1
    longest: ClassVar[int] = 5 * (kernels.QUIET_LIMIT + 1)  # five captures in all end any game
    unnamed_records: ClassVar[bool] = True
    score_scale: ClassVar[float] = 6.0  # fits best the results of games of depth 4 by players who slip now and then
    players: ClassVar[Mapping[str, str]] = {
        name: f"alphadiamond.games.diamond_chase.players.{place}"
        for name, place in {
            "greedy": "greedy:GreedyAgent",
            "minimax": "minimax:MinimaxAgent",
            "perfect": "perfect:PerfectAgent",
            "fuzzy": "fuzzy:FuzzyAgent",
            "hybrid": "hybrid:HybridAgent",
        }.items()
    }
    even: ClassVar[bool] = True

    def start(self, seed: int | None = None) -> Position:
        return Position.start()

    def parse(self, text: str) -> Position:
        return Position.parse(text)

    def parse_move(self, text: str) -> Move:
        return Move.parse(text)

    def move_of(self, action: int, side: Side | None = None) -> Move:
        return Move.of_action(action)

    def position_of(self, state: npt.NDArray[np.int64], side: Side | None = None) -> Position:
        return Position(int(state[OWN]), int(state[OPP]), Side.GREEN if side is None else side, int(state[QUIET]))

    def state_of(self, position: Position) -> npt.NDArray[np.int64]:
        return np.array([position.own, position.opp, position.quiet, position.occurrences], dtype=np.int64)

    def history_of(self, position: Position) -> npt.NDArray[np.int64]:
        """[H] keys of the positions since the last capture, this one last, each from its own side to move."""
        return np.array(position.history, dtype=np.int64) & ((1 << 2 * NODES) - 1)

    def perft(self, depth: int, start: Position | None = None) -> int:
        return position.perft(self.start() if start is None else start, depth)

    def images(self, states: States, symmetries: npt.NDArray[np.int64]) -> States:
        return kernels.turn_states(states, symmetries)

    def unpack_positions(self, numbers: npt.NDArray[np.uint64], board: npt.NDArray[np.int64]) -> States:
        keys = numbers.view(np.int64)
        ones = np.ones_like(keys)
        return np.stack([keys & ALL_NODES, keys >> NODES & ALL_NODES, 0 * ones, ones], axis=1)

    def random_start(self, rng: np.random.Generator, boards: int = 0) -> npt.NDArray[np.int64]:
        """[4] beads anywhere, 4 to 6 a side, none trapped."""
        return np.array([*starts.random_placement(rng), 0, 1], dtype=np.int64)

    def short_opening(self, rng: np.random.Generator, most: int, boards: int = 0) -> npt.NDArray[np.int64]:
        return np.array([*starts.short_opening(rng, most), 0, 1], dtype=np.int64)

    def random_position(self, rng: np.random.Generator) -> Position | None:
        """Beads anywhere, 4 to 6 a side, with either side to move."""
        return starts.random_position(rng, starts.ALL_BEADS)

    survival: ClassVar[bool] = True
    pictured: ClassVar[str] = "r/r./r/rrr/..g..../g.g/g/gg/. g 0"

    def pieces(self, states: States) -> npt.NDArray[np.int64]:
        masks: npt.NDArray[np.int64] = states[:, OWN] | states[:, OPP]
        return masks

    def survivors(self, states: States, actions: Sequence[int], end: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        masks = np.zeros(len(states), dtype=np.int32)
        alive = int(end[OWN] | end[OPP])
        for t in range(len(states) - 1, -1, -1):
            source, target = int(SOURCES[actions[t]]), int(TARGETS[actions[t]])
            if alive >> target & 1:
                alive ^= 1 << target | 1 << source
            masks[t] = alive
        return masks

    def ending(self, state: npt.NDArray[np.int64]) -> str:
        few = min(int(state[OWN]).bit_count(), int(state[OPP]).bit_count()) < kernels.MIN_BEADS
        return str(Reason.BEADS if few else Reason.NO_CAPTURE)

    def solution(self) -> Solution | None:
        from alphadiamond.games.diamond_chase.solver import tablebase  # who learns never imports the solver

        return tablebase.find()

    def solution_in(self, directory: Path) -> Solution:
        from alphadiamond.games.diamond_chase.solver import tablebase

        return tablebase.shared(directory)

    def has_solution_in(self, directory: Path) -> bool:
        from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS

        return any(layer.path(directory).exists() for layer in LAYERS)

    def solution_facts(self, directory: Path) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
        from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS

        size = sum(layer.path(directory).stat().st_size for layer in LAYERS)
        layers = [{"own": layer.own, "opp": layer.opp, "entries": layer.entries} for layer in LAYERS]
        return {"entries": sum(layer.entries for layer in LAYERS), "bytes": size}, {"layers": layers}

    @property
    def solving(self) -> str:
        return "`make solve` does it in a minute or so"

    def bare(self, states: States) -> States:
        bare = super().bare(states)
        bare[:, QUIET] = 0
        return bare

    def phases(self, states: States) -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
        """By the beads on the board."""
        most = 2 * kernels.MAX_BEADS
        names = tuple(f"{beads} beads" for beads in range(most, 2 * kernels.MIN_BEADS - 1, -1))
        return (most - np.bitwise_count(self.pieces(states))).astype(np.uint8), names

    def strata(self, states: States) -> npt.NDArray[np.int64]:
        """By the beads of each side."""
        own, opp = (np.bitwise_count(states[:, side]).astype(np.int64) for side in (OWN, OPP))
        return own * 8 + opp

    @property
    def exam(self) -> Path:
        return Path(__file__).parent / "data" / "exam.npz"

    @property
    def endings(self) -> tuple[str, ...]:
        return tuple(str(reason) for reason in Reason)

    def record(
        self,
        start: Position,
        moves: Iterable[Move],
        *,
        players: tuple[str, str],
        result: str | None = None,
        ending: str | None = None,
        date: str = "",
        tags: dict[str, str] | None = None,
    ) -> GameRecord:
        from alphadiamond.games.diamond_chase.record import GameRecord  # it knows green and red by name

        green, red = players
        return GameRecord.of(start, moves, green=green, red=red, result=result, ending=ending, date=date, tags=tags)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return observation.SHAPE

    def observe(self, position: Position, side: Side) -> npt.NDArray[np.float32]:
        return observation.observe(position, side)

    def note_of(self, position: Position, move: Move) -> str:
        """The beads that come off."""
        return names_of(position.removed_by(move))

    def check_note(self, position: Position, move: Move, note: str) -> None:
        for name in note.split(",") if note else []:
            if name not in NODE_IDS:
                raise NotationError(f"no node is called {shown(name)}")
        removed = position.removed_by(move)
        claimed = sorted(NODE_IDS[name] for name in note.split(",")) if note else []
        if claimed != removed:
            raise NotationError(
                f"the move removes {names_of(removed) or 'no bead'}, and the record says {names_of(claimed) or 'none'}"
            )

    def solve(
        self, directory: Path | None = None, *, threads: int = 0, watch: Callable[[float, str], None] | None = None
    ) -> None:
        from alphadiamond.games.diamond_chase.solver import default_directory
        from alphadiamond.games.diamond_chase.solver.retrograde import SolvingProgress, solve

        def tell(now: SolvingProgress) -> None:
            if watch is not None:
                watch(now.share, f"Layer {now.title.replace(' + ', ' and ')}: {now.note}")

        solve(directory or default_directory(), threads=threads, watch=tell)

    @functools.cached_property
    def drawing(self) -> Drawing:  # type: ignore[override]  # a property that is worked out once
        from alphadiamond.games.diamond_chase.drawing import DiamondChaseDrawing

        return DiamondChaseDrawing(self)


GAME: Final = DiamondChase()
states_of = GAME.states_of
histories_of = GAME.histories_of

__all__ = ["GAME", "OCCURRENCES", "OPP", "OWN", "QUIET", "STATE_SIZE", "DiamondChase", "histories_of", "states_of"]
