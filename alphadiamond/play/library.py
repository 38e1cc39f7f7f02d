"""Games on disk: the running one, saved at every move, and those a person keeps."""

import contextlib
import datetime
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import data_directory, set_aside
from alphadiamond.games.records import GameRecord, RecordError, read_records, write_records

SUFFIX = ".game"


class LibraryError(AlphaDiamondError):
    """A game that cannot be written; it says where."""


@dataclass(frozen=True)
class SavedGame:
    path: Path
    record: GameRecord | None
    """None where the file is damaged."""
    fault: str = ""

    @property
    def title(self) -> str:
        return " – ".join(self.record.players) if self.record else self.path.name

    @property
    def winner(self) -> str:
        """The side that has won, as people call it; empty for none."""
        if self.record is None:
            return ""
        drawing, result = self.record.game.drawing, self.record.result
        return next((drawing.side_name(side) for side in drawing.game.sides if str(side) == result), "")

    @property
    def note(self) -> str:
        if self.record is None:
            return self.fault
        result = {"*": "unfinished", "draw": f"draw by {self.record.ending}"}.get(
            self.record.result, f"{self.winner} won by {self.record.ending}"
        )
        return f"{self.record.date or 'no date'}  ·  {len(self.record.moves)} plies  ·  {result}"


class Library:
    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory or data_directory() / "games"
        self.autosave = self.directory.parent / f"running{SUFFIX}"
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="autosave")

    def games(self) -> list[SavedGame]:
        """The kept games, newest first."""
        try:
            paths = sorted(self.directory.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
        except OSError:
            return []
        return [self.read(path) for path in paths]

    @staticmethod
    def read(path: Path) -> SavedGame:
        try:
            records = read_records(path)
        except RecordError as error:
            return SavedGame(path, None, str(error).removeprefix(f"{path}: "))
        if not records:
            return SavedGame(path, None, "holds no game")
        return SavedGame(path, records[0])

    def save(self, record: GameRecord) -> Path:
        stamp = datetime.datetime.now().strftime("%Y-%m-%d %H-%M-%S")
        path = self.directory / f"{stamp}{SUFFIX}"
        number = 1
        while path.exists():
            number += 1
            path = self.directory / f"{stamp} ({number}){SUFFIX}"
        self._write(path, record)
        return path

    def keep_running(self, record: GameRecord) -> "Future[None]":
        """Write the running game beside the window, so that it survives whatever happens to it."""
        return self._writer.submit(self._write, self.autosave, record)

    def running(self) -> GameRecord | None:
        """The game that was left unfinished, if there is one; a damaged file is set aside."""
        self._flush()
        if not self.autosave.exists():
            return None
        saved = self.read(self.autosave)
        if saved.record is None:
            set_aside(self.autosave, "running game")
            return None
        return saved.record if saved.record.result == "*" and saved.record.moves else None

    def forget_running(self) -> None:
        """After whatever is still being written."""
        self._writer.submit(self.autosave.unlink, missing_ok=True).result()

    def set_running_aside(self) -> Path | None:
        """Make room for another running game: an unfinished one becomes a kept game; where it is, or None."""
        record = self.running()
        if record is None:
            return None
        path = self.save(record)
        self.forget_running()
        return path

    def _flush(self) -> None:
        """Wait for what is still being written."""
        with contextlib.suppress(RuntimeError):  # closed already, and all is written
            self._writer.submit(lambda: None).result()

    def close(self) -> None:
        """Let the last write finish."""
        self._writer.shutdown()

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    @staticmethod
    def _write(path: Path, record: GameRecord) -> None:
        try:
            write_records(path, [record])
        except OSError as error:
            raise LibraryError(f"{path}: cannot be written ({error.strerror})") from None
