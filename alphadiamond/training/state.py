"""The state of a run: everything that its next iteration depends on, in memory and as it is stored."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from alphadiamond.base.game import Game
from alphadiamond.games import load
from alphadiamond.network import Evaluator, Model, build_model, find_device, load_checkpoint
from alphadiamond.training.cores import shares
from alphadiamond.training.evaluation import BaselineResult, Ladder
from alphadiamond.training.learner import Learner
from alphadiamond.training.replay_buffer import ReplayBuffer
from alphadiamond.training.reshard import WorkerState, reshard
from alphadiamond.training.rng import generator_state, restore_generator
from alphadiamond.training.rundir import RunError
from alphadiamond.training.settings import TrainSettings
from alphadiamond.training.worker import Weights, weights_of


@dataclass
class Progress:
    """What has been done so far, over all sittings of a run."""

    iteration: int = 0
    """Iterations done."""
    games: int = 0
    simulations: float = 0.0
    seconds: float = 0.0
    promotions: int = 0
    gates: int = 0


class RunState:
    """A run between two of its iterations; the stages of the loop change it, handlers only look."""

    def __init__(self, settings: TrainSettings, model: Model, *, workers: int) -> None:
        """A run that begins with this model."""
        self.settings = settings
        self.game: Game = load(settings.game)
        self.rng = np.random.default_rng(settings.seed)
        self.progress = Progress()
        self.replay = ReplayBuffer(settings.replay)
        self.ladder = Ladder(game=self.game)
        self.results: list[BaselineResult] = []
        """Of the last evaluation."""
        moves = settings.iterations * settings.selfplay.games * settings.selfplay.rounds
        steps = int(moves * settings.learner.reuse / settings.learner.batch)
        self.learner = Learner(
            model, settings.learner, device=find_device(settings.placed().learner), total_steps=steps
        )
        self.champion: Weights = self.candidate()
        self.champion_origin = self.origin(0)
        """What the champion's file says of it."""
        self.playing: Weights = self.champion
        """Who plays itself."""
        self.worker_states: list[WorkerState] = [{} for _ in range(workers)]

    @property
    def number(self) -> int:
        """The iteration under way, counted from 1."""
        return self.progress.iteration + 1

    def due(self, every: int) -> bool:
        """Whether a stage comes up in this iteration; the last iteration has them all."""
        return bool(len(self.replay)) and (self.number % every == 0 or self.number == self.settings.iterations)

    def measuring(self) -> np.random.Generator:
        """Random numbers for what is only measured: how often that is done changes nothing of what is learnt."""
        return np.random.default_rng([self.settings.seed, self.number])

    def candidate(self) -> Weights:
        """The learner's averaged weights."""
        return weights_of(self.learner.averaged)

    def promote(self, weights: Weights) -> None:
        """These weights are the champion from now on."""
        self.champion, self.champion_origin = weights, self.origin(self.number)

    def origin(self, iteration: int) -> dict[str, Any]:
        """Where weights come from, as a checkpoint says it."""
        progress, settings = self.progress, self.settings
        return {
            "profile": settings.profile,
            "seed": settings.seed,
            "iteration": iteration,
            "games": progress.games,
            "hours": round(progress.seconds / 3600, 3),
            "step": self.learner.step_count,
        }

    def model_of(self, weights: Weights) -> Model:
        model = build_model(self.settings.model, self.game, seed=0)
        model.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        return model

    def evaluator(self, weights: Weights) -> Evaluator:
        return Evaluator(self.model_of(weights), device=find_device(self.settings.placed().selfplay))

    def stored(self, digests: Mapping[int, str]) -> dict[str, Any]:
        """Plain tensors, numbers and texts; `digests` are those of the window's files."""
        return {
            "config": json.dumps(asdict(self.settings)),
            "progress": asdict(self.progress),
            "learner": self.learner.state(),
            "champion": _as_tensors(self.champion),
            "crowned": self.champion_origin,
            "playing": _as_tensors(self.playing),
            "generator": torch.from_numpy(generator_state(self.rng)),
            "workers": [_as_tensors(worker) for worker in self.worker_states],
            "replay": {"digests": digests, "made": self.replay.made},
            "ladder": self.ladder.state(),
        }

    def restore(self, stored: Mapping[str, Any], replay: ReplayBuffer, *, source: Path) -> None:
        """Go on from what was stored, and with what is good of its window; `source` is named if that cannot be."""
        try:
            self.progress = Progress(**stored["progress"])
            self.learner.restore(stored["learner"])
            self.champion = _as_arrays(stored["champion"])
            self.playing = _as_arrays(stored["playing"])
            restore_generator(self.rng, stored["generator"].numpy())
            counts = shares(self.settings.selfplay.games, len(self.worker_states))
            self.worker_states = reshard([_as_arrays(worker) for worker in stored["workers"]], counts)
            self.ladder = Ladder(stored.get("ladder"), game=self.game)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise RunError(f"{source}: its newest state does not fit these settings ({reason})") from None
        self.champion_origin = stored.get("crowned") or self.origin(self.progress.iteration)
        self.replay = replay
        self.replay.settings = self.settings.replay


def first_model(settings: TrainSettings, *, new: bool) -> Model:
    """What a new run begins with: new weights, or those of the checkpoint it is told; any other brings its own."""
    game = load(settings.game)
    if not settings.init or not new:
        return build_model(settings.model, game, seed=settings.seed)
    model = load_checkpoint(Path(settings.init), game=game).model
    if model.config != settings.model:
        raise RunError(f"{settings.init} holds another model, {model.config}: set model to the same")
    return model


def _as_arrays(state: Mapping[str, torch.Tensor]) -> dict[str, npt.NDArray[Any]]:
    return {name: tensor.numpy() for name, tensor in state.items()}


def _as_tensors(state: Mapping[str, npt.NDArray[Any]]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in state.items()}
