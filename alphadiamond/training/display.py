"""The live view of a run: a table that changes in place on a terminal, a line an iteration elsewhere."""

import abc
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from alphadiamond.console import duration
from alphadiamond.training.handlers import Handler
from alphadiamond.training.settings import EvaluationSettings, TrainSettings
from alphadiamond.training.state import RunState
from alphadiamond.training.tags import anchor_of, tag_of

SHOWN = (
    ("games/s", "speed/games_per_second", "{:.1f}"),
    ("simulations/s", "speed/simulations_per_second", "{:,.0f}"),
    ("policy loss", "loss/policy", "{:.3f}"),
    ("value loss", "loss/value", "{:.3f}"),
    ("draws", "games/draws", "{:.0%}"),
    ("gate score", "gate/score", "{:.3f}"),
    ("rating among its own snapshots", "elo/earlier", "{:+.0f}"),
    ("exam", "exam/kept", "{:.2%}"),
)


Rows = Sequence[tuple[str, str, str]]


class Display(Handler, abc.ABC):
    """What a terminal shows of a run that tells it of its events."""

    def run_started(self, state: RunState) -> None:
        self.going_on(state.progress.iteration)

    def stage_started(self, name: str) -> None:
        self.stage(name)

    def iteration_finished(self, state: RunState, metrics: Mapping[str, float]) -> None:
        self.iteration_done(state.progress.iteration, metrics)

    @abc.abstractmethod
    def going_on(self, iteration: int) -> None: ...

    @abc.abstractmethod
    def iteration_done(self, iteration: int, metrics: Mapping[str, float]) -> None: ...

    @abc.abstractmethod
    def stage(self, name: str) -> None: ...

    @abc.abstractmethod
    def say(self, text: str) -> None: ...


def shown(evaluation: EvaluationSettings) -> tuple[tuple[str, str, str], ...]:
    """(label, metric, format) of what is shown of an iteration; the Elo says of which match, and with what search."""
    anchor = anchor_of(evaluation.baselines)
    label = f"match Elo against {anchor} with {evaluation.pit.simulations} simulations"
    return (*SHOWN, (label, f"elo/{tag_of(anchor)}", "{:+.0f}"))


@contextmanager
def make_display(settings: TrainSettings) -> Iterator[Display]:
    rows = shown(settings.evaluation)
    if sys.stdout.isatty():
        from rich.live import Live

        table = _Table(settings.iterations, rows)
        with Live(refresh_per_second=4, get_renderable=table.render, vertical_overflow="visible") as live:
            table.live = live
            try:
                yield table
            finally:
                table.over = True
    else:
        yield _Lines(settings.iterations, rows)


class _Clock:
    """How long the iterations that are left will take, by those of this sitting."""

    def __init__(self, iterations: int) -> None:
        self.iterations = iterations
        self._first = 0
        self._started = time.monotonic()
        self._end = 0.0

    def going_on(self, iteration: int) -> None:
        self._first = iteration
        self._started = time.monotonic()

    def iteration_done(self, iteration: int) -> None:
        now = time.monotonic()
        each = (now - self._started) / max(1, iteration - self._first)
        self._end = now + each * (self.iterations - iteration)

    @property
    def left(self) -> str:
        """Counts down between two iterations; empty while none is done."""
        return duration(max(0.0, self._end - time.monotonic())) if self._end else ""


class _Lines(Display):
    def __init__(self, iterations: int, rows: Rows) -> None:
        self._clock = _Clock(iterations)
        self._rows = rows

    def going_on(self, iteration: int) -> None:
        self._clock.going_on(iteration)

    def iteration_done(self, iteration: int, metrics: Mapping[str, float]) -> None:
        figures = [f"{label} {form.format(metrics[key])}" for label, key, form in self._rows if key in metrics]
        self._clock.iteration_done(iteration)
        figures.append(f"{self._clock.left} left")
        print(f"iteration {iteration}/{self._clock.iterations}: {'; '.join(figures)}", flush=True)

    def stage(self, name: str) -> None:
        pass

    def say(self, text: str) -> None:
        print(text, flush=True)


class _Table(Display):
    def __init__(self, iterations: int, rows: Rows) -> None:
        self._clock = _Clock(iterations)
        self._rows = rows
        self._metrics: dict[str, float] = {}
        self._iteration = 0
        self._stage = "starting"
        self.live: Any = None
        self.over = False
        """Nothing goes on any more: what stays on the screen has no bar."""

    def going_on(self, iteration: int) -> None:
        self._clock.going_on(iteration)
        self._iteration = iteration

    def iteration_done(self, iteration: int, metrics: Mapping[str, float]) -> None:
        self._metrics |= metrics
        self._iteration = iteration
        self._clock.iteration_done(iteration)

    def stage(self, name: str) -> None:
        self._stage = name

    def say(self, text: str) -> None:
        self.live.console.print(text)

    def render(self) -> Any:
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        table.add_row("iteration", f"{self._iteration} of {self._clock.iterations}, {self._stage}")
        if not self.over:
            table.add_row("", ProgressBar(total=self._clock.iterations, completed=self._iteration, width=40))
            if left := self._clock.left:
                table.add_row("time left", left)
        for label, key, form in self._rows:
            if key in self._metrics:
                table.add_row(label, form.format(self._metrics[key]))
        return table
