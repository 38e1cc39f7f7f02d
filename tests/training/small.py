"""Runs that take seconds, for tests."""

import dataclasses
from pathlib import Path

import numpy as np
import numpy.typing as npt

from alphadiamond.games import load
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import Evaluator, ModelConfig, build_model
from alphadiamond.search import SearchSettings
from alphadiamond.training.learner import LearnerSettings
from alphadiamond.training.loop import Training
from alphadiamond.training.replay_buffer import ReplaySettings
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.samples import GameSummary, Samples
from alphadiamond.training.selfplay import SelfPlay, SelfPlaySettings
from alphadiamond.training.settings import EvaluationSettings, GateSettings, PitSettings, TrainSettings
from alphadiamond.training.worker import WorkerJob
from alphadiamond.training.workers import InlineWorkers

MODEL = ModelConfig(width=3, blocks=1, value_width=8)
SELFPLAY = SelfPlaySettings(
    games=12, rounds=36, simulations=6, random_starts=0.8, search=SearchSettings(method="gumbel", considered=4)
)


def evaluator(seed: int = 1) -> Evaluator:
    return Evaluator(build_model(MODEL, seed=seed, game=GAME), device="cpu", threads=1)


def some_games(seed: int = 1, rounds: int = 120) -> tuple[Samples, list[GameSummary]]:
    settings = SelfPlaySettings(games=12, rounds=rounds, simulations=6, search=SELFPLAY.search)
    samples, summaries = SelfPlay(settings, seed=seed, game=GAME).play(evaluator(), iteration=3)
    assert samples is not None
    return samples, summaries


def settings(**changes: object) -> TrainSettings:
    made = TrainSettings(
        profile="test",
        device="cpu",
        iterations=4,
        workers=1,
        cache=4096,
        plot=False,
        model=dataclasses.replace(MODEL),
        selfplay=dataclasses.replace(SELFPLAY),
        replay=ReplaySettings(smallest=200),
        learner=LearnerSettings(batch=32, reuse=2, warmup=5),
        gate=GateSettings(every=2, batch=4, max_pairs=4, pit=PitSettings(simulations=4)),
        evaluation=EvaluationSettings(
            every=2,
            exam_every=2,
            pairs=2,
            baselines=["random", "minimax:depth=4"],
            pit=PitSettings(simulations=4),
            earlier_pairs=4,
            earlier_pit=PitSettings(simulations=4),
        ),
    )
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def job_of(of: TrainSettings) -> WorkerJob:
    return WorkerJob(MODEL, of.selfplay, of.seed, "cpu", of.cache, load(of.game))


def training(directory: Path, of: TrainSettings | None = None, *, count: int = 1) -> Training:
    of = of or settings()
    return Training(of, RunDirectory(directory), InlineWorkers(job_of(of), count=count))


def same(one: dict[str, object], two: dict[str, object]) -> bool:
    """Whether two nested states of tensors, numbers and texts are equal bit for bit."""
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)  # type: ignore[arg-type]
    if isinstance(one, list | tuple) and isinstance(two, list | tuple):
        return len(one) == len(two) and all(same(a, b) for a, b in zip(one, two, strict=True))
    if hasattr(one, "shape"):
        return np.array_equal(np.asarray(one), np.asarray(two))
    return one == two


def goes_on_the_same(one: SelfPlay, other: SelfPlay, judge: Evaluator) -> None:
    """Another that takes over the state of one plays on as it does, bit for bit."""
    state = {name: array.copy() for name, array in one.state().items()}
    straight, _ = one.play(judge, iteration=1)
    other.restore(state)
    resumed, _ = other.play(judge, iteration=1)
    assert straight is not None
    assert resumed is not None
    assert same(straight.arrays(), resumed.arrays())  # type: ignore[arg-type]
    assert same(one.state(), other.state())  # type: ignore[arg-type]


def beads(states: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[B] of the side to move."""
    return np.array([row[0].item().bit_count() for row in states])


class Careless:
    """Likes the first legal action best, holds every position for even, and one with a bead less for lost."""

    def __call__(self, states: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        policy = np.where(GAME.legal(states), GAME.actions - np.arange(GAME.actions), 0).astype(np.float32)
        loss = np.where(beads(states) < 6, 0.95, 0.2).astype(np.float32)
        return policy / policy.sum(axis=1, keepdims=True), np.stack([1 - loss, 0 * loss, loss], axis=1)
