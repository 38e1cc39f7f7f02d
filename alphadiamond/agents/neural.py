"""The learned player: a network with the tree search that it guides."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from alphadiamond.agents.base import Agent, AgentError, Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.agents.tactics import winning_moves
from alphadiamond.game import Move, Position
from alphadiamond.game.arrays import DiamondChase
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.search import Roots, SearchSettings, TreeSearch
from alphadiamond.search.trees import UNKNOWN

CHAMPION: Final = Path(__file__).parents[2] / "checkpoints" / "champion.safetensors"
"""The network that is shipped with the project."""

_SLICE: Final = 64  # simulations between two looks at the clock
_PROVEN: Final = 1e6  # the score of a win on the spot
_NODES: Final = 60_000  # the most a search by time may grow, about 40 MB


class NeuralAgent(Agent):
    """Scores are visits, beyond them for proven moves, or the policy's chances where there is no search."""

    def __init__(
        self,
        *,
        checkpoint: str = "",
        simulations: int | None = None,
        seconds: float | None = None,
        device: str = "auto",
        method: str = "puct",
        leaves: int = 0,
        symmetries: bool = False,
        seed: int = 0,
    ) -> None:
        if simulations is not None and seconds is not None:
            raise AgentError("give simulations or seconds, not both")
        if (simulations is not None and simulations < 0) or (seconds is not None and seconds <= 0):
            raise AgentError("simulations are 0 or more, seconds more than 0")
        if method not in ("puct", "gumbel"):
            raise AgentError(f"method={method}: expected puct or gumbel")
        if method == "gumbel" and seconds is not None:
            raise AgentError("gumbel plans its simulations ahead: give simulations, not seconds")
        path = Path(checkpoint) if checkpoint else CHAMPION
        if not checkpoint and not path.exists():
            raise AgentError("no network is shipped yet: train one with `make train`, or name one with checkpoint=PATH")
        self.path = path
        self._evaluator = Evaluator(load_checkpoint(path).model, device=device, symmetries=symmetries, cache=1 << 16)
        self._seconds = seconds
        self._simulations = 100 if simulations is None and seconds is None else simulations
        self._game = DiamondChase()
        nodes = _NODES if self._simulations is None else min(_NODES, 2 * self._simulations + 2)
        # Waiting leaves save network calls where time counts; one at a time is the better search for its simulations.
        settings = SearchSettings(method=method, leaves=leaves or (1 if seconds is None else 8))
        self._slice = _SLICE if method == "puct" else _NODES
        self._search = TreeSearch(self._game, settings, games=1, nodes=nodes, seed=seed)
        self._root: Position | None = None

    @property
    def device(self) -> str:
        return str(self._evaluator.device)

    def reset(self) -> None:
        self._root = None

    def reseed(self, seed: int) -> bool:
        self._search.seed(seed)
        self._root = None
        return True

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        *_, last = self.stream(position, stop=stop)
        return last

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        """An analysis ten times a second, and a last one when the budget is spent."""
        require_moves(position)
        if self._simulations == 0:
            yield self._bare_policy(position)
            return
        self._set_root(position)
        started = said = time.monotonic()
        while not stop():
            done = int(self._search.trees.game["done"][0])
            now = time.monotonic()
            left = _NODES if self._simulations is None else self._simulations - done
            if left <= 0 or (self._seconds is not None and now - started >= self._seconds):
                break
            self._search.run(self._evaluator, min(self._slice, left), stop=stop)
            if int(self._search.trees.game["done"][0]) == done:  # proven, or no room left
                break
            if now - said >= 0.1:
                said = now
                yield self._analysis(position)
        yield self._analysis(position)

    def _set_root(self, position: Position) -> None:
        """Keep the tree of the last search where the game has followed it."""
        before, self._root = self._root, position
        reusable = self._search.settings.method == "puct"  # sequential halving begins from nothing
        if before is not None and reusable and self._follow(before, position, self._search.nodes // 2):
            return
        keys = self._game.history_of(position)[None]
        known = np.array([keys.shape[1]], dtype=np.int32)
        self._search.set_roots([0], self._game.state_of(position)[None], keys, known, self._evaluator)

    def _follow(self, before: Position, position: Position, room: int) -> bool:
        """Advance the tree by the one or two moves that lead from one position to the other, if there are such."""
        for line in _lines_between(before, position):
            return all(self._search.advance(0, move.action, room=room) for move in line)
        return False

    def _bare_policy(self, position: Position) -> Analysis:
        policy, wdl = self._evaluator(self._game.state_of(position)[None])
        moves = [
            MoveAnalysis(
                move, score=float(policy[0, move.action]), prior=float(policy[0, move.action]), variation=(move,)
            )
            for move in position.moves()
        ]
        moves.sort(key=lambda one: -one.score)
        win, draw, loss = (float(chance) for chance in wdl[0])
        return Analysis(
            position, moves[0].move, tuple(moves), value=win - loss, win_draw_loss=(win, draw, loss), simulations=0
        )

    def _analysis(self, position: Position) -> Analysis:
        roots = self._search.roots()
        wins = winning_moves(position)
        moves = [self._edge_analysis(roots, edge, wins) for edge in range(int(roots.moves[0]))]
        choice = moves[int(roots.choice[0])].move
        moves.sort(key=lambda one: (-one.score, one.move != choice))
        value, draw = (1.0, 0.0) if wins else (float(roots.value[0]), float(roots.draw[0]))
        win = (1 - draw + value) / 2
        return Analysis(
            position,
            best=moves[0].move,
            moves=tuple(moves),
            value=value,
            win_draw_loss=(win, draw, 1 - draw - win),
            exact=bool(wins) or int(roots.result[0]) != UNKNOWN,
            simulations=int(self._search.trees.node["visits"][0, 0]) - 1,
        )

    def _edge_analysis(self, roots: Roots, edge: int, wins: list[Move]) -> MoveAnalysis:
        """A proven win ranks above everything else, the faster the better; a proven loss below."""
        trees = self._search.trees
        move = Move.of_action(int(roots.actions[0, edge]))
        child, visits = int(trees.edge["child"][0, 0, edge]), int(roots.visits[0, edge])
        value, score, distance = float(roots.values[0, edge]), float(visits), None
        result = int(trees.node["result"][0, child]) if child >= 0 else UNKNOWN
        if move in wins:
            value, score, distance = 1.0, _PROVEN, 1
        elif result in (1, -1):
            distance = int(trees.node["distance"][0, child]) + 1
            score = -result * (_PROVEN - distance)
        line = tuple(Move.of_action(action) for action in self._search.variation(0, edge)) if visits else (move,)
        prior = float(roots.priors[0, edge])
        return MoveAnalysis(
            move, score=score, value=value, visits=visits, prior=prior, distance=distance, variation=line
        )


def _lines_between(before: Position, after: Position) -> Iterator[tuple[Move, ...]]:
    """The moves, none, one or two, that lead from one position to another in the same game."""
    if before == after and before.history == after.history:
        yield ()
        return
    for first in before.moves():
        middle = before.play(first)
        if middle == after and middle.history == after.history:
            yield (first,)
            return
        if middle.side is after.side:
            continue
        for second in middle.moves():
            end = middle.play(second)
            if end == after and end.history == after.history:
                yield (first, second)
                return
