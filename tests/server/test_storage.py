"""What is on disk when somebody is told so."""

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from alphadiamond.server import writes
from alphadiamond.server.backups import back_up
from alphadiamond.server.errors import RefusedError, ServerError
from alphadiamond.server.names import clean_name, key_of
from alphadiamond.server.storage import Store, connect
from alphadiamond.server.tokens import hash_of, looks_like_token, new_token

NOBODY = 65_534


def people(path: Path) -> list[str]:
    with contextlib.closing(connect(path, read_only=True)) as other:
        return [name for (name,) in other.execute("SELECT name FROM people ORDER BY id")]


def test_who_is_told_that_it_is_written_finds_it_on_disk_in_order(tmp_path: Path) -> None:
    commits: list[int] = []

    async def write() -> None:
        store = Store(tmp_path, measured=lambda count, seconds: commits.append(count))
        store.start()
        told: list[int] = []
        all_told = asyncio.Event()

        def done(number: int) -> None:
            assert len(people(store.path)) >= number
            told.append(number)
            if number == 50:
                all_told.set()

        for number in range(1, 51):
            one = writes.add_person(number, f"p{number}", b"%d" % number, at=1)
            store.write([one], lambda number=number: done(number))
        store.when_written(lambda: told.append(51))
        await asyncio.wait_for(all_told.wait(), 30)
        await store.close()
        assert told == [*range(1, 52)]

    asyncio.run(write())
    assert sum(commits) == 50
    assert len(commits) < 50, "what comes together is written together"


def test_each_commit_is_synced(tmp_path: Path) -> None:
    with contextlib.closing(connect(tmp_path / "one.sqlite")) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_disk_that_refuses_is_told_and_nobody_is_acknowledged(tmp_path: Path) -> None:
    async def write() -> None:
        faults: list[BaseException] = []
        store = Store(tmp_path, failed=faults.append)
        store.start()
        told: list[str] = []
        twice = writes.add_person(1, "p", b"1", at=1)
        store.write([twice, twice], lambda: told.append("written"))
        while not faults:
            await asyncio.sleep(0.01)
        assert isinstance(faults[0], sqlite3.IntegrityError)
        assert told == []
        await store.close()
        assert people(store.path) == []

    asyncio.run(write())


def test_who_fails_to_hear_of_a_commit_keeps_nobody_else_from_it(tmp_path: Path) -> None:
    async def write() -> None:
        store = Store(tmp_path)
        told: list[int] = []
        for number in range(1, 4):
            one = writes.add_person(number, f"p{number}", b"%d" % number, at=1)
            done = [lambda: told.append(1), lambda: 1 // 0, lambda: told.append(3)][number - 1]
            store.write([one], done)  # type: ignore[arg-type]
        store.start()  # all in one commit
        while len(told) < 2:
            await asyncio.sleep(0.01)
        assert told == [1, 3]
        await store.close()

    asyncio.run(asyncio.wait_for(write(), 30))


def test_two_servers_do_not_share_a_database(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(ServerError, match="another server is using it"):
        Store(tmp_path)
    asyncio.run(store.close())
    asyncio.run(Store(tmp_path).close())


def test_the_database_is_its_owner_s_alone_also_one_of_before(tmp_path: Path) -> None:
    asyncio.run(Store(tmp_path).close())
    assert (tmp_path / "online.sqlite").stat().st_mode & 0o777 == 0o600
    (tmp_path / "online.sqlite").chmod(0o644)
    store = Store(tmp_path)
    store.write_now(writes.add_person(1, "p", b"1", at=1))
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("online.sqlite*")}
    asyncio.run(store.close())
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}, modes
    back_up(tmp_path / "online.sqlite", tmp_path / "copies" / "copy.sqlite")
    assert (tmp_path / "copies" / "copy.sqlite").stat().st_mode & 0o777 == 0o600
    assert people(tmp_path / "copies" / "copy.sqlite") == ["p"]


