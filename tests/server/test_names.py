"""Whose name is whose, also for the eye."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.names import clean_name, skeleton_of
from alphadiamond.server.storage import FILE, Store
from tests.server.local import local_server

INVISIBLE = ("\u034f", "\ufe0f", "\ufe00", "\U000e0100", "\u180b", "\u17b4")


@pytest.mark.parametrize(
    "name",
    [
        *(f"Ada{sign}" for sign in INVISIBLE),
        *("\u1160\u1160", "\u115f\u115f", "\u3164\u3164", "\uffa0\uffa0"),
        *("\u0410da", "\u0391da", "Ad\u0430", "Bob\u0661\u0628", "Ada\u674e"),
        "A" + "\u0323\u0301" * 11,
        "A" + "\u0301" * 22,
        "o\u0308\u0308o",
    ],
    ids=ascii,
)
def test_what_cannot_be_seen_or_mixes_scripts_is_no_name(name: str) -> None:
    with pytest.raises(RefusedError) as error:
        clean_name(name)
    assert error.value.code == "name"


@pytest.mark.parametrize(
    "name",
    ["Zoë", "Łukasz", "Nguyễn Văn", "李雷", "ひらカナ漢字", "한국漢", "आदित्य", "สมชาย", "Мария", "Ὀδυσσεύς", "x_1"],
)
def test_names_of_one_script_are_names(name: str) -> None:
    assert clean_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("Ace", "\u0410\u0441\u0435"),
            ("paypal", "PaypaI"),
            ("Bob1", "Bobl"),
            ("Oscar", "0scar"),
            ("modern", "rnodern"),
        ),
        ("Ada", "ADA"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton_of(one) == skeleton_of(other)


def test_names_that_look_different_have_different_skeletons() -> None:
    names = ["Ada", "Adam", "Bob", "Rob", "Zoë", "Zoe", "李雷", "Мария", "Anna", "Hanna", "one", "two"]
    assert len({skeleton_of(name) for name in names}) == len(names)


def test_a_name_that_looks_like_another_is_refused_also_of_two_at_once_and_on_renaming(tmp_path: Path) -> None:
    async def come() -> None:
        async with local_server(tmp_path) as server:
            sessions = await asyncio.gather(*(server.come(name) for name in ("Bob1", "BobI", "Bobl")))
            codes = sorted(getattr(session.heard[-1], "code", "") for session in sessions)
            assert codes == ["", "name", "name"]
            assert "looks like" in (await server.come("b0bl")).heard[-1].message
            other = await server.come("Carol")
            refused = await other.ask(m.Rename(name="BOB1"))
            assert refused.code == "name"
            assert isinstance(await other.ask(m.Rename(name="Caro1")), m.Ok)  # one's own name may look like itself
            assert other.heard[-2] == m.Named(name="Caro1")
            assert isinstance((await server.come("Carol")).heard[-1], m.Error)

    asyncio.run(come())


def test_people_of_a_database_of_before_keep_their_names(tmp_path: Path) -> None:
    asyncio.run(Store(tmp_path).close())
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as database:  # as format 1 had it
        database.executescript(
            """
            DROP INDEX skeletons; DROP INDEX recoveries; DROP INDEX pairs;
            ALTER TABLE people DROP COLUMN skeleton; ALTER TABLE people DROP COLUMN recovery;
            ALTER TABLE people DROP COLUMN silenced;
            INSERT INTO people VALUES (1, 'Ada', 'ada', x'01', 0, 5);
            INSERT INTO people VALUES (2, 'Ad\u0430', 'ad\u0430', x'02', 0, 6);
            PRAGMA user_version = 1;
            """
        )

    async def come() -> None:
        async with local_server(tmp_path) as server:
            people = [person.name for person in await server.dispatcher.people.fetch([1, 2])]
            assert people == ["Ada", "Ad\u0430"]
            assert "taken" in (await server.come("ADA")).heard[-1].message
            assert "looks like" in (await server.come("\u0410\u0501\u0430")).heard[-1].message

    asyncio.run(come())
