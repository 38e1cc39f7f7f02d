"""The replay window: the samples of the latest iterations, in memory and, one file an iteration, on disk."""

import hashlib
import io
import zipfile
from pathlib import Path

import numpy as np

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.training.samples import Samples
from alphadiamond.training.settings import ReplaySettings


class ReplayError(AlphaDiamondError):
    """A file of samples that is missing or damaged."""


class Replay:
    """Chunks of samples, the oldest first; a chunk is what one iteration made."""

    def __init__(self, settings: ReplaySettings) -> None:
        self.settings = settings
        self.made = 0
        """Samples ever added."""
        self._chunks: dict[int, Samples] = {}
        self._saved: dict[int, str] = {}  # the digests of what is on disk

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

    def save(self, directory: Path) -> dict[int, str]:
        """Write the iterations that are not on disk yet; the SHA-256 of every file of the window."""
        digests = {}
        for iteration, chunk in self._chunks.items():
            path = chunk_path(directory, iteration)
            if iteration not in self._saved:
                buffer = io.BytesIO()
                np.savez_compressed(buffer, **chunk.arrays())  # type: ignore[arg-type]
                with replacing(path) as file:
                    file.write(buffer.getbuffer())
                self._saved[iteration] = hashlib.sha256(buffer.getbuffer()).hexdigest()
            digests[iteration] = self._saved[iteration]
        return digests

    @classmethod
    def load(cls, settings: ReplaySettings, directory: Path, digests: dict[int, str], *, made: int) -> "Replay":
        """Read a window back; a file that is missing or damaged is named."""
        replay = cls(settings)
        for iteration, digest in digests.items():
            path = chunk_path(directory, iteration)
            try:
                data = path.read_bytes()
            except OSError as error:
                raise ReplayError(f"{path}: cannot be read ({error.strerror})") from None
            if hashlib.sha256(data).hexdigest() != digest:
                raise ReplayError(f"{path}: damaged, its checksum differs")
            try:
                with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                    replay._chunks[iteration] = Samples(**{name: arrays[name] for name in arrays.files})
            except (ValueError, TypeError, KeyError, zipfile.BadZipFile) as error:
                raise ReplayError(f"{path}: no samples of this version ({error})") from None
            replay._saved[iteration] = digest
        replay.made = made
        return replay


def chunk_path(directory: Path, iteration: int) -> Path:
    return directory / f"samples-{iteration:06}.npz"
