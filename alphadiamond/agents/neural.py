"""The learned player: a network with the tree search that it guides."""

import dataclasses
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.agents.base import (
    Agent,
    AgentError,
    Analysis,
    Game,
    Move,
    MoveAnalysis,
    Position,
    Stop,
    UnavailableError,
    never,
    require_moves,
)
from alphadiamond.agents.batch import Batch
from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.agents.neural_batch import NeuralBatch, PolicyBatch, beginnings
from alphadiamond.agents.positional import analyses_on_canonical_boards, answers_on_canonical_boards
from alphadiamond.agents.root_snapshot import RootSnapshot
from alphadiamond.base.game import States
from alphadiamond.network.headers import CheckpointError, find_checkpoint, read_metadata, shipped_checkpoint
from alphadiamond.search import SearchSettings, TreeSearch
from alphadiamond.search.sequential_halving import suited_candidates
from alphadiamond.settings.devices import DEVICE
from alphadiamond.settings.ranges import MOST, SECONDS, SEED, between, one_of, or_empty, text
from alphadiamond.settings.search import METHODS

_SLICE: Final = 64  # simulations between two looks at the clock
_FEW: Final = 1_000  # simulations up to which Gumbel search is the default
_WIDENING: Final = 0.7  # finds replies that the network overlooks; where nothing recurs, as in Connect Four, it costs
_TOGETHER: Final = 1 << 17  # nodes of trees that are searched together, about 100 MB
_NODES: Final = 60_000  # the most a search by time may grow, about 40 MB


def checkpoint_of(text: str, game: Game) -> Path:
    """The file behind a `checkpoint` parameter: itself, a run's champion, or the network shipped for the game."""
    if text:
        return find_checkpoint(text)
    try:
        return shipped_checkpoint(game)
    except CheckpointError as error:
        raise UnavailableError(str(error)) from None


def game_of(checkpoint: Path) -> str:
    """The name of the game that a checkpoint plays; empty where it cannot be read."""
    try:
        return read_metadata(checkpoint).game
    except CheckpointError:
        return ""


