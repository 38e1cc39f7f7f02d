"""One network run by several engines side by side: how fast, and how far from each other."""

import logging
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from alphadiamond.console import print_written, result_console
from alphadiamond.files import write_json
from alphadiamond.games import load
from alphadiamond.network import Evaluator, Model, encode, export_onnx, load_checkpoint
from alphadiamond.network.conv import ConvModel
from alphadiamond.network.kernels import Floats, States
from alphadiamond.network.orbit import OrbitModel
from alphadiamond.studies.positions import random_states
from alphadiamond.studies.settings import CompareEnginesSettings, checkpoint_of

Engine = Callable[[States], tuple[Floats, Floats]]
"""From states [B, S] to logits of moves [B, A] and of the result [B, 3]."""


def engines_of(model: Model) -> dict[str, Engine]:
    """Every way to run a network that is installed, on one core; the first is what the others are compared with."""
    found: dict[str, Engine] = {"torch, as trained": _module(model)}
    found["torch, laid out"] = Evaluator(model, device="cpu", threads=1, compiled=False).logits
    if isinstance(model, OrbitModel | ConvModel):
        way = "in the basis" if isinstance(model, OrbitModel) else "by tiles"
        found[f"compiled, {way}"] = Evaluator(model, device="cpu", threads=1).logits
    if (onnx := _onnx(model)) is not None:
        found["ONNX Runtime"] = onnx
    return found


def compare(settings: CompareEnginesSettings) -> list[dict[str, object]]:
    """Time all engines in turns, by the processor's clock, print the table and write the figures."""
    from rich.table import Table

    path = checkpoint_of(settings.checkpoint, load(settings.game))
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        engines = engines_of(load_checkpoint(path, game=load(settings.game)).model)
        rows = [_row(engines, batch, settings) for batch in settings.batches]
    finally:
        torch.set_num_threads(before)
    table = Table("batch", *(f"{name}, evaluations/s" for name in engines), "fastest")
    for row in rows:
        speeds: dict[str, float] = row["speeds"]  # type: ignore[assignment]
        fastest = max(speeds, key=lambda name: speeds[name])
        table.add_row(f"{row['batch']}", *(f"{float(f'{speed:.3g}'):,.0f}" for speed in speeds.values()), fastest)
    console = result_console()
    console.print(table)
    largest = max(max(row["differences"].values()) for row in rows)  # type: ignore[attr-defined]
    console.print(f"the largest difference between any two logits of the same position is {largest:.1e}")
    figures = {"checkpoint": str(path), "rows": rows, "settings": asdict(settings)}
    write_json(Path(settings.output), figures)
    print_written(settings.output)
    return rows


def _row(engines: dict[str, Engine], batch: int, settings: CompareEnginesSettings) -> dict[str, object]:
    states = random_states(batch, settings.seed, load(settings.game))
    said = {name: engine(states) for name, engine in engines.items()}
    truth = next(iter(said.values()))
    differences = {
        name: float(max(np.abs(mine - theirs).max() for mine, theirs in zip(outputs, truth, strict=True)))
        for name, outputs in said.items()
    }
    calls = max(1, settings.positions // batch)
    times: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(settings.repeats):
        for name, engine in engines.items():
            started = time.process_time()
            for _ in range(calls):
                engine(states)
            times[name].append(time.process_time() - started)
    speeds = {name: calls * batch / statistics.median(seconds) for name, seconds in times.items()}
    return {"batch": batch, "speeds": speeds, "differences": differences}


def _module(model: Model) -> Engine:
    def run(states: States) -> tuple[Floats, Floats]:
        with torch.inference_mode():
            outputs = model(torch.from_numpy(encode(states, model.game)))
            return outputs.policy.numpy(), outputs.value.numpy()

    return run


def onnx_session(model: Model, *, int8: bool = False) -> Any:
    """The network in ONNX Runtime, on one core; None where that, or what exports to it, is not installed."""
    try:
        import onnxruntime
        import onnxscript  # noqa: F401
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        with torch.inference_mode(False):
            export_onnx(model, path)
        if int8:
            from onnxruntime.quantization import QuantType, quantize_dynamic

            logging.disable(logging.WARNING)  # it advises preprocessing that changes nothing here
            quantize_dynamic(path, path.with_name("int8.onnx"), weight_type=QuantType.QInt8)
            logging.disable(logging.NOTSET)
            path = path.with_name("int8.onnx")
        return onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])


def _onnx(model: Model) -> Engine | None:
    session = onnx_session(model)
    if session is None:
        return None

    def run(states: States) -> tuple[Floats, Floats]:
        policy, value = session.run(["policy", "value"], {"features": encode(states, model.game)})
        return policy, value

    return run
