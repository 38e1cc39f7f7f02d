"""What every request meets first, without a socket."""

import asyncio
import socket
from typing import Any, ClassVar, cast

import pytest

pytest.importorskip("starlette", reason="the server needs the extra [server]")

import uvicorn
from uvicorn.server import ServerState

from alphadiamond.server import http_limits
from alphadiamond.server.http_limits import Arrivals, guarded
from alphadiamond.server.limits import Buckets, Counts
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.sockets import SocketSession
from alphadiamond.server.web_guard import Guard

NAMES = frozenset({"localhost", "play.example.org"})


def ask(*, proxies: tuple[str, ...] = (), client: str = "127.0.0.1", method: str = "GET", **headers: str) -> Any:
    """(the status, the address that the application sees)"""
    seen: list[str] = []
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    raw = [
        (name.replace("_", "-").encode(), value.encode()) for name, value in ({"host": "localhost"} | headers).items()
    ]
    scope = {"type": "http", "method": method, "path": "/", "headers": raw, "client": (client, 1), "query_string": b""}
    asyncio.run(Guard(app, names=NAMES, proxies=frozenset(proxies), metrics=Metrics())(scope, receive, send))
    assert b"content-security-policy" in dict(sent[0]["headers"])
    return sent[0]["status"], seen[0] if seen else None


@pytest.mark.parametrize(
    ("proxies", "client", "forwarded", "address"),
    [
        ((), "127.0.0.1", "6.6.6.6", "127.0.0.1"),
        (("127.0.0.1",), "127.0.0.1", "6.6.6.6", "6.6.6.6"),
        (("127.0.0.1",), "127.0.0.1", "1.1.1.1, 6.6.6.6", "6.6.6.6"),
        (("127.0.0.1", "10.0.0.2"), "127.0.0.1", "6.6.6.6, 10.0.0.2", "6.6.6.6"),
        (("127.0.0.1",), "9.9.9.9", "6.6.6.6", "9.9.9.9"),
        (("127.0.0.1",), "127.0.0.1", "<script>", "127.0.0.1"),
        (("127.0.0.1",), "127.0.0.1", "2001:db8::1", "2001:db8::1"),
    ],
)
def test_only_a_proxy_of_ours_is_believed_and_only_what_it_saw_itself(
    proxies: tuple[str, ...], client: str, forwarded: str, address: str
) -> None:
    assert ask(proxies=proxies, client=client, x_forwarded_for=forwarded) == (200, address)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8765", 200),
        ("PLAY.example.org", 200),
        ("evil.example", 421),
        ("play.example.org.evil.example", 421),
        ("", 421),
        ("[", 421),
        ("localhost@evil.example", 421),
    ],
)
def test_only_names_of_ours_are_answered(host: str, status: int) -> None:
    assert ask(host=host)[0] == status


def test_nothing_can_be_changed_over_http() -> None:
    assert [ask(method=method)[0] for method in ("GET", "HEAD", "POST", "PUT", "DELETE")] == [200, 200, 405, 405, 405]


def test_only_so_many_addresses_are_remembered_and_those_heard_of_lately_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphadiamond.server.limits._KEPT", 3)
    buckets = Buckets(0.0, 2)
    for number in range(10):
        assert buckets.take(f"10.0.0.{number}", 0.0)
        assert buckets.take("10.1.0.1", 0.0) == (number < 2)
    assert list(buckets._all) == ["10.0.0.8", "10.0.0.9", "10.1.0.1"]
    counts = Counts(100, 10)
    for number in range(10):
        assert counts.take(f"10.0.0.{number}")
        counts.give_back(f"10.0.0.{number}")
    assert (counts.all, counts._each) == (0, {})


LONG = 20_000_000


async def long_answer(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(LONG // 100_000):
        await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
    await send({"type": "http.response.body"})


def test_who_does_not_read_a_long_answer_is_cut_off_and_who_reads_it_slowly_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_limits, "_UNREAD_SECONDS", 0.5)
    metrics, counts = Metrics(), Counts(10, 10)

    async def ask() -> int:
        http, websocket = guarded(counts, metrics, Arrivals(1000))
        config = uvicorn.Config(long_answer, http=http, ws=websocket, lifespan="off", log_config=None)
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: http(config=config, server_state=state, app_state={}), "127.0.0.1", 0
        )
        address = server.sockets[0].getsockname()
        with socket.create_connection(address) as silent:
            silent.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            while not metrics.counts["cut_off"]:
                await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*address)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        read = 0
        for _ in range(5):
            read += len(await reader.readexactly(LONG // 10))
            await asyncio.sleep(0.2)
        while more := await reader.read(1 << 20):
            read += len(more)
        writer.close()
        while counts.all:
            await asyncio.sleep(0.01)
        server.close()
        return read

    assert asyncio.run(asyncio.wait_for(ask(), 60)) > LONG
    assert metrics.counts["cut_off"] == 1


def test_what_waits_for_somebody_who_does_not_read_is_a_megabyte_at_most() -> None:
    aborted: list[bool] = []

    class Unread:
        scope: ClassVar[dict[str, Any]] = {"abort": lambda: aborted.append(True)}

        async def send(self, message: Any) -> None:
            await asyncio.Event().wait()

    async def tell() -> int:
        session = SocketSession(cast(Any, Unread()), "10.0.0.1", Metrics())
        writing = asyncio.create_task(session.write())
        sent = 0
        while not session.closed and sent < 3000:
            session.send(b"x" * 1000)
            sent += 1
            await asyncio.sleep(0)
        assert not session._unsent
        writing.cancel()
        return sent

    assert 1_000_000 < 1000 * asyncio.run(tell()) < 1_100_000
    assert aborted == [True]
