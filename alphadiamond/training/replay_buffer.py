"""The replay window: the samples of the latest iterations, in memory and, one file an iteration, on disk."""

import contextlib
import hashlib
import io
import zipfile
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.training.samples import Samples
from alphadiamond.training.settings import ReplaySettings


class ReplayError(AlphaDiamondError):
    """A file of samples that is missing or damaged."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} {reason}")
        self.reason = reason


class ReplayBuffer:
    """Chunks of samples, the oldest first; a chunk is what one iteration made."""

    def __init__(self, settings: ReplaySettings) -> None:
        self.settings = settings
        self.made = 0
        """Samples ever added."""
        self._chunks: dict[int, Samples] = {}
        self._saved: dict[int, str] = {}  # the digests of what is on disk
        self._writing: dict[int, Future[str]] = {}
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="samples")

    def __len__(self) -> int:
        return sum(len(chunk) for chunk in self._chunks.values())

    @property
    def iterations(self) -> list[int]:
        """The iterations whose samples are in the window."""
        return list(self._chunks)

    def window(self) -> int:
        """How many samples to keep."""
        return self.settings.window(self.made)

    def add(self, iteration: int, samples: Samples) -> None:
        """Take in an iteration's samples and drop whole iterations that are beyond the window."""
        self._chunks[iteration] = samples
        self.made += len(samples)
        while len(self._chunks) > 1 and len(self) - len(self._chunks[self.iterations[0]]) >= self.window():
            del self._chunks[self.iterations[0]]

    def draw(self, rng: np.random.Generator, count: int) -> Samples:
        """Samples with equal chances, with replacement, in memory's order of iterations."""
        sizes = np.array([len(chunk) for chunk in self._chunks.values()])
        ends = np.cumsum(sizes)
        picked = np.sort(rng.integers(ends[-1], size=count))
        bounds = np.searchsorted(picked, np.concatenate([[0], ends]))
        parts = [
            chunk.rows(picked[bounds[i] : bounds[i + 1]] - (ends[i] - sizes[i]))
            for i, chunk in enumerate(self._chunks.values())
            if bounds[i + 1] > bounds[i]
        ]
        return Samples.join(parts)

    def age(self, iteration: int) -> float:
        """The mean age of the window's samples, in iterations."""
        return sum((iteration - made) * len(chunk) for made, chunk in self._chunks.items()) / max(1, len(self))

    def begin_save(self, directory: Path) -> None:
        """Begin to write the iterations that are not on disk yet, beside whatever else is done until `save`.

        Compressing samples takes as long as taking them in from a hundred workers, and needs no interpreter.
        """
        for iteration, chunk in self._chunks.items():
            if iteration not in self._saved and iteration not in self._writing:
                self._writing[iteration] = self._writer.submit(_write, chunk_path(directory, iteration), chunk)

    @property
    def writing(self) -> list[Future[str]]:
        """What `begin_save` has begun and nobody has waited for."""
        return list(self._writing.values())

    def save(self, directory: Path) -> dict[int, str]:
        """Write the iterations that are not on disk yet; the SHA-256 of every file of the window."""
        self.begin_save(directory)
        writing, self._writing = self._writing, {}
        for iteration, digest in writing.items():
            self._saved[iteration] = digest.result()
        return {iteration: self._saved[iteration] for iteration in self._chunks}

    @classmethod
    def load(
        cls, settings: ReplaySettings, places: Sequence[Path], digests: dict[int, str], *, made: int
    ) -> tuple["ReplayBuffer", list["BadChunk"]]:
        """Read back what is good of a window that was saved in the first place, and say what is not.

        A chunk is known by its checksum: one that lies under another name, in any of the places, is found there, and
        is written again where it belongs when the window is next saved.
        """
        replay = cls(settings)
        replay.made = made
        bad: list[BadChunk] = []
        found: dict[int, Samples] = {}
        elsewhere: dict[str, Path] | None = None
        for iteration, digest in digests.items():
            path = chunk_path(places[0], iteration)
            try:
                found[iteration] = read_samples(path, digest=digest)
                replay._saved[iteration] = digest
            except ReplayError as error:
                elsewhere = _by_digest(places) if elsewhere is None else elsewhere
                with contextlib.suppress(ReplayError):
                    if digest in elsewhere:
                        found[iteration] = read_samples(elsewhere[digest], digest=digest)
                bad.append(BadChunk(path, error.reason, recovered=iteration in found))
        replay._chunks = found
        return replay, bad


@dataclass(frozen=True)
class BadChunk:
    """A file of samples that is not what was saved."""

    path: Path
    reason: str
    recovered: bool
    """Whether its samples were found under another name."""


def read_samples(path: Path, *, digest: str | None = None) -> Samples:
    """The samples of a file, which must have the given SHA-256 if there is one."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ReplayError(path, "is missing") from None
    except OSError as error:
        raise ReplayError(path, f"cannot be read ({error.strerror})") from None
    if digest is not None and hashlib.sha256(data).hexdigest() != digest:
        raise ReplayError(path, "is damaged")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            samples = Samples(**{name: arrays[name] for name in arrays.files})
            return replace(samples, states=samples.states.astype(np.int64))  # they were narrower once
    except (ValueError, TypeError, KeyError, zipfile.BadZipFile):
        raise ReplayError(path, "has no samples of this version") from None


def _write(path: Path, samples: Samples) -> str:
    """Write a file of samples; its SHA-256."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **samples.arrays())  # type: ignore[arg-type]
    with replacing(path) as file:
        file.write(buffer.getbuffer())
    return hashlib.sha256(buffer.getbuffer()).hexdigest()


def _by_digest(places: Sequence[Path]) -> dict[str, Path]:
    digests = {}
    for path in (path for place in places for path in sorted(place.glob("samples-*"))):
        with contextlib.suppress(OSError):
            digests[hashlib.sha256(path.read_bytes()).hexdigest()] = path
    return digests


def chunk_path(directory: Path, iteration: int) -> Path:
    return directory / f"samples-{iteration:06}.npz"
