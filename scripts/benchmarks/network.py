"""The network alone on one core: every model size, and the ways of running it side by side.

Rates are per second of processor time, but for learning with two threads, where they are by the clock on the wall.
"""

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from omegaconf import OmegaConf

from alphadiamond.base.threads import available_cores
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import (
    Evaluator,
    Model,
    ModelConfig,
    Outputs,
    build_model,
    encode,
    encode_inputs,
    legal_actions,
)
from alphadiamond.network.model import LayeredModel
from alphadiamond.network.orbit import OrbitModel
from alphadiamond.studies.engines import onnx_session
from alphadiamond.studies.positions import random_states
from alphadiamond.training.learner import Learner, LearnerSettings
from alphadiamond.training.replay_buffer import ReplayBuffer, ReplaySettings
from alphadiamond.training.samples import Samples
from benchmarks.rates import Row, Work, rates

CONFIGS = Path(__file__).parents[2] / "configs" / "model"
SIZES = ("small", "medium", "large")
BATCH = 128
WIDTHS = (12, 24)
_POSITIONS = 2_560  # of one timed turn, however many calls they take


def measure(*, repeats: int, seed: int) -> list[Row]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            rows = [*_sizes(repeats, seed), *_batches(repeats, seed), *_engines(repeats, seed), *_parts(repeats, seed)]
        return [*rows, *_forms(repeats, seed), *_learning(repeats, seed), *_sharing(repeats, seed)]
    finally:
        torch.set_num_threads(before)


def _model(name: str, seed: int) -> Model:
    merged = OmegaConf.merge(OmegaConf.structured(ModelConfig), OmegaConf.load(CONFIGS / f"{name}.yaml"))
    config: Any = OmegaConf.to_object(merged)
    return build_model(config, seed=seed, game=GAME)


def _sizes(repeats: int, seed: int) -> list[Row]:
    """Each model as matrices in torch, beside the same model in ONNX Runtime."""
    rows = []
    states = random_states(BATCH, seed, game=GAME)
    for kind in ("orbit", "mlp", "graph"):
        for size in SIZES:
            model = _model(f"{kind}_{size}", seed)
            onnx = _onnx(model, states)
            ours, theirs = rates(
                _torch(model, states), onnx or _torch(model, states), repeats=repeats, clock=time.process_time
            )
            name = f"{kind} {size}, {model.parameter_count():,} parameters, batch {BATCH}"
            rows.append(Row(name, ours, "evaluations/s", *((theirs, "ONNX Runtime") if onnx else ())))
    return rows


def _batches(repeats: int, seed: int) -> list[Row]:
    rows = []
    for kind in ("orbit", "mlp"):
        model = _model(f"{kind}_medium", seed)
        for batch in (1, 64, 256):
            states = random_states(batch, seed, game=GAME)
            onnx = _onnx(model, states)
            ours, theirs = rates(
                _torch(model, states), onnx or _torch(model, states), repeats=repeats, clock=time.process_time
            )
            beside = (theirs, "ONNX Runtime") if onnx else ()
            rows.append(Row(f"{kind} medium, batch {batch}", ours, "evaluations/s", *beside))
    return rows


def _engines(repeats: int, seed: int) -> list[Row]:
    """Other ways to run the medium MLP, each beside the way it is run."""
    model, states = _model("mlp_medium", seed), random_states(BATCH, seed, game=GAME)
    ours = _torch(model, states)
    features = torch.from_numpy(encode(states, game=GAME))
    ways: dict[str, Work | None] = {
        "the module as it is trained": _repeat(lambda: model(features)),
        "int8, torch, dynamic": _torch_int8(model, states),
        "int8, ONNX Runtime, dynamic": _onnx(model, states, int8=True),
    }
    rows = []
    for name, work in ways.items():
        if work is not None:
            theirs, reference = rates(work, ours, repeats=repeats, clock=time.process_time)
            rows.append(Row(f"mlp medium, {name}", theirs, "evaluations/s", reference, "as it plays"))
    return rows


def _parts(repeats: int, seed: int) -> list[Row]:
    """What the evaluator adds to the network: encoding, legal moves, the cache."""
    model, states = _model("orbit_medium", seed), random_states(BATCH, seed, game=GAME)
    plain = Evaluator(model, device="cpu")
    known = Evaluator(model, device="cpu", cache=1 << 16)
    asked_states, alone_logits = _repeat(lambda: plain(states)), _repeat(lambda: plain.logits(states))
    whole, alone = rates(asked_states, alone_logits, repeats=repeats, clock=time.process_time)
    hits, asked = rates(
        _repeat(lambda: known(states)), _repeat(lambda: plain(states)), repeats=repeats, clock=time.process_time
    )
    return [
        Row("orbit medium, evaluator from states to probabilities", whole, "evaluations/s", alone, "network alone"),
        Row("orbit medium, evaluator, all in the cache", hits, "evaluations/s", asked, "without cache"),
    ]


