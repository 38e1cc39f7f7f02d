"""Work on chunks by several threads."""

import threading

import pytest

from alphadiamond.base.threads import ThreadPool, available_cores
from alphadiamond.errors import AlphaDiamondError

CHUNKS = [(7, 0, 3), (7, 3, 4), (8, 0, 5)]


def test_every_chunk_comes_back_with_its_result(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPool(2) as pool:
        found = dict(pool.run(lambda kind, start, stop: kind * (stop - start), CHUNKS, title="adding"))
    assert found == {(7, 0, 3): 21, (7, 3, 4): 7, (8, 0, 5): 40}
    assert capsys.readouterr().err == "adding: 9/9\n", "how far it is counts entries, not chunks"


def test_without_a_title_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPool() as pool:
        assert len(list(pool.run(lambda *chunk: None, CHUNKS))) == 3
    assert capsys.readouterr().err == ""


def test_an_error_in_a_chunk_reaches_who_asked_and_ends_the_rest() -> None:
    seen: list[int] = []
    caught = threading.Event()

    def work(start: int, stop: int) -> None:
        seen.append(start)
        if start == 2:
            raise AlphaDiamondError("entry 2 is wrong")
        if start == 3:
            caught.wait(60)

    with ThreadPool(1) as pool:
        with pytest.raises(AlphaDiamondError, match="entry 2 is wrong"):
            list(pool.run(work, [(i, i + 1) for i in range(100)]))
        caught.set()
    assert seen in ([0, 1, 2], [0, 1, 2, 3])


def test_the_number_of_threads_is_none_or_more() -> None:
    with pytest.raises(AlphaDiamondError, match="threads=-1: expected 0, for one on each core, or more"):
        ThreadPool(-1)
    assert available_cores() >= 1
