"""What a run directory still holds, found before anything in it is touched, and how a run goes on with it.

`examine` only reads. If it finds a state to go on from, `Findings.put_right` moves what is damaged into `aside/`; if
not, every byte stays where it was. A state names its samples by checksum and holds the settings and the champion
itself: a damaged file of samples costs its samples, a damaged state the iterations since the one before it, and the
others nothing but a line of metrics.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from alphadiamond.console import count_of
from alphadiamond.files import replacing
from alphadiamond.network import CheckpointError, load_checkpoint
from alphadiamond.training.migrations import migrated
from alphadiamond.training.replay_buffer import ReplayBuffer
from alphadiamond.training.rundir import RunDirectory, RunError, StateError, good_lines
from alphadiamond.training.settings import ReplaySettings

PARTS = ("progress", "learner", "champion", "playing", "generator", "workers", "replay")
"""What every state has, of whatever version."""


@dataclass
class Findings:
    """What of a run is good, and what is not."""

    state: dict[str, Any]
    """The newest good state."""
    replay: ReplayBuffer
    """Its window, as far as its samples are good; whoever goes on with it says how it shall grow."""
    config: dict[str, Any] | None
    """The settings the run had, if anything readable says so."""
    windows: dict[int, set[int]]
    """The iterations whose samples each good state needs."""
    misnamed: dict[int, Path] = field(default_factory=dict)
    """Good states that lie under the name of another iteration, by their own, the newest first."""
    damaged: list[Path] = field(default_factory=list)
    """What is to be set aside."""
    lost: list[str] = field(default_factory=list)
    """What that costs, in words."""
    migrated: bool = False
    """Whether the settings were stored when some of them meant something else."""
    legacy: bool = False
    """Whether the run was begun when iterations were counted from 0 in the metrics."""

    @property
    def iteration(self) -> int:
        """How many iterations the run goes on after."""
        return int(self.state["progress"]["iteration"])

    def put_right(self, directory: RunDirectory) -> None:
        """Set aside what is damaged; what the state knows better is written anew by the run itself."""
        for path in self.damaged:
            directory.set_aside(path)
        contents = {iteration: path.read_bytes() for iteration, path in self.misnamed.items()}
        for path in self.misnamed.values():
            directory.copy_aside(path)
        for iteration, data in contents.items():
            with replacing(directory.state(iteration)) as file:
                file.write(data)
        for path in self.misnamed.values():
            if path not in {directory.state(iteration) for iteration in contents}:
                path.unlink()

    def summary(self, directory: RunDirectory) -> str:
        """One line that says what was lost; empty if nothing was."""
        if not self.lost:
            return ""
        where = f"; what was damaged is in {directory.aside}" if self.damaged else ""
        return f"going on after iteration {self.iteration} with everything that is good: {', '.join(self.lost)}{where}"


def examine(directory: RunDirectory) -> Findings | None:
    """What the run in a directory can go on with; None where there is no run, an error where there is none to be saved.

    Nothing is written.
    """
    if not directory.holds_a_run():
        return None
    states, places, damaged, lost = _read_states(directory)
    if not states:
        raise RunError(_hopeless(directory, lost))
    newest = max(states)
    misnamed = {
        number: path for number, path in sorted(places.items(), reverse=True) if path != directory.state(number)
    }
    found = Findings(
        state=states[newest],
        replay=ReplayBuffer(ReplaySettings()),
        config=None,
        windows={number: set(state["replay"]["digests"]) for number, state in states.items()},
        misnamed=misnamed,
        damaged=damaged,
        lost=[*lost, *(f"{path.name} was state {number} (nothing is lost)" for number, path in misnamed.items())],
        legacy="config" not in states[newest],
    )
    _read_samples(directory, found)
    _read_config(directory, found)
    _read_champion(directory, found)
    _read_metrics(directory, found)
    return found


def _read_states(
    directory: RunDirectory,
) -> tuple[dict[int, dict[str, Any]], dict[int, Path], list[Path], list[str]]:
    """(good states by their iteration, where they lie, files to set aside, what is wrong with them)."""
    states: dict[int, dict[str, Any]] = {}
    places: dict[int, Path] = {}
    damaged, lost = [], []
    for path in directory.states():
        try:
            state = directory.load_state(path)
            if missing := [part for part in PARTS if part not in state]:
                raise StateError(path, f"not a state of this version (it has no {missing[0]})")
            iteration = int(state["progress"]["iteration"])
        except StateError as error:
            damaged.append(path)
            lost.append(f"{path.name} {error.reason}")
            continue
        if iteration in states:  # the same state twice: the one under its own name stays
            copy = path if path != directory.state(iteration) else places[iteration]
            damaged.append(copy)
            lost.append(f"{copy.name} is a copy of another state")
            if copy == path:
                continue
        states[iteration], places[iteration] = state, path
    return states, places, damaged, lost


def _read_samples(directory: RunDirectory, found: Findings) -> None:
    window = found.state["replay"]
    if directory.samples.exists() and not directory.samples.is_dir():
        found.damaged.append(directory.samples)
        found.lost.append("samples/ is no directory")
    places = (directory.samples, directory.aside)
    found.replay, bad = ReplayBuffer.load(ReplaySettings(), places, window["digests"], made=window["made"])
    for problem in bad:
        if problem.path.exists() and directory.samples not in found.damaged:
            found.damaged.append(problem.path)
        cost = "found elsewhere, nothing is lost" if problem.recovered else "its samples are lost"
        found.lost.append(f"{problem.path.name} {problem.reason} ({cost})")


def _read_config(directory: RunDirectory, found: Findings) -> None:
    """The state's settings count; a run of an earlier version has them in config.json alone."""
    on_disk: dict[str, Any] | None = None
    try:
        on_disk = json.loads(directory.config.read_bytes())
        if not isinstance(on_disk, dict):
            raise ValueError
        reason = "does not say what the state says"
    except FileNotFoundError:
        reason = "is missing"
    except (ValueError, OSError, RecursionError):
        on_disk, reason = None, "is damaged"
    stored = on_disk if found.legacy else json.loads(found.state["config"])
    workers = len(found.state["workers"])
    found.config = None if stored is None else migrated(stored, workers=workers)
    found.migrated = found.config != stored
    if on_disk is None or migrated(on_disk, workers=workers) != found.config:
        cost = "taken from the command line" if found.config is None else "kept in the state, nothing is lost"
        found.lost.append(f"{directory.config.name} {reason} (settings {cost})")
        if directory.config.exists():
            found.damaged.append(directory.config)


