"""The training loop: self-play, learning, the gate, the exam, evaluation; again.

The stages change the run's state. What becomes of it on disk, in reports and on a screen is the business of handlers.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Concatenate, ParamSpec

import numpy as np
import numpy.typing as npt

from alphadiamond.arena.exam import Exam, exam_batch
from alphadiamond.arena.openings import ValueEstimator
from alphadiamond.training.evaluation import play_baselines
from alphadiamond.training.gate import hold_gate
from alphadiamond.training.handlers import Handler
from alphadiamond.training.metrics import (
    Metrics,
    baseline_metrics,
    exam_metrics,
    game_metrics,
    gate_metrics,
    learner_metrics,
    start_metrics,
    worker_metrics,
)
from alphadiamond.training.persistence import Persistence, snapshot_weights
from alphadiamond.training.recovery import Findings, examine
from alphadiamond.training.reports import Reports
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.samples import Samples
from alphadiamond.training.settings import TrainSettings
from alphadiamond.training.state import RunState, first_model
from alphadiamond.training.stop_flag import StopFlag
from alphadiamond.training.worker import Weights
from alphadiamond.training.workers import Workers

P = ParamSpec("P")


class Training:
    """A run: its state, its workers, and the loop over its stages."""

    def __init__(
        self,
        settings: TrainSettings,
        directory: RunDirectory,
        workers: Workers,
        *,
        found: Findings | None = None,
        stopping: StopFlag | None = None,
        handlers: Iterable[Handler] = (),
    ) -> None:
        """`found`: what the directory was found to hold, if somebody has looked already; `handlers`: who is told what
        happens, beside the run's own files and reports."""
        self.settings = settings
        self.directory = directory
        self.workers = workers
        self.stopping = stopping or StopFlag()
        self.found = found or examine(directory)
        self.state = RunState(settings, first_model(settings, new=self.found is None), workers=workers.count)
        self.handlers = [Persistence(directory, self.found), Reports(directory, self.found), *handlers]

    def run(self) -> None:
        """From wherever the run directory's newest good state stands to the last iteration."""
        self.state.learner.use_threads(self.settings.split().threads)
        if self.found is not None:
            self.state.restore(self.found.state, self.found.replay, source=self.directory.path)
        try:
            self._tell(Handler.run_started, self.state)
            self.start_workers()
            while self.state.progress.iteration < self.settings.iterations:
                metrics: Metrics = {}
                metrics |= self.play_games()
                metrics |= self.learn()
                metrics |= self.hold_gate()
                metrics |= self.take_exam()
                metrics |= self.play_baselines()
                self.finish_iteration(metrics)
            self._count_time()
        finally:
            self.workers.stop()
            self._tell(Handler.run_ended)

    # The stages, in order

    def start_workers(self) -> None:
        """The games of the first iteration are begun; from then on those of the next are played while this process
        learns."""
        self.workers.start([state or None for state in self.state.worker_states])
        self._counted_until = time.monotonic()
        if self.state.progress.iteration < self.settings.iterations:
            self._begin_games(self.state.number)

    def play_games(self) -> Metrics:
        """What the workers have played goes into the replay window; with the newest weights they play on."""
        self._tell(Handler.stage_started, "self-play")
        state, started = self.state, time.monotonic()
        collected = self.workers.collect()
        waited = time.monotonic() - started
        state.playing = state.candidate() if self.settings.selfplay_weights == "latest" else state.champion
        if state.number < self.settings.iterations:
            self._begin_games(state.number + 1)
        state.worker_states = self.workers.states()
        results = [result for result in collected if result is not None]
        samples = [result.samples for result in results if result.samples is not None]
        self._new_samples = sum(map(len, samples))
        if samples:
            state.replay.add(state.number, Samples.join(samples))
            self._tell(Handler.games_played, state)
        games = [summary for result in results for summary in result.summaries]
        totals: Counter[str] = Counter()
        for result in results:
            totals.update(result.measures)  # type: ignore[arg-type]
        state.progress.games += len(games)
        state.progress.simulations += totals["simulations"]
        return {
            **worker_metrics(results, totals),
            **game_metrics(games, self.settings.selfplay, state.game),
            **start_metrics(games, totals, self.settings.selfplay),
            "speed/waiting_seconds": waited,
            **self.workers.measures(),
        }

    def learn(self) -> Metrics:
        """As many steps as the new samples are worth."""
        state, settings = self.state, self.settings.learner
        if not len(state.replay):
            return {}
        self._tell(Handler.stage_started, "learning")
        started = time.monotonic()
        steps = max(1, round(self._new_samples * settings.reuse / settings.batch))
        measures = state.learner.learn(state.replay, steps, state.rng, stopping=self.stopping)
        return {
            **learner_metrics(measures),
            "learner/steps": state.learner.step_count,
            "learner/skipped": state.learner.skipped,
            "replay/window": len(state.replay),
            "replay/age": state.replay.age(state.number),
            "speed/learning_seconds": time.monotonic() - started,
        }

    def hold_gate(self) -> Metrics:
        """The candidate against the champion, every so many iterations."""
        state, settings = self.state, self.settings.gate
        if not state.due(settings.every):
            return {}
        self._tell(Handler.stage_started, "gate")
        started = time.monotonic()
        candidate = state.candidate()
        sides = (candidate, state.champion)
        estimate = value_estimator(state, *sides)
        result = hold_gate(self.workers, *sides, settings, state.measuring(), game=state.game, estimate=estimate)
        state.progress.gates += 1
        if result.passed:
            state.progress.promotions += 1
            state.promote(candidate)
            self._tell(Handler.champion_changed, state)
        seconds = time.monotonic() - started
        return gate_metrics(result, promotions=state.progress.promotions) | {"speed/gate_seconds": seconds}

    def take_exam(self) -> Metrics:
        """The bare policy of the champion on positions whose answers are known."""
        state = self.state
        if state.game.exam is None or not state.due(self.settings.evaluation.exam_every):
            return {}
        self._tell(Handler.stage_started, "exam")
        exam = Exam.load(game=state.game)
        policy, wdl = state.evaluator(state.champion)(exam.states)
        return exam_metrics(exam_batch(policy.argmax(axis=1), wdl, exam=exam))

    def play_baselines(self) -> Metrics:
        """The champion against the classical players, and the network against its earlier self."""
        state, settings = self.state, self.settings.evaluation
        if not state.due(settings.every):
            return {}
        self._tell(Handler.stage_started, "evaluation")
        started = time.monotonic()
        champion = (self.workers, state.champion)
        state.results = play_baselines(*champion, settings, state.measuring(), game=state.game)
        self._tell(Handler.baselines_played, state)
        newest = (state.number, state.candidate())
        earlier = partial(snapshot_weights, self.directory, game=state.game)
        rating = state.ladder.climb(*newest, earlier, self.workers, settings, state.measuring())
        return baseline_metrics(state.results) | rating | {"speed/evaluation_seconds": time.monotonic() - started}

    def finish_iteration(self, metrics: Metrics) -> None:
        """Count it, report it, and save what the next one depends on."""
        self.state.progress.iteration += 1
        metrics |= {"speed/iteration_seconds": self._count_time(), "progress/games": self.state.progress.games}
        self._tell(Handler.iteration_finished, self.state, metrics)
        self._tell(Handler.save_due, self.state)

    def _tell(self, event: Callable[Concatenate[Any, P], None], *about: P.args, **named: P.kwargs) -> None:
        for handler in self.handlers:
            getattr(handler, event.__name__)(*about, **named)

    def _count_time(self) -> float:
        """Seconds since time was last counted: of a whole iteration, with the saving of the one before it."""
        now = time.monotonic()
        seconds, self._counted_until = now - self._counted_until, now
        self.state.progress.seconds += seconds
        return seconds

    def _begin_games(self, iteration: int) -> None:
        self.workers.update(self.state.playing)
        total = self.settings.iterations
        self.workers.begin(iteration, self.settings.selfplay.simulations_in(iteration, of=total))


def value_estimator(state: RunState, *sides: Weights) -> ValueEstimator:
    """What networks together think of positions, without a search."""

    def estimate(positions: Sequence[Any]) -> npt.NDArray[np.floating[Any]]:
        states = state.game.states_of(positions)
        chances = np.mean([state.evaluator(weights)(states)[1] for weights in sides], axis=0)
        values: npt.NDArray[np.floating[Any]] = chances[:, 0] - chances[:, 2]
        return values

    return estimate
