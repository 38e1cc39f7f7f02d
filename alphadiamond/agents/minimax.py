"""Alpha-beta search with iterative deepening, by depth or by time."""

import math
import time
from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np

from alphadiamond.agents import minimax_kernels as kernels
from alphadiamond.agents import minimax_table_kernels as layout
from alphadiamond.agents.base import Agent, AgentError, Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.board import ACTIONS
from alphadiamond.settings.memory import Need, too_much
from alphadiamond.settings.ranges import SECONDS, SEED, between

_SLICE = 10_000  # nodes between two looks at the clock: a few milliseconds
_SCALE = 6.0  # fits best the results of games between players of depth 4 who slip now and then


def value_of(score: int) -> float:
    """A score as an expected result: proven wins and losses are 1 and -1, judgements follow tanh and stay within."""
    if abs(score) > layout.PROVEN:
        return math.copysign(1.0, score)
    return 0.99 * math.tanh(score / _SCALE)


class Searcher:
    """The arrays of a search, and its table, which stays valid from move to move and from game to game."""

    def __init__(self, *, weight: int, quiescence: bool, table_bits: int) -> None:
        plies = layout.MAX_DEPTH + 2
        self.weight = weight
        self.quiescence = quiescence
        self.frames = np.zeros((plies, layout.FIELDS), dtype=np.int64)
        self.actions, self.order, self.after = np.zeros((3, plies, layout.MAX_MOVES), dtype=np.int64)
        self.keys = np.zeros(256, dtype=np.int64)
        self.seen = np.zeros(1 << layout.FILTER_BITS, dtype=np.uint8)
        self.history = np.zeros(ACTIONS, dtype=np.int64)
        self.killers = np.full((plies, 2), -1, dtype=np.int64)
        self.root_scores = np.zeros(ACTIONS, dtype=np.int64)
        self.root_order = np.zeros(ACTIONS, dtype=np.int64)
        self.counters = np.zeros(layout.COUNTERS, dtype=np.int64)
        self.table = np.zeros((1 << table_bits, layout.T_FIELDS), dtype=np.int64)
        self.line = np.zeros(layout.MAX_DEPTH, dtype=np.int64)

    def depths(
        self, position: Position, *, depth: int, every_move: bool, seconds: float | None, stop: Stop
    ) -> Iterator[tuple[int, dict[int, int]]]:
        """(depth, {action: score}) for each depth that was finished; the first always is.

        Without `every_move` only the scores that equal the best are exact, the others are bounds below it.
        """
        ends = math.inf if seconds is None else time.perf_counter() + seconds
        past = np.array(position.history, dtype=np.int64)
        arrays = (self.frames, self.actions, self.order, self.after, self.keys, self.seen)
        more = (self.history, self.killers, self.root_scores, self.counters)
        self.counters[layout.GENERATION] = (self.counters[layout.GENERATION] + 1) % 1024
        self.counters[layout.NODE_COUNT] = 0
        self.history[:] = 0
        self.killers[:] = -1
        self.root_order[:] = 0
        for reached in range(1, depth + 1):
            kernels.begin(position.own, position.opp, position.quiet, past, self.root_order, *arrays, *more)
            while not kernels.search(
                reached, self.weight, self.quiescence, every_move, _SLICE, *arrays, *more, self.table
            ):
                if reached > 1 and (time.perf_counter() >= ends or stop()):
                    return
            scores = {
                action: int(self.root_scores[action]) for action in self.actions[0, : self.frames[0, layout.COUNT]]
            }
            yield reached, scores
            if time.perf_counter() >= ends or stop() or _decided(scores, reached):
                return
            self.root_order[:] = self.root_scores

    def variation(self, position: Position, move: Move, depth: int) -> tuple[Move, ...]:
        """The line the last search of `depth` plies expects after a move, the move first."""
        after = position.play(move)
        length = kernels.principal_variation(
            after.own,
            after.opp,
            after.quiet,
            np.array(after.history, dtype=np.int64),
            depth - 1,
            self.keys,
            self.seen,
            self.table,
            self.frames[-1],
            self.killers[-1],
            self.weight,
            self.quiescence,
            self.line,
        )
        return (move, *(Move.of_action(action) for action in self.line[:length]))


