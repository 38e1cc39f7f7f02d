"""What a run says of itself: metrics of every iteration in a file and in TensorBoard, and pictures of the board."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from torch.utils.tensorboard import SummaryWriter

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_text

PAGE = {
    "AlphaDiamond": {
        "loss": ["Multiline", ["loss/policy", "loss/value"]],
        "divergence of search from prior": ["Multiline", ["policy/divergence"]],
        "policy entropy": ["Multiline", ["policy/entropy"]],
        "exam: value kept": ["Multiline", ["exam/kept"]],
        "score against the baselines": ["Multiline", ["score/.*"]],
        "rating": ["Margin", ["rating/elo", "rating/low", "rating/high"]],
        "gate": ["Margin", ["gate/score", "gate/low", "gate/high"]],
        "how games end": ["Multiline", ["games/decided", "games/draws", "games/first_move_wins"]],
        "speed": ["Multiline", ["speed/simulations_per_second"]],
        "game length": ["Multiline", ["games/plies"]],
    }
}
"""The ten curves that matter, on one page."""


class Reports:
    """metrics.jsonl and TensorBoard, both cut back to where a run goes on from."""

    def __init__(self, directory: Path, *, iteration: int) -> None:
        self._path = directory / "metrics.jsonl"
        self._cut_back(iteration)
        self._writer = SummaryWriter(str(directory), purge_step=iteration if iteration else None)
        self._writer.add_custom_scalars(PAGE)

    def write(self, iteration: int, metrics: dict[str, float]) -> None:
        line = {"iteration": iteration, **{name: _plain(value) for name, value in metrics.items()}}
        with self._path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        for name, value in metrics.items():
            if math.isfinite(value):
                self._writer.add_scalar(name, value, iteration)
        self._writer.flush()

    def picture(self, iteration: int, name: str, image: npt.NDArray[np.uint8]) -> None:
        self._writer.add_image(name, image, iteration, dataformats="HWC")

    def close(self) -> None:
        self._writer.close()

    def _cut_back(self, iteration: int) -> None:
        """Drop the lines of iterations that were not saved; they will be made again."""
        if self._path.exists():
            kept = [line for line in read_metrics(self._path) if line["iteration"] < iteration]
            write_text(self._path, "".join(json.dumps(line) + "\n" for line in kept))


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file; a last line that was cut off by a crash is passed over."""
    try:
        lines = path.read_text().splitlines()
    except OSError as error:
        raise AlphaDiamondError(f"{path}: cannot be read ({error.strerror})") from None
    metrics = []
    for line in lines:
        try:
            metrics.append(json.loads(line))
        except ValueError:
            continue
    return metrics


def _plain(value: float) -> float | None:
    return round(float(value), 6) if math.isfinite(value) else None
