"""Monte Carlo tree search as the original game had it, by simulations or by time."""

import math
import time
from collections.abc import Iterator
from typing import Annotated

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import mcts_kernels as kernels
from alphadiamond.agents.base import Agent, Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.agents.tactics import winning_moves
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.results import ONGOING
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.settings.ranges import SECONDS, SEED, at_least, between

_SLICE = 500  # simulations between two looks at the clock: a few milliseconds
_STREAM_SECONDS = 0.2
_MAX_DEPTH = 4096
_MAX_NODES = 1 << 22  # 170 MB; a larger tree is sampled on without growing


class MctsAgent(Agent):
    """UCT with rollouts of 70 % random and 30 % best-looking moves; plays the most visited move.

    A score is the share of simulations that went through the move; a value is twice the mean result less one. A win
    in one is played without a search.
    """

    def __init__(
        self,
        *,
        simulations: Annotated[int | None, at_least(1)] = None,
        seconds: Annotated[float | None, SECONDS] = None,
        exploration: Annotated[float | None, between(0, 1000)] = None,
        fast: bool = False,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(simulations=simulations, seconds=seconds, exploration=exploration, seed=seed)
        if simulations is None and seconds is None:
            seconds = 0.15 if fast else 1.5
        self.simulations = simulations
        self.seconds = seconds
        self.exploration = exploration if exploration is not None else (1.2 if fast else math.sqrt(2))
        self._stream = random_stream(np.random.default_rng(seed))

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        *_, last = self._analyses(position, every=math.inf, stop=stop)
        return last

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        """An analysis five times a second, and the last."""
        return self._analyses(position, every=_STREAM_SECONDS, stop=stop)

    def _analyses(self, position: Position, *, every: float, stop: Stop) -> Iterator[Analysis]:
        require_moves(position)
        if wins := winning_moves(position):
            yield _won(position, wins)
            return
        past = np.array(position.history, dtype=np.int64)
        limit = self.simulations if self.simulations is not None else 1 << 62
        started = said = time.perf_counter()
        ends = math.inf if self.seconds is None else started + self.seconds
        nodes = np.empty(min(limit, 1 << 14) + 1, dtype=kernels.NODE)
        keys = np.empty(256, dtype=np.int64)
        path = np.empty(_MAX_DEPTH, dtype=np.int64)
        kernels.make_node(nodes, 0, position.own, position.opp, -1, position.quiet, ONGOING)
        size, done = 1, 0
        while True:
            count = min(_SLICE, limit - done)
            if size + count > len(nodes) and len(nodes) < _MAX_NODES:
                nodes = np.concatenate([nodes, np.empty_like(nodes)])
            size = kernels.simulate(nodes, size, count, past, keys, path, self.exploration, self._stream)
            done += count
            now = time.perf_counter()
            if done >= limit or now >= ends or stop():
                yield _analysis(position, nodes, done)
                return
            if now - said >= every:
                said = now
                yield _analysis(position, nodes, done)


def _children(nodes: npt.NDArray[np.void], index: int) -> list[int]:
    """A node's children, the most visited first; equals by their result."""
    found = []
    child = int(nodes[index]["child"])
    while child >= 0:
        found.append(child)
        child = int(nodes[child]["sibling"])
    return sorted(found, key=lambda one: (-int(nodes[one]["visits"]), -float(nodes[one]["result"])))


def _variation(nodes: npt.NDArray[np.void], index: int) -> tuple[Move, ...]:
    line = [index]
    while (children := _children(nodes, line[-1])) and len(line) < 20:
        line.append(children[0])
    return tuple(Move.of_action(int(nodes[one]["action"])) for one in line)


def _analysis(position: Position, nodes: npt.NDArray[np.void], simulations: int) -> Analysis:
    moves = []
    for child in _children(nodes, 0):
        visits = int(nodes[child]["visits"])
        moves.append(
            MoveAnalysis(
                Move.of_action(int(nodes[child]["action"])),
                score=visits / simulations,
                value=2 * float(nodes[child]["result"]) / visits - 1,
                visits=visits,
                variation=_variation(nodes, child),
            )
        )
    tried = {one.move for one in moves}
    moves += [
        MoveAnalysis(move, score=0.0, visits=0, variation=(move,)) for move in position.moves() if move not in tried
    ]
    best = moves[0]
    return Analysis(position, best.move, tuple(moves), value=best.value, simulations=simulations)


def _won(position: Position, wins: list[Move]) -> Analysis:
    moves = [MoveAnalysis(move, score=1.0, value=1.0, visits=0, distance=1, variation=(move,)) for move in wins]
    moves += [
        MoveAnalysis(move, score=0.0, visits=0, variation=(move,)) for move in position.moves() if move not in wins
    ]
    return Analysis(
        position, wins[0], tuple(moves), value=1.0, win_draw_loss=(1.0, 0.0, 0.0), exact=True, simulations=0
    )
