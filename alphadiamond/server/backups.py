"""Copies of the database while it is being written."""

import asyncio
import contextlib
import datetime
import logging
import os
import sqlite3
from pathlib import Path
from typing import Final

from alphadiamond.server.errors import ServerError
from alphadiamond.server.storage import FILE, connect

DIRECTORY: Final = "backups"
_PAGES: Final = 1000
"""Copied at a time, so that nobody waits for the whole."""
_log = logging.getLogger("alphadiamond.server")


def back_up(database: Path, target: Path) -> None:
    """A whole and consistent copy, or none: written beside its place, synced, then renamed."""
    if not database.is_file():
        raise ServerError(f"{database}: no database is there")
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.tmp")
    try:
        beside.unlink(missing_ok=True)
        os.close(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))  # as private as the database
        with contextlib.closing(connect(database, read_only=True)) as source:
            with contextlib.closing(sqlite3.connect(beside)) as copy:
                source.backup(copy, pages=_PAGES, sleep=0.01)
                copy.execute("PRAGMA journal_mode = DELETE")
            handle = os.open(beside, os.O_RDWR)  # Windows syncs only what may be written
            os.fsync(handle)
            os.close(handle)
        os.replace(beside, target)
    except (sqlite3.Error, OSError) as error:
        raise ServerError(f"{target}: no backup ({error})") from None
    finally:
        beside.unlink(missing_ok=True)


async def keep_backing_up(directory: Path, *, hours: float, keep: int) -> None:
    """One every so often, the oldest removed."""
    while hours:
        await asyncio.sleep(hours * 3600)
        stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S")
        target = directory / DIRECTORY / f"online-{stamp}.sqlite"
        try:
            await asyncio.to_thread(back_up, directory / FILE, target)
            for old in sorted(target.parent.glob("online-*.sqlite"))[:-keep]:
                old.unlink()
            _log.info("backup", extra={"file": target.name})
        except (ServerError, OSError) as error:
            _log.error("backup", extra={"fault": str(error)})