def _decided(scores: dict[int, int], depth: int) -> bool:
    """Whether a deeper search could not change the best move's score: it is won or lost within the depth."""
    best = max(scores.values())
    return layout.WON - abs(best) <= depth


class MinimaxAgent(Agent):
    """Looks `depth` plies ahead, or as deep as it gets in `seconds`.

    A score is the sum of own beads' empty neighbours less the opponent's plus `weight` times the difference in beads,
    at the end of the line; a win in n plies is 1,000,000 - n and a loss its negative. `analyse` gives every move its
    exact score at the depth reached. With `quiescence` the captures at the end of a line are played out first; left
    open, a player by depth does without, as the rules' Minimax of that depth does, and a player by time does it.
    Equally good moves are chosen among by the seed.
    """

    def __init__(
        self,
        *,
        depth: Annotated[int | None, between(1, layout.MAX_DEPTH)] = None,
        seconds: Annotated[float | None, SECONDS] = None,
        weight: Annotated[int, between(0, 1000)] = 1,
        quiescence: bool | None = None,
        table_bits: Annotated[int, between(4, 26)] = 18,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(depth=depth, seconds=seconds, weight=weight, table_bits=table_bits, seed=seed)
        self.depth = depth if depth is not None else (4 if seconds is None else layout.MAX_DEPTH)
        self.seconds = seconds
        self._rng = np.random.default_rng(seed)
        plays_out = quiescence if quiescence is not None else seconds is not None
        self._searcher = Searcher(weight=weight, quiescence=plays_out, table_bits=table_bits)

    @classmethod
    def check(cls, **parameters: Any) -> None:
        super().check(**parameters)
        table = Need("table_bits", "the table", (1 << parameters.get("table_bits", 18)) * 8 * layout.T_FIELDS)
        if found := too_much([table]):
            raise AgentError(f"table_bits={parameters['table_bits']}: {found[1]}")

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        require_moves(position)
        tie_break = self._tie_break()
        depth, scores = 0, dict[int, int]()
        for depth, scores in self._depths(position, every_move=True, stop=stop):  # noqa: B007  (the last one counts)
            pass
        return self._analysis(position, depth, scores, tie_break)

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        """The move `analyse` would choose, found sooner since the other moves need no exact score."""
        require_moves(position)
        tie_break = self._tie_break()
        scores: dict[int, int] = {}
        for _, scores in self._depths(position, every_move=False, stop=stop):  # noqa: B007
            pass
        return Move.of_action(_ranked(scores, tie_break)[0])

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        """One analysis for each depth."""
        require_moves(position)
        tie_break = self._tie_break()
        for depth, scores in self._depths(position, every_move=True, stop=stop):
            yield self._analysis(position, depth, scores, tie_break)

    def _depths(self, position: Position, *, every_move: bool, stop: Stop) -> Iterator[tuple[int, dict[int, int]]]:
        return self._searcher.depths(position, depth=self.depth, every_move=every_move, seconds=self.seconds, stop=stop)

    def _tie_break(self) -> list[int]:
        """[72] an order of all actions, drawn once for each move to choose."""
        return [int(rank) for rank in self._rng.permutation(ACTIONS)]

    def _analysis(self, position: Position, depth: int, scores: dict[int, int], tie_break: list[int]) -> Analysis:
        moves = []
        for action in _ranked(scores, tie_break):
            score = scores[action]
            move = Move.of_action(action)
            proven = abs(score) > layout.PROVEN
            moves.append(
                MoveAnalysis(
                    move,
                    score=score,
                    value=value_of(score),
                    distance=layout.WON - abs(score) if proven else None,
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
