"""Self-play: many games at once, every position searched, every finished game turned into samples.

A game ends by the rules, or as soon as the search has proven who wins: a proof is the rules played out to the end.
Games from random positions may also be left at random (`SelfPlaySettings.leave`), perhaps only where the search is sure
of the result (`SelfPlaySettings.sure`); what it says there stands for the end, so no unfinished game is ever taken for
a draw.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game, GameMismatchError
from alphadiamond.base.results import DRAW, ONGOING
from alphadiamond.search import EvaluateFn, Roots, TreeSearch
from alphadiamond.search.root_kernels import record_moves
from alphadiamond.training.rng import generator_state, restore_generator
from alphadiamond.training.samples import LEFT, GameSummary, Origin, Samples
from alphadiamond.training.settings import SelfPlaySettings
from alphadiamond.training.starts import Starts


class SelfPlay:
    """One worker's games, which go on from one iteration to the next."""

    def __init__(self, settings: SelfPlaySettings, *, seed: int, game: Game) -> None:
        self.settings = settings
        self._game = game
        games = settings.games
        nodes = max(settings.simulations, settings.late_simulations) + 2
        self._search = TreeSearch(self._game, settings.search, games=games, nodes=nodes, seed=seed)
        self._rng = np.random.default_rng(seed)
        self._states = np.zeros((games, self._game.state_size), dtype=np.int64)
        self._history = self._game.empty_histories(games)
        self._known = np.zeros(games, dtype=np.int32)
        self._starts = Starts(settings, game=game)
        self._origin = np.zeros(games, dtype=np.int8)
        self._entry = np.full(games, -1, dtype=np.int64)  # of the regret buffer
        self._regret = dict.fromkeys(Origin, 0.0)
        self._carelessness = np.zeros(games, dtype=np.float64)
        self._played: list[list[_Ply]] = [[] for _ in range(games)]
        for g in range(games):
            self._begin(g)

    @property
    def statistics(self) -> dict[str, float]:
        made = self._search.statistics
        regret = {f"regret_{origin.label}": total for origin, total in self._regret.items()}
        return {"simulations": made.simulations, "evaluations": made.evaluations, **made.seconds, **regret}

    @property
    def regret_positions(self) -> int:
        """Positions that are kept for games to begin with."""
        return len(self._starts.regret)

    def play(
        self, evaluator: EvaluateFn, *, iteration: int, simulations: int | None = None
    ) -> tuple[Samples | None, list[GameSummary]]:
        """Advance all games by the settings' rounds; the samples and summaries of those that ended.

        `simulations` a move, if not those that the settings begin with.
        """
        samples: list[Samples] = []
        summaries: list[GameSummary] = []
        simulations = self.settings.simulations if simulations is None else simulations
        self._starts.prepare(evaluator, self._rng)
        for _ in range(self.settings.rounds):
            ended = self._advance(evaluator, simulations)
            for g, value, reason in ended:
                finished = self._finish(g, value, iteration, left=reason == LEFT)
                samples.append(finished)
                first = value if len(finished) % 2 == 0 else -value
                summaries.append(GameSummary(len(finished), first, reason, Origin(self._origin[g])))
                self._note_regret(g, finished)
            for g, _, _ in ended:
                self._begin(g)
        return (Samples.join(samples) if samples else None), summaries

    def _advance(self, evaluator: EvaluateFn, simulations: int) -> list[tuple[int, int, str]]:
        """Search and play one move in every game; (game, value for the side now to move, reason) of those that end."""
        search, game = self._search, self._game
        everyone = np.arange(self.settings.games, dtype=np.int32)
        search.set_roots(everyone, self._states, self._history, self._known, evaluator, noise=True)
        search.run(evaluator, simulations)
        roots = search.roots()
        policy = roots.dense_policy(game.actions).astype(np.float16)
        actions = self._chosen(roots)
        search_value = search.prospects(roots).astype(np.float32)
        best = policy.max(axis=1)
        for g, action in enumerate(actions.tolist()):
            wanted = float(policy[g, action]) / float(best[g])
            self._played[g].append(_Ply(self._states[g].copy(), policy[g], search_value[g], action, wanted))
        left = self._left(search_value)
        after, keys, irreversible, statuses, _, _ = game.expand(self._states, actions)
        if self._known.max() >= self._history.shape[1]:  # compiled code would write beyond the row
            raise GameMismatchError(game.history_fault(f"a game has {self._known.max()} positions that can recur"))
        record_moves(self._history, self._known, after, keys, irreversible, statuses, game.repetition_limit)
        self._states = after
        ended = []
        for g in np.flatnonzero((statuses != ONGOING) | (roots.result != ONGOING) | left).tolist():
            if statuses[g] == ONGOING and roots.result[g] == ONGOING:
                ended.append((g, int(search_value[g].argmax()) - 1, LEFT))
            elif statuses[g] == ONGOING:
                ended.append((g, -int(roots.result[g]), "proof"))
            else:
                limit = game.repetition_limit
                repeated = limit and statuses[g] == DRAW and after[g, -1] >= limit
                ended.append((g, int(statuses[g]), "repetition" if repeated else game.ending(after[g])))
        return ended

    def _chosen(self, roots: Roots) -> npt.NDArray[np.int16]:
        """[G] the action that each game plays."""
        actions = roots.chosen_actions
        settings = self.settings
        by_visits = settings.search.method == "puct" and settings.temperature > 0
        careless = self._rng.random(settings.games) < self._carelessness
        for g in np.flatnonzero(roots.result == ONGOING).tolist():
            if careless[g]:
                actions[g] = roots.actions[g, self._rng.integers(roots.moves[g])]
            elif by_visits and len(self._played[g]) < settings.temperature_plies:
                weights = roots.policy[g, : roots.moves[g]] ** (1 / settings.temperature)
                actions[g] = roots.actions[g, self._rng.choice(len(weights), p=weights / weights.sum())]
        return actions

    def _left(self, search_value: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """[G] the games that end here though they are not over; `search_value` [G, 3]: what the search says."""
        if not self.settings.leave:
            return np.zeros(self.settings.games, dtype=np.bool_)
        sure: npt.NDArray[np.bool_] = search_value.max(axis=1) >= self.settings.sure
        sure &= self._origin != Origin.OPENING
        return sure & (self._rng.random(self.settings.games) < self.settings.leave)

    def _finish(self, g: int, value: int, iteration: int, *, left: bool = False) -> Samples:
        """The samples of a game that ended with `value` for the side then to move, or was left when it seemed so."""
        plies = self._played[g]
        count = len(plies)
        signs = np.where(np.arange(count, 0, -1) % 2 == 0, 1, -1)
        states, actions = np.stack([ply.state for ply in plies]), [ply.action for ply in plies]
        end = plies[-1].search_value[::-1] if left else np.eye(3, dtype=np.float32)[1 - value]
        return Samples(
            states=states,
            policy=np.stack([ply.policy for ply in plies]),
            value=self._targets(plies, end),
            outcome=(signs * value).astype(np.int8),
            reply=np.array([*actions[1:], -1], dtype=np.int16),
            survivors=self._game.survivors(states, actions, self._states[g]),
            iteration=np.full(count, iteration, dtype=np.int32),
        )

    def _targets(self, plies: list["_Ply"], end: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """[B, 3] the value targets of a game at whose end win, draw and loss of the side then to move are `end`.

        Results are carried back from ply to ply like a lambda-return. Across a move that the search hardly wanted
        the trace is cut in proportion, so that noise in the play is no noise in the targets: a win thrown away by
        exploration is still learnt as a win.
        """
        targets = np.empty((len(plies), 3), dtype=np.float32)
        after = end
        for t in range(len(plies) - 1, -1, -1):
            carried = self.settings.trace * min(1.0, plies[t].wanted / self.settings.full_trace)
            after = targets[t] = plies[t].search_value + carried * (after[::-1] - plies[t].search_value)
        return targets

    def _note_regret(self, g: int, finished: Samples) -> None:
        """How far a game's value targets are from what the search said on the way: where a game may begin again."""
        search_value = np.stack([ply.search_value for ply in self._played[g]])
        regrets = 0.5 * np.abs(finished.value - search_value).sum(axis=1)
        most = int(regrets.argmax())
        self._regret[Origin(self._origin[g])] += float(regrets[most])
        if self._entry[g] >= 0:
            self._starts.regret.revise(int(self._entry[g]), float(regrets[0]))
        self._starts.regret.add(finished.states[most], float(regrets[most]))

    def _begin(self, g: int) -> None:
        """Start a new game in a slot."""
        careful = self._rng.random() < self.settings.careful_games
        self._carelessness[g] = 0.0 if careful else self.settings.random_moves * self._rng.random()
        state, self._origin[g], self._entry[g] = self._starts.draw(self._rng)
        _, keys, _, _, _, _ = self._game.expand(state[None], np.array([-1], dtype=np.int16))
        self._states[g], self._history[g, 0], self._known[g] = state, keys[0], 1
        self._played[g] = []

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that the next iteration depends on, as arrays."""
        plies = [ply for game in self._played for ply in game]
        return {
            "states": self._states.copy(),
            "history": self._history.copy(),
            "known": self._known.copy(),
            "origin": self._origin.copy(),
            "entry": self._entry.copy(),
            "carelessness": self._carelessness.copy(),
            "streams": self._search.trees.stream.view(np.int64).copy(),
            "generator": generator_state(self._rng),
            **self._starts.state(),
            "lengths": np.array([len(game) for game in self._played], dtype=np.int32),
            "ply_states": np.array([ply.state for ply in plies], dtype=np.int64).reshape(-1, self._game.state_size),
            "ply_policy": np.array([ply.policy for ply in plies], dtype=np.float16).reshape(-1, self._game.actions),
            "ply_judged": np.array([ply.search_value for ply in plies], dtype=np.float32).reshape(-1, 3),
            "ply_action": np.array([ply.action for ply in plies], dtype=np.int16),
            "ply_wanted": np.array([ply.wanted for ply in plies], dtype=np.float64),
        }

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on exactly where `state` was taken; games that it does not have begin anew."""
        known = len(state["known"])
        self._states[:known] = state["states"]
        self._history[:known] = state["history"]
        self._known[:known] = state["known"]
        self._origin[:known] = state["origin"]
        self._entry[:known] = state["entry"]
        self._starts.restore(state)
        self._carelessness[:known] = state["carelessness"]
        self._search.trees.stream[:known] = state["streams"].view(np.uint64)
        if "generator" in state:  # not if the games were another worker's
            restore_generator(self._rng, state["generator"])
        columns = (state[f"ply_{name}"] for name in ("states", "policy", "judged", "action", "wanted"))
        plies = [
            _Ply(row.copy(), policy.copy(), search_value.copy(), int(action), float(wanted))
            for row, policy, search_value, action, wanted in zip(*columns, strict=True)
        ]
        at = 0
        for g, length in enumerate(state["lengths"].tolist()):
            self._played[g] = plies[at : at + length]
            at += length


@dataclass(frozen=True, slots=True)
class _Ply:
    state: npt.NDArray[np.int64]
    policy: npt.NDArray[np.float16]
    search_value: npt.NDArray[np.float32]
    """[3] win, draw, loss as the search sees it."""
    action: int
    wanted: float
    """How far the search recommends the move that was played, beside the one it recommends most."""
