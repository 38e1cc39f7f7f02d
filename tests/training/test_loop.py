"""The loop: every stage, and that nothing is lost however it ends."""

import ast
import inspect
import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from alphadiamond.network import load_checkpoint
from alphadiamond.training import loop
from alphadiamond.training.loop import Training
from alphadiamond.training.rundir import RunDirectory, RunError, read_metrics
from alphadiamond.training.tags import page
from tests.training.small import same, settings, training

PROMISED = (
    *("loss/total", "loss/policy", "loss/value", "policy/entropy", "policy/divergence"),
    *("learner/gradient_norm", "learner/learning_rate", "learner/skipped"),
    *("speed/games_per_second", "speed/simulations_per_second"),
    *("games/plies", "games/draws", "games/decided", "games/first_move_wins"),
    *("endings/beads", "endings/proof", "endings/repetition", "endings/no_capture"),
    *("replay/window", "replay/age", "gate/score", "gate/low", "gate/high", "gate/passed"),
    *("elo/earlier", "elo/earlier/low", "elo/earlier/high", "score/random", "score/minimax_depth_4"),
    *("elo/minimax_depth_4", "elo/minimax_depth_4/low", "elo/random/high"),
    *("exam/kept", "exam/result", "search/cache_hit_rate"),
)


def untimed(directory: Path) -> list[dict[str, Any]]:
    """The metrics that do not measure time."""
    return [
        {name: value for name, value in line.items() if not name.startswith("speed/")}
        for line in read_metrics(directory / "metrics.jsonl")
    ]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("run")
    training(directory).run()
    return directory


def test_every_promised_curve_is_there(finished: Path) -> None:
    events = EventAccumulator(str(finished)).Reload()
    tags = events.Tags()
    missing = set(PROMISED) - set(tags["scalars"])
    assert not missing
    for tag in tags["scalars"]:
        values = [event.value for event in events.Scalars(tag)]
        assert values
        assert all(abs(value) < float("inf") for value in values), tag
    assert any(tag.startswith("exam/1") for tag in tags["scalars"]), "the exam by phase"
    assert tags["images"] == ["board/policy"]
    assert "custom_scalars__config__" in tags["tensors"]
    curves = page(settings().evaluation.baselines)["AlphaDiamond"].values()
    drawn = {tag for _, names in curves for tag in names if "*" not in tag}
    assert drawn <= set(tags["scalars"]), "the page shows curves that are written"
    last = {name: value for line in read_metrics(finished / "metrics.jsonl") for name, value in line.items()}
    assert set(PROMISED) <= set(last)


def test_a_finished_run_has_a_champion_and_three_states(finished: Path) -> None:
    run = RunDirectory(finished)
    assert [path.name for path in run.states()] == [f"state-{n:06}.pt" for n in (4, 3, 2)]
    checkpoint = load_checkpoint(run.champion)
    assert checkpoint.model.config.width == 3
    needed = set()
    for path in run.states():
        needed |= set(run.load_state(path)["replay"]["digests"])
    assert {int(path.stem.split("-")[1]) for path in run.samples.iterdir()} == needed


class _Killed(BaseException):
    """Stands for whatever ends a process without warning."""


def killed_in(directory: Path, iteration: int, stage: str) -> None:
    """Run until a stage of an iteration, and end there as a kill would: nothing is tidied up."""
    run = training(directory)
    whole = getattr(run, stage)

    def until() -> dict[str, float]:
        if run.state.progress.iteration == iteration:
            raise _Killed
        result: dict[str, float] = whole()
        return result

    setattr(run, stage, until)
    with pytest.raises(_Killed):
        run.run()


@pytest.mark.parametrize(("iteration", "stage"), [(2, "play_games"), (3, "learn"), (1, "hold_gate")])
def test_a_run_that_was_killed_goes_on_bit_for_bit(tmp_path: Path, finished: Path, iteration: int, stage: str) -> None:
    killed_in(tmp_path, iteration, stage)
    resumed = training(tmp_path)
    resumed.run()
    runs = [RunDirectory(directory) for directory in (finished, tmp_path)]
    states = [run.load_state(run.states()[0]) for run in runs]
    for state in states:
        state["progress"].pop("seconds")
        state["crowned"].pop("hours")
    for part in states[0]:
        assert same(states[0][part], states[1][part]), part
    assert untimed(tmp_path) == untimed(finished)
    one, two = (load_checkpoint(run.champion) for run in runs)
    assert same(dict(one.model.state_dict()), dict(two.model.state_dict()))


