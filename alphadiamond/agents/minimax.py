"""Alpha-beta search with iterative deepening, by depth or by time."""

import math
import time
from collections.abc import Iterator
from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import minimax_kernels as kernels
from alphadiamond.agents.base import (
    Agent,
    AgentError,
    Analysis,
    Game,
    Move,
    MoveAnalysis,
    Position,
    Stop,
    line_of,
    never,
    require_moves,
)
from alphadiamond.agents.minimax_kernels import MAX_DEPTH, PROVEN, WON
from alphadiamond.settings.memory import Need, too_much
from alphadiamond.settings.ranges import SECONDS, SEED, between

_SLICE = 10_000  # nodes between two looks at the clock: a few milliseconds
_TABLE_BITS = 18


def value_of(score: int, scale: float) -> float:
    """A score as an expected result: proven wins and losses are 1 and -1, judgements follow tanh and stay within."""
    if abs(score) > PROVEN:
        return math.copysign(1.0, score)
    return 0.99 * math.tanh(score / scale)


def distance_of(score: int) -> int | None:
    """Plies to the end that a proven score stands for."""
    return WON - abs(score) if abs(score) > PROVEN else None


class Searcher(Protocol):
    """What minimax asks; a game may bring one of its own."""

    def depths(
        self, position: Position, *, depth: int, every_move: bool, seconds: float | None, stop: Stop
    ) -> Iterator[tuple[int, dict[int, int]]]:
        """(depth, {action: score}) for each depth that was finished; the first always is.

        Without `every_move` only the scores that equal the best are exact, the others are bounds below it.
        """

    def variation(self, position: Position, move: Move, depth: int) -> tuple[Move, ...]:
        """The line the last search of `depth` plies expects after a move, the move first."""


def is_decided(scores: dict[int, int], depth: int) -> bool:
    """Whether a deeper search could not change the best move's score: it is won or lost within the depth."""
    best = max(scores.values())
    return WON - abs(best) <= depth


class GameSearcher:
    """The arrays of a search in any game, and its table, which stays valid from move to move and from game to game."""

    def __init__(self, game: Game, *, table_bits: int) -> None:
        plies, size = MAX_DEPTH + 2, game.state_size
        self.game = game
        self.states = np.zeros((plies, size), dtype=np.int64)
        self.frames = np.zeros((plies, kernels.FIELDS), dtype=np.int64)
        self.actions = np.zeros((plies, game.max_moves), dtype=np.int16)
        self.order = np.zeros((plies, game.max_moves), dtype=np.int64)
        self.keys = game.empty_histories(1, beyond=plies)[0]
        self.history = np.zeros(game.actions, dtype=np.int64)
        self.killers = np.full((plies, 2), -1, dtype=np.int64)
        self.root_scores = np.zeros(game.actions, dtype=np.int64)
        self.root_order = np.zeros(game.actions, dtype=np.int64)
        self.counters = np.zeros(kernels.COUNTERS, dtype=np.int64)
        self.table = np.zeros((1 << table_bits, size - 1 + kernels.R_FIELDS), dtype=np.int64)
        self.line = np.zeros(MAX_DEPTH, dtype=np.int64)

    def depths(
        self, position: Position, *, depth: int, every_move: bool, seconds: float | None, stop: Stop
    ) -> Iterator[tuple[int, dict[int, int]]]:
        ends = math.inf if seconds is None else time.perf_counter() + seconds
        rules, root, past = self.game.rules, self.game.state_of(position), self._past(position)
        arrays = (self.states, self.frames, self.actions, self.order, self.keys)
        more = (self.history, self.killers, self.root_scores, self.counters)
        self.counters[kernels.GENERATION] = (self.counters[kernels.GENERATION] + 1) % 1024
        self.counters[kernels.NODE_COUNT] = 0
        self.history[:] = 0
        self.killers[:] = -1
        self.root_order[:] = 0
        for reached in range(1, depth + 1):
            kernels.begin(rules, root, past, self.root_order, *arrays, *more)
            while not kernels.search(rules, reached, every_move, _SLICE, *arrays, *more, self.table):
                if reached > 1 and (time.perf_counter() >= ends or stop()):
                    return
            actions = self.actions[0, : self.frames[0, kernels.COUNT]]
            scores = {int(action): int(self.root_scores[action]) for action in actions}
            yield reached, scores
            if time.perf_counter() >= ends or stop() or is_decided(scores, reached):
                return
            self.root_order[:] = self.root_scores

    def variation(self, position: Position, move: Move, depth: int) -> tuple[Move, ...]:
        after = position.play(move)
        length = kernels.principal_variation(
            self.game.rules,
            self.game.state_of(after),
            self._past(after),
            depth - 1,
            self.states[-2:],
            self.actions[-1],
            self.keys,
            self.table,
            self.line,
        )
        return (move, *line_of(self.game, after, self.line[:length]))

    def _past(self, position: Position) -> npt.NDArray[np.int64]:
        """The keys of what can recur, the position's own last."""
        if self.game.repetition_limit:
            return self.game.history_of(position)
        return np.zeros(1, dtype=np.int64)


