"""Alpha-beta search with iterative deepening, by depth or by time."""

import math
import time
from collections.abc import Iterator
from typing import Annotated, Any

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
from alphadiamond.agents.minimax_kernels import MAX_DEPTH
from alphadiamond.agents.minimax_table_kernels import FILTER_BITS, T_FIELDS
from alphadiamond.base.results import PROVEN, WON
from alphadiamond.base.rules import body_of, pack_state
from alphadiamond.settings.memory import Need, too_much
from alphadiamond.settings.ranges import SECONDS, SEED, between

_SLICE = 10_000  # nodes between two looks at the clock: a few milliseconds
TABLE_BITS = 18


def value_of(score: int, scale: float) -> float:
    """A score as an expected result: proven wins and losses are 1 and -1, judgements follow tanh and stay within."""
    if abs(score) > PROVEN:
        return math.copysign(1.0, score)
    return 0.99 * math.tanh(score / scale)


def distance_of(score: int) -> int | None:
    """Plies to the end that a proven score stands for."""
    return WON - abs(score) if abs(score) > PROVEN else None


def is_decided(scores: dict[int, int], depth: int) -> bool:
    """Whether a deeper search could not change the best move's score: it is won or lost within the depth."""
    return WON - abs(max(scores.values())) <= depth


class Searcher:
    """The memory of a search, and its table, which stays valid from move to move and from game to game.

    `rules` are the game's, or the same with other values of what its `score` reads.
    """

    def __init__(self, game: Game, rules: Any, *, quiesce: bool = False, table_bits: int) -> None:
        plies, moves, size = MAX_DEPTH + 2, game.max_moves, game.state_size
        self.game = game
        self.rules = rules
        self.quiesce = quiesce
        self.stack = kernels.Stack(
            states=np.zeros((plies, moves, size), dtype=np.int64),
            frames=np.zeros((plies, kernels.FIELDS), dtype=np.int64),
            actions=np.zeros((plies, moves), dtype=np.int16),
            order=np.zeros((plies, moves), dtype=np.int64),
            keys=game.empty_histories(1, beyond=plies)[0],
            seen=np.zeros(1 << FILTER_BITS, dtype=np.int32),
            history=np.zeros(game.actions, dtype=np.int64),
            killers=np.full((plies, 2), -1, dtype=np.int64),
            root_scores=np.zeros(game.actions, dtype=np.int64),
            found=np.zeros(game.actions, dtype=np.int64),
            counters=np.zeros(kernels.COUNTERS, dtype=np.int64),
            packed=np.zeros(size, dtype=np.int64),
        )
        self.table = np.zeros((1 << table_bits, row_columns(rules)), dtype=np.int64)
        self.lines = np.zeros((moves, MAX_DEPTH), dtype=np.int16)
        self.lengths = np.zeros(moves, dtype=np.int64)

    def depths(
        self,
        position: Position,
        *,
        depth: int,
        every_move: bool,
        each: bool = True,
        seconds: float | None = None,
        stop: Stop = never,
    ) -> Iterator[tuple[int, dict[int, int]]]:
        """(depth, {action: score}) for `each` depth that was finished, or for the last alone; the first always is.

        Without `every_move` only the scores that equal the best are exact, the others are bounds below it.
        """
        ends = math.inf if seconds is None else time.perf_counter() + seconds
        kernels.begin(self.rules, self.game.state_of(position), self._past(position), self.stack)
        target = 1 if each else depth
        while True:
            done = kernels.search(self.rules, target, self.quiesce, every_move, _SLICE, self.stack, self.table)
            over = time.perf_counter() >= ends or stop()
            reached = int(self.stack.counters[kernels.REACHED])
            if done or (over and reached > 0):
                scores = {action: int(self.stack.found[action]) for action in self._actions()}
                if done or not each:
                    yield reached, scores
                if over or reached == depth or is_decided(scores, reached):
                    return
                target = reached + 1

    def variations(self, depth: int) -> dict[int, list[int]]:
        """{action: the line that the last search, which reached `depth`, expects, this action first}."""
        kernels.variations(self.rules, depth, self.quiesce, self.stack, self.table, self.lines, self.lengths)
        return {
            action: self.lines[i, :length].tolist()
            for i, (action, length) in enumerate(zip(self._actions(), self.lengths.tolist(), strict=False))
        }

    def _actions(self) -> list[int]:
        """The root's moves."""
        actions: list[int] = self.stack.actions[0, : self.stack.frames[0, kernels.COUNT]].tolist()
        return actions

    def _past(self, position: Position) -> npt.NDArray[np.int64]:
        """The keys of what can recur, the position's own last."""
        if self.game.repetition_limit:
            return self.game.history_of(position)
        return np.zeros(1, dtype=np.int64)


