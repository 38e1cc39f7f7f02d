"""Where a run learns and where it plays: told, or chosen by a short measurement where there is a card."""

import numpy as np
import torch

from alphadiamond.base.game import States
from alphadiamond.games import load
from alphadiamond.network import Evaluator, Model, build_model, find_device
from alphadiamond.network.devices import CPU, cards
from alphadiamond.network.evaluator import has_compiled_form, seconds_of
from alphadiamond.training.learner import Learner
from alphadiamond.training.samples import Samples
from alphadiamond.training.settings import Placement, TrainSettings


def place(settings: TrainSettings) -> Placement:
    """What the settings say, checked; what they leave to `auto` is measured if this machine has a card."""
    learner, selfplay = settings.learner.device or settings.device, settings.selfplay.device or settings.device
    told = [_name(find_device(name)) if name != "auto" else "" for name in (learner, selfplay)]
    if all(told) or not cards():
        return Placement(*(name or "cpu" for name in told))
    model = build_model(settings.model, load(settings.game), seed=settings.seed)
    reasons = []
    if not told[0]:
        told[0], reason = _choose(
            "a step of the learner",
            {_name(device): _step_seconds(settings, model, device) for device in (CPU, *cards())},
        )
        reasons.append(reason)
    if not told[1] and has_compiled_form(model):
        told[1] = "cpu"
        reasons.append("the compiled network plays on the CPU")
    elif not told[1]:
        told[1], reason = _choose("a round of all games", _round_seconds(settings, model))
        reasons.append(reason)
    return Placement(told[0], told[1], "; ".join(reasons))


def _choose(what: str, seconds: dict[str, float]) -> tuple[str, str]:
    """The fastest, and a line about it."""
    best = min(seconds, key=lambda name: seconds[name])
    others = ", ".join(f"{1e3 * took:.2g} ms on {name}" for name, took in seconds.items() if name != best)
    return best, f"{what} takes {1e3 * seconds[best]:.2g} ms on {best} and {others}"


def _step_seconds(settings: TrainSettings, model: Model, device: torch.device) -> float:
    """One step on a batch of the run's size, all that it takes to get it there included."""
    learner = Learner(build_model(model.config, model.game, seed=0), settings.learner, device=device, total_steps=100)
    threads = settings.split().threads if device == CPU else 1
    before = torch.get_num_threads()
    learner.use_threads(threads)
    samples, rng = _samples(model, settings.learner.batch), np.random.default_rng(0)
    try:
        return seconds_of(lambda: learner.step(learner._batch(samples, rng)), times=3)
    finally:
        torch.set_num_threads(before)


def _round_seconds(settings: TrainSettings, model: Model) -> dict[str, float]:
    """One evaluation of all games: by one process on a card, or a share of them by one of the workers on a core."""
    found = {}
    workers = settings.split().workers
    before = torch.get_num_threads()
    for device in (CPU, *cards()):
        share = -(-settings.selfplay.games // workers) if device == CPU else settings.selfplay.games
        evaluator = Evaluator(model, device=device, threads=1)
        states = _states(model, share)
        found[_name(device)] = seconds_of(lambda e=evaluator, s=states: e.logits(s))  # type: ignore[misc]
    torch.set_num_threads(before)
    return found


def _states(model: Model, count: int) -> States:
    return np.repeat(model.game.states_of([model.game.sample_start()]), count, axis=0)


def _samples(model: Model, count: int) -> Samples:
    """Samples as a run makes them: what is in them does not change how long a step takes."""
    states = _states(model, count)
    return Samples(
        states=states,
        policy=model.game.legal(states).astype(np.float16),
        value=np.full((count, 3), 1 / 3, dtype=np.float32),
        outcome=np.zeros(count, dtype=np.int8),
        reply=np.full(count, -1, dtype=np.int16),
        survivors=np.zeros(count, dtype=np.int64),
        iteration=np.zeros(count, dtype=np.int32),
    )


def _name(device: torch.device) -> str:
    """As settings have it; what stands in for a card has the card's name."""
    return str(device) if device.type != "cpu" else "cpu" if device == CPU else "cuda"
