"""Compare models: each learns from the same self-play samples for the same CPU time, on one core, and then they play.

The samples come from a training run (`samples/` in its directory); the newest tenth is held out and measured on. Speed
is that of the network alone at batch 128. In the games everybody has the same time for a move: a network that answers
twice as fast gets twice the simulations. Nothing here looks at exact solutions.
"""

import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.pairs import make_pairings
from alphadiamond.console import print_written, progress, result_console
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_json
from alphadiamond.games import load
from alphadiamond.network import Evaluator, Model, build_model, log_policy
from alphadiamond.studies.matches import Match, play_match
from alphadiamond.studies.settings import CompareModelsSettings, model_named
from alphadiamond.training.learner import Learner
from alphadiamond.training.replay_buffer import ReplayBuffer, read_samples
from alphadiamond.training.samples import Samples
from alphadiamond.training.settings import LearnerSettings, ReplaySettings

COLUMNS = ("parameters", "steps", "policy loss", "value loss", "policy top 1", "result right", "evaluations/s")
NEVER = 1_000_000_000
"""Steps after which the learner's own rate would begin to fall."""
PLAYED = ("simulations", "score", "95 % interval", "pairs won, even, lost")


def compare(settings: CompareModelsSettings) -> None:
    from rich.table import Table

    torch.set_num_threads(1)
    learnt, held_out = _samples(Path(settings.run))
    print(f"{len(learnt):,} samples to learn from, {len(held_out):,} held out")
    rivals = [_taught(name, learnt, held_out, settings) for name in settings.models]
    console = result_console()
    table = Table("model", *COLUMNS)
    for rival in rivals:
        cells = (f"{value:,.4g}" if value < 100 else f"{value:,.0f}" for value in rival.figures.values())
        table.add_row(rival.name, *cells)
    console.print(table)
    matches = _played(rivals, settings) if settings.pairs else {}
    if matches:
        table = Table(f"against {rivals[0].name}", *PLAYED)
        for name, (simulations, match) in matches.items():
            table.add_row(name, f"{simulations}", *match.cells)
        console.print(table)
    figures = {
        "seconds": settings.seconds,
        "models": {rival.name: rival.figures for rival in rivals},
        "matches": {name: {"simulations": count, **asdict(match)} for name, (count, match) in matches.items()},
    }
    write_json(Path(settings.output), figures)
    print_written(settings.output)


@dataclass(frozen=True)
class _Rival:
    """A model that has learnt."""

    name: str
    model: Model
    figures: dict[str, float]


def _played(rivals: list[_Rival], settings: CompareModelsSettings) -> dict[str, tuple[int, Match]]:
    """What each but the first scores against it, and with how many simulations."""
    game = load(settings.game)
    pairings = make_pairings(settings.pairs, np.random.default_rng(settings.seed), game=game)
    first = rivals[0]

    def player(rival: _Rival, simulations: int) -> NetworkPlayer:
        return NetworkPlayer(Evaluator(rival.model, threads=1, cache=1 << 18), game, simulations=simulations)

    opponent = player(first, settings.simulations)
    matches = {}
    for rival in rivals[1:]:
        simulations = same_time(settings.simulations, first.figures, rival.figures)
        match = play_match(player(rival, simulations), opponent, pairings, f"{rival.name} - {first.name}")
        matches[rival.name] = simulations, match
    return matches


def same_time(simulations: int, first: dict[str, float], other: dict[str, float]) -> int:
    """The simulations of another model for which its network takes as long as the first does for its own."""
    return max(1, round(simulations * other["evaluations_per_second"] / first["evaluations_per_second"]))


def _samples(run: Path) -> tuple[Samples, Samples]:
    paths = sorted((run / "samples").glob("samples-*.npz"))
    if len(paths) < 2:
        raise AlphaDiamondError(f"{run}: fewer than two files of samples; name a training run with run=DIR")
    chunks = [read_samples(path) for path in paths]
    held = max(1, len(chunks) // 10)
    return Samples.join(chunks[:-held]), Samples.join(chunks[-held:])


def _taught(name: str, learnt: Samples, held_out: Samples, settings: CompareModelsSettings) -> _Rival:
    config = model_named(name)
    assert config is not None  # the settings have been checked
    model = build_model(config, load(settings.game), seed=settings.seed)
    replay = ReplayBuffer(ReplaySettings())
    replay.add(0, learnt)
    rng = np.random.default_rng(settings.seed)
    learner = Learner(model, LearnerSettings(), device=torch.device("cpu"), total_steps=NEVER)
    rate, started = learner.settings.learning_rate, time.process_time()
    with progress(name, round(settings.seconds)) as update:
        while (spent := time.process_time() - started) < settings.seconds:
            # The rate falls over the second half of the time, so that all end annealed alike.
            share = spent / settings.seconds
            learner.settings.learning_rate = rate * min(1.0, 2 * (1.02 - share))
            measures = learner.learn(replay, 10, rng)
            update(round(spent), f"loss {measures['loss']:.3f}")
    figures = {
        "parameters": float(model.parameter_count()),
        "steps": float(learner.step_count),
        **_grade(learner, held_out, settings.seed),
        "evaluations_per_second": _speed(learner, held_out),
    }
    return _Rival(name, learner.averaged, figures)


@torch.no_grad()
def _grade(learner: Learner, held_out: Samples, seed: int) -> dict[str, float]:
    sums = dict.fromkeys(("policy_loss", "value_loss", "policy_top_1", "result_right"), 0.0)
    rng = np.random.default_rng(seed)
    for at in range(0, len(held_out), 2048):
        part = held_out.rows(slice(at, at + 2048))
        batch = learner._batch(part, rng)
        outputs = learner.averaged(batch.features)
        logs = log_policy(outputs.policy, batch.legal)
        best = torch.where(batch.legal, outputs.policy, torch.full_like(outputs.policy, -1e9)).argmax(dim=1)
        sums["policy_loss"] += float(-(batch.policy * logs).sum())
        sums["value_loss"] += float(-(batch.value * outputs.value.log_softmax(dim=1)).sum())
        sums["policy_top_1"] += float((best == batch.policy.argmax(dim=1)).sum())
        sums["result_right"] += float((outputs.value.argmax(dim=1) == batch.value.argmax(dim=1)).sum())
    return {name: total / len(held_out) for name, total in sums.items()}


def _speed(learner: Learner, held_out: Samples) -> float:
    evaluator = Evaluator(learner.averaged, device="cpu", threads=1)
    batch = held_out.states[:128]
    best = 0.0
    for _ in range(20):
        started = time.process_time()
        for _ in range(10):
            evaluator.logits(batch)
        best = max(best, 10 * len(batch) / (time.process_time() - started))
    return best