def test_a_damaged_newest_state_costs_its_iteration(tmp_path: Path, finished: Path) -> None:
    killed_in(tmp_path, 3, "play_games")
    newest = RunDirectory(tmp_path).states()[0]
    newest.write_bytes(newest.read_bytes()[:1000])
    run = training(tmp_path)
    assert run.found is not None
    assert "going on after iteration 2 with everything that is good: state-000003.pt damaged" in run.found.summary(
        run.directory
    )
    run.run()
    assert untimed(tmp_path) == untimed(finished)


def test_curves_are_continuous_over_a_restart(tmp_path: Path) -> None:
    killed_in(tmp_path, 3, "hold_gate")
    training(tmp_path).run()
    lines = [line["iteration"] for line in read_metrics(tmp_path / "metrics.jsonl")]
    assert lines == [1, 2, 3, 4]
    events = EventAccumulator(str(tmp_path)).Reload()
    assert [event.step for event in events.Scalars("loss/policy")] == [1, 2, 3, 4]


def test_a_full_disk_leaves_the_old_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = training(tmp_path)
    save = run.directory.save_state

    def full(iteration: int, state: dict[str, Any], *, keep: int) -> None:
        if iteration == 2:
            raise OSError(28, "No space left on device")
        save(iteration, state, keep=keep)

    monkeypatch.setattr(run.directory, "save_state", full)
    with pytest.raises(OSError, match="No space left"):
        run.run()
    assert RunDirectory(tmp_path).load_state(RunDirectory(tmp_path).states()[0])["progress"]["iteration"] == 1


def test_a_run_can_start_from_a_checkpoint(tmp_path: Path, finished: Path) -> None:
    champion = RunDirectory(finished).champion
    run = training(tmp_path, settings(init=str(champion), iterations=1))
    assert same(dict(run.state.learner.model.state_dict()), dict(load_checkpoint(champion).model.state_dict()))
    other = settings(init=str(champion))
    other.model.width = 5
    with pytest.raises(RunError, match="holds another model"):
        training(tmp_path / "other", other)


def test_a_finished_run_goes_on_when_it_is_given_more_iterations(tmp_path: Path) -> None:
    training(tmp_path, settings(iterations=1)).run()
    run = training(tmp_path, settings(iterations=2))
    run.run()
    assert run.state.progress.iteration == 2


def test_metrics_survive_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text(json.dumps({"iteration": 0, "loss/total": 1.0}) + '\n{"iteration": 1, "lo')
    assert read_metrics(path) == [{"iteration": 0, "loss/total": 1.0}]


def test_the_loop_reads_as_its_stages() -> None:
    methods = [name for name, member in vars(Training).items() if callable(member) and not name.startswith("_")]
    stages = ["play_games", "learn", "hold_gate", "take_exam", "play_baselines"]
    assert methods == ["run", "start_workers", *stages, "finish_iteration"]
    calls = [
        node.func.attr
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(Training.run))))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    assert [name for name in calls if name in stages] == stages


class Clock:
    """Time that passes only where a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


def test_the_time_of_saving_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(loop, "time", clock)
    run = training(tmp_path, settings(iterations=3))
    save, learn = run.directory.save_state, run.learn

    def saving(*arguments: Any, **named: Any) -> None:
        clock.now += 100
        save(*arguments, **named)

    def learning() -> dict[str, float]:
        clock.now += 7
        return learn()

    monkeypatch.setattr(run.directory, "save_state", saving)
    monkeypatch.setattr(run, "learn", learning)
    run.run()
    assert run.state.progress.seconds == 3 * 107
    seconds = [line["speed/iteration_seconds"] for line in read_metrics(tmp_path / "metrics.jsonl")]
    assert seconds == [7, 107, 107], "an iteration has the saving of the one before it"
    newest = run.directory.load_state(run.directory.states()[0])
    assert newest["progress"]["seconds"] == sum(seconds), "a state knows all but the time of its own writing"
