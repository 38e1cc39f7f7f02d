"""Tree search for many games at once: one compiled walk, one evaluation and one compiled backup per round."""

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game, States
from alphadiamond.base.results import DRAW
from alphadiamond.search import kernels, principal_variation_kernels, root_kernels
from alphadiamond.search.base import EvaluateFn, Roots, Statistics, params_of
from alphadiamond.search.sequential_halving import visit_table
from alphadiamond.search.trees import UNKNOWN, Trees, bytes_per_game, make_leaves, make_trees
from alphadiamond.settings import check
from alphadiamond.settings.search import SearchSettings

LINE: Final = 32
"""Moves of a principal variation, at most."""


class TreeSearch:
    """G trees over one game. Memory is bounded: `nodes` a tree, `bytes_per_game` in all."""

    def __init__(
        self, game: Game, settings: SearchSettings, *, games: int, nodes: int, seed: int | Sequence[int] = 0
    ) -> None:
        check(settings, "search.")
        self.game = game
        self.settings = settings
        self.games = games
        self.nodes = nodes
        self.statistics = Statistics()
        self._params = params_of(settings, recurs=game.repetition_limit > 0)
        self._trees = make_trees(game, games=games, nodes=nodes)
        self._leaves = make_leaves(game, games * settings.leaves)
        self._schedule = np.zeros((game.max_moves + 1, 1), dtype=np.int32)
        self.seed(seed)

    @property
    def trees(self) -> Trees:
        return self._trees

    @property
    def bytes_per_game(self) -> int:
        return bytes_per_game(self._trees)

    def seed(self, seed: int | Sequence[int]) -> None:
        """Give every game its own random stream, so that a game's tree does not depend on its neighbours."""
        seeds = [(seed, g) for g in range(self.games)] if isinstance(seed, int) else [(one,) for one in seed]
        for g, entropy in enumerate(seeds):
            self._trees.stream[g, 0] = np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0]

    def set_roots(
        self,
        games: Sequence[int] | npt.NDArray[np.int32],
        states: States,
        history: npt.NDArray[np.int64],
        known: npt.NDArray[np.int32],
        evaluate: EvaluateFn,
        *,
        noise: bool = False,
    ) -> None:
        """Begin new trees; `history` [B, H] holds `known` [B] keys of each game, the root's own last."""
        slots = np.asarray(games, dtype=np.int32)
        trees, params, leaves = self._trees, self._params, self._leaves
        over = root_kernels.plant(self.game.rules, trees, params, leaves, slots, states, history, known)
        if over >= 0:
            raise ValueError(f"game {over} is over: there is nothing to search")
        kernels.expand(trees, params, leaves, *evaluate(states))
        self.statistics.evaluations += len(slots)
        self._begin(slots, noise=noise)

    def advance(self, g: int, action: int, *, room: int, noise: bool = False) -> bool:
        """Follow a played action and keep its subtree; False if there is none, and a new root must be set.

        `room` is how many nodes the next search needs; a subtree that leaves less is given up.
        """
        trees, game = self._trees, self._trees.game
        edges = np.flatnonzero(trees.action[g, 0, : trees.node["moves"][g, 0]] == action)
        if not game["used"][g] or not len(edges) or not root_kernels.reroot(trees, g, int(edges[0]), room):
            return False
        known = 0 if trees.node["irreversible"][g, 0] else int(game["known"][g])
        trees.history[g, known] = trees.node["key"][g, 0]
        game["known"][g] = known + 1
        self._begin(np.array([g], dtype=np.int32), noise=noise)
        return True

    def run(
        self,
        evaluate: EvaluateFn,
        simulations: int | npt.NDArray[np.int32],
        *,
        stop: Callable[[], bool] | None = None,
        games: Sequence[int] | npt.NDArray[np.int32] | None = None,
    ) -> None:
        """Make so many simulations, on top of those already made, in each game that has a root.

        A game ends early when its root is proven or its tree is full.
        """
        used, done, limit = (self._trees.game[name] for name in ("used", "done", "limit"))
        active = np.flatnonzero(used) if games is None else np.asarray(games)
        limit[:] = 0
        limit[active] = done[active] + np.broadcast_to(simulations, self.games)[active]
        if self._params.gumbel and limit.max() != self._schedule.shape[1]:
            self._schedule = visit_table(self.settings.considered, self.game.max_moves, max(1, int(limit.max())))
        before = int(done.sum())
        while self._simulate(evaluate) and not (stop is not None and stop()):
            pass
        self.statistics.simulations += int(done.sum()) - before

    def roots(self) -> Roots:
        trees = self._trees
        values, policy, choice = root_kernels.root_summary(trees, self._params)
        root = trees.node[:, 0]
        proven = (root["result"] != UNKNOWN) & self.settings.prove
        visits = np.maximum(root["visits"], 1)
        legal = np.arange(self.game.max_moves) < root["moves"][:, None]
        return Roots(
            moves=root["moves"].copy(),
            actions=np.where(legal, trees.action[:, 0], np.int16(0)),
            priors=np.where(legal, trees.prior[:, 0], np.float32(0)),
            visits=np.where(legal, trees.edge["visits"][:, 0], np.int32(0)),
            values=values,
            policy=policy,
            choice=choice,
            value=np.where(proven, root["result"], root["value_sum"] / visits),
            draw=np.where(proven, root["result"] == DRAW, root["draw_sum"] / visits),
            result=root["result"].copy(),
        )

    def prospects(self, roots: Roots) -> npt.NDArray[np.float64]:
        """[G, 3] win, draw, loss of each root if the recommended policy is played."""
        return root_kernels.prospects(self._trees, roots.policy, self.settings.prove)

    def variation(self, g: int, edge: int, *, limit: int = LINE) -> list[int]:
        """The actions of the most visited line that begins with a root edge."""
        actions = np.zeros(limit, dtype=np.int16)
        length = principal_variation_kernels.variation(self._trees, g, edge, actions)
        return [int(action) for action in actions[:length]]

    def variations(
        self, games: npt.NDArray[np.int32], *, limit: int = LINE
    ) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
        """[B, M, limit] such a line for every root edge of some games, and [B, M] how long each is."""
        return principal_variation_kernels.variations(self._trees, games, limit)

    def finished(self, games: npt.NDArray[np.int32], simulations: int) -> npt.NDArray[np.bool_]:
        """[B] which of some games another round of a search with so many simulations would pass by."""
        return root_kernels.finished(self._trees, games, simulations, self.settings.prove)

    def _begin(self, games: npt.NDArray[np.int32], *, noise: bool) -> None:
        """Count simulations anew, with fresh noise at the roots or none."""
        total, weight = self.settings.dirichlet_total, self.settings.dirichlet_weight
        root_kernels.begin(self._trees, games, self._params, noise, total, weight)

    def _simulate(self, evaluate: EvaluateFn) -> bool:
        """One round: walk to leaves, evaluate them, expand them and back up; False when all is done."""
        trees, params, leaves, seconds = self._trees, self._params, self._leaves, self.statistics.seconds
        started = time.perf_counter()
        ready, more = kernels.find_leaves(self.game.rules, trees, params, self._schedule, leaves)
        walked = time.perf_counter()
        seconds["walk"] += walked - started
        if not ready:
            return more
        policy, wdl = evaluate(leaves.state[:ready])
        evaluated = time.perf_counter()
        kernels.expand(trees, params, leaves, policy, wdl)
        seconds["evaluate"] += evaluated - walked
        seconds["back up"] += time.perf_counter() - evaluated
        self.statistics.evaluations += ready
        return True
