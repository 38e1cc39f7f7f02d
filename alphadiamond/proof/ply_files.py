"""One side's positions on disk, ply by ply, so that a proof goes on where it was stopped, however it was stopped.

ply-0007.positions.npy   sorted numbers of the positions that first come up there, written before they are asked
ply-0007.journal         the player's moves so far, in parts as they came, each with its length and checksum
ply-0007.moves.npy       all its moves, in the order of the positions
ply-0007.json            what was counted; written last, so that a ply which has it is done
"""

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.files import replacing, write_json
from alphadiamond.proof.kernels import Numbers
from alphadiamond.proof.tasks import ProofError

_PART: Final = struct.Struct("<QII")  # where it begins, how many moves, their checksum


@dataclass(frozen=True)
class PlyCounts:
    """What comes of the positions of one ply: the player's move, and every reply."""

    positions: int = 0
    won_ends: int = 0
    """Moves and replies that end the game, won for the player."""
    drawn_ends: int = 0
    lost_ends: int = 0
    losing: int = 0
    """Positions after whose move the game can be lost at once."""
    lost: int = 0
    """Positions in which a held game is lost, by exact values."""
    let_go: int = 0
    """Positions in which a win becomes a draw, by exact values."""
    simulations: int = 0

    def __add__(self, other: "PlyCounts") -> "PlyCounts":
        return PlyCounts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


@dataclass(frozen=True, eq=False)
class Ply:
    """A ply that is done."""

    number: int
    counts: PlyCounts
    losing: list[int]
    """Some of the positions after whose move the game can be lost at once, the lowest numbers."""
    lost: list[int]
    """Some of those in which a held game is lost."""
    let_go: list[int]


class PlyFiles:
    """The files of one side in one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def _path(self, ply: int, kind: str) -> Path:
        return self.directory / f"ply-{ply:04}.{kind}"

    def write_positions(self, ply: int, numbers: Numbers) -> None:
        _save(self._path(ply, "positions.npy"), numbers)

    def positions(self, ply: int) -> Numbers:
        """[N], mapped."""
        return _load(self._path(ply, "positions.npy"), np.uint64)

    def has_positions(self, ply: int) -> bool:
        return self._path(ply, "positions.npy").is_file()

    def moves(self, ply: int) -> npt.NDArray[np.int16]:
        """[N], of a ply that is done."""
        return _load(self._path(ply, "moves.npy"), np.int16)

    def append(self, ply: int, start: int, actions: npt.NDArray[np.int16]) -> None:
        """Note the moves of a part; with the return they survive the end of this process."""
        body = actions.astype("<i2").tobytes()
        with self._path(ply, "journal").open("ab", buffering=0) as file:
            file.write(_PART.pack(start, len(actions), zlib.crc32(body)) + body)

    def journal(self, ply: int) -> Iterator[tuple[int, npt.NDArray[np.int16]]]:
        """(where it begins, the moves) of every part that is whole; what was cut off in the middle is left out."""
        path = self._path(ply, "journal")
        content = path.read_bytes() if path.exists() else b""
        place = 0
        while place + _PART.size <= len(content):
            start, count, checksum = _PART.unpack_from(content, place)
            body = content[place + _PART.size : place + _PART.size + 2 * count]
            if len(body) != 2 * count or zlib.crc32(body) != checksum:
                break
            yield start, np.frombuffer(body, dtype="<i2").astype(np.int16)
            place += _PART.size + 2 * count
        if place < len(content):  # so that the next part is not appended to half of one
            with path.open("r+b") as file:
                file.truncate(place)

    def finish(self, ply: Ply, actions: npt.NDArray[np.int16]) -> None:
        """The ply is done: all its moves, and what was counted."""
        _save(self._path(ply.number, "moves.npy"), actions)
        write_json(self._path(ply.number, "json"), asdict(ply))
        self._path(ply.number, "journal").unlink(missing_ok=True)

    def finished(self) -> list[Ply]:
        """The plies that are done, from the first on."""
        done: list[Ply] = []
        while (path := self._path(len(done), "json")).is_file():
            try:
                content = json.loads(path.read_text(encoding="utf-8"))
                done.append(Ply(**{**content, "counts": PlyCounts(**content["counts"])}))
            except (ValueError, TypeError, KeyError) as error:
                raise ProofError(f"{path}: damaged ({error}); begin anew with resume=false") from None
        return done

    def clear(self) -> None:
        for path in self.directory.glob("ply-*"):
            path.unlink()


def _save(path: Path, array: npt.NDArray[np.generic]) -> None:
    with replacing(path) as file:
        np.save(file, array, allow_pickle=False)


def _load(path: Path, dtype: type) -> npt.NDArray[Any]:
    try:
        array: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ProofError(f"{path}: cannot be read ({error}); begin anew with resume=false") from None
    if array.dtype != dtype or array.ndim != 1:
        raise ProofError(f"{path}: no array of this kind; begin anew with resume=false")
    return array
