"""What a worker does, wherever it runs: self-play with the latest weights, and duels between two sets of them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

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
from alphadiamond.training.settings import DuelSettings, SelfPlaySettings

Weights = dict[str, npt.NDArray[Any]]
"""A model's parameters by name."""
Side = Weights | str
"""Who plays a duel: a network by its weights, any other player by its name."""


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

    def update(self, weights: Weights) -> None:
        self._evaluator.update(self._model(weights))

    def play(self, iteration: int, simulations: int) -> WorkerResult:
        started = time.monotonic()
        before, hits = self._selfplay.statistics, self._evaluator.stats.hits
        samples, summaries = self._selfplay.play(self._evaluator, iteration=iteration, simulations=simulations)
        measures = {name: value - before[name] for name, value in self._selfplay.statistics.items()}
        measures["cache_hits"] = self._evaluator.stats.hits - hits
        measures["seconds"] = time.monotonic() - started
        return WorkerResult(samples, summaries, self._selfplay.state(), measures)

    def duel(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: DuelSettings) -> list[float]:
        seeds = [pairing.seed for pairing in pairings[:1]] or [0]
        return play_pairs(self._player(first, settings, seeds[0]), self._player(second, settings, seeds[0]), pairings)

    def _player(self, side: Side, settings: DuelSettings, seed: int) -> BatchPlayer:
        if isinstance(side, str):
            return make_agent(side, seed=seed, game=self._job.game)
        return NetworkPlayer(
            self._evaluator_of(side), self._job.game, simulations=settings.simulations, search=settings.search
        )

    def _evaluator_of(self, weights: Weights | None) -> Evaluator:
        return Evaluator(self._model(weights), device=self._job.device, threads=1, cache=self._job.cache)

    def _model(self, weights: Weights | None) -> Model:
        model = build_model(self._job.model, self._job.game, seed=0)
        if weights is not None:
            model.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        return model
