"""What a worker does, wherever it runs: self-play with the latest weights, and matches between two sets of them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy.typing as npt
import torch

from alphadiamond.agents import make_agent
from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.pairs import BatchPlayer, Pairing, play_pairs
from alphadiamond.base.game import Game
from alphadiamond.network import Evaluator, Model, ModelConfig, build_model
from alphadiamond.training.cores import shares
from alphadiamond.training.reshard import WorkerState
from alphadiamond.training.samples import GameSummary, Samples
from alphadiamond.training.selfplay import SelfPlay
from alphadiamond.training.settings import PitSettings, SelfPlaySettings

Weights = dict[str, npt.NDArray[Any]]
"""A model's parameters by name."""
Side = Weights | str
"""Who plays a match: a network by its weights, any other player by its name."""


def weights_of(model: Model) -> Weights:
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in model.state_dict().items()}


@dataclass(frozen=True)
class WorkerJob:
    """What a worker needs to know from the start."""

    model: ModelConfig
    selfplay: SelfPlaySettings
    """Its games are those of all workers together."""
    seed: int
    device: str
    cache: int
    game: Game

    def share(self, number: int, count: int) -> "WorkerJob":
        """What one of so many workers does."""
        return replace(self, selfplay=replace(self.selfplay, games=shares(self.selfplay.games, count)[number]))


@dataclass(frozen=True)
class WorkerResult:
    """What one worker made in an iteration."""

    samples: Samples | None
    summaries: list[GameSummary]
    state: WorkerState
    measures: dict[str, float]
    """Counts and seconds of this iteration."""


class Worker:
    def __init__(self, job: WorkerJob, *, seed: int, state: WorkerState | None) -> None:
        torch.set_num_threads(1)
        self._job = job
        self._selfplay = SelfPlay(job.selfplay, seed=seed, game=job.game)
        if state is not None:
            self._selfplay.restore(state)
        self._evaluator = self._evaluator_of(None)
        self._seats: list[_Seat] = []

    def update(self, weights: Weights) -> None:
        self._evaluator.update(self._model(weights))

    def play(self, iteration: int, simulations: int) -> WorkerResult:
        self._seats = []  # a match is over when self-play goes on
        started = time.monotonic()
        before, hits = self._selfplay.statistics, self._evaluator.stats.hits
        samples, summaries = self._selfplay.play(self._evaluator, iteration=iteration, simulations=simulations)
        measures = {name: value - before[name] for name, value in self._selfplay.statistics.items()}
        measures["cache_hits"] = self._evaluator.stats.hits - hits
        measures["regret_positions"] = self._selfplay.regret_positions
        measures["seconds"] = time.monotonic() - started
        return WorkerResult(samples, summaries, self._selfplay.state(), measures)

    def seat(self, first: Side, second: Side, settings: PitSettings) -> None:
        """Who plays the matches from now on: networks are built here, once for however many pairings follow."""
        self._seats = [self._seat_of(side, settings) for side in (first, second)]

    def pit(self, pairings: Sequence[Pairing]) -> list[float]:
        """Play each pairing with both colours; what the first scored in each, of 2 points."""
        seed = pairings[0].seed if pairings else 0
        first, second = (seat.player(seed, self._job.game) for seat in self._seats)
        return play_pairs(first, second, pairings)

    def _seat_of(self, side: Side, settings: PitSettings) -> "_Seat":
        if isinstance(side, str):
            return _Named(side)
        return _Network(self._evaluator_of(side), settings)

    def _evaluator_of(self, weights: Weights | None) -> Evaluator:
        return Evaluator(self._model(weights), device=self._job.device, threads=1, cache=self._job.cache)

    def _model(self, weights: Weights | None) -> Model:
        model = build_model(self._job.model, self._job.game, seed=0)
        if weights is not None:
            model.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        return model


class _Seat(Protocol):
    def player(self, seed: int, game: Game) -> BatchPlayer:
        """Who sits here, as if it had never played."""


@dataclass(frozen=True)
class _Named:
    spec: str

    def player(self, seed: int, game: Game) -> BatchPlayer:
        return make_agent(self.spec, seed=seed, game=game)


@dataclass(frozen=True)
class _Network:
    evaluator: Evaluator
    settings: PitSettings

    def player(self, seed: int, game: Game) -> BatchPlayer:
        # What is in the cache decides which positions are evaluated together, and so the last bits of their values.
        self.evaluator.clear_cache()
        settings = self.settings
        return NetworkPlayer(self.evaluator, game, simulations=settings.simulations, search=settings.search)
