"""What a run says of itself: metrics of every iteration in a file and in TensorBoard, and pictures of the board."""

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from torch.utils.tensorboard import SummaryWriter
from torch.utils.tensorboard.summary import hparams

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_text
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.settings import TrainSettings, flat
from alphadiamond.training.tags import describe, page

COMPARED = ("exam/kept", "elo/earlier", "loss/policy", "loss/value")
"""Metrics by which TensorBoard compares runs with different settings."""


class Reports:
    """metrics.jsonl and TensorBoard, both cut back to where a run goes on from."""

    def __init__(
        self, directory: RunDirectory, settings: TrainSettings, *, iteration: int, legacy: bool = False
    ) -> None:
        """`legacy`: the lines on disk count iterations from 0."""
        self._path = directory.metrics
        self._changed: dict[str, list[Any]] = {}
        self._cut_back(directory, iteration, legacy)
        self._writer = SummaryWriter(str(directory.path), purge_step=iteration + 1 if iteration else None)
        self._writer.add_custom_scalars(page(settings.evaluation.baselines))
        self._describe(settings, iteration)

    def write(self, iteration: int, metrics: dict[str, float]) -> None:
        line: dict[str, Any] = {"iteration": iteration}
        line |= {name: _plain(value) for name, value in metrics.items()}
        if self._changed:
            line["changed"] = self._changed
            self._changed = {}
        with self._path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        for name, value in metrics.items():
            if math.isfinite(value):
                self._scalar(name, value, iteration)
        self._writer.flush()

    def changed(self, iteration: int, settings: dict[str, list[Any]]) -> None:
        """Note the settings that are others from this iteration on."""
        if settings:
            self._changed = settings
            rows = [f"| {key} | {old} | {new} |" for key, (old, new) in settings.items()]
            text = "\n".join(["| setting | before | from here on |", "| --- | --- | --- |", *rows])
            self._writer.add_text("settings/changed", text, iteration)

    def picture(self, iteration: int, name: str, image: npt.NDArray[np.uint8]) -> None:
        self._writer.add_image(name, image, iteration, dataformats="HWC")

    def close(self) -> None:
        self._writer.close()

    def _scalar(self, name: str, value: float, step: int) -> None:
        """As `add_scalar`, with a description, which torch's writer has no way to give."""
        metadata = SummaryMetadata(summary_description=describe(name))
        metadata.plugin_data.plugin_name = "scalars"
        point = Summary.Value(tag=name, simple_value=value, metadata=metadata)
        self._writer._get_file_writer().add_summary(Summary(value=[point]), step)  # type: ignore[no-untyped-call]

    def _describe(self, settings: TrainSettings, iteration: int) -> None:
        """The settings as text, and as hyper-parameters for TensorBoard to compare runs by."""
        named = flat(asdict(settings))
        rows = "\n".join(f"| {key} | {value} |" for key, value in named.items())
        self._writer.add_text("settings/all", f"| setting | value |\n| --- | --- |\n{rows}", iteration)
        plain = {key: value if isinstance(value, bool | int | float) else str(value) for key, value in named.items()}
        for part in hparams(plain, dict.fromkeys(COMPARED, 0.0)):  # type: ignore[no-untyped-call]
            self._writer._get_file_writer().add_summary(part)  # type: ignore[no-untyped-call]

    def _cut_back(self, directory: RunDirectory, iteration: int, legacy: bool) -> None:
        """Drop the lines of iterations that were not saved, since they will be made again; keep a damaged file."""
        if not self._path.exists():
            return
        lines, bad = good_lines(self._path)
        if bad:
            directory.copy_aside(self._path)
        if legacy:
            lines = [{**line, "iteration": line["iteration"] + 1} for line in lines]
        kept = [line for line in lines if line["iteration"] <= iteration]
        write_text(self._path, "".join(json.dumps(line) + "\n" for line in kept))


def good_lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The lines of a metrics file that can be read, in order, and how many cannot.

    A last line without its end was cut off by a crash: it is passed over and not counted.
    """
    try:
        *lines, rest = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return [], 0
    except OSError:
        return [], 1
    good: list[dict[str, Any]] = []
    bad = 0
    for text in [*lines, *([rest] if rest else [])]:
        try:
            line = json.loads(text)
            number = line["iteration"]
            if type(number) is not int or (good and number <= good[-1]["iteration"]):
                raise ValueError
            good.append(line)
        except (ValueError, KeyError, TypeError, RecursionError):
            bad += text is not rest
    return good, bad


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file that can be read."""
    if not path.is_file():
        raise AlphaDiamondError(f"{path}: no metrics are there")
    return good_lines(path)[0]


def _plain(value: float) -> float | None:
    return round(float(value), 6) if math.isfinite(value) else None
