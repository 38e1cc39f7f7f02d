"""The database: what it holds, and one thread that writes it.

Everything that is to be kept goes through `Store.write`, in order. The thread takes whatever has come in since its last
commit, writes it in a single transaction, syncs, and only then says so: however many games move at once, they share one
sync of the disk, and nobody hears of a move that a crash could take back.

A disk that is full, a database that somebody else holds or files that cannot be had are waited for: what is to be
written is tried again until it is, and nobody is told before. A database that is removed or contradicts itself ends the
server: memory must not run ahead of it.
"""

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from alphadiamond.files import claim
from alphadiamond.server.errors import ServerError
from alphadiamond.server.names import skeleton_of

if TYPE_CHECKING:
    from filelock import BaseFileLock

FORMAT: Final = 2
FILE: Final = "online.sqlite"
_MOST_WAITING: Final = 10_000
_BUSY_SECONDS: Final = 1.0
"""For which a writer waits for another before it says so."""
_AGAIN_SECONDS: Final = 0.5
_PASSING: Final = frozenset(
    (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
    )
)
"""Faults of the machine that may pass."""
_log = logging.getLogger("alphadiamond.server")

_SCHEMA: Final = """
CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,          -- of names that count as the same
    token BLOB UNIQUE,                 -- SHA-256; NULL for a bot, and for who has left
    bot INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL,
    skeleton TEXT NOT NULL DEFAULT '', -- of names that look alike
    recovery BLOB,                     -- SHA-256 of a code that brings a new token
    silenced INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX skeletons ON people (skeleton);
CREATE UNIQUE INDEX recoveries ON people (recovery) WHERE recovery IS NOT NULL;
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    first INTEGER NOT NULL REFERENCES people,
    second INTEGER NOT NULL REFERENCES people,
    rated INTEGER NOT NULL,
    seconds INTEGER,                   -- NULL: no clock
    increment INTEGER NOT NULL,
    start TEXT NOT NULL,
    began INTEGER NOT NULL,
    ended INTEGER,
    result TEXT,                       -- first, second, draw, aborted; NULL: it goes on
    ending TEXT,
    number INTEGER UNIQUE,             -- finished games in the order in which they counted
    follows INTEGER REFERENCES games   -- whose rematch it is
) STRICT;
CREATE INDEX going_on ON games (id) WHERE result IS NULL;
CREATE INDEX of_first ON games (first, number);
CREATE INDEX of_second ON games (second, number);
CREATE INDEX pairs ON games (first, second, number);
CREATE UNIQUE INDEX rematches ON games (follows) WHERE follows IS NOT NULL;
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games,
    ply INTEGER NOT NULL,
    move TEXT NOT NULL,
    at INTEGER NOT NULL,
    clock INTEGER,                     -- what the mover had left
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE ratings (
    person INTEGER NOT NULL REFERENCES people,
    game TEXT NOT NULL,
    value REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    at INTEGER NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    PRIMARY KEY (person, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX leaders ON ratings (game, value DESC);
CREATE TABLE changes (                 -- each rated game, each player
    person INTEGER NOT NULL REFERENCES people,
    game TEXT NOT NULL,
    number INTEGER NOT NULL,           -- of the finished game
    at INTEGER NOT NULL,
    before REAL NOT NULL,
    value REAL NOT NULL,
    deviation REAL NOT NULL,
    PRIMARY KEY (person, game, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE challenges (
    code TEXT PRIMARY KEY,
    owner INTEGER NOT NULL REFERENCES people,
    invited INTEGER REFERENCES people, -- NULL: whoever has the link
    terms TEXT NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""


_FROM_1: Final = """
ALTER TABLE people ADD COLUMN skeleton TEXT NOT NULL DEFAULT '';
ALTER TABLE people ADD COLUMN recovery BLOB;
ALTER TABLE people ADD COLUMN silenced INTEGER NOT NULL DEFAULT 0;
UPDATE people SET skeleton = skeleton_of(name);
CREATE INDEX skeletons ON people (skeleton);
CREATE UNIQUE INDEX recoveries ON people (recovery) WHERE recovery IS NOT NULL;
CREATE INDEX pairs ON games (first, second, number);
"""
"""What a database of format 1 lacks."""


class Statement(NamedTuple):
    sql: str
    values: tuple[Any, ...]


Done: TypeAlias = Callable[[], None]


class _Order(NamedTuple):
    statements: Sequence[Statement]
    done: Done | None
    given: float


_CLOSE: Final = _Order((), None, 0.0)


def is_passing(error: BaseException) -> bool:
    """Whether to try again."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, sqlite3.Error) and code is not None and code & 0xFF in _PASSING


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection with the same settings everywhere; FULL syncs the log of each transaction before it counts."""
    if read_only:
        made = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)
    else:
        made = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    made.execute("PRAGMA busy_timeout = 10000")
    made.execute("PRAGMA foreign_keys = ON")
    if not read_only:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("PRAGMA synchronous = FULL")
    return made


class Store:
    """The database of one server, which it alone writes to."""

    def __init__(
        self,
        directory: Path,
        *,
        failed: Callable[[BaseException], None] | None = None,
        troubled: Callable[[BaseException | None], None] | None = None,
        measured: Callable[[int, float], None] | None = None,
    ) -> None:
        """`failed` is told when the database is lost; `troubled` when it has to wait, and with None when it goes on;
        `measured` how many statements a commit held and its seconds."""
        self.path = directory / FILE
        self._failed = failed
        self._troubled = troubled
        self._ending = False
        self._measured = measured
        self._lock = _claim(directory)
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            self.path.chmod(0o600)  # one of before, too; the log beside it is made with the same mode
            self._connection = connect(self.path)
            self._prepare()
            self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * _BUSY_SECONDS)}")
            self._file = self._identity()
        except (sqlite3.Error, OSError) as error:
            self._lock.release()
            fault = error.strerror if isinstance(error, OSError) else error
            raise ServerError(f"{self.path}: cannot be written ({fault})") from None
        self._orders: queue.SimpleQueue[_Order] = queue.SimpleQueue()
        self._unfinished = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Before the thread is started: what a server begins with."""
        assert self._thread is None
        return self._connection.execute(sql, values).fetchall()

    def write_now(self, *statements: Statement) -> None:
        """Before the thread is started."""
        assert self._thread is None
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            for statement in statements:
                self._connection.execute(statement.sql, statement.values)

    def start(self) -> None:
        """From here on in the running event loop, which `done` is called in."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    def write(self, statements: Sequence[Statement], done: Done | None = None) -> None:
        """Write, and call `done` when it is on disk, after everything that was asked for before."""
        self._unfinished += 1
        self._orders.put(_Order(statements, done, time.perf_counter()))

    def when_written(self, done: Done) -> None:
        """Call `done` when all that was asked for so far is on disk: at once if it is."""
        if self._unfinished:
            self.write((), done)
        else:
            done()

    @property
    def behind(self) -> bool:
        """Whether more waits to be written than should be kept in memory."""
        return self._unfinished > _MOST_WAITING

    async def close(self) -> None:
        """Write what is left, and fold the log into the database."""
        if self._thread is not None:
            self._ending = True  # a disk that is still full is not waited for
            self._orders.put(_CLOSE)
            await asyncio.to_thread(self._thread.join)
            await asyncio.sleep(0)  # what the thread handed over last
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()
        self._lock.release()

    def _identity(self) -> tuple[tuple[int, int], ...] | None:
        """Which files the paths of the database and of its log lead to."""
        try:
            found = [os.stat(path) for path in (self.path, f"{self.path}-wal")]
        except FileNotFoundError:
            return None
        return tuple((one.st_dev, one.st_ino) for one in found)

    def _prepare(self) -> None:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version == 0:
            self._connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")
        elif version == 1:
            self._connection.create_function("skeleton_of", 1, skeleton_of, deterministic=True)
            self._connection.executescript(f"BEGIN IMMEDIATE; {_FROM_1} PRAGMA user_version = {FORMAT}; COMMIT;")
        elif version != FORMAT:
            raise ServerError(f"{self.path}: format {version}, and this server writes {FORMAT}; move it away")

    def _work(self) -> None:
        assert self._loop is not None
        closing = False
        while not closing:
            orders = [self._orders.get()]
            with contextlib.suppress(queue.Empty):
                while True:
                    orders.append(self._orders.get_nowait())
            closing = any(order is _CLOSE for order in orders)
            orders = [order for order in orders if order is not _CLOSE]
            try:
                self._commit_at_last(orders)
            except BaseException as error:
                if self._failed is not None:
                    self._loop.call_soon_threadsafe(self._failed, error)
                return
            if orders:
                with contextlib.suppress(RuntimeError):  # the loop is gone, and so is everybody who waits
                    self._loop.call_soon_threadsafe(self._report, orders)

    def _commit_at_last(self, orders: list[_Order]) -> None:
        """Once more and once more, as long as what keeps it from being written may pass."""
        assert self._loop is not None
        waited = False
        while True:
            try:
                self._commit(orders)
                break
            except sqlite3.Error as error:
                if self._connection.in_transaction:
                    with contextlib.suppress(sqlite3.Error):
                        self._connection.execute("ROLLBACK")
                if not is_passing(error) or self._ending or self._identity() != self._file:
                    raise
                if not waited and self._troubled is not None:
                    self._loop.call_soon_threadsafe(self._troubled, error)
                waited = True
                time.sleep(_AGAIN_SECONDS)
        if waited and self._troubled is not None:
            self._loop.call_soon_threadsafe(self._troubled, None)

    def _commit(self, orders: list[_Order]) -> None:
        statements = [statement for order in orders for statement in order.statements]
        if not statements:
            return
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        at = 0
        while at < len(statements):  # runs of one kind in one call
            end = at + 1
            while end < len(statements) and statements[end].sql is statements[at].sql:
                end += 1
            if end - at == 1:
                execute(statements[at].sql, statements[at].values)
            else:
                self._connection.executemany(statements[at].sql, [one.values for one in statements[at:end]])
            at = end
        execute("COMMIT")
        if self._identity() != self._file:  # SQLite goes on writing to a file that nobody can find any more
            raise ServerError("the file was removed or replaced while the server ran")
        if self._measured is not None:
            self._measured(len(statements), time.perf_counter() - orders[0].given)

    def _report(self, orders: list[_Order]) -> None:
        self._unfinished -= len(orders)
        for order in orders:
            if order.done is not None:
                try:
                    order.done()
                except Exception:  # the others of this commit have to hear of it all the same
                    _log.exception("acknowledgement")


def _claim(directory: Path) -> "BaseFileLock":
    """A lock on the directory, so that no two servers write to one database; it goes with the process."""
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        return claim(directory / ".lock", mode=0o600)
    except BlockingIOError:
        raise ServerError(f"{directory}: another server is using it") from None
    except OSError as error:
        raise ServerError(f"{directory}: cannot be written ({error.strerror})") from None
