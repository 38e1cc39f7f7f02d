"""The learned player: a network with the tree search that it guides."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from alphadiamond.agents.base import Agent, AgentError, Analysis, MoveAnalysis, Stop, never, require_moves
from alphadiamond.game import Move, Position
from alphadiamond.game.arrays import DiamondChase
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.search import SearchSettings, TreeSearch
from alphadiamond.search.trees import UNKNOWN

CHAMPION: Final = Path(__file__).parents[2] / "checkpoints" / "champion.safetensors"
"""The network that is shipped with the project."""

_SLICE: Final = 64  # simulations between two looks at the clock
_NODES: Final = 60_000  # the most a search by time may grow, about 40 MB


class NeuralAgent(Agent):
    """Scores are visits, or the policy's chances where there is no search; values are the expected result."""

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

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        *_, last = self._think(position, stop, live=False)
        return last

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        """An analysis a few times a second, until stopped or out of room."""
        yield from self._think(position, stop, live=True)

    def _think(self, position: Position, stop: Stop, *, live: bool) -> Iterator[Analysis]:
        require_moves(position)
        if self._simulations == 0 and not live:
            yield self._bare_policy(position)
            return
        self._set_root(position)
        started = said = time.monotonic()
        target = None if live else self._simulations
        while not stop():
            done = int(self._search.trees.done[0])
            if target is not None and done >= target:
                break
            if target is None and not live and time.monotonic() - started >= (self._seconds or 0):
                break
            budget = self._slice if target is None else min(self._slice, target - done)
            self._search.run(self._evaluator, budget, stop=stop)
            if int(self._search.trees.done[0]) == done:  # proven, or no room left
                break
            if live and time.monotonic() - said >= 0.1:
                said = time.monotonic()
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
        trees = self._search.trees
        choice = int(roots.choice[0])
        moves = []
        for edge in range(int(roots.moves[0])):
            child = int(trees.child[0, 0, edge])
            proven = child >= 0 and trees.result[0, child] in (1, -1)
            move = Move.of_action(int(roots.actions[0, edge]))
            visits = int(roots.visits[0, edge])
            line = tuple(Move.of_action(action) for action in self._search.variation(0, edge)) if visits else (move,)
            one = MoveAnalysis(
                move,
                score=float(visits),
                value=float(roots.values[0, edge]),
                visits=visits,
                prior=float(roots.priors[0, edge]),
                distance=int(trees.distance[0, child]) + 1 if proven else None,
                variation=line,
            )
            moves.append((edge != choice, -one.score, -one.value if one.value is not None else 0.0, one))
        moves.sort(key=lambda entry: entry[:3])
        value, draw = float(roots.value[0]), float(roots.draw[0])
        win = (1 - draw + value) / 2
        return Analysis(
            position,
            best=moves[0][3].move,
            moves=tuple(entry[3] for entry in moves),
            value=value,
            win_draw_loss=(win, draw, 1 - draw - win),
            exact=int(roots.result[0]) != UNKNOWN,
            simulations=int(trees.visits[0, 0]) - 1,
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