@contextlib.contextmanager
def nobody_special(path: Path) -> Iterator[None]:
    """Root may write everything; somebody else, who owns this directory, may not."""
    if os.geteuid() != 0:
        yield
        return
    for one in (path, *path.iterdir()):
        os.chown(one, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes of files are not Windows'")
@pytest.mark.parametrize(("directory", "database"), [(0o500, 0o400), (0o700, 0o400), (0o500, 0o600)], ids=str)
def test_a_database_that_may_only_be_read_is_refused_in_one_line(directory: int, database: int) -> None:
    with tempfile.TemporaryDirectory() as made:  # pytest's own is root's, and nobody else may enter it
        path = Path(made)
        asyncio.run(Store(path).close())
        with nobody_special(path):
            (path / "online.sqlite").chmod(database)
            path.chmod(directory)
            try:
                with pytest.raises(ServerError, match="cannot be written") as error:
                    Store(path)
                assert "\n" not in str(error.value)
            finally:
                path.chmod(0o700)


@pytest.mark.parametrize("name", ["online.sqlite", "online.sqlite-wal"])
def test_a_database_that_is_removed_while_the_server_runs_acknowledges_nothing_more(tmp_path: Path, name: str) -> None:
    async def write() -> None:
        faults: list[BaseException] = []
        told: list[int] = []
        store = Store(tmp_path, failed=faults.append)
        store.start()
        store.write([writes.add_person(1, "p1", b"1", at=1)], lambda: told.append(1))
        while not told:
            await asyncio.sleep(0.01)
        (tmp_path / name).unlink()
        store.write([writes.add_person(2, "p2", b"2", at=1)], lambda: told.append(2))
        while not faults and len(told) < 2:
            await asyncio.sleep(0.01)
        assert told == [1]
        assert "removed or replaced" in str(faults[0])
        await store.close()

    asyncio.run(asyncio.wait_for(write(), 30))


def test_a_database_that_has_no_room_is_waited_for_and_nobody_is_told_before(tmp_path: Path) -> None:
    async def write() -> None:
        faults: list[BaseException] = []
        troubles: list[BaseException | None] = []
        told: list[int] = []
        store = Store(tmp_path, failed=faults.append, troubled=troubles.append)
        most = store.read("PRAGMA max_page_count")[0][0]
        store.read(f"PRAGMA max_page_count = {store.read('PRAGMA page_count')[0][0]}")  # what a full disk says, too
        store.start()
        store.write([writes.add_person(1, "p" * 100_000, b"1", at=1)], lambda: told.append(1))
        while not troubles and not faults:
            await asyncio.sleep(0.01)
        assert getattr(troubles[0], "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        assert (told, faults) == ([], [])
        store._connection.execute(f"PRAGMA max_page_count = {most}")
        while not told:
            await asyncio.sleep(0.01)
        await store.close()
        assert len(troubles) == 2
        assert troubles[1] is None

    asyncio.run(asyncio.wait_for(write(), 30))
    assert [len(name) for name in people(tmp_path / "online.sqlite")] == [100_000]


def test_a_database_of_another_format_is_left_alone(tmp_path: Path) -> None:
    with contextlib.closing(connect(tmp_path / "online.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(ServerError, match="format 99"):
        Store(tmp_path)


@pytest.mark.parametrize("name", ["Ada", "Ada Lovelace", "Zoë", "李雷", "x_1", "Jean-Luc P", "José", "आदित्य"])
def test_names_of_any_script_are_names(name: str) -> None:
    assert key_of(clean_name(name)) == key_of(clean_name(name.upper()))


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "a",
            "a" * 25,
            "  ",
            "a  b",
            "-ab",
            "ab-",
            "a..b",
            "<b>Ada</b>",
            "Ada\tB",
            "Ada\x00",
            "Ada\x1b[31m",
        ),
        *(
            "\u202eadA",
            "Ada\u200b",
            "@medium",
            "a/b",
            "a&b",
            'a"b',
            "a'b",
            "javascript:x",
            "Ada\ud800",
            "\u0301ab",
            "🙂🙂",
        ),
    ],
)
def test_names_that_could_be_taken_for_something_else_are_refused(name: str) -> None:
    with pytest.raises(RefusedError) as error:
        clean_name(name)
    assert error.value.code == "name"
    assert len(name) < 3 or name not in error.value.message


def test_tokens_are_long_random_and_stored_as_hashes() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(looks_like_token(token) and len(token) == 46 for token in tokens)
    assert all(len(hash_of(token)) == 32 for token in tokens)
    assert not looks_like_token("ad_" + "a" * 42)
    assert not looks_like_token("ad_" + "a" * 43 + "\n")
