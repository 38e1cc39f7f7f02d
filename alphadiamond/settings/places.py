"""Settings that are places on disk: what must be there, and what can be written there. Nothing is made to find out."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from alphadiamond.settings.ranges import Allowed, maybe


@dataclass(frozen=True)
class Output(Allowed):
    """Where something is to be written; directories on the way are made when it is."""

    directory: bool = False
    suffixes: tuple[str, ...] = ()

    def __str__(self) -> str:
        ending = f" ending in {' or '.join(self.suffixes)}" if self.suffixes else ""
        return f"a {'directory' if self.directory else 'file'} that can be written{ending}"

    def fault(self, value: Any) -> str:
        if not _is_path(value) or (self.suffixes and Path(value).suffix not in self.suffixes):
            return f"expected {self}"
        return unwritable(Path(value), directory=self.directory)


@dataclass(frozen=True)
class Existing(Allowed):
    """What must be there already."""

    directory: bool = False

    def __str__(self) -> str:
        return f"a {'directory' if self.directory else 'file'} that is there"

    def fault(self, value: Any) -> str:
        if not _is_path(value):
            return f"expected {self}"
        path = Path(value)
        try:
            there = path.is_dir() if self.directory else path.is_file()
        except OSError as error:
            return f"cannot be read ({error.strerror})"
        if there:
            return "" if os.access(path, os.R_OK) else "cannot be read (permission denied)"
        return f"no {'directory' if self.directory else 'file'} is there"


def unwritable(path: Path, *, directory: bool = False) -> str:
    """Why a file or a directory cannot be written, as far as can be told without trying; or nothing."""
    try:
        if path.is_dir() and not directory:
            return "a directory is there, and a file is to be written"
        if directory and path.exists() and not path.is_dir():
            return "a file is there, and a directory is wanted"
        nearest = path if path.is_dir() else path.parent
        while not nearest.exists() and nearest != nearest.parent:
            nearest = nearest.parent
        if not nearest.is_dir():
            return f"{nearest} is a file, and a directory is wanted there"
    except OSError as error:
        return f"cannot be written ({error.strerror})"
    if not os.access(nearest, os.W_OK | os.X_OK) or (path.is_file() and not os.access(path, os.W_OK)):
        return "cannot be written (permission denied)"
    return ""


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and value.strip() != "" and "\0" not in value


OUTPUT_FILE: Final = Output()
OUTPUT_DIRECTORY: Final = Output(directory=True)
A_FILE: Final = Existing()
A_DIRECTORY: Final = Existing(directory=True)
WHERE_SOLUTIONS_ARE: Final = "the user's data directory, where every player looks"
A_SOLUTION: Final = maybe(A_DIRECTORY, WHERE_SOLUTIONS_ARE)
