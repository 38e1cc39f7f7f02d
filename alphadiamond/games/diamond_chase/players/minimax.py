"""Minimax with a searcher made for this game: masks in registers, captures played out, draws foreseen."""

import math
import time
from collections.abc import Iterator
from typing import Annotated

import numpy as np

from alphadiamond.agents import minimax
from alphadiamond.agents.base import Game, Stop
from alphadiamond.agents.minimax import is_decided
from alphadiamond.agents.minimax_kernels import MAX_DEPTH
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.board import ACTIONS
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.players import minimax_kernels as kernels
from alphadiamond.games.diamond_chase.players import minimax_table_kernels as layout
from alphadiamond.settings.ranges import SECONDS, SEED, between

_SLICE = 10_000  # nodes between two looks at the clock: a few milliseconds


class Searcher:
    """The arrays of a search, and its table, which stays valid from move to move and from game to game."""

    def __init__(self, *, weight: int, quiescence: bool, table_bits: int) -> None:
        plies = MAX_DEPTH + 2
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
        self.line = np.zeros(MAX_DEPTH, dtype=np.int64)

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
            if time.perf_counter() >= ends or stop() or is_decided(scores, reached):
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


class MinimaxAgent(minimax.MinimaxAgent):
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
        game: Game = GAME,
        depth: Annotated[int | None, between(1, MAX_DEPTH)] = None,
        seconds: Annotated[float | None, SECONDS] = None,
        weight: Annotated[int, between(0, 1000)] = 1,
        quiescence: bool | None = None,
        table_bits: Annotated[int, between(4, 26)] = 18,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(game=game, depth=depth, seconds=seconds, weight=weight, table_bits=table_bits, seed=seed)
        self.prepare(game=game, depth=depth, seconds=seconds, seed=seed)
        plays_out = quiescence if quiescence is not None else seconds is not None
        self._searcher = Searcher(weight=weight, quiescence=plays_out, table_bits=table_bits)

    @classmethod
    def row_bytes(cls, game: Game) -> int:
        return 8 * layout.T_FIELDS