def row_columns(rules: Any) -> int:
    """Of one row of the table."""
    state = np.zeros((2, rules.state_size), dtype=np.int64)
    return T_FIELDS + int(body_of(pack_state, rules)(rules, state[0], 1, state[1]))


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
        table_bits: Annotated[int, between(4, 26)] = TABLE_BITS,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(game=game, depth=depth, seconds=seconds, table_bits=table_bits, seed=seed)
        self.prepare(game=game, depth=depth, seconds=seconds, seed=seed)
        self._searcher = Searcher(self.game, self.game.rules, table_bits=table_bits)

    def prepare(self, *, game: Game, depth: int | None, seconds: float | None, seed: int | None) -> None:
        """What any minimax is told, whatever else a game lets it be told."""
        self.game = game
        self.depth = depth if depth is not None else (4 if seconds is None else MAX_DEPTH)
        self.seconds = seconds
        self._rng = np.random.default_rng(seed)

    @classmethod
    def check(cls, **parameters: Any) -> None:
        game = parameters.pop("game")
        super().check(**parameters)
        size = (1 << parameters.get("table_bits", TABLE_BITS)) * 8 * row_columns(game.rules)
        if found := too_much([Need("table_bits", "the table", size)]):
            raise AgentError(f"table_bits={parameters['table_bits']}: {found[1]}")

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        *_, last = self._analyses(position, each=False, stop=stop)
        return last

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        """One analysis for each depth."""
        return self._analyses(position, each=True, stop=stop)

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        """The move `analyse` would choose, found sooner since the other moves need no exact score."""
        require_moves(position, self.game)
        tie_break = self._tie_break()
        ((_, scores),) = self._depths(position, every_move=False, each=False, stop=stop)
        return self.game.move_of(_ranked(scores, tie_break)[0], position.side)

    def _analyses(self, position: Position, *, each: bool, stop: Stop) -> Iterator[Analysis]:
        require_moves(position, self.game)
        tie_break = self._tie_break()
        for depth, scores in self._depths(position, every_move=True, each=each, stop=stop):
            yield self._analysis(position, depth, scores, tie_break)

    def _depths(
        self, position: Position, *, every_move: bool, each: bool, stop: Stop
    ) -> Iterator[tuple[int, dict[int, int]]]:
        limits: dict[str, Any] = {"depth": self.depth, "seconds": self.seconds, "stop": stop}
        return self._searcher.depths(position, every_move=every_move, each=each, **limits)

    def _tie_break(self) -> list[int]:
        """[A] an order of all actions, drawn once for each move to choose."""
        return [int(rank) for rank in self._rng.permutation(self.game.actions)]

    def _analysis(self, position: Position, depth: int, scores: dict[int, int], tie_break: list[int]) -> Analysis:
        moves = []
        lines = self._searcher.variations(depth)
        for action in _ranked(scores, tie_break):
            score, line = scores[action], line_of(self.game, position, lines[action])
            value = value_of(score, self.game.score_scale)
            moves.append(MoveAnalysis(line[0], score=score, value=value, distance=distance_of(score), variation=line))
        return analysis_of(position, moves, depth)


def analysis_of(position: Position, moves: list[MoveAnalysis], depth: int) -> Analysis:
    """What a search of this depth makes of the moves, best first."""
    best = moves[0]
    exact = best.distance is not None
    chances = ((1.0, 0.0, 0.0) if best.score > 0 else (0.0, 0.0, 1.0)) if exact else None
    return Analysis(position, best.move, tuple(moves), best.value, chances, exact=exact, depth=depth)


def _ranked(scores: dict[int, int], tie_break: list[int]) -> list[int]:
    return sorted(scores, key=lambda action: (-scores[action], tie_break[action]))
