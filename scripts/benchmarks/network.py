"""The network alone on one core: every model size, and the ways of running it side by side.

Rates are per second of processor time, but for learning with two threads, where they are by the clock on the wall.
"""

import functools
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from omegaconf import OmegaConf

from alphadiamond.base.threads import available_cores
from alphadiamond.games.connect_four.game import GAME as CONNECT_FOUR
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
from alphadiamond.training import learner as learning
from alphadiamond.training.learner import Learner, LearnerSettings
from alphadiamond.training.replay_buffer import ReplayBuffer, ReplaySettings
from alphadiamond.training.samples import Samples
from benchmarks.rates import Row, Work, rates

CONFIGS = Path(__file__).parents[2] / "configs" / "model"
SIZES = ("small", "medium", "large")
BATCH = 128
STEPS = 4
"""Of the learner, in a timed turn."""
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
    """A step of the learner with several threads beside one: by the clock on the wall, for as many as there are cores,
    and by the threads' own clocks, which other work on the machine disturbs much less, and which also serve for more
    threads than cores: what the step does outside its parts, and the longest of the parts. That leaves out how long
    threads wait for each other, and what they take from each other's caches."""
    rows = []
    for name, game, config, batch in (
        (f"orbit {WIDTHS[-1]} x 4", GAME, ModelConfig(width=WIDTHS[-1]), 512),
        (f"orbit {WIDTHS[-1]} x 4", GAME, ModelConfig(width=WIDTHS[-1]), 2_048),
        ("conv 32 x 4", CONNECT_FOUR, ModelConfig(kind="conv", width=32, blocks=4), 512),
    ):
        works = {}
        for threads in (1, 2, 4):
            model = build_model(config, seed=seed, game=game)
            learner = Learner(model, LearnerSettings(batch=batch), device=torch.device("cpu"), total_steps=1_000_000)
            works[threads] = _steps(learner, random_states(batch, seed, game=game), threads)
        if available_cores() > 1:
            two, one = rates(works[2], works[1], repeats=repeats)
            rows.append(Row(f"{name}, learning with two threads, batch {batch}", two, "samples/s", one, "one thread"))
        seconds = {threads: _longest(work, repeats) for threads, work in works.items()}
        for threads in (2, 4):
            what = f"{name}, learning with {threads} threads, batch {batch}, by their own clocks"
            rows.append(Row(what, batch / seconds[threads], "samples/s", batch / seconds[1], "one thread"))
    return rows


def _longest(work: Work, repeats: int) -> float:
    """Seconds of a step as its longest way through the threads takes: the median of a few."""
    together = learning._together
    shared: list[list[float]] = []

    def timed(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        took = [0.0] * len(tasks)

        def clocked(number: int) -> Any:
            began = time.thread_time()
            found = tasks[number]()
            took[number] = time.thread_time() - began
            return found

        if took:
            shared.append(took)
        return together([functools.partial(clocked, number) for number in range(len(tasks))])

    work()
    found = []
    learning._together = timed
    try:
        for _ in range(4 * repeats):
            shared.clear()
            began = time.thread_time()
            work()
            whole = time.thread_time() - began
            found.append((whole + sum(max(took) - took[0] for took in shared)) / STEPS)
    finally:
        learning._together = together
    return statistics.median(found)


class _Dense(OrbitModel):
    """An orbit network that learns as dense matrices."""

    def forward(self, features: torch.Tensor) -> Outputs:
        return LayeredModel.forward(self, features)


def _steps(learner: Learner, states: np.ndarray, threads: int = 1) -> Work:
    """Steps on samples that say nothing, made into batches as in a run."""
    legal = legal_actions(states, game=learner.game)
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
        learner.use_threads(threads)
        learner.learn(replay, STEPS, rng)
        return float(STEPS * count)

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
