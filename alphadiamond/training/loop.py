"""The training loop: self-play, learning, the gate, evaluation, a state on disk; again."""

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from alphadiamond.arena.exam import Exam, exam_batch
from alphadiamond.arena.openings import Judge
from alphadiamond.games import load
from alphadiamond.network import CheckpointError, Evaluator, Model, build_model, load_checkpoint, save_checkpoint
from alphadiamond.training.cores import shares
from alphadiamond.training.evaluation import BaselineResult, Ladder, play_baselines
from alphadiamond.training.gate import GateResult, hold_gate
from alphadiamond.training.learner import Learner
from alphadiamond.training.plots import board_picture
from alphadiamond.training.recovery import Findings, examine, holds
from alphadiamond.training.replay_buffer import ReplayBuffer
from alphadiamond.training.reports import Reports
from alphadiamond.training.reshard import deal
from alphadiamond.training.rng import generator_state, restore_generator
from alphadiamond.training.rundir import RunDirectory, RunError
from alphadiamond.training.samples import LEFT, Samples
from alphadiamond.training.settings import TrainSettings, changes
from alphadiamond.training.stop_flag import StopFlag
from alphadiamond.training.tags import tag_of
from alphadiamond.training.worker import Weights, WorkerResult, weights_of
from alphadiamond.training.workers import Workers


@dataclass
class Progress:
    """What has been done so far, over all sessions of a run."""

    iteration: int = 0
    """Iterations done."""
    games: int = 0
    simulations: float = 0.0
    seconds: float = 0.0
    promotions: int = 0
    gates: int = 0


@dataclass
class Observer:
    """Told what happens; the display of a script."""

    going_on: Callable[[int], None] = lambda iteration: None
    iteration_done: Callable[[int, dict[str, float]], None] = lambda iteration, metrics: None
    stage: Callable[[str], None] = lambda name: None
    say: Callable[[str], None] = lambda text: None


