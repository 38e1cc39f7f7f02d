"""Training as a person runs it: real processes, real signals."""

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from alphadiamond.training.rundir import RunDirectory
from tests.commands import Started, answers, finished

SMALL = (
    *("profile=smoke", "workers=1", "model.width=3", "model.blocks=1", "selfplay.games=8", "selfplay.rounds=24"),
    *(
        "evaluation.baselines=[random]",
        "evaluation.pairs=1",
        "evaluation.earlier_pairs=1",
        "gate.max_pairs=2",
        "gate.batch=2",
    ),
)


def start(directory: Path, *arguments: str) -> Started:
    return Started("train.py", *SMALL, f"run={directory}", *arguments)


def wait_for(path: Path, process: Started) -> None:
    while not path.exists():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.05)


def finish(process: Started) -> tuple[str, str]:
    return process.communicate(timeout=300)


def test_a_smoke_run_is_stopped_by_sigterm_refused_meanwhile_and_goes_on(tmp_path: Path) -> None:
    process = start(tmp_path, "iterations=1000000")
    wait_for(tmp_path / "state-000001.pt", process)
    process.send_signal(signal.SIGSTOP)  # what it would do meanwhile is tried elsewhere, and takes both cores
    second = finished("train.py", *SMALL, f"run={tmp_path}", "iterations=1000000")
    process.send_signal(signal.SIGCONT)
    assert second.returncode == 2
    assert f"in use by process {process.pid}" in second.stderr
    process.send_signal(signal.SIGTERM)
    output, _ = finish(process)
    assert process.returncode == 128 + signal.SIGTERM
    assert f"is on disk, and resume={tmp_path} goes on" in output
    done = int(RunDirectory(tmp_path).states()[0].stem.split("-")[1])

    other = finished("train.py", *SMALL, f"run={tmp_path}", "seed=5")
    assert "was started with seed=1, not 5" in other.stderr

    changed = (f"iterations={done + 1}", "learner.learning_rate=0.001", "init=nowhere")
    more = finished("train.py", f"resume={tmp_path}", *changed)
    output = more.stdout
    assert more.returncode == 0, more.stderr
    assert f"going on after iteration {done}" in output
    assert "for 1 iteration\n" in output, "what is left is counted"
    assert f"neural:checkpoint={tmp_path}" in output
    assert "exam: the bare policy keeps the value in" in output
    assert (tmp_path / "curves.png").exists()
    lines = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert [line["iteration"] for line in lines] == list(range(1, done + 2))
    assert lines[-1]["changed"]["learner.learning_rate"] == [0.002, 0.001], "changes are noted"
    assert json.loads((tmp_path / "config.json").read_text())["selfplay"]["games"] == 8, "the rest is as it was"

    twin = tmp_path.with_name(f"{tmp_path.name}-twin")
    shutil.copytree(tmp_path, twin)
    runs = f"runs=[{tmp_path},{twin}]"
    compared = finished("compare_runs.py", runs, "simulations=2", "pairs=3", f"output={tmp_path}/runs.json")
    assert compared.returncode == 0, compared.stderr
    match = json.loads((tmp_path / "runs.json").read_text())["matches"][0]
    assert match["score"] == 0.5, "a run is as strong as itself"


@pytest.mark.slow
def test_a_second_interrupt_stops_at_once_and_harms_nothing(tmp_path: Path) -> None:
    process = start(tmp_path, "iterations=1000000")
    wait_for(tmp_path / "state-000001.pt", process)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    finish(process)
    run = RunDirectory(tmp_path)
    for path in run.states():
        run.load_state(path)
    process = start(tmp_path, "iterations=1")
    assert finish(process)[1] == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_kill_at_any_moment_loses_at_most_one_iteration(tmp_path: Path, seed: int) -> None:
    process = start(tmp_path, "iterations=1000000")
    wait_for(tmp_path / "state-000001.pt", process)
    time.sleep(0.37 * seed)
    before = int(RunDirectory(tmp_path).states()[0].stem.split("-")[1])
    os.kill(process.pid, signal.SIGKILL)
    finish(process)
    run = RunDirectory(tmp_path)
    for path in run.states():
        run.load_state(path)
    saved = int(run.states()[0].stem.split("-")[1])
    assert saved >= before
    process = start(tmp_path, f"iterations={saved + 1}")
    output, errors = finish(process)
    assert process.returncode == 0, errors
    assert f"going on after iteration {saved}" in output


@pytest.mark.slow
def test_ten_iterations_equal_five_a_kill_and_five_more(tmp_path: Path) -> None:
    import torch

    straight, broken = tmp_path / "straight", tmp_path / "broken"
    finish(start(straight, "iterations=10", "gate.every=3", "evaluation.every=4"))
    process = start(broken, "iterations=10", "gate.every=3", "evaluation.every=4")
    wait_for(broken / "state-000005.pt", process)
    os.kill(process.pid, signal.SIGKILL)
    finish(process)
    finish(start(broken, "iterations=10", "gate.every=3", "evaluation.every=4"))
    one, two = (run.load_state(run.states()[0]) for run in (RunDirectory(straight), RunDirectory(broken)))
    assert one["progress"]["iteration"] == two["progress"]["iteration"] == 10
    for name, tensor in one["learner"]["model"].items():
        assert torch.equal(tensor, two["learner"]["model"][name]), name
    assert one["replay"] == two["replay"]
    metrics = []
    for directory in (straight, broken):
        lines = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
        metrics.append([{k: v for k, v in line.items() if not k.startswith("speed/")} for line in lines])
    assert metrics[0] == metrics[1]


WRONG = {
    "selfplay.simulation=3": "no setting is called 'selfplay.simulation'; did you mean 'selfplay.simulations'?",
    "model.kind=transformer": "model.kind=transformer: expected orbit, graph, mlp or conv",
    "selfplay_weights=best": "selfplay_weights=best: expected latest or champion",
    "resume=nowhere": "resume=nowhere: no directory is there",
    "iterations=0": "iterations=0: expected 1 to 1,000,000,000",
}


def test_wrong_settings_stop_the_run_at_once(tmp_path: Path) -> None:
    found = answers("train.py", [(*SMALL, f"run={tmp_path / 'run'}", argument) for argument in WRONG])
    for (code, output, errors), message in zip(found, WRONG.values(), strict=True):
        assert code == 2
        assert message in errors
        assert len(errors.strip().splitlines()) == 1
        assert output == ""
        assert not (tmp_path / "run").exists()
