"""Tree search for many games at once: one compiled walk, one evaluation and one compiled backup per round."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game, States
from alphadiamond.base.results import DRAW, WIN
from alphadiamond.search import kernels, reading_kernels, root_kernels
from alphadiamond.search.halving import visit_table
from alphadiamond.search.judging import Evaluator
from alphadiamond.search.settings import SearchSettings, rules_of
from alphadiamond.search.trees import UNKNOWN, Trees, bytes_per_game, make_trees
from alphadiamond.settings import check

_PASSES = 4  # walks per round, so that games whose leaf needed no evaluation still fill the batch

LINE = 32
"""Moves of a principal variation, at most."""

STAGES = ("walk", "rules", "evaluate", "back up")


@dataclass
class Statistics:
    """Where the work went since the search was made."""

    simulations: int = 0
    evaluations: int = 0
    seconds: dict[str, float] = field(
        default_factory=lambda: {"walk": 0.0, "rules": 0.0, "evaluate": 0.0, "back up": 0.0}
    )


@dataclass(frozen=True)
class Roots:
    """What the search says of each game's root; edges beyond the number of legal moves are zero."""

    moves: npt.NDArray[np.int16]
    """[G] legal moves."""
    actions: npt.NDArray[np.int16]
    """[G, M]"""
    priors: npt.NDArray[np.float32]
    """[G, M]"""
    visits: npt.NDArray[np.int32]
    """[G, M]"""
    values: npt.NDArray[np.float64]
    """[G, M] of each move, for the side to move."""
    policy: npt.NDArray[np.float64]
    """[G, M] what the search recommends, and what a network learns."""
    choice: npt.NDArray[np.int32]
    """[G] the edge to play."""
    value: npt.NDArray[np.float64]
    """[G] of the root: the mean over its simulations, exact where it is proven."""
    draw: npt.NDArray[np.float64]
    """[G] chance of a draw."""
    result: npt.NDArray[np.int8]
    """[G] 1, -1 or, where nothing recurs, 0 where the root is proven, else UNKNOWN."""

    def dense_policy(self, actions: int) -> npt.NDArray[np.float32]:
        """[G, actions] the recommended policy by action."""
        games, moves = self.actions.shape
        dense = np.zeros((games, actions), dtype=np.float32)
        legal = np.arange(moves) < self.moves[:, None]
        rows = np.broadcast_to(np.arange(games)[:, None], legal.shape)
        dense[rows[legal], self.actions[legal]] = self.policy[legal]
        return dense

    @property
    def chosen_actions(self) -> npt.NDArray[np.int16]:
        """[G] the action to play, -1 where there is no root."""
        chosen: npt.NDArray[np.int16] = self.actions[np.arange(len(self.choice)), self.choice]
        return np.where(self.choice >= 0, chosen, np.int16(-1))


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
        self._rules = rules_of(settings, game.repetition_limit)
        self._foresight = settings.foresee and settings.prove
        self._foresees = np.full(games, self._foresight)
        self._trees = make_trees(game, games=games, nodes=nodes)
        self._schedule = np.zeros((game.max_moves + 1, 1), dtype=np.int32)
        self._waiting = np.zeros(games, dtype=np.int32)
        self._leaf_game = np.zeros(games * settings.leaves, dtype=np.int32)
        self._leaf_node = np.zeros(games * settings.leaves, dtype=np.int32)
        self._leaf_state = np.zeros((games * settings.leaves, game.state_size), dtype=np.int64)
        self._leaf_legal = np.zeros((games * settings.leaves, game.max_moves), dtype=np.int16)
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
        evaluator: Evaluator,
        *,
        noise: bool = False,
    ) -> None:
        """Begin new trees; `history` [B, H] holds `known` [B] keys of each game, the root's own last."""
        slots = np.asarray(games, dtype=np.int32)
        _, keys, fresh, statuses, legal, counts = self.game.expand(states, np.full(len(states), -1, dtype=np.int16))
        if (statuses != UNKNOWN).any():
            raise ValueError(f"game {slots[np.argmax(statuses != UNKNOWN)]} is over: there is nothing to search")
        root_kernels.plant(self._trees, self._waiting, slots, states, keys, fresh, counts, history, known)
        if self._foresight:
            # Who wins at once is to do so, and not to be content with the proof of a longer win.
            self._foresees[slots] = self.game.foresee(states)[0] != WIN
        policy, wdl = evaluator(states)
        nodes = np.zeros(len(slots), dtype=np.int32)
        kernels.expand(self._trees, self._rules, self._waiting, slots, nodes, legal, policy, wdl)
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
        known = 0 if trees.node["fresh"][g, 0] else int(game["known"][g])
        trees.history[g, known] = trees.node["key"][g, 0]
        game["known"][g] = known + 1
        self._begin(np.array([g], dtype=np.int32), noise=noise)
        return True

    def run(
        self,
        evaluator: Evaluator,
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
        if self._rules.gumbel and limit.max() != self._schedule.shape[1]:
            self._schedule = visit_table(self.settings.considered, self.game.max_moves, max(1, int(limit.max())))
        before = int(done.sum())
        while self._simulate(evaluator) and not (stop is not None and stop()):
            pass
        self.statistics.simulations += int(done.sum()) - before

    def roots(self) -> Roots:
        trees = self._trees
        values, policy, choice = root_kernels.root_summary(trees, self._rules)
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
        length = reading_kernels.line(self._trees, g, edge, actions)
        return [int(action) for action in actions[:length]]

    def variations(
        self, games: npt.NDArray[np.int32], *, limit: int = LINE
    ) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
        """[B, M, limit] such a line for every root edge of some games, and [B, M] how long each is."""
        return reading_kernels.lines(self._trees, games, limit)

    def finished(self, games: npt.NDArray[np.int32], simulations: int) -> npt.NDArray[np.bool_]:
        """[B] which of some games another round of a search with so many simulations would pass by."""
        return reading_kernels.finished(self._trees, games, simulations, self.settings.prove)

    def _begin(self, games: npt.NDArray[np.int32], *, noise: bool) -> None:
        """Count simulations anew, with fresh noise at the roots or none."""
        total, weight = self.settings.dirichlet_total, self.settings.dirichlet_weight
        root_kernels.begin(self._trees, games, self._rules, noise, total, weight)

    def _simulate(self, evaluator: Evaluator) -> bool:
        """One round: walk to leaves, ask the game about them, evaluate them, back them up; False when all is done."""
        trees, rules, seconds = self._trees, self._rules, self.statistics.seconds
        ready = 0
        for _ in range(_PASSES):
            started = time.perf_counter()
            games, nodes = self._leaf_game[ready:], self._leaf_node[ready:]
            states, actions = kernels.select(trees, rules, self._schedule, self._waiting, games, nodes)
            walked = time.perf_counter()
            seconds["walk"] += walked - started
            if not len(states):
                break
            described = self.game.expand(states, actions)
            into, legal = self._leaf_state[ready:], self._leaf_legal[ready:]
            kept = kernels.place(trees, rules, self._waiting, games, nodes, into, legal, *described)
            if kept and self._foresight:
                foreseen = self.game.foresee(into[:kept])
                leaves = (self._waiting, games, nodes, into, legal)
                kept = kernels.settle(trees, rules, self._foresees, *leaves, *foreseen)
            seconds["rules"] += time.perf_counter() - walked
            ready += kept
            if kept == len(states):
                break
        if not ready:
            return bool(len(states))
        started = time.perf_counter()
        policy, wdl = evaluator(self._leaf_state[:ready])
        evaluated = time.perf_counter()
        kernels.expand(trees, rules, self._waiting, self._leaf_game, self._leaf_node, self._leaf_legal, policy, wdl)
        seconds["evaluate"] += evaluated - started
        seconds["back up"] += time.perf_counter() - evaluated
        self.statistics.evaluations += ready
        return True
