"""One sitting of a training run: what the person at the terminal sees of it, and how it stops."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from alphadiamond.base.compilation import announce_compilation
from alphadiamond.base.processes import KILL
from alphadiamond.console import count_of, duration
from alphadiamond.games import argument_of, check_once, load
from alphadiamond.resources import CONFIGS, champion_of
from alphadiamond.settings import check
from alphadiamond.settings.games import DEFAULT_GAME
from alphadiamond.training.display import make_display
from alphadiamond.training.engines import Team, make_workers
from alphadiamond.training.learner import LearningError
from alphadiamond.training.loop import Training
from alphadiamond.training.placement import place
from alphadiamond.training.plots import write_curves
from alphadiamond.training.recovery import Findings, examine
from alphadiamond.training.resume import settings_given, settings_in_force
from alphadiamond.training.rundir import RunDirectory, RunError, read_metrics
from alphadiamond.training.settings import TrainSettings
from alphadiamond.training.stop_flag import StopFlag, Stopped
from alphadiamond.training.worker import WorkerJob
from alphadiamond.training.workers import compile_for


def train(settings: TrainSettings) -> None:
    """Begin a run, or go on with the one that its directory holds, to its last iteration."""
    check(settings)
    settings.game = load(settings.game).name  # it may have been given by its place
    directory = RunDirectory(settings.directory)
    if settings.resume and not directory.holds_a_run():
        raise RunError(f"{directory.path}: there is no run to resume")
    announce_compilation()
    check_once(load(settings.game))  # before anything is written
    with directory.locked():
        found = examine(directory)
        settings = settings_in_force(settings, found, directory, given=settings_given())
        check(settings)  # once more, since some are the run's own
        stopping = StopFlag()
        game = load(settings.game)
        check_once(game)  # of a run that is gone on with
        settings.placement = placed = place(settings)
        job = WorkerJob(settings.model, settings.selfplay, settings.seed, placed.selfplay, settings.cache, game)
        with ExitStack() as stack:
            display = stack.enter_context(make_display(settings))
            workers = make_workers(settings, job, stopping=stopping, say=display.say)
            stack.callback(workers.stop)
            stack.enter_context(_signals(stopping, workers))
            training = Training(settings, directory, workers, found=found, stopping=stopping, handlers=[display])
            _greet(settings, directory, found, workers.count)
            compile_for(job)
            try:
                training.run()
            except Stopped:
                display.say(_stopped(directory, training))
                sys.exit(stopping.exit_code)
            except LearningError as error:
                raise LearningError(f"{error}; {_dump(directory, training)}") from None
            except OSError as error:
                raise RunError(f"{directory.path}: {error.strerror or error}; the last saved state is intact") from None
    _farewell(settings, directory, training)


def _greet(settings: TrainSettings, directory: RunDirectory, found: Findings | None, workers: int) -> None:
    done = found.iteration if found is not None else 0
    left = max(0, settings.iterations - done)
    each = found.state["progress"]["seconds"] / done if found is not None and done else settings.iteration_seconds
    print(f"run:         {directory.path}" + (f" (going on after iteration {done})" if found is not None else ""))
    print(f"game:        {load(settings.game).title}")
    print(f"profile:     {settings.profile}, {count_of(settings.iterations, 'iteration')}, seed {settings.seed}")
    learner = f", learner with {settings.split().threads} threads" if settings.split().threads > 1 else ""
    where = f" on Ray ({settings.ray.address})" if settings.engine == "ray" else ""
    placed = settings.placed()
    apart = "" if placed.learner == placed.selfplay else f" learns, {placed.selfplay} plays"
    print(f"device:      {placed.learner}{apart}, {count_of(workers, 'worker')}{where}{learner}")
    if placed.reason:
        print(f"             {placed.reason}")
    print(f"watch it:    {_command('tensorboard', f'--logdir {directory.path}')}")
    what = f"{duration(left * each)} for {count_of(left, 'iteration')}" if left else "no time: the run is complete"
    print(f"takes about: {what}", flush=True)
    if found is not None and (lost := found.summary(directory)):
        print(lost, flush=True)


@contextmanager
def _signals(stopping: StopFlag, workers: Team) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM asks the run to stop, the second ends it: files are whole at any moment."""

    def handle(number: int, frame: FrameType | None) -> None:
        if stopping.is_set():
            for pid in workers.pids:
                os.kill(pid, KILL)
            os._exit(128 + number)
        stopping.exit_code = 128 + number
        stopping.set()
        print("stopping; once more to stop at once", file=sys.stderr, flush=True)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stopped(directory: RunDirectory, training: Training) -> str:
    done = count_of(training.state.progress.iteration, "iteration")
    return f"stopped after {done}; {directory.states()[0].name} is on disk, and resume={directory.path} goes on"


def _dump(directory: RunDirectory, training: Training) -> str:
    path = directory.path / f"diverged-{int(time.time())}.pt"
    import torch

    torch.save(training.state.learner.state(), path)
    return f"the weights are in {path}, and the last good state is {directory.states()[0].name}"


def _farewell(settings: TrainSettings, directory: RunDirectory, training: Training) -> None:
    metrics = read_metrics(directory.metrics)
    last = {key: value for line in metrics for key, value in line.items() if value is not None}
    progress = training.state.progress
    passed = f"{progress.promotions} of {progress.gates} candidates passed the gate"
    print(f"\ndone: {progress.games:,} games in {duration(progress.seconds)}, {passed}")
    if "exam/kept" in last:
        print(f"exam: the bare policy keeps the value in {100 * last['exam/kept']:.1f} % of positions")
    if training.state.results:
        print(f"\n{'against':<24}{'score':>8}   95 % interval")
        for result in training.state.results:
            low, high = result.interval
            print(f"{result.baseline:<24}{result.score:>8.3f}   {low:.3f} to {high:.3f}  ({2 * result.pairs} games)")
    if settings.plot:
        write_curves(metrics, directory.path / "curves.png")
        print(f"\ncurves:    {directory.path / 'curves.png'}")
    print(_next_steps(settings, directory))


def _next_steps(settings: TrainSettings, directory: RunDirectory) -> str:
    """What to do with a finished run; commands name the game where they would take another for meant."""
    run = directory.path
    game = "" if settings.game == DEFAULT_GAME else f"game={argument_of(settings.game)} "
    others = ["minimax:depth=4"] + ["neural"] * champion_of(load(settings.game)).exists()
    named = f" {game}".rstrip() if argument_of(settings.game) != settings.game else ""
    return f"""
next steps
  play it      {_command("play", f"{game}{load(settings.game).sides[1]}=neural:checkpoint={run}")}
  evaluate it  {_command("evaluate", f"{game}player=neural:checkpoint={run} baselines={','.join(others)}")}
  look at it   alphadiamond show {run}{named}
  rate it      alphadiamond rate {game}runs={run}
  go on        {_command("train", f"{game}resume={run} iterations={2 * settings.iterations}")}"""


def _command(name: str, arguments: str) -> str:
    """What to type in this directory: in a clone, `make` finds the environment."""
    if (CONFIGS.parent / "Makefile").is_file() and CONFIGS.parent == Path.cwd():
        return f'make {name} ARGS="{arguments}"'
    return f"{name} {arguments}" if name == "tensorboard" else f"alphadiamond {name} {arguments}"
