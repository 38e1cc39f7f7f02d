import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from alphadiamond.training.rundir import RunDirectory, RunError


def test_a_state_reads_back(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    run.save_state(3, {"weights": torch.arange(4.0), "count": 7}, keep=3)
    state = run.load_state(run.states()[0])
    assert torch.equal(state["weights"], torch.arange(4.0))
    assert state["count"] == 7


def test_the_newest_three_states_are_kept(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    for iteration in range(6):
        run.save_state(iteration, {}, keep=3)
    assert [path.name for path in run.states()] == ["state-000005.pt", "state-000004.pt", "state-000003.pt"]


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other"])
def test_a_damaged_state_is_named(tmp_path: Path, damage: str) -> None:
    run = RunDirectory(tmp_path)
    run.save_state(1, {"weights": torch.zeros(100)}, keep=3)
    path = run.states()[0]
    data = bytearray(path.read_bytes())
    if damage == "flip":
        data[len(data) // 2] ^= 4
    path.write_bytes({"cut": data[:-10], "flip": data, "empty": b"", "other": b"hello" * 100}[damage])
    with pytest.raises(RunError, match=r"state-000001\.pt: damaged"):
        run.load_state(path)


def test_nothing_in_a_state_is_executed(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self):  # type: ignore[no-untyped-def]
            return os.mkdir, (str(tmp_path / "executed"),)

    run = RunDirectory(tmp_path)
    run.save_state(1, {"evil": Evil()}, keep=3)
    with pytest.raises(RunError, match="not a state of this version"):
        run.load_state(run.states()[0])
    assert not (tmp_path / "executed").exists()


def test_a_directory_in_use_is_refused(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    with run.locked():
        code = (
            "from pathlib import Path; from alphadiamond.training.rundir import *\n"
            f"try:\n  RunDirectory(Path({str(tmp_path)!r})).locked().__enter__()\n"
            "except RunError as error: print(error)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"in use by process {os.getpid()}" in done.stdout
    with run.locked():
        pass


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(RunError, match="cannot be used as a run directory"),
        RunDirectory(tmp_path / "file" / "x").locked(),
    ):
        pass


def test_a_directory_in_which_no_run_began_is_left_as_it_was(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path / "runs" / "new")
    with pytest.raises(ValueError, match="wrong"), run.locked():
        raise ValueError("wrong")
    assert list(tmp_path.iterdir()) == []


def test_samples_no_state_needs_are_removed_with_leftovers(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    run.samples.mkdir()
    for name in ("samples-000001.npz", "samples-000002.npz", ".samples-000003.npz.abc.tmp"):
        (run.samples / name).write_text("")
    run.prune_samples({2})
    assert [path.name for path in run.samples.iterdir()] == ["samples-000002.npz"]
