"""Files that are whole or not there at all, and where a person's files live."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import platformdirs

if TYPE_CHECKING:
    from filelock import BaseFileLock

APP = "alphadiamond"


def cache_directory() -> Path:
    return Path(platformdirs.user_cache_dir(APP))


def data_directory() -> Path:
    return Path(platformdirs.user_data_dir(APP))


def config_directory() -> Path:
    return Path(platformdirs.user_config_dir(APP))


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write beside `path`, sync, then rename over it; on any error `path` stays as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)  # mkstemp makes private files
        os.replace(name, path)
        _sync_directory(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def claim(path: Path, *, mode: int = 0o644) -> "BaseFileLock":
    """Hold a file for this process alone until it is released; it goes with the process, however that ends.

    A BlockingIOError where another process has it, another OSError where it cannot be had at all.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, mode=mode, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BlockingIOError(f"{path} is in use") from None
    return lock


def write_text(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())


def write_json(path: Path, content: Any) -> None:
    """For people as well as for programs: indented."""
    write_text(path, json.dumps(content, indent=2) + "\n")


def set_aside(path: Path, what: str) -> str:
    """Move a damaged file out of the way, keeping it, and say so."""
    aside = path.with_name(f"{path.name}.damaged")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    try:
        path.rename(aside)
    except OSError as error:
        return f"The {what} could not be read ({error.strerror or 'damaged'}); going on without them."
    return f"The {what} were damaged; they are set aside as {aside.name}."


def _sync_directory(path: Path) -> None:
    """Make a rename durable; a no-op where directories cannot be opened (Windows)."""
    flags: Any = getattr(os, "O_DIRECTORY", None)
    if flags is None:
        return
    handle = os.open(path, os.O_RDONLY | flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
