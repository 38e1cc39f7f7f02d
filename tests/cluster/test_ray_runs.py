"""Whole runs with engine=ray, as a person starts them: the same as with processes, and whatever is killed, not lost."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="pip install '.[ray]'")

from alphadiamond.training.rundir import RunDirectory
from tests.cluster.clusters import running
from tests.training.small import same

ROOT = Path(__file__).parents[2]
SMOKE = ("profile=smoke", "iterations=4", "workers=2", "plot=false", "evaluation.every=100", "gate.every=2")

pytestmark = pytest.mark.slow


def begin(*arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "scripts/train.py", *SMOKE, *arguments]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def train(*arguments: str) -> tuple[int, str, str]:
    process = begin(*arguments)
    out, err = process.communicate(timeout=900)
    return process.returncode, out, err


def state_of(run: Path) -> dict[str, Any]:
    """Everything a run depends on, but for how long it took."""
    state = RunDirectory(run).load_state(RunDirectory(run).states()[0])
    state["progress"].pop("seconds")
    state["crowned"] = {}
    return {name: part for name, part in state.items() if name != "config"}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    run = tmp_path_factory.mktemp("runs") / "processes"
    code, _, err = train(f"run={run}", "engine=processes")
    assert code == 0, err
    return state_of(run)


def test_a_run_on_ray_is_the_same_as_with_processes(tmp_path: Path, expected: dict[str, Any]) -> None:
    code, out, err = train(f"run={tmp_path / 'run'}", "engine=ray")
    assert code == 0, err
    assert "2 workers on Ray (local)" in out
    assert same(state_of(tmp_path / "run"), expected)
    text = (tmp_path / "run" / "metrics.jsonl").read_text()
    for tag in ("cluster/workers", "cluster/speed/", "cluster/sample_age", "cluster/lost_workers"):
        assert tag in text


def test_a_driver_that_is_killed_is_gone_on_with_and_nothing_is_recorded_twice(
    tmp_path: Path, expected: dict[str, Any]
) -> None:
    run = tmp_path / "run"
    with running(head_cpus=1, nodes=1) as cluster:
        address = f"ray.address={cluster.address}"
        process = begin(f"run={run}", "engine=ray", address, "learner.threads=1")
        while not list(run.glob("state-*2.pt")) and process.poll() is None:
            time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        code, out, err = train(f"resume={run}", address)
        assert code == 0, err
        assert "going on after iteration" in out
    found = state_of(run)
    assert same(found, expected), "a kill and going on are as if nothing had been"
    token = os.environ.get("RAY_AUTH_TOKEN", "")
    assert token
    for path in run.rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes()


def test_when_the_head_is_killed_a_run_stops_with_one_line_and_can_go_on(
    tmp_path: Path, expected: dict[str, Any]
) -> None:
    run = tmp_path / "run"
    with running(head_cpus=2) as cluster:
        process = begin(f"run={run}", "engine=ray", f"ray.address={cluster.address}", "learner.threads=1")
        while not list(run.glob("state-*1.pt")) and process.poll() is None:
            time.sleep(0.1)
        cluster.kill_head()
        _, err = process.communicate(timeout=300)
        assert process.returncode == 2
        (line,) = [line for line in err.splitlines() if line.strip()]
        assert f"the Ray cluster at {cluster.address} is gone" in line
    code, _, err = train(f"resume={run}", "engine=processes")
    assert code == 0, err
    assert same(state_of(run), expected)
