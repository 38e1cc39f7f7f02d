"""The opening book: exact scores of early positions, one of each pair of mirror images, made once and shipped."""

import functools
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.games.connect_four.kernels import RULES_VERSION

FORMAT: Final = 1
SHIPPED: Final = Path(__file__).parents[1] / "data" / "book.npz"


class BookError(AlphaDiamondError):
    """A book that cannot be read."""


@dataclass(frozen=True)
class Book:
    """Scores by key; `alphadiamond.games.connect_four.solver.kernels` says what a score is."""

    keys: npt.NDArray[np.int64]
    """[N] rising; see `book_key`."""
    scores: npt.NDArray[np.int8]
    """[N]"""
    complete: int
    """Every position with up to so many discs of a game that goes on is here; -1: none at all."""

    @classmethod
    def empty(cls) -> "Book":
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int8), -1)

    @classmethod
    def of(cls, scores: dict[int, int], complete: int) -> "Book":
        keys = np.array(sorted(scores), dtype=np.int64)
        return cls(keys, np.array([scores[int(key)] for key in keys], dtype=np.int8), complete)

    @classmethod
    def load(cls, path: Path | None = None) -> "Book":
        """Read a book, by default the one that is part of the package."""
        return _load(path or SHIPPED)

    def save(self, path: Path) -> None:
        with replacing(path) as file:
            np.savez_compressed(
                file,
                format=np.array(FORMAT),
                rules=np.array(RULES_VERSION),
                keys=self.keys,
                scores=self.scores,
                complete=np.array(self.complete),
            )

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def as_dict(self) -> dict[int, int]:
        return {int(key): int(score) for key, score in zip(self.keys, self.scores, strict=True)}

    @functools.cached_property
    def deepest(self) -> int:
        """The most discs of any position in it."""
        return max((discs_of(int(key)) for key in self.keys), default=-1)


def discs_of(key: int) -> int:
    """How many discs the position of a key has: each column's part is its own discs added to 2^height - 1."""
    return sum(((key >> 7 * column & 127) + 1).bit_length() - 1 for column in range(7))


def _load(path: Path) -> Book:
    try:
        with np.load(path, allow_pickle=False) as file:
            if (int(file["format"]), int(file["rules"])) != (FORMAT, RULES_VERSION):
                raise BookError(f"{path}: of another format or other rules; `alphadiamond make-book` makes it again")
            book = Book(file["keys"], file["scores"], int(file["complete"]))
    except FileNotFoundError:
        raise BookError(f"{path}: missing; `alphadiamond make-book` makes it") from None
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise BookError(f"{path}: damaged ({error}); `alphadiamond make-book` makes it again") from None
    if book.keys.shape != book.scores.shape or (np.diff(book.keys) <= 0).any():
        raise BookError(f"{path}: damaged (its keys are not in order); `alphadiamond make-book` makes it again")
    return book
