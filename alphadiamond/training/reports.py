"""What a run says of itself: metrics of every iteration in a file and in TensorBoard, and pictures of the board."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from torch.utils.tensorboard import SummaryWriter
from torch.utils.tensorboard.summary import hparams

from alphadiamond.files import write_text
from alphadiamond.training.handlers import Handler
from alphadiamond.training.plots import board_picture
from alphadiamond.training.recovery import Findings
from alphadiamond.training.rundir import RunDirectory, good_lines
from alphadiamond.training.settings import TrainSettings, changes, flat
from alphadiamond.training.state import RunState
from alphadiamond.training.tags import describe, page

COMPARED = ("exam/kept", "elo/earlier", "loss/policy", "loss/value")
"""Metrics by which TensorBoard compares runs with different settings."""


class Reports(Handler):
    """metrics.jsonl and TensorBoard, both cut back to where a run goes on from."""

    def __init__(self, directory: RunDirectory, found: Findings | None = None) -> None:
        """`found`: what the run goes on with."""
        self._directory = directory
        self._found = found
        self._changed: dict[str, list[Any]] = {}
        self._writer: Any = None

    def run_started(self, state: RunState) -> None:
        iteration, settings, found = state.progress.iteration, state.settings, self._found
        self._cut_back(iteration, legacy=found is not None and found.legacy)
        self._writer = SummaryWriter(str(self._directory.path), purge_step=iteration + 1 if iteration else None)
        self._writer.add_custom_scalars(page(settings.evaluation.baselines))
        self._describe(settings, iteration)
        if found is not None:
            self._note_changes(iteration + 1, changes(found.config or {}, asdict(settings)))

    def baselines_played(self, state: RunState) -> None:
        """What the champion thinks of a position, as a picture."""
        game = state.game
        position = game.parse(game.pictured) if game.pictured else game.sample_start()
        policy, _ = state.evaluator(state.champion)(game.states_of([position]))
        picture = board_picture(game, position, policy[0])
        self._writer.add_image("board/policy", picture, state.number, dataformats="HWC")

    def iteration_finished(self, state: RunState, metrics: Mapping[str, float]) -> None:
        iteration = state.progress.iteration
        line: dict[str, Any] = {"iteration": iteration}
        line |= {name: _plain(value) for name, value in metrics.items()}
        if self._changed:
            line["changed"] = self._changed
            self._changed = {}
        with self._directory.metrics.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        for name, value in metrics.items():
            if math.isfinite(value):
                self._scalar(name, value, iteration)
        self._writer.flush()

    def run_ended(self) -> None:
        if self._writer is not None:
            self._writer.close()

    def _note_changes(self, iteration: int, settings: dict[str, list[Any]]) -> None:
        """The settings that are others from this iteration on."""
        if settings:
            self._changed = settings
            rows = [f"| {key} | {old} | {new} |" for key, (old, new) in settings.items()]
            text = "\n".join(["| setting | before | from here on |", "| --- | --- | --- |", *rows])
            self._writer.add_text("settings/changed", text, iteration)

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

    def _cut_back(self, iteration: int, *, legacy: bool) -> None:
        """Drop the lines of iterations that were not saved, since they will be made again; keep a damaged file."""
        path = self._directory.metrics
        if not path.exists():
            return
        lines, bad = good_lines(path)
        if bad:
            self._directory.copy_aside(path)
        if legacy:
            lines = [{**line, "iteration": line["iteration"] + 1} for line in lines]
        kept = [line for line in lines if line["iteration"] <= iteration]
        write_text(path, "".join(json.dumps(line) + "\n" for line in kept))


def _plain(value: float) -> float | None:
    return round(float(value), 6) if math.isfinite(value) else None
