"""The sample bot and the client of the window, against a real server."""

import asyncio
import contextlib
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.online.bot import at_random, play
from alphadiamond.online.client import Client, OnlineError
from alphadiamond.online.link import Failed, Link
from tests.server.server_process import ServerProcess, play_on, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "online-protocol.md").read_text()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("server"), bot_processes=1).start()
    yield made
    made.stop()


def test_the_sample_bot_offers_games_and_plays_them(server: ServerProcess) -> None:
    async def meet() -> None:
        async with Client(server.address, name="Sample bot") as bot, Client(server.address, name="Guest") as guest:
            await guest.enter_lobby()
            playing = asyncio.create_task(play(bot, "diamond_chase", at_random, games=1))
            lobby = await guest.until(m.LobbyState)
            while not lobby.seeks:
                lobby = await guest.until(m.LobbyState)
            view = await guest.take(lobby.seeks[0].seek)
            await play_on(guest, view, rng=random.Random(2), plies=20)
            if not view.over:
                await guest.ask(m.Resign(game=view.code))
            (theirs,) = await playing
            assert theirs.moves == view.moves

    run(meet())


def wait_for(link: Link, wanted: Callable[[Any], bool]) -> Any:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        for event in link.poll():
            if wanted(event):
                return event
        time.sleep(0.005)
    raise AssertionError("it never came")


def test_a_program_with_a_loop_of_its_own_plays_through_a_thread(server: ServerProcess) -> None:
    link = Link(server.address, name="Window")
    welcome = wait_for(link, lambda event: isinstance(event, m.Welcome))
    assert welcome.name == "Window"
    link.send(m.Bot(bot="@random", terms=m.Terms("diamond_chase", seat=0)))
    game = wait_for(link, lambda event: isinstance(event, m.Game))
    link.move(game.game, game.legal[0][0])
    answer = wait_for(link, lambda event: isinstance(event, m.Moved) and event.ply == 1)
    assert answer.turn == 0
    link.send(m.Move(game=game.game, ply=2, move="nonsense"))
    failed = wait_for(link, lambda event: isinstance(event, Failed))
    assert failed.code == "illegal"
    link.close()
    refused = Link(server.address, token="ad_wrong")
    assert wait_for(refused, lambda event: isinstance(event, Failed)).code == "token"
    refused.close()


def test_a_change_between_the_call_and_the_wait_is_not_missed(server: ServerProcess) -> None:
    async def ask() -> None:
        async with Client(server.address) as client:
            changed = client.change()
            await client.ask(m.Ping())
            assert changed.done()

    run(ask())


def test_the_page_on_the_protocol_shows_messages_as_they_are_and_names_them_all() -> None:
    shown = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(shown) >= 8
    for text in shown:
        kind = msgspec.json.decode(text)["type"]
        reader: Any = m.read_request if kind == "hello" else m.read_event
        reader(text)
    for text in re.findall(r"`(\{\"type\"[^`]*\})`", PAGE):
        whole = (
            text.replace("{...}", '{"game": "diamond_chase"}')
            .replace('"..."', '"x"')
            .replace("...", '"x"')
            .replace('"""', '"')
        )
        whole = re.sub(r'"(\w+)"x""', r'"\1"', whole)
        told = ('"stopping"', '"token", "token"', '"named"', '"code"', '"trouble"')
        reader = m.read_event if any(word in text for word in told) else m.read_request
        reader(whole)
    for message in (*m.ClientMessage.__args__, *m.ServerMessage.__args__):  # type: ignore[attr-defined]
        assert f"`{message.__struct_config__.tag}`" in PAGE or f'"type": "{message.__struct_config__.tag}"' in PAGE


def test_the_example_in_python_plays_a_game_every_time(server: ServerProcess, tmp_path: Path) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    code = code.replace("127.0.0.1:8765", f"127.0.0.1:{server.port}").replace("Ada", "Example")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=300
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split()[0] in ("first", "second", "draw")
    (kept,) = tmp_path.iterdir()
    assert kept.stat().st_mode & 0o077 == 0 or os.name == "nt"
    assert "\n*.token\n" in (ROOT / ".gitignore").read_text(), "the sample bot keeps its token like that too"


def test_every_error_code_that_the_server_uses_is_on_the_page() -> None:
    sources = (ROOT / "alphadiamond" / "server").glob("*.py")
    found = re.findall(r'(?:RefusedError\(|_no\(|code=)"(\w+)"', "".join(path.read_text() for path in sources))
    assert len(set(found)) >= 8
    for code in set(found):
        assert f"`{code}`" in PAGE, code


def test_a_client_whose_cancellation_was_lost_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphadiamond.online.client._CLOSING_SECONDS", 0.05)

    class Deaf(Client):
        async def _stay(self) -> None:
            for _ in range(3):  # as often as that
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()

    async def close() -> None:
        client = Deaf("ws://nowhere")
        client._task = asyncio.create_task(client._stay())
        await asyncio.sleep(0)
        await client.close()

    run(close(), seconds=30)


def test_a_client_that_is_closed_as_the_server_greets_it_is_gone() -> None:
    class Greeting:
        """Says nothing, until somebody is about to go."""

        def __init__(self) -> None:
            self.said: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def send(self, text: str) -> None:
            pass

        async def recv(self) -> str:
            return await self.said

    async def close(turns: int) -> None:
        client, socket = Client("ws://nowhere"), Greeting()
        greeting = asyncio.create_task(client._greet(socket))  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        socket.said.set_result(m.encode(m.Error(code="name", message="taken")).decode())
        for _ in range(turns):
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError if greeting.cancel() else OnlineError):
            await greeting

    for turns in range(5):
        run(close(turns), seconds=30)
