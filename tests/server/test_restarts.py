"""A server that is stopped and started again, with other settings or in the middle of things."""

from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client
from alphadiamond.server.audit import audit
from tests.server.running import ServerProcess, run

SLOW = "mcts:simulations=1000000"


def test_games_whose_bot_is_no_longer_there_are_aborted_and_the_others_go_on(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bots=[SLOW], think_seconds=600, thinkers=1).start()

    async def begin() -> tuple[str | None, list[str], str]:
        async with Client(server.address, name="Ada") as ada:
            gone = [await ada.play_bot("@mcts simulations=1000000", m.Terms("diamond_chase", seat=1)) for _ in range(3)]
            kept = await ada.play_bot("@random", m.Terms("diamond_chase", seat=0))
            return ada.token, [view.code for view in gone], kept.code

    token, gone, kept = run(begin())
    assert server.stop() == 0
    server = ServerProcess(tmp_path, thinkers=1).start()

    async def look() -> None:
        async with Client(server.address, token=token) as ada:
            assert ada.welcome is not None
            assert [line.game for line in ada.welcome.playing] == [kept]
            for code in gone:
                view = await ada.watch(code)
                assert (view.result, view.ending) == ("aborted", "aborted")
            view = await ada.watch(kept)
            await ada.move(view, view.legal[0][0])

    try:
        run(look())
    finally:
        code = server.stop()
    assert code == 0
    assert not audit(server.database).faults