class Training:
    """A run: everything it consists of, and the loop over its stages."""

    def __init__(
        self,
        settings: TrainSettings,
        directory: RunDirectory,
        workers: Workers,
        *,
        found: Findings | None = None,
        stopping: StopFlag | None = None,
        observer: Observer | None = None,
    ) -> None:
        """`found`: what the directory was found to hold, if somebody has looked already."""
        self.settings = settings
        self.game = load(settings.game)
        self.found = found or examine(directory)
        self.directory = directory
        self.workers = workers
        self.stopping = stopping or StopFlag()
        self.observer = observer or Observer()
        self.model_config = settings.model
        self.rng = np.random.default_rng(settings.seed)
        self.progress = Progress()
        self.replay = ReplayBuffer(settings.replay)
        self.results: list[BaselineResult] = []
        self.ladder = Ladder(game=self.game)
        moves = settings.iterations * settings.selfplay.games * settings.selfplay.rounds
        steps = int(moves * settings.learner.reuse / settings.learner.batch)
        device = torch.device(settings.device)
        self.learner = Learner(self._first_model(), settings.learner, device=device, total_steps=steps)
        self.champion: Weights = weights_of(self.learner.averaged)
        self.playing: Weights = self.champion
        self._worker_states: list[dict[str, npt.NDArray[Any]]] = [{} for _ in range(workers.count)]
        self._crowned: dict[str, Any] = {}  # what the champion's file says of it
        self._windows: dict[int, set[int]] = {}  # which iterations' samples each kept state needs
        self._fresh = 0  # samples of this iteration
        self._changed: dict[str, list[Any]] = {}  # settings that differ from those the run had so far
        self._told = False  # whether config.json has the settings as they are

    def run(self) -> None:
        """From wherever the run directory's newest good state stands to the last iteration."""
        self.learner.model.learn_with(self.settings.split().threads)
        self._begin() if self.found is None else self._restore(self.found)
        legacy = self.found is not None and self.found.legacy
        self.reports = Reports(self.directory, self.settings, iteration=self.progress.iteration, legacy=legacy)
        self.reports.changed(self.progress.iteration + 1, self._changed)
        self.observer.going_on(self.progress.iteration)
        try:
            self._start_workers()
            while self.progress.iteration < self.settings.iterations:
                started = time.monotonic()
                metrics: dict[str, float] = {}
                metrics |= self.play_games()
                metrics |= self.learn()
                metrics |= self.hold_gate()
                metrics |= self.take_exam()
                metrics |= self.play_baselines()
                self.progress.iteration += 1
                self.progress.seconds += time.monotonic() - started
                self.report(metrics, time.monotonic() - started)
                self.save()
        finally:
            self.workers.stop()
            self.reports.close()

    @property
    def number(self) -> int:
        """The iteration under way, counted from 1."""
        return self.progress.iteration + 1

    # The stages, in order

    def play_games(self) -> dict[str, float]:
        """What the workers have played goes into the replay window; with the newest weights they begin the next games,
        while this process learns."""
        self.observer.stage("self-play")
        started = time.monotonic()
        collected = self.workers.collect()
        waited = time.monotonic() - started
        latest = self.settings.selfplay_weights == "latest"
        self.playing = weights_of(self.learner.averaged) if latest else self.champion
        if self.number < self.settings.iterations:
            self._begin_games(self.number + 1)
        self._worker_states = self.workers.states()
        harvests = [harvest for harvest in collected if harvest is not None]
        parts = [harvest.samples for harvest in harvests if harvest.samples is not None]
        self._fresh = sum(len(part) for part in parts)
        if parts:
            self.replay.add(self.number, Samples.join(parts))
            self.replay.begin_save(self.directory.samples)
        return self._game_metrics(harvests) | {"speed/waiting_seconds": waited} | self.workers.measures()

    def learn(self) -> dict[str, float]:
        """As many steps as the new samples are worth."""
        if not len(self.replay):
            return {}
        self.observer.stage("learning")
        started = time.monotonic()
        settings = self.settings.learner
        steps = max(1, round(self._fresh * settings.reuse / settings.batch))
        measures = self.learner.learn(self.replay, steps, self.rng, stopping=self.stopping)
        names = {"loss": "loss/total", "policy_entropy": "policy/entropy", "divergence": "policy/divergence"}
        renamed = {names.get(name, name.replace("loss_", "loss/", 1)): value for name, value in measures.items()}
        renamed = {name if "/" in name else f"learner/{name}": value for name, value in renamed.items()}
        return {
            **renamed,
            "learner/steps": self.learner.step_count,
            "learner/skipped": self.learner.skipped,
            "replay/window": len(self.replay),
            "replay/age": self.replay.age(self.number),
            "speed/learning_seconds": time.monotonic() - started,
        }

    def hold_gate(self) -> dict[str, float]:
        """The candidate against the champion, every so many iterations."""
        if not self._due(self.settings.gate.every):
            return {}
        self.observer.stage("gate")
        started = time.monotonic()
        candidate = weights_of(self.learner.averaged)
        judge = self._judge(candidate, self.champion)
        sides = (self.workers, candidate, self.champion)
        result = hold_gate(*sides, self.settings.gate, self._measuring(), game=self.game, judge=judge)
        self.progress.gates += 1
        if result.passed:
            self.progress.promotions += 1
            self._crown(candidate)
        return _gate_metrics(result, self.progress) | {"speed/gate_seconds": time.monotonic() - started}

    def take_exam(self) -> dict[str, float]:
        """The bare policy of the champion on positions whose answers are known."""
        if self.game.exam is None or not self._due(self.settings.evaluation.exam_every):
            return {}
        self.observer.stage("exam")
        exam = Exam.load(game=self.game)
        policy, wdl = self._evaluator(self.champion)(exam.states)
        result = exam_batch(policy.argmax(axis=1), wdl, exam=exam)
        metrics = {"exam/kept": result.kept.value}
        metrics |= {f"exam/{phase}": share.value for phase, share in result.by_phase.items()}
        metrics |= {f"exam/{stake}": share.value for stake, share in result.by_stake.items()}
        if result.result_right is not None:
            metrics["exam/result"] = result.result_right.value
        return {name.replace(" ", "_"): value for name, value in metrics.items()}

    def play_baselines(self) -> dict[str, float]:
        """The champion against the classical players, and a picture of what it thinks."""
        if not self._due(self.settings.evaluation.every):
            return {}
        self.observer.stage("evaluation")
        started = time.monotonic()
        sides = (self.workers, self.champion)
        self.results = play_baselines(*sides, self.settings.evaluation, self._measuring(), game=self.game)
        self._picture()
        metrics: dict[str, float] = {}
        for result in self.results:
            tag = tag_of(result.baseline)
            metrics[f"score/{tag}"] = result.score
            metrics |= dict(zip((f"elo/{tag}", f"elo/{tag}/low", f"elo/{tag}/high"), result.elo, strict=True))
        metrics |= self.ladder.climb(
            self.number,
            weights_of(self.learner.averaged),
            self._earlier,
            self.workers,
            self.settings.evaluation,
            self._measuring(),
        )
        return metrics | {"speed/evaluation_seconds": time.monotonic() - started}

    def report(self, metrics: dict[str, float], seconds: float) -> None:
        metrics |= {"speed/iteration_seconds": seconds, "progress/games": self.progress.games}
        self.reports.write(self.progress.iteration, metrics)
        self.observer.iteration_done(self.progress.iteration, metrics)

    def save(self) -> None:
        """Everything the next iteration depends on."""
        iteration, keep = self.progress.iteration, self.settings.keep
        due = iteration % self.settings.snapshot_every == 0 or iteration == self.settings.iterations
        if iteration and (due or iteration in self.ladder.rated):
            self._snapshot(iteration)
        digests = self.replay.save(self.directory.samples)
        config = asdict(self.settings)
        state = {
            "config": json.dumps(config),
            "progress": asdict(self.progress),
            "learner": self.learner.state(),
            "champion": _as_tensors(self.champion),
            "crowned": self._crowned,
            "playing": _as_tensors(self.playing),
            "generator": torch.from_numpy(generator_state(self.rng)),
            "workers": [_as_tensors(worker) for worker in self._worker_states],
            "replay": {"digests": digests, "made": self.replay.made},
            "ladder": self.ladder.state(),
        }
        self.directory.save_state(iteration, state, keep=keep)
        if not self._told or not self.directory.config.exists():
            self.directory.write_config(config)
            self._told, self._changed = True, {}
        self._windows[iteration] = set(digests)
        self._windows = {number: self._windows[number] for number in sorted(self._windows)[-keep:]}
        self.directory.prune_samples(set().union(*self._windows.values()))

    # Beginning, and going on

    def _begin(self) -> None:
        """A new run: its first state comes first, so that from then on there is a run to go on with."""
        self._crowned = self._origin(0)
        self.save()
        self._snapshot(0)
        self._write_champion()

    def _restore(self, found: Findings) -> None:
        """Go on with what was found, and only then set aside what is damaged."""
        state = found.state
        try:
            self.progress = Progress(**state["progress"])
            self.learner.restore(state["learner"])
            self.champion = _as_arrays(state["champion"])
            self.playing = _as_arrays(state["playing"])
            restore_generator(self.rng, state["generator"].numpy())
            counts = shares(self.settings.selfplay.games, self.workers.count)
            self._worker_states = deal([_as_arrays(worker) for worker in state["workers"]], counts)
            self.ladder = Ladder(state.get("ladder"), game=self.game)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise RunError(f"{self.directory.path}: its newest state does not fit these settings ({reason})") from None
        self._crowned = state.get("crowned") or self._origin(self.progress.iteration)
        self.replay = found.replay
        self.replay.settings = self.settings.replay
        self._windows = dict(found.windows)
        self._changed = changes(found.config or {}, asdict(self.settings))
        self._told = found.config == asdict(self.settings) and not found.upgraded
        found.put_right(self.directory)
        if not self.progress.iteration:
            self._snapshot(0)
        if not self.directory.champion.exists():
            self._write_champion()
        if not self.directory.config.exists():
            self.directory.write_config(found.config or asdict(self.settings))

    def _first_model(self) -> Model:
        if not self.settings.init or self.found is not None:
            return build_model(self.model_config, self.game, seed=self.settings.seed)
        model = load_checkpoint(Path(self.settings.init), game=self.game).model
        if model.config != self.model_config:
            raise RunError(f"{self.settings.init} holds another model, {model.config}: set model to the same")
        return model

    def _start_workers(self) -> None:
        self.workers.start([state or None for state in self._worker_states])
        if self.progress.iteration < self.settings.iterations:
            self._begin_games(self.number)

    def _begin_games(self, iteration: int) -> None:
        self.workers.update(self.playing)
        total = self.settings.iterations
        self.workers.begin(iteration, self.settings.selfplay.simulations_in(iteration, of=total))

    # Small things

    def _due(self, every: int) -> bool:
        """Whether a stage comes up in this iteration; the last iteration has them all."""
        return bool(len(self.replay)) and (self.number % every == 0 or self.number == self.settings.iterations)

    def _measuring(self) -> np.random.Generator:
        """Random numbers for what is only measured: how often that is done changes nothing of what is learnt."""
        return np.random.default_rng([self.settings.seed, self.number])

    def _crown(self, weights: Weights) -> None:
        self.champion = weights
        self._crowned = self._origin(self.number)
        self._write_champion()

    def _write_champion(self) -> None:
        model = self._model_of(self.champion)
        save_checkpoint(self.directory.champion, model, step=int(self._crowned["step"]), extra=self._crowned)

    def _origin(self, iteration: int) -> dict[str, Any]:
        """Where weights come from, as a checkpoint says it."""
        progress, settings = self.progress, self.settings
        return {
            "profile": settings.profile,
            "seed": settings.seed,
            "iteration": iteration,
            "games": progress.games,
            "hours": round(progress.seconds / 3600, 3),
            "step": self.learner.step_count,
        }

    def _snapshot(self, iteration: int) -> None:
        """Keep what plays now, for ever; something else by that name is set aside first."""
        path = self.directory.snapshot(iteration)
        model = self._model_of(weights_of(self.learner.averaged))
        if path.exists() and not holds(path, model.state_dict()):
            self.directory.set_aside(path)
        if not path.exists():
            save_checkpoint(path, model, step=self.learner.step_count, extra=self._origin(iteration))

    def _earlier(self, iteration: int) -> Weights | None:
        """The weights of a snapshot, or None if it cannot be read."""
        try:
            return weights_of(load_checkpoint(self.directory.snapshot(iteration), game=self.game).model)
        except CheckpointError:
            return None

    def _model_of(self, weights: Weights) -> Model:
        model = build_model(self.model_config, self.game, seed=0)
        model.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        return model

    def _evaluator(self, weights: Weights) -> Evaluator:
        return Evaluator(self._model_of(weights), device=self.settings.device)

    def _judge(self, *sides: Weights) -> Judge:
        """What networks together think of positions, without a search."""

        def judge(positions: Sequence[Any]) -> npt.NDArray[np.floating[Any]]:
            states = self.game.states_of(positions)
            chances = np.mean([self._evaluator(weights)(states)[1] for weights in sides], axis=0)
            opinion: npt.NDArray[np.floating[Any]] = chances[:, 0] - chances[:, 2]
            return opinion

        return judge

    def _picture(self) -> None:
        game = self.game
        position = game.parse(game.pictured) if game.pictured else game.sample_start()
        policy, _ = self._evaluator(self.champion)(game.states_of([position]))
        self.reports.picture(self.number, "board/policy", board_picture(game, position, policy[0]))

    def _game_metrics(self, harvests: list[WorkerResult]) -> dict[str, float]:
        seconds = max((harvest.measures["seconds"] for harvest in harvests), default=math.inf)
        games = [summary for harvest in harvests for summary in harvest.summaries]
        totals: Counter[str] = Counter()
        for harvest in harvests:
            totals.update(harvest.measures)  # type: ignore[arg-type]
        self.progress.games += len(games)
        self.progress.simulations += totals["simulations"]
        metrics = {
            "speed/simulations_per_second": totals["simulations"] / seconds,
            "speed/games_per_second": len(games) / seconds,
            "speed/selfplay_seconds": sum(harvest.measures["seconds"] for harvest in harvests) / max(1, len(harvests)),
            "search/cache_hit_rate": totals["cache_hits"] / max(1, totals["evaluations"]),
            "replay/samples": self._fresh,
        }
        if not games:
            return metrics
        count = len(games)
        endings = Counter(game.reason for game in games)
        opened = [game for game in games if game.from_start] or games
        possible = ("proof", *((LEFT,) if self.settings.selfplay.leave else ()), *self.game.endings)
        return metrics | {
            "games/played": count,
            "games/plies": sum(game.plies for game in games) / count,
            "games/draws": sum(game.winner == 0 for game in games) / count,
            "games/decided": sum(game.winner != 0 for game in games) / count,
            "games/first_move_wins": sum(game.winner == 1 for game in opened) / len(opened),
            **{f"endings/{reason.replace(' ', '_')}": endings[reason] / count for reason in possible},
        }


def _gate_metrics(result: GateResult, progress: Progress) -> dict[str, float]:
    return {
        "gate/score": result.score,
        "gate/low": result.interval[0],
        "gate/high": result.interval[1],
        "gate/pairs": result.pairs,
        "gate/passed": float(result.passed),
        "gate/promotions": progress.promotions,
    }


def _as_arrays(state: dict[str, torch.Tensor]) -> dict[str, npt.NDArray[Any]]:
    return {name: tensor.numpy() for name, tensor in state.items()}


def _as_tensors(state: dict[str, npt.NDArray[Any]]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in state.items()}
