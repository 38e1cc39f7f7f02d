"""Monte Carlo tree search with rollouts, by simulations or by time."""

import math
import time
from collections.abc import Iterator
from typing import Annotated

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import mcts_kernels as kernels
from alphadiamond.agents.base import (
    Agent,
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
from alphadiamond.agents.tactics import winning_moves
from alphadiamond.base.random_kernels import random_stream
from alphadiamond.base.results import ONGOING
from alphadiamond.settings.ranges import SECONDS, SEED, at_least, between

_SLICE = 500  # simulations between two looks at the clock: a few milliseconds
_STREAM_SECONDS = 0.2
MAX_DEPTH = 4096
MAX_NODES = 1 << 22  # some 170 MB; a larger tree is sampled on without growing


class Tree:
    """A tree that grows by simulations: `nodes` as `mcts_kernels.NODE` has them, the first is the root."""

    def __init__(
        self, game: Game, position: Position, *, room: int, exploration: float, stream: npt.NDArray[np.uint64]
    ) -> None:
        self._game = game
        self._exploration = exploration
        self._stream = stream
        self._past = game.history_of(position) if game.repetition_limit else np.zeros(1, dtype=np.int64)
        self._keys = game.empty_histories(1, beyond=kernels.ROLLOUT_PLIES + 1)[0]
        self._path = np.empty(MAX_DEPTH, dtype=np.int64)
        self._states = np.empty((room, game.state_size), dtype=np.int64)
        self._states[0] = game.state_of(position)
        self.nodes = np.empty(room, dtype=kernels.NODE)
        self._size = 1
        actions = np.empty(game.max_moves, dtype=np.int16)
        kernels.make_node(game.rules, self.nodes, self._states, 0, -1, ONGOING, actions)

    def simulate(self, count: int) -> None:
        if self._size + count > len(self.nodes) and len(self.nodes) < MAX_NODES:
            self.nodes = np.concatenate([self.nodes, np.empty_like(self.nodes)])
            self._states = np.concatenate([self._states, np.empty_like(self._states)])
        self._size = kernels.simulate(
            self._game.rules,
            self.nodes,
            self._states,
            self._size,
            count,
            self._past,
            self._keys,
            self._path,
            self._exploration,
            self._stream,
        )


class MctsAgent(Agent):
    """UCT with rollouts of 70 % random and 30 % best-looking moves; plays the most visited move.

    A score is the share of simulations that went through the move; a value is twice the mean result less one. A win
    in one is played without a search.
    """

    def __init__(
        self,
        *,
        game: Game,
        simulations: Annotated[int | None, at_least(1)] = None,
        seconds: Annotated[float | None, SECONDS] = None,
        exploration: Annotated[float | None, between(0, 1000)] = None,
        fast: bool = False,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(simulations=simulations, seconds=seconds, exploration=exploration, seed=seed)
        self.game = game
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
        require_moves(position, self.game)
        if wins := winning_moves(self.game, position):
            yield _won(position, wins)
            return
        limit = self.simulations if self.simulations is not None else 1 << 62
        started = said = time.perf_counter()
        ends = math.inf if self.seconds is None else started + self.seconds
        room = min(limit, 1 << 14) + 1
        tree = Tree(self.game, position, room=room, exploration=self.exploration, stream=self._stream)
        done = 0
        while True:
            count = min(_SLICE, limit - done)
            tree.simulate(count)
            done += count
            now = time.perf_counter()
            if done >= limit or now >= ends or stop():
                yield self._analysis(position, tree.nodes, done)
                return
            if now - said >= every:
                said = now
                yield self._analysis(position, tree.nodes, done)

    def _variation(self, position: Position, nodes: npt.NDArray[np.void], index: int) -> tuple[Move, ...]:
        line = [index]
        while (children := _children(nodes, line[-1])) and len(line) < 20:
            line.append(children[0])
        return line_of(self.game, position, nodes[line]["action"])

    def _analysis(self, position: Position, nodes: npt.NDArray[np.void], simulations: int) -> Analysis:
        moves = []
        for child in _children(nodes, 0):
            visits = int(nodes[child]["visits"])
            moves.append(
                MoveAnalysis(
                    self.game.move_of(int(nodes[child]["action"]), position.side),
                    score=visits / simulations,
                    value=2 * float(nodes[child]["result"]) / visits - 1,
                    visits=visits,
                    variation=self._variation(position, nodes, child),
                )
            )
        tried = {one.move for one in moves}
        moves += [
            MoveAnalysis(move, score=0.0, visits=0, variation=(move,)) for move in position.moves() if move not in tried
        ]
        best = moves[0]
        return Analysis(position, best.move, tuple(moves), value=best.value, simulations=simulations)


def _children(nodes: npt.NDArray[np.void], index: int) -> list[int]:
    """A node's children, the most visited first; equals by their result."""
    found = []
    child = int(nodes[index]["child"])
    while child >= 0:
        found.append(child)
        child = int(nodes[child]["sibling"])
    return sorted(found, key=lambda one: (-int(nodes[one]["visits"]), -float(nodes[one]["result"])))


def _won(position: Position, wins: list[Move]) -> Analysis:
    moves = [MoveAnalysis(move, score=1.0, value=1.0, visits=0, distance=1, variation=(move,)) for move in wins]
    moves += [
        MoveAnalysis(move, score=0.0, visits=0, variation=(move,)) for move in position.moves() if move not in wins
    ]
    return Analysis(
        position, wins[0], tuple(moves), value=1.0, win_draw_loss=(1.0, 0.0, 0.0), exact=True, simulations=0
    )
