"""A run directory: who is using it, what it was configured as, and states that survive anything.

config.json              what the run was started with
state-000012.pt          resumable states, the newest three, each with its SHA-256 in front
samples/                 the replay window, a file an iteration
champion.safetensors     the last candidate that passed the gate
metrics.jsonl            one line an iteration
events.out.tfevents...   the same for TensorBoard
"""

import contextlib
import fcntl
import hashlib
import io
import json
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import torch

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing, write_text

_MAGIC = b"alphadiamond state 1\n"


class RunError(AlphaDiamondError):
    """A run directory that cannot be used like this."""


class RunDirectory:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.samples = path / "samples"
        self.champion = path / "champion.safetensors"
        self.metrics = path / "metrics.jsonl"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the directory for this process alone; the lock goes with the process, however it ends."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file: IO[str] = (self.path / "lock").open("a+")
        except OSError as error:
            raise RunError(f"{self.path}: cannot be used as a run directory ({error.strerror})") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                holder = file.read().strip() or "another process"
                raise RunError(f"{self.path}: in use by {holder}; stop it, or name another with run=DIR") from None
            file.truncate(0)
            file.write(f"process {os.getpid()}")
            file.flush()
            yield

    def check_config(self, config: dict[str, Any], *, changeable: tuple[str, ...]) -> None:
        """Write the configuration of a new run; refuse to go on with another one."""
        path = self.path / "config.json"
        if not path.exists():
            write_text(path, json.dumps(config, indent=2) + "\n")
            return
        try:
            before = json.loads(path.read_text())
        except (ValueError, OSError):
            raise RunError(f"{path}: damaged; remove {self.path} to begin anew") from None
        for key, old, new in _differences(before, config):
            if key.split(".")[0] not in changeable:
                raise RunError(
                    f"{self.path} was started with {key}={old}, not {new}: set it back, or begin anew with run=DIR"
                )

    def states(self) -> list[Path]:
        """The states on disk, the newest first."""
        return sorted(self.path.glob("state-*.pt"), reverse=True)

    def save_state(self, iteration: int, state: dict[str, Any], *, keep: int) -> None:
        """Write a state whole or not at all, then remove those beyond the newest `keep`."""
        buffer = io.BytesIO()
        torch.save(state, buffer)
        payload = buffer.getvalue()
        with replacing(self.path / f"state-{iteration:06}.pt") as file:
            file.write(_MAGIC + hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
        for old in self.states()[keep:]:
            old.unlink(missing_ok=True)

    def load_state(self, path: Path) -> dict[str, Any]:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise RunError(f"{path}: cannot be read ({error.strerror})") from None
        head = len(_MAGIC) + 65
        if (
            not data.startswith(_MAGIC)
            or hashlib.sha256(data[head:]).hexdigest().encode() != data[len(_MAGIC) : head - 1]
        ):
            raise RunError(f"{path}: damaged")
        try:
            state: dict[str, Any] = torch.load(io.BytesIO(data[head:]), map_location="cpu", weights_only=True)
        except (RuntimeError, pickle.UnpicklingError, EOFError) as error:
            raise RunError(f"{path}: not a state of this version ({str(error).splitlines()[0]})") from None
        return state

    def prune_samples(self, used: set[int]) -> None:
        """Remove files of samples that no kept state needs."""
        for path in self.samples.glob("samples-*.npz"):
            if int(path.stem.split("-")[1]) not in used:
                path.unlink(missing_ok=True)
        for leftover in [*self.samples.glob(".*.tmp"), *self.path.glob(".*.tmp")]:
            leftover.unlink(missing_ok=True)


def _differences(before: Any, after: Any, prefix: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from _differences(before.get(key), after.get(key), f"{prefix}.{key}" if prefix else key)
    elif before != after:
        yield prefix, before, after
