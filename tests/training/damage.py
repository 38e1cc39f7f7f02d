"""A run directory damaged at random, and what must be true of it after the run has gone on."""

import dataclasses
import json
from pathlib import Path

import numpy as np

from alphadiamond.search import SearchSettings
from alphadiamond.training.loop import Training
from alphadiamond.training.replay_buffer import ReplaySettings
from alphadiamond.training.rundir import RunDirectory, RunError
from alphadiamond.training.selfplay import SelfPlaySettings
from alphadiamond.training.settings import EvaluationSettings, GateSettings, TrainSettings
from tests.training.small import SELFPLAY, settings, training

KINDS = ("flip", "cut", "empty", "delete", "exchange", "replace")
DONE = 6
"""Iterations of the run that is damaged."""
KEEP = 3

Files = dict[str, bytes]
"""The files of a run directory by their relative name."""


def tiny(iterations: int) -> TrainSettings:
    """Iterations of a tenth of a second, with gates and snapshots."""
    made = settings(iterations=iterations, keep=KEEP, snapshot_every=2)
    search = SearchSettings(method="gumbel", considered=2)
    made.selfplay = SelfPlaySettings(games=8, rounds=36, simulations=2, random_starts=1.0, search=search)
    assert isinstance(made.gate, GateSettings)
    made.gate = dataclasses.replace(made.gate, every=3, max_pairs=2, batch=2)
    made.gate.pit = dataclasses.replace(made.gate.pit, simulations=2, search=SELFPLAY.search)
    made.replay = ReplaySettings(smallest=5000)
    made.evaluation = EvaluationSettings(every=1000, exam_every=1000, pairs=1, baselines=[], earlier=0)
    return made


def files_of(directory: Path) -> Files:
    names = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in names}


def damage(directory: Path, rng: np.random.Generator) -> list[str]:
    """One to four damages to files of the run; what was done, in words."""
    done = []
    for _ in range(int(rng.integers(1, 5))):
        names = sorted(files_of(directory))
        if not names:
            break
        groups = sorted({_group(name) for name in names})
        group = groups[int(rng.integers(len(groups)))]  # so that one config counts as much as ten files of samples
        alike = [name for name in names if _group(name) == group]
        name = alike[int(rng.integers(len(alike)))]
        kind = KINDS[int(rng.integers(len(KINDS)))]
        _damage_one(directory, name, alike, kind, rng)
        done.append(f"{kind} {name}")
    return done


def _group(name: str) -> str:
    return name.split("-")[0].split(".")[0]


def _damage_one(directory: Path, name: str, alike: list[str], kind: str, rng: np.random.Generator) -> None:
    path, other = directory / name, directory / alike[int(rng.integers(len(alike)))]
    data = path.read_bytes()
    if kind == "delete":
        path.unlink()
    elif kind == "empty" or not data:
        path.write_bytes(b"")
    elif kind == "cut":
        path.write_bytes(data[: int(rng.integers(len(data)))])
    elif kind == "flip":
        changed = bytearray(data)
        changed[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
    elif kind == "exchange":
        path.write_bytes(other.read_bytes())
        other.write_bytes(data)
    else:
        path.write_bytes(other.read_bytes())


def go_on(directory: Path, good: Files) -> str:
    """Let the run make one more iteration, check every promise, and say what became of it.

    `good` is what the directory held before it was damaged.
    """
    before = files_of(directory)
    states = {good[name]: int(name[6:12]) for name in good if name.startswith("state-")}
    readable = [states[data] for name, data in before.items() if name.startswith("state-") and data in states]
    newest = max(readable, default=None)
    run: Training | None = None
    said: list[str] = []
    try:
        run = training(directory, tiny(DONE + 1))
        assert run.found is not None, "a directory that holds a run is never taken for a new one"
        said.append(run.found.summary(run.directory))
        run.run()
    except RunError as error:
        said.append(str(error))
        stopped = True
    else:
        stopped = False
    assert not any("\n" in text for text in said), "more than one line"
    if stopped:
        assert newest is None, f"a good state was not used: {said[-1]}"
        assert files_of(directory) == before, "stopped, and something was changed"
        return "stopped"
    assert run is not None
    assert run.found is not None
    assert newest is not None
    assert run.found.iteration == newest, "shorter than its newest good state"
    assert run.state.progress.iteration == DONE + 1
    after = files_of(directory)
    for name, data in before.items():
        _check_kept(name, data, good.get(name) == data, newest, run, after)
    _check_usable(run, said[0], before, good)
    return "went on" if said[0] else "went on as if nothing had happened"


def _check_kept(name: str, data: bytes, good: bool, newest: int, run: Training, after: Files) -> None:
    """What was there is there, or has been superseded by right."""
    if after.get(name) == data or data in [after[other] for other in after if other.startswith("aside/")] or not data:
        return
    number = int("".join(c for c in Path(name).stem if c.isdigit()) or -1)
    directory = run.directory
    if name == "lock":
        return
    if name == "config.json":
        assert json.loads(after[name])["iterations"] == DONE + 1
        assert good, "a damaged config.json was overwritten"
    elif name == "metrics.jsonl":
        lines = [json.loads(line) for line in after[name].splitlines()]
        assert [line["iteration"] for line in lines][-1] == DONE + 1
        assert data.rpartition(b"\n")[0].count(b"\n") <= len(lines) + DONE - newest + 1
        assert good or not data.endswith(b"\n") or _readable(data), "damaged metrics were overwritten"
    elif name.startswith("state-"):
        kept = [int(path.stem.split("-")[1]) for path in directory.states()]
        assert good, f"{name} was damaged, and is gone"
        assert len(kept) == KEEP
        assert min(kept) > number, f"{name} is gone, and older states are kept"
    elif name.startswith("samples/"):
        needed = {i for path in directory.states() for i in directory.load_state(path)["replay"]["digests"]}
        assert number > newest or number not in needed, f"{name} is gone, and a state needs it"
    elif name == "champion.safetensors":
        assert run.state.champion_origin["iteration"] >= newest, "another champion, and none was crowned"
    else:
        raise AssertionError(f"{name} is gone or changed")


def _readable(metrics: bytes) -> bool:
    """Whether every line of a damaged file could be read, so that nothing of it had to be set aside."""
    try:
        numbers = [json.loads(line)["iteration"] for line in metrics.splitlines()]
    except (ValueError, KeyError, TypeError):
        return False
    return all(type(number) is int for number in numbers) and numbers == sorted(set(numbers))


def _check_usable(run: Training, said: str, before: Files, good: Files) -> None:
    """The run is whole again: what was lost is named, and going on once more finds nothing wrong."""
    directory = RunDirectory(run.directory.path)
    for name, data in good.items():
        if name.startswith("state-") and before.get(name) not in good.values() and data and name in before:
            assert name in said, f"{name} is damaged and nobody said so"
    number = len(run.state.replay)
    again = training(directory.path, tiny(DONE + 1))
    assert again.found is not None
    assert not [line for line in again.found.lost if "lacks" not in line], again.found.lost
    assert len(again.found.replay) == number
