"""A run directory: who is using it, what it was configured as, and states that survive anything.

config.json              the settings in force, a copy of what the newest state holds
state-000012.pt          resumable states after so many iterations, the newest three, each with its SHA-256 in front
samples/                 the replay window, a file an iteration
champion.safetensors     the last candidate that passed the gate
checkpoints/             iteration-000012.safetensors: what played then, every so many iterations, all kept
metrics.jsonl            one line an iteration
events.out.tfevents...   the same for TensorBoard
aside/                   what was found damaged when the run went on; nothing in it is used, nothing of it was deleted

Iterations are counted from 1 everywhere: the twelfth makes samples-000012.npz, line 12 of the metrics and
state-000012.pt. `recovery.py` says what is done about damage.
"""

import contextlib
import hashlib
import io
import json
import os
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import claim, replacing, write_json

_MAGIC = b"alphadiamond state 1\n"
_STATE = re.compile(r"state-(\d+)\.pt")
_SAMPLES = re.compile(r"samples-(\d+)\.npz")

SIGNS = (
    *("config.json", "metrics.jsonl", "champion.safetensors", "state-*.pt", "samples/*", "aside/*"),
    *("checkpoints/iteration-*", "events.out.tfevents*"),
)
"""Whoever holds one of these holds a run, and is never taken for a new one."""


class RunError(AlphaDiamondError):
    """A run directory that cannot be used like this."""


class StateError(RunError):
    """A state that cannot be gone on from."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class RunDirectory:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.samples = path / "samples"
        self.champion = path / "champion.safetensors"
        self.snapshots = path / "checkpoints"
        self.metrics = path / "metrics.jsonl"
        self.aside = path / "aside"

    def holds_a_run(self) -> bool:
        """Whether there is anything of a run here, in whatever condition."""
        return bool(self.signs())

    def signs(self) -> list[Path]:
        """All that tells that there is a run."""
        return [found for sign in SIGNS for found in self.path.glob(sign)]

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the directory for this process alone; the lock goes with the process, however it ends.

        If no run began meanwhile, what was made for the lock is removed.
        """
        made = [path for path in (self.path, *self.path.parents) if not path.exists()]
        lock, holder = self.path / "lock", self.path / "lock.holder"  # Windows lets nobody read a locked file
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            held = claim(lock)
        except BlockingIOError:
            who = ""
            with contextlib.suppress(OSError):
                who = holder.read_text(encoding="utf-8", errors="replace").strip()
            raise RunError(
                f"{self.path}: in use by {who or 'another process'}; stop it, or name another with run=DIR"
            ) from None
        except OSError as error:
            raise RunError(f"{self.path}: cannot be used as a run directory ({error.strerror})") from None
        try:
            holder.write_text(f"process {os.getpid()}", encoding="utf-8")
            yield
        finally:
            empty = not self.holds_a_run()
            with contextlib.suppress(OSError):
                holder.unlink()
                if empty and os.name == "posix":  # while it is held, so that nobody else can have it
                    lock.unlink()
            held.release()
            if empty:
                with contextlib.suppress(OSError):
                    lock.unlink(missing_ok=True)
                    for path in made:
                        path.rmdir()

    def write_config(self, config: dict[str, Any]) -> None:
        write_json(self.config, config)

    def states(self) -> list[Path]:
        """The states on disk, the newest first."""
        return [path for _, path in sorted(_numbered(self.path, _STATE).items(), reverse=True)]

    def state(self, iteration: int) -> Path:
        return self.path / f"state-{iteration:06}.pt"

    def save_state(self, iteration: int, state: dict[str, Any], *, keep: int) -> None:
        """Write a state whole or not at all, then remove those beyond the newest `keep`."""
        path = self.state(iteration)
        if path.exists():  # a run only writes what lies ahead of it, so this is something else by that name
            self.set_aside(path)
        buffer = io.BytesIO()
        torch.save(state, buffer)
        payload = buffer.getvalue()
        with replacing(path) as file:
            file.write(_MAGIC + hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
        for old in self.states()[keep:]:
            old.unlink(missing_ok=True)

    def load_state(self, path: Path) -> dict[str, Any]:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise StateError(path, f"cannot be read ({error.strerror})") from None
        head = len(_MAGIC) + 65
        if (
            not data.startswith(_MAGIC)
            or hashlib.sha256(data[head:]).hexdigest().encode() != data[len(_MAGIC) : head - 1]
        ):
            raise StateError(path, "damaged")
        try:
            state: dict[str, Any] = torch.load(io.BytesIO(data[head:]), map_location="cpu", weights_only=True)
        except (RuntimeError, pickle.UnpicklingError, EOFError) as error:
            raise StateError(path, f"not a state of this version ({str(error).splitlines()[0]})") from None
        return state

    def snapshot(self, iteration: int) -> Path:
        return self.snapshots / f"iteration-{iteration:06}.safetensors"

    def sample_files(self) -> dict[int, Path]:
        """The files of samples by their iteration."""
        return _numbered(self.samples, _SAMPLES)

    def prune_samples(self, used: set[int]) -> None:
        """Remove files of samples that no kept state needs."""
        for iteration, path in self.sample_files().items():
            if iteration not in used:
                path.unlink(missing_ok=True)
        for leftover in [*self.samples.glob(".*.tmp"), *self.path.glob(".*.tmp")]:
            leftover.unlink(missing_ok=True)

    def set_aside(self, path: Path) -> Path:
        """Move a file out of the run's way, without touching its bytes or anything that was set aside before."""
        place = self.free_place(path.name)
        os.rename(path, place)
        return place

    def copy_aside(self, path: Path) -> None:
        """Keep a copy of a file that is about to be written anew."""
        with replacing(self.free_place(path.name)) as file:
            file.write(path.read_bytes())

    def free_place(self, name: str) -> Path:
        """A name in `aside/` that nothing has yet."""
        self.aside.mkdir(exist_ok=True)
        taken = {path.name for path in self.aside.iterdir()}
        names = (name, *(f"{name}.{number}" for number in range(2, len(taken) + 3)))
        return self.aside / next(free for free in names if free not in taken)


def good_lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The lines of a metrics file that can be read, in order, and how many cannot.

    A last line without its end was cut off by a crash: it is passed over and not counted.
    """
    try:
        *lines, rest = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return [], 0
    except OSError:
        return [], 1
    good: list[dict[str, Any]] = []
    bad = 0
    for text in [*lines, *([rest] if rest else [])]:
        try:
            line = json.loads(text)
            number = line["iteration"]
            if type(number) is not int or (good and number <= good[-1]["iteration"]):
                raise ValueError
            good.append(line)
        except (ValueError, KeyError, TypeError, RecursionError):
            bad += text is not rest
    return good, bad


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file that can be read."""
    if not path.is_file():
        raise RunError(f"{path}: no metrics are there")
    return good_lines(path)[0]


def _numbered(directory: Path, pattern: re.Pattern[str]) -> dict[int, Path]:
    try:
        names = sorted(os.listdir(directory))
    except OSError:
        return {}
    matches = [match for match in map(pattern.fullmatch, names) if match is not None]
    return {int(match[1]): directory / match[0] for match in matches}