def _read_champion(directory: RunDirectory, found: Findings) -> None:
    """The state's champion counts: a file of another one is from an iteration that was not saved, or exchanged."""
    path = directory.champion
    if holds(path, found.state["champion"]):
        return
    there = path.exists()
    if there:
        found.damaged.append(path)
    reason = "is damaged or of another iteration" if there else "is missing"
    found.lost.append(f"{path.name} {reason} (kept in the state, nothing is lost)")


def _read_metrics(directory: RunDirectory, found: Findings) -> None:
    if directory.metrics.exists() and not directory.metrics.is_file():
        found.damaged.append(directory.metrics)
    lines, bad = good_lines(directory.metrics)
    offset = 1 if found.legacy else 0
    known = {int(line["iteration"]) + offset for line in lines}
    missing = set(range(1, found.iteration + 1)) - known
    if bad:
        found.lost.append(f"{directory.metrics.name} has {count_of(bad, 'unreadable line')}")
    if missing:
        found.lost.append(f"{directory.metrics.name} lacks {count_of(len(missing), 'iteration')}")


def _hopeless(directory: RunDirectory, lost: list[str]) -> str:
    """Why a run cannot go on, and what can be done with what is left of it."""
    what = ", ".join(lost[:3]) + (" and more" if len(lost) > 3 else "") if lost else "none is there"
    snapshots = sorted(directory.snapshots.glob("iteration-*.safetensors"), reverse=True)
    for path in (directory.champion, *snapshots):
        try:
            load_checkpoint(path)
        except CheckpointError:
            continue
        advice = f"begin a new run from its network with run=DIR init={path}"
        break
    else:
        advice = "no network in it can be read either; begin another run with run=DIR"
    return f"{directory.path}: this run has no readable state ({what}) and nothing was changed; {advice}"


def holds(path: Path, weights: Mapping[str, torch.Tensor]) -> bool:
    """Whether a checkpoint is readable and has these weights."""
    try:
        return _equal(load_checkpoint(path).model.state_dict(), weights)
    except CheckpointError:
        return False


def _equal(one: Mapping[str, torch.Tensor], two: Mapping[str, torch.Tensor]) -> bool:
    return one.keys() == two.keys() and all(np.array_equal(one[name].numpy(), two[name].numpy()) for name in one)