def _forms(repeats: int, seed: int) -> list[Row]:
    """The orbit network from states to probabilities, in the symmetry's own basis beside its dense form."""
    rows = []
    for width in WIDTHS:
        model = build_model(ModelConfig(width=width), seed=seed, game=GAME)
        ours, dense = (Evaluator(model, device="cpu", compiled=compiled) for compiled in (True, False))
        for batch in (1, 8, 32, BATCH, 512):
            states = random_states(batch, seed, game=GAME)
            name = f"orbit {width} x 4, evaluator, batch {batch}"
            speeds = rates(_asked(ours, states), _asked(dense, states), repeats=repeats, clock=time.process_time)
            rows.append(Row(name, speeds[0], "evaluations/s", speeds[1], "dense"))
    return rows


def _asked(evaluator: Evaluator, states: np.ndarray) -> Work:
    return _repeat(lambda: evaluator(states), len(states))


def _learning(repeats: int, seed: int) -> list[Row]:
    """A step of the learner, in the symmetry's own basis beside the dense form."""
    settings = LearnerSettings()
    rows = []
    for width in WIDTHS:
        learners = []
        for form in (OrbitModel, _Dense):
            model = build_model(ModelConfig(width=width), seed=seed, game=GAME)
            model.__class__ = form
            learners.append(Learner(model, settings, device=torch.device("cpu"), total_steps=1_000_000))
        ours, dense = (_steps(learner, random_states(settings.batch, seed, game=GAME)) for learner in learners)
        speeds = rates(ours, dense, repeats=repeats, clock=time.process_time)
        name = f"orbit {width} x 4, learning, batch {settings.batch}"
        rows.append(Row(name, speeds[0], "samples/s", speeds[1], "dense"))
    return rows


def _sharing(repeats: int, seed: int) -> list[Row]:
    """A step of the learner with two threads beside one."""
    rows = []
    for batch in (512, 2_048) if available_cores() > 1 else ():
        settings = LearnerSettings(batch=batch)
        works = []
        for threads in (2, 1):
            model = build_model(ModelConfig(width=WIDTHS[-1]), seed=seed, game=GAME)
            model.learn_with(threads)
            learner = Learner(model, settings, device=torch.device("cpu"), total_steps=1_000_000)
            works.append(_steps(learner, random_states(batch, seed, game=GAME)))
        name = f"orbit {WIDTHS[-1]} x 4, learning with two threads, batch {batch}"
        two, one = rates(*works, repeats=repeats)
        rows.append(Row(name, two, "samples/s", one, "one thread"))
    return rows


class _Dense(OrbitModel):
    """An orbit network that learns as dense matrices."""

    def forward(self, features: torch.Tensor) -> Outputs:
        return LayeredModel.forward(self, features)


def _steps(learner: Learner, states: np.ndarray) -> Work:
    """Steps on samples that say nothing, made into batches as in a run."""
    legal = legal_actions(states, game=GAME)
    count = len(states)
    samples = Samples(
        states=states,
        policy=(legal / legal.sum(axis=1, keepdims=True)).astype(np.float16),
        value=np.full((count, 3), 1 / 3, dtype=np.float32),
        outcome=np.zeros(count, dtype=np.int8),
        reply=np.full(count, -1, dtype=np.int16),
        survivors=states[:, 0] | states[:, 1],
        iteration=np.zeros(count, dtype=np.int32),
    )
    replay = ReplayBuffer(ReplaySettings())
    replay.add(0, samples)
    rng = np.random.default_rng(0)

    def work() -> float:
        learner.learn(replay, 4, rng)
        return 4.0 * count

    return work


def _repeat(call: Callable[[], object], units: int = BATCH) -> Work:
    calls = max(1, _POSITIONS // units)

    def work() -> float:
        for _ in range(calls):
            call()
        return float(calls * units)

    return work


def _torch(model: Model, states: np.ndarray) -> Work:
    frozen, inputs = model.frozen(), torch.from_numpy(encode_inputs(states, game=GAME))
    return _repeat(lambda: frozen(inputs), len(states))


def _torch_int8(model: Model, states: np.ndarray) -> Work | None:
    """The same matrices as quantised linear layers."""
    layers = model.layers()  # type: ignore[operator]
    dynamic = torch.ao.nn.quantized.dynamic.Linear

    def quantised(weight: torch.Tensor, bias: torch.Tensor | None = None) -> Any:
        linear = torch.nn.Linear(*weight.shape, bias=bias is not None)
        linear.weight.data = weight.T.contiguous()
        if bias is not None:
            linear.bias.data = bias.clone()
        linear.qconfig = torch.ao.quantization.default_dynamic_qconfig
        return dynamic.from_float(linear)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            enter, heads, value = (quantised(*pair) for pair in (layers.enter, layers.heads, layers.value))
            blocks = [(quantised(first, bias), quantised(second)) for first, bias, second in layers.blocks]
    except (RuntimeError, AttributeError):
        return None  # no quantised engine in this build
    inputs = torch.from_numpy(encode_inputs(states, game=GAME))

    def call() -> None:
        x = enter(inputs)
        for first, second in blocks:
            x = x + second(first(x).relu_())
        out = heads(x.relu_())
        value(out[:, 72:].relu())

    return _repeat(call, len(states))


def _onnx(model: Model, states: np.ndarray, *, int8: bool = False) -> Work | None:
    session = onnx_session(model, int8=int8)
    if session is None:
        return None
    features = encode(states, game=GAME)
    return _repeat(lambda: session.run(None, {"features": features}), len(states))
