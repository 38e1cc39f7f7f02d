"""How good a run's samples are, by the exact solution: does the move that the search recommends keep the value?

This only measures. Values are those of positions without history, so a drawing rule that is near counts for nothing.
"""

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.arena.exam import Share
from alphadiamond.base.game import ILLEGAL, Game, Solution
from alphadiamond.console import print_written, progress, result_console
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_json
from alphadiamond.games import load, solution_of
from alphadiamond.studies.settings import SampleQualitySettings
from alphadiamond.training.replay_buffer import ReplayError, read_samples
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.samples import Samples

VALUES: Final = {1: "won", 0: "drawn", -1: "lost"}
Mask = npt.NDArray[np.bool_]


@dataclass
class Quality:
    """Counts over samples of one kind."""

    samples: int = 0
    hard: int = 0
    """Samples in which some legal move keeps the value and some other does not."""
    kept: int = 0
    """Hard samples in which the move that the search recommends most keeps it."""
    weight: float = 0.0
    """Over hard samples, the sum of the recommended policy's share on moves that keep it."""
    result: int = 0
    """Samples whose value target says the exact result as the likeliest."""

    def add(self, rows: Mask, hard: Mask, kept: Mask, weight: npt.NDArray[np.float64], result: Mask) -> None:
        """Count the samples of these rows."""
        self.samples += int(rows.sum())
        self.hard += int((rows & hard).sum())
        self.kept += int((rows & hard & kept).sum())
        self.weight += float(weight[rows & hard].sum())
        self.result += int((rows & result).sum())

    @property
    def share(self) -> Share:
        return Share(self.kept, self.hard)


@dataclass
class Report:
    whole: Quality = field(default_factory=Quality)
    groups: dict[str, Quality] = field(default_factory=dict)
    """By the exact value, then by the phase of the game."""
    iterations: dict[int, Quality] = field(default_factory=dict)

    def add(self, samples: Samples, game: Game, solution: Solution, iteration: int) -> None:
        values, _ = solution.values(samples.states)
        actions, _ = solution.action_values(samples.states)
        keeping = actions == values[:, None]
        hard = keeping.any(axis=1) & ((actions != ILLEGAL) & ~keeping).any(axis=1)
        policy = samples.policy.astype(np.float64)
        kept = keeping[np.arange(len(samples)), policy.argmax(axis=1)]
        weight = (policy * keeping).sum(axis=1) / policy.sum(axis=1)
        result = 1 - samples.value.argmax(axis=1) == values
        phases, names = game.phases(samples.states)
        masks = {"all": np.ones(len(samples), dtype=np.bool_)}
        masks |= {name: values == value for value, name in VALUES.items()}
        masks |= {name: phases == number for number, name in enumerate(names)}
        for name, rows in masks.items():
            into = self.whole if name == "all" else self.groups.setdefault(name, Quality())
            into.add(rows, hard, kept, weight, result)
        self.iterations.setdefault(iteration, Quality()).add(masks["all"], hard, kept, weight, result)


def study(settings: SampleQualitySettings, solution: Solution | None = None) -> Report:
    """Look the samples up, print the table and write the figures; `solution` in place of the settings' one."""
    report, game = Report(), load(settings.game)
    chosen = list(_chosen(settings))
    solution = solution or solution_of(game, settings.tablebase)
    with progress("samples", len(chosen)) as update:
        for number, (iteration, path) in enumerate(chosen, start=1):
            try:
                report.add(read_samples(path), game, solution, iteration)
            except ReplayError as error:
                print(f"passed over: {path} {error.reason}", file=sys.stderr)
            update(number, path.name)
    if not report.whole.samples:
        raise AlphaDiamondError(f"run={settings.run}: none of its samples can be read")
    _print(report)
    rows = {"all": report.whole, **report.groups}
    figures = {
        "groups": {name: _as_json(quality) for name, quality in rows.items()},
        "iterations": {str(number): _as_json(quality) for number, quality in report.iterations.items()},
    }
    write_json(Path(settings.output), {**figures, "settings": asdict(settings)})
    print_written(settings.output)
    return report


def _chosen(settings: SampleQualitySettings) -> Iterator[tuple[int, Path]]:
    directory = RunDirectory(Path(settings.run)).samples
    last = settings.last or 1_000_000_000
    names = sorted(directory.glob("samples-*.npz"))
    found = [(int(number), path) for path in names if (number := path.stem.removeprefix("samples-")).isdecimal()]
    if not found:
        raise AlphaDiamondError(f"run={settings.run}: no samples are there (RUN/samples/samples-NNNNNN.npz)")
    kept = [(number, path) for number, path in found if settings.first <= number <= last]
    if not kept:
        there = f"{found[0][0]} to {found[-1][0]}"
        raise AlphaDiamondError(f"run={settings.run}: of the iterations asked for none is there, but {there}")
    yield from kept


def _as_json(quality: Quality) -> dict[str, object]:
    low, high = quality.share.interval
    return {**asdict(quality), "kept_share": quality.share.value, "interval": [low, high]}


def _print(report: Report) -> None:
    from rich.table import Table

    table = Table("samples", "all", "hard", "best move keeps the value", "policy on such moves", "result right")
    for name, quality in {"all": report.whole, **report.groups}.items():
        share = str(quality.share) if quality.hard else ""
        weight = f"{100 * quality.weight / quality.hard:.1f} %" if quality.hard else ""
        right = f"{100 * quality.result / quality.samples:.1f} %" if quality.samples else ""
        table.add_row(name, f"{quality.samples:,}", f"{quality.hard:,}", share, weight, right)
    result_console().print(table)