class MinimaxAgent(Agent):
    """Looks `depth` plies ahead, or as deep as it gets in `seconds`.

    A score is the game's own at the end of the line; a win in n plies is 1,000,000 - n and a loss its negative.
    `analyse` gives every move its exact score at the depth reached. Equally good moves are chosen among by the seed.
    """

    depth: int
    seconds: float | None
    _searcher: Searcher
    _rng: np.random.Generator

    def __init__(
        self,
        *,
        game: Game,
        depth: Annotated[int | None, between(1, MAX_DEPTH)] = None,
        seconds: Annotated[float | None, SECONDS] = None,
        table_bits: Annotated[int, between(4, 26)] = _TABLE_BITS,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(game=game, depth=depth, seconds=seconds, table_bits=table_bits, seed=seed)
        self.prepare(game=game, depth=depth, seconds=seconds, seed=seed)
        self._searcher = GameSearcher(self.game, table_bits=table_bits)

    def prepare(self, *, game: Game, depth: int | None, seconds: float | None, seed: int | None) -> None:
        """What any minimax is told, whoever searches for it."""
        self.game = game
        self.depth = depth if depth is not None else (4 if seconds is None else MAX_DEPTH)
        self.seconds = seconds
        self._rng = np.random.default_rng(seed)

    @classmethod
    def row_bytes(cls, game: Game) -> int:
        """Of one row of the table."""
        return 8 * (kernels.R_FIELDS - 1 + game.state_size)

    @classmethod
    def check(cls, **parameters: Any) -> None:
        game = parameters.pop("game")
        super().check(**parameters)
        size = (1 << parameters.get("table_bits", _TABLE_BITS)) * cls.row_bytes(game)
        if found := too_much([Need("table_bits", "the table", size)]):
            raise AgentError(f"table_bits={parameters['table_bits']}: {found[1]}")

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        require_moves(position, self.game)
        tie_break = self._tie_break()
        depth, scores = 0, dict[int, int]()
        for depth, scores in self._depths(position, every_move=True, stop=stop):  # noqa: B007  (the last one counts)
            pass
        return self._analysis(position, depth, scores, tie_break)

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        """The move `analyse` would choose, found sooner since the other moves need no exact score."""
        require_moves(position, self.game)
        tie_break = self._tie_break()
        scores: dict[int, int] = {}
        for _, scores in self._depths(position, every_move=False, stop=stop):  # noqa: B007
            pass
        return self.game.move_of(_ranked(scores, tie_break)[0], position.side)

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        """One analysis for each depth."""
        require_moves(position, self.game)
        tie_break = self._tie_break()
        for depth, scores in self._depths(position, every_move=True, stop=stop):
            yield self._analysis(position, depth, scores, tie_break)

    def _depths(self, position: Position, *, every_move: bool, stop: Stop) -> Iterator[tuple[int, dict[int, int]]]:
        return self._searcher.depths(position, depth=self.depth, every_move=every_move, seconds=self.seconds, stop=stop)

    def _tie_break(self) -> list[int]:
        """[A] an order of all actions, drawn once for each move to choose."""
        return [int(rank) for rank in self._rng.permutation(self.game.actions)]

    def _analysis(self, position: Position, depth: int, scores: dict[int, int], tie_break: list[int]) -> Analysis:
        moves = []
        for action in _ranked(scores, tie_break):
            score = scores[action]
            move = self.game.move_of(action, position.side)
            moves.append(
                MoveAnalysis(
                    move,
                    score=score,
                    value=value_of(score, self.game.score_scale),
                    distance=distance_of(score),
                    variation=self._searcher.variation(position, move, depth),
                )
            )
        best = moves[0]
        exact = best.distance is not None
        chances = ((1.0, 0.0, 0.0) if best.score > 0 else (0.0, 0.0, 1.0)) if exact else None
        return Analysis(
            position,
            best.move,
            tuple(moves),
            value=best.value,
            win_draw_loss=chances,
            exact=exact,
            depth=depth,
        )


def _ranked(scores: dict[int, int], tie_break: list[int]) -> list[int]:
    return sorted(scores, key=lambda action: (-scores[action], tie_break[action]))