class NeuralAgent(Agent):
    """Scores are visits, beyond them for proven moves, or the policy's chances where there is no search."""

    def __init__(
        self,
        *,
        game: Game,
        checkpoint: Annotated[str, text("a checkpoint, or a run for its champion; empty for the shipped one")] = "",
        simulations: Annotated[int | None, between(0, MOST)] = None,
        seconds: Annotated[float | None, SECONDS] = None,
        device: Annotated[str, DEVICE] = "auto",
        method: Annotated[str, or_empty(one_of(*METHODS), "what suits the budget")] = "",
        leaves: Annotated[int, between(0, 1024, note="0 for what suits the budget")] = 0,
        symmetries: bool = False,
        history: bool = True,
        sure: Annotated[float, between(0, 1, note="1 to search always")] = 1.0,
        doubt: Annotated[int, between(1, 1024)] = 1,
        seed: Annotated[int, SEED] = 0,
    ) -> None:
        self.check(
            game=game,
            checkpoint=checkpoint,
            simulations=simulations,
            seconds=seconds,
            device=device,
            method=method,
            leaves=leaves,
            history=history,
            sure=sure,
            doubt=doubt,
            seed=seed,
        )
        self.game = game
        # Here and not above, so that a player can be checked without waiting for torch.
        from alphadiamond.network import Evaluator, load_checkpoint

        self.path = checkpoint_of(checkpoint, self.game)
        checkpoint_read = load_checkpoint(self.path, game=self.game)
        self.digest = checkpoint_read.metadata.sha256
        self._seconds = seconds
        self._simulations = 100 if simulations is None and seconds is None else simulations
        self.positional = not history
        # One thread: batches are small, and on a busy machine a second one waits for the first.
        self._evaluator = Evaluator(
            checkpoint_read.model,
            device=device,
            threads=1,
            symmetries=symmetries,
            steady=self.positional,
            cache=0 if self.positional and not self._simulations else 1 << 16,
        )
        # Spending a small budget by sequential halving is stronger; a long search is to be watched and kept.
        method = method or ("puct" if self._simulations is None or self._simulations > _FEW else "gumbel")
        nodes = _NODES if self._simulations is None else min(_NODES, 2 * self._simulations + 2)
        # Waiting leaves save network calls where time counts; one at a time is the better search for its simulations.
        leaves = leaves or (1 if seconds is None else 8)
        considered = suited_candidates(self._simulations or _FEW)
        widening = _WIDENING if self.game.repetition_limit else 0.0
        settings = SearchSettings(method=method, considered=considered, widening=widening, leaves=leaves)
        self._slice = _SLICE if method == "puct" else _NODES
        self._search = TreeSearch(self.game, settings, games=1, nodes=nodes, seed=seed)
        self._sure, self._doubt = sure, doubt
        self._uneven = sure < 1 or doubt > 1
        self._many = NetworkPlayer(self._evaluator, self.game, simulations=self._simulations or 0, search=settings)
        longer = doubt * (self._simulations or 0)
        settings = dataclasses.replace(settings, considered=suited_candidates(longer or _FEW))
        self._more = NetworkPlayer(self._evaluator, self.game, simulations=longer, search=settings)
        self._root: Position | None = None
        self.independent = self._simulations is not None

    @classmethod
    def check(cls, **parameters: Any) -> None:
        """Also the checkpoint, as far as its header and length tell; the weights are checked when they are loaded."""
        game = parameters.pop("game")
        super().check(**parameters)
        seconds, simulations = parameters.get("seconds"), parameters.get("simulations")
        if simulations is not None and seconds is not None:
            raise AgentError("give simulations or seconds, not both")
        if parameters.get("method") == "gumbel" and seconds is not None:
            raise AgentError("gumbel plans its simulations ahead: give simulations, not seconds")
        if seconds is not None and not parameters.get("history", True):
            raise AgentError("history=false: a player by the clock is no function of the position, give simulations")
        if seconds is not None and (parameters.get("sure", 1.0) < 1 or parameters.get("doubt", 1) > 1):
            raise AgentError("sure and doubt decide where simulations are spent: give simulations, not seconds")
        checkpoint = parameters.get("checkpoint", "")
        try:
            read_metadata(checkpoint_of(checkpoint, game), game=game)
        except CheckpointError as error:
            raise AgentError(f"checkpoint={error}" if checkpoint else str(error)) from None

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

    def choose_many(self, positions: Sequence[Position]) -> list[Move]:
        """All in one batch, unless it goes by the clock."""
        if self._simulations is None:
            return super().choose_many(positions)
        if self.positional or self._uneven:
            return [analysis.best for analysis in self.analyse_many(positions)]
        return self._many.choose_many(positions)

    def analyse_many(self, positions: Sequence[Position]) -> list[Analysis]:
        """All in one batch, unless it goes by the clock; each is searched as it would be alone."""
        if self._simulations is None or not positions:
            return super().analyse_many(positions)
        for position in positions:
            require_moves(position, self.game)
        if self.positional:
            return analyses_on_canonical_boards(self.game, positions, self._analyse_together)
        return self._analyse_together(positions)

    def answer_states(
        self, states: States
    ) -> tuple[npt.NDArray[np.integer[Any]], npt.NDArray[np.floating[Any]]] | None:
        if self._simulations is None:
            return None
        if self.positional:
            return answers_on_canonical_boards(self.game, states, self._answers)
        return self._answers(states)

    @property
    def simulations_made(self) -> int:
        return self._many.simulations_made + self._more.simulations_made

    def _answers(self, states: States) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.floating[Any]]]:
        """As `answer_states`, the states being taken as they are."""
        actions = np.empty(len(states), dtype=np.int64)
        chances: npt.NDArray[np.floating[Any]] = np.empty((len(states), 3))
        if self._simulations == 0 or self._uneven:
            policy, chances = self._evaluator(states)
            actions = policy.argmax(axis=1)
        for rows, kept, snapshot in self._searches(states, *_without_history(self.game, states)):
            found, said = snapshot.answers(states[rows])
            actions[rows[kept]], chances[rows[kept]] = found[kept], said[kept]
        return actions, chances

    def _analyse_together(self, positions: Sequence[Position]) -> list[Analysis]:
        bare = self._bare_policies(positions) if self._simulations == 0 or self._uneven else []
        found = dict(enumerate(bare))
        for rows, kept, snapshot in self._searches(*beginnings(self.game, positions)):
            found |= {int(rows[row]): snapshot.analysis(int(row), positions[rows[row]]) for row in np.flatnonzero(kept)}
        return [found[row] for row in range(len(positions))]

    def _searches(
        self, states: States, histories: npt.NDArray[np.int64], known: npt.NDArray[np.int32]
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_], RootSnapshot]]:
        """Searches of some of the states: which [B], for which of them this is the last word [B], and what was found.

        Where the network is sure there is none, and where the search contradicts the policy there is a longer one.
        """
        if self._simulations == 0:
            return
        first = np.arange(len(states))
        choice = first
        if self._uneven:
            policy, chances = self._evaluator(states)
            choice = policy.argmax(axis=1)
            first = np.flatnonzero((policy.max(axis=1) < self._sure) | (chances.max(axis=1) < self._sure))
        for rows, snapshot in self._pieces(self._many, first, states, histories, known):
            agreed = np.ones(len(rows), dtype=np.bool_)
            if self._doubt > 1:
                agreed = snapshot.answers(states[rows])[0] == choice[rows]
            yield rows, agreed, snapshot
            for doubted, longer in self._pieces(self._more, rows[~agreed], states, histories, known):
                yield doubted, np.ones(len(doubted), dtype=np.bool_), longer

    def _pieces(
        self,
        player: NetworkPlayer,
        rows: npt.NDArray[np.int64],
        states: States,
        histories: npt.NDArray[np.int64],
        known: npt.NDArray[np.int32],
    ) -> Iterator[tuple[npt.NDArray[np.int64], RootSnapshot]]:
        """Searches of these rows, no more at once than memory allows."""
        together = max(1, _TOGETHER // (player.simulations + 2))
        for start in range(0, len(rows), together):
            part = rows[start : start + together]
            search = player.search_states(states[part], histories[part], known[part])
            yield part, RootSnapshot(self.game, search, range(len(part)))

    def batch(self, *, places: int, memory: int) -> Batch | None:
        """Each position is searched as it would be alone; those that go by the clock share it."""
        if self.positional or self._uneven:
            return None
        if self._simulations == 0:
            return PolicyBatch(self._bare_policies, places=places)
        nodes = _NODES if self._simulations is None else min(_NODES, self._simulations + 2)
        settings = self._search.settings
        alone = TreeSearch(self.game, settings, games=1, nodes=nodes)
        games = max(1, min(places, memory // alone.bytes_per_game))
        search = TreeSearch(self.game, settings, games=games, nodes=nodes)
        return NeuralBatch(self.game, search, self._evaluator, simulations=self._simulations, seconds=self._seconds)

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        """An analysis ten times a second, and a last one when the budget is spent."""
        require_moves(position, self.game)
        if self._simulations == 0 or self.positional or self._uneven:
            yield from self.analyse_many([position])
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
                yield from self._analyses([position], self._search)
        yield from self._analyses([position], self._search)

    def _set_root(self, position: Position) -> None:
        """Keep the tree of the last search where the game has followed it."""
        before, self._root = self._root, position
        reusable = self._search.settings.method == "puct"  # sequential halving begins from nothing
        if before is not None and reusable and self._follow(before, position, self._search.nodes // 2):
            return
        self._search.set_roots([0], *beginnings(self.game, [position]), self._evaluator)

    def _follow(self, before: Position, position: Position, room: int) -> bool:
        """Advance the tree by the one or two moves that lead from one position to the other, if there are such."""
        for line in _lines_between(self.game, before, position):
            return all(self._search.advance(0, move.action, room=room) for move in line)
        return False

    def _bare_policies(self, positions: Sequence[Position]) -> list[Analysis]:
        analyses = []
        for position, policy, wdl in zip(positions, *self._evaluator(self.game.states_of(positions)), strict=True):
            chances = {move: float(policy[move.action]) for move in position.moves()}
            moves = [MoveAnalysis(move, score=p, prior=p, variation=(move,)) for move, p in chances.items()]
            moves.sort(key=lambda one: -one.score)
            win, draw, loss = (float(chance) for chance in wdl)
            analyses.append(
                Analysis(
                    position,
                    moves[0].move,
                    tuple(moves),
                    value=win - loss,
                    win_draw_loss=(win, draw, loss),
                    simulations=0,
                )
            )
        return analyses

    def _analyses(self, positions: Sequence[Position], search: TreeSearch) -> list[Analysis]:
        """What the search of each position has found; they are the first games of the search."""
        reading = RootSnapshot(self.game, search, range(len(positions)))
        return [reading.analysis(row, position) for row, position in enumerate(positions)]


def _without_history(game: Game, states: States) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Histories [B, H] of positions with which their games begin, and their lengths [B]."""
    keys = game.empty_histories(len(states))
    keys[:, 0] = game.expand(states, np.full(len(states), -1, dtype=np.int16))[1]
    return keys, np.ones(len(states), dtype=np.int32)


def _lines_between(game: Game, before: Position, after: Position) -> Iterator[tuple[Move, ...]]:
    """The moves, none, one or two, that lead from one position to another in the same game."""

    def same(position: Position) -> bool:
        return bool(position == after) and np.array_equal(game.history_of(position), game.history_of(after))

    if same(before):
        yield ()
        return
    for first in before.moves():
        middle = before.play(first)
        if same(middle):
            yield (first,)
            return
        if middle.side is after.side:
            continue
        for second in middle.moves():
            if same(middle.play(second)):
                yield (first, second)
                return
