"""Clients that mean harm, or are broken: each gets a clear error or a closed connection, and others do not notice."""

import asyncio
import contextlib
import json
import random
import socket
import struct
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client
from alphadiamond.server.http_limits import _REQUEST_SECONDS
from tests.server.server_process import ServerProcess, pair, play_both, run

MOST = 40


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(
        tmp_path_factory.mktemp("server"), connections_per_address=MOST, bot_processes=1, people_per_address=40
    ).start()
    yield made
    assert made.stop() == 0
    assert "Traceback" not in made.log


@contextlib.asynccontextmanager
async def stranger(server: ServerProcess, name: str | None = None) -> AsyncIterator[ClientConnection]:
    """A connection by hand."""
    async with connect(server.address, compression=None) as socket:
        hello = {"type": "hello"} if name is None else {"type": "hello", "name": name}
        await socket.send(json.dumps(hello))
        assert json.loads(await socket.recv())["type"] == "welcome"
        yield socket


async def answer(socket: ClientConnection, text: str | bytes) -> dict[str, Any]:
    await socket.send(text)
    found: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 30))
    return found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "truncated"),
        ("not json", "malformed"),
        (b"\xff\xfe\x00", "malformed"),
        ("[]", "Expected `object`, got `array`"),
        ("null", "Expected `object`, got `null`"),
        ("[" * 4000, "Expected `object`"),
        ('{"a":' * 1500, ""),
        ("{}", "missing required field `type`"),
        ('{"type": "drop table"}', "Invalid value 'drop table'"),
        ('{"type": 7}', "Expected `str`"),
        ('{"type": "move"}', "missing required field `game`"),
        ('{"type": "move", "game": "x", "ply": "0", "move": "si-cs"}', "Expected `int`, got `str` - at `$.ply`"),
        ('{"type": "move", "game": "x", "ply": -1, "move": "si-cs"}', "`$.ply`"),
        ('{"type": "move", "game": "x", "ply": 1e400, "move": "si-cs"}', "`$.ply`"),
        ('{"type": "move", "game": "x", "ply": 0, "move": null}', "`$.move`"),
        ('{"type": "watch", "game": "%s"}' % ("x" * 100), "`$.game`"),
        ('{"type": "ping", "id": 99999999999999999999999999}', "`$.id`"),
        ('{"type": "ping", "more": 1}', "unknown field `more`"),
        ('{"type": "seek", "terms": {"game": "diamond_chase", "clock": {"seconds": 0}}}', "`$.terms.clock.seconds`"),
        ('{"type": "offer", "game": "x", "what": "marriage"}', "`$.what`"),
    ],
)
def test_what_is_no_message_gets_an_error_and_the_connection_goes_on(
    server: ServerProcess, text: str | bytes, says: str
) -> None:
    async def ask() -> None:
        async with stranger(server) as socket:
            found = await answer(socket, text)
            assert (found["type"], found["code"]) == ("error", "bad_message")
            assert says in found["message"]
            assert len(found["message"]) <= 200
            assert (await answer(socket, '{"type": "ping", "id": 5}'))["id"] == 5

    run(ask())


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"type": "watch", "game": "../../etc/passwd"}, "unknown"),
        ({"type": "move", "game": "' OR 1=1 --", "ply": 0, "move": "si-cs"}, "unknown"),
        ({"type": "bot", "bot": "minimax:depth=2", "terms": {"game": "diamond_chase"}}, "unknown"),
        ({"type": "bot", "bot": "os.system", "terms": {"game": "diamond_chase"}}, "unknown"),
        ({"type": "bot", "bot": "@random", "terms": {"game": "../x"}}, "unknown"),
        ({"type": "seek", "terms": {"game": "os"}}, "unknown"),
        ({"type": "take", "seek": "nope"}, "unknown"),
        ({"type": "accept", "challenge": "nope"}, "unknown"),
        ({"type": "challenge", "to": "nobody", "terms": {"game": "diamond_chase"}}, "unknown"),
        ({"type": "challenge", "to": "@random", "terms": {"game": "diamond_chase"}}, "not_allowed"),
        ({"type": "analyse", "game": "x", "ply": 0, "bot": "@random"}, "unknown"),
        ({"type": "hello", "name": "Again"}, "not_allowed"),
    ],
)
def test_what_cannot_be_granted_is_refused_with_a_word(
    server: ServerProcess, request_: dict[str, Any], code: str
) -> None:
    async def ask() -> None:
        name = f"P {random.Random(json.dumps(request_)).randrange(10**9)}"
        async with stranger(server, name) as socket:
            found = await answer(socket, json.dumps({**request_, "id": 3}))
            assert (found["type"], found["code"], found["id"]) == ("error", code, 3)
            assert "\n" not in found["message"]

    run(ask())


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"token": "ad_" + "x" * 43}, "token"),
        ({"token": "' OR ''='"}, "token"),
        ({"token": ""}, "token"),
        ({"name": "<img src=x onerror=alert(1)>"}, "name"),
        ({"name": "Ada\u202e\u0000"}, "name"),
        ({"name": "@random"}, "name"),
        ({"name": "x", "version": 2}, "bad_message"),
    ],
)
def test_nobody_gets_in_with_a_forged_token_or_a_bad_name(
    server: ServerProcess, hello: dict[str, Any], code: str
) -> None:
    async def ask() -> None:
        async with connect(server.address) as socket:
            assert (await answer(socket, '{"type": "ping"}'))["code"] == "hello"
            assert (await answer(socket, json.dumps({"type": "hello", **hello})))["code"] == code
            assert (await answer(socket, '{"type": "lobby"}'))["code"] == "hello"

    run(ask())


def test_a_name_is_one_person_s_however_it_is_written_and_whoever_is_faster(server: ServerProcess) -> None:
    async def ask() -> None:
        async def come(name: str) -> str:
            async with connect(server.address) as socket:
                return str((await answer(socket, json.dumps({"type": "hello", "name": name})))["type"])

        assert sorted(await asyncio.gather(*(come(name) for name in ("Zed Zed", "zed zed", "ZED ZED")))) == [
            "error",
            "error",
            "welcome",
        ]

    run(ask())


def test_others_cannot_move_resign_or_agree_in_a_game_and_nobody_moves_out_of_turn(server: ServerProcess) -> None:
    async def ask() -> None:
        async with (
            Client(server.address, name="Player one") as one,
            Client(server.address, name="Player two") as two,
            stranger(server, "Meddler") as third,
        ):
            first, second = await pair(one, two, m.Terms("diamond_chase", seat=0))
            code = first.code
            for what in (
                {"type": "move", "ply": 0, "move": "si-cs"},
                {"type": "resign"},
                {"type": "offer", "what": "draw"},
                {"type": "abort"},
                {"type": "claim"},
                {"type": "refuse", "what": "draw"},
            ):
                assert (await answer(third, json.dumps({**what, "game": code})))["code"] == "not_allowed"
            assert (await answer(third, json.dumps({"type": "analyse", "game": code, "ply": 0, "bot": "@random"})))[
                "code"
            ] == "not_allowed"
            for client, ply, move, expected in (
                (two, 0, "ni-cn", "late"),
                (one, 5, "si-cs", "late"),
                (one, 0, "ni-cn", "illegal"),
                (one, 0, "<script>", "illegal"),
            ):
                with pytest.raises(Exception) as error:  # noqa: PT011  (its code is looked at)
                    await client.ask(m.Move(game=code, ply=ply, move=move))
                assert getattr(error.value, "code", "") == expected
            assert first.moves == second.moves == []

    run(ask())


def test_messages_that_are_too_long_or_never_end_close_the_connection(server: ServerProcess) -> None:
    async def ask() -> None:
        async with stranger(server) as socket:
            await socket.send("x" * 9000)
            with pytest.raises(ConnectionClosed) as error:
                await socket.recv()
            assert error.value.rcvd is not None
            assert error.value.rcvd.code == 1009
        async with stranger(server) as socket:

            async def endless() -> AsyncIterator[str]:
                while True:
                    yield "x" * 1000
                    await asyncio.sleep(0)

            with pytest.raises(ConnectionClosed):
                await socket.send(endless())

    run(ask())


def test_a_flood_is_warned_then_cut_off(server: ServerProcess) -> None:
    async def ask() -> None:
        async with stranger(server) as socket:
            for _ in range(200):
                await socket.send('{"type": "ping"}')
            codes = []
            with contextlib.suppress(ConnectionClosed):
                while True:
                    codes.append(json.loads(await socket.recv()).get("code"))
            assert (set(codes), codes.count("too_fast")) == ({None, "too_fast"}, 10)
            while socket.protocol.close_rcvd is None:
                await asyncio.sleep(0.01)
            assert socket.protocol.close_rcvd.code == 1008

    run(ask())
    assert "Traceback" not in server.log


def _raw(server: ServerProcess) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    host = f"127.0.0.1:{server.port}"
    made.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert made.recv(4096).startswith(b"HTTP/1.1 101")
    return made


def _frame(data: bytes, opcode: int = 1) -> bytes:
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
    return bytes([0x80 | opcode]) + size + bytes(4) + data


def _memory(pid: int) -> int:
    """Resident kilobytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.parametrize("opcode", [1, 9], ids=["messages", "pings"])
def test_who_sends_and_never_reads_is_cut_off_and_takes_no_memory(server: ServerProcess, opcode: int) -> None:
    before = _memory(server.pid)
    made = _raw(server)
    made.sendall(_frame(b'{"type": "hello"}'))
    made.settimeout(5)
    data = b'{"type": "lobby"}' if opcode == 1 else b"p" * 125
    sent = 0
    cut_off = False
    try:
        while sent < 100_000_000:
            sent += made.send(_frame(data, opcode) * 200)
    except ConnectionError:
        cut_off = True
    finally:
        made.close()
    assert cut_off, f"{sent} bytes were taken"
    assert _memory(server.pid) - before < 60_000
    assert server.json("/health")["status"] == "ok"


def test_bytes_that_are_no_request_and_requests_that_never_end_are_dropped(server: ServerProcess) -> None:
    for data in (b"\x16\x03\x01\x02\x00" + b"\x00" * 200, b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 20_000):
        made = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        with contextlib.suppress(ConnectionError):  # cut off; a time-out is no ConnectionError and fails the test
            made.sendall(data)
            while made.recv(4096):
                pass
        made.close()
    assert server.json("/health")["status"] == "ok"


def test_one_address_has_only_so_many_connections_and_gets_them_back(server: ServerProcess) -> None:
    made = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(MOST)]
    beyond = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    try:
        beyond.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        heard = beyond.recv(100)
    except ConnectionError:
        heard = b""
    assert heard == b""
    for one in [*made, beyond]:
        one.close()
    end = time.monotonic() + 30
    while True:
        try:
            status = server.json("/health")["status"]
            break
        except OSError:
            assert time.monotonic() < end, "the connections were not given back"
            time.sleep(0.01)
    assert status == "ok"


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example", "file://", "http://["]
)
def test_pages_from_elsewhere_cannot_connect(server: ServerProcess, origin: str) -> None:
    async def ask() -> None:
        with pytest.raises(InvalidStatus) as error:
            async with connect(server.address, origin=origin):  # type: ignore[arg-type]
                pass
        assert error.value.response.status_code == 403

    run(ask())


def test_the_server_s_own_page_can_connect(server: ServerProcess) -> None:
    async def ask() -> None:
        async with connect(server.address, origin=f"http://127.0.0.1:{server.port}") as socket:  # type: ignore[arg-type]
            assert (await answer(socket, '{"type": "hello"}'))["type"] == "welcome"

    run(ask())


def test_a_name_that_is_not_ours_is_refused(server: ServerProcess) -> None:
    """Or a page of somebody else's could point its own name at this machine."""
    assert server.get("/", Host="evil.example")[0] == 421
    assert server.get("/", Host="localhost")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/static/../../app.py", "//etc/passwd", "/....//app.py"),
        *("/%00", "/index.html%00.txt", "/.git/config", "/api/records/..%2f..%2fx", "/api/people/%ff/games"),
        *("/api/leaderboard/os", "/api/people/x/games?before=-1;drop"),
    ],
)
def test_paths_outside_what_is_served_are_not_found(server: ServerProcess, path: str) -> None:
    made = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    made.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    data = b""
    while more := made.recv(65536):
        data += more
    made.close()
    status = int(data.split()[1])
    assert 400 <= status < 500, data
    assert b"import" not in data


def test_every_answer_has_the_headers_that_browsers_want(server: ServerProcess) -> None:
    for path in ("/", "/health", "/nowhere", "/api/games"):
        _, _, headers = server.get(path)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_only_reading_is_possible_over_http(server: ServerProcess) -> None:
    made = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    made.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
    assert made.recv(100).startswith(b"HTTP/1.1 405")
    made.close()


def test_a_game_goes_on_while_others_misbehave(server: ServerProcess) -> None:
    async def ask() -> None:
        async def misbehave() -> None:
            while True:
                with contextlib.suppress(ConnectionClosed, OSError, InvalidStatus, TimeoutError):
                    async with connect(server.address) as socket:
                        for _ in range(300):
                            await socket.send("{" * 1000)
                await asyncio.sleep(0)

        async with Client(server.address, name="Calm") as calm, Client(server.address, name="Quiet") as quiet:
            first, second = await pair(calm, quiet)
            noise = [asyncio.create_task(misbehave()) for _ in range(3)]
            await play_both(calm, quiet, first, second, plies=20)
            assert (calm.reconnections, quiet.reconnections) == (0, 0)
            for one in noise:
                one.cancel()
            await asyncio.gather(*noise, return_exceptions=True)

    run(ask())


def test_an_address_gets_only_so_many_names(server: ServerProcess) -> None:
    async def ask() -> None:
        codes = set()
        for number in range(60):
            async with connect(server.address) as socket:
                found = await answer(socket, json.dumps({"type": "hello", "name": f"Sybil {number}"}))
                codes.add(found.get("code"))
        assert "limit" in codes

    run(ask())


def _asked(server: ServerProcess, data: bytes) -> bytes:
    made = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    made.sendall(data)
    heard = b""
    while more := made.recv(65536):
        heard += more
    made.close()
    return heard


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GARBAGE\r\n\r\n", b"400"),
        (b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", b"400"),
        (
            b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Origin: https://evil.example\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            b"Sec-WebSocket-Version: 13\r\n\r\n",
            b"403",
        ),
    ],
)
def test_also_what_no_page_ever_sees_has_the_headers(server: ServerProcess, data: bytes, status: bytes) -> None:
    heard = _asked(server, data)
    assert heard.split()[1] == status, heard
    assert b"content-security-policy: default-src 'none'" in heard.lower()
    assert b"x-content-type-options: nosniff" in heard.lower()


def test_a_request_that_never_comes_or_never_ends_is_given_up_also_a_second_one(server: ServerProcess) -> None:
    silent = socket.create_connection(("127.0.0.1", server.port), timeout=45)
    made = socket.create_connection(("127.0.0.1", server.port), timeout=45)
    made.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    heard = b""
    while not heard.endswith(b"}"):
        heard += made.recv(65536)
    assert heard.startswith(b"HTTP/1.1 200")
    made.sendall(b"G")
    for one in (silent, made):
        with contextlib.suppress(ConnectionError):  # a time-out is no ConnectionError and fails the test
            assert one.recv(65536) == b""
        one.close()


def test_a_websocket_outlives_the_time_that_a_request_has(server: ServerProcess) -> None:
    async def ask() -> None:
        async with stranger(server) as socket:
            await asyncio.sleep(_REQUEST_SECONDS + 1)
            assert (await answer(socket, '{"type": "ping", "id": 5}'))["id"] == 5

    run(ask())


def test_garbage_is_logged_a_few_times_and_a_frame_that_is_no_text_leaves_no_traceback(server: ServerProcess) -> None:
    for _ in range(30):
        assert b"400" in _asked(server, b"GARBAGE\r\n\r\n")[:20]
    assert 1 <= server.log.count("Invalid HTTP request received") <= 6
    made = _raw(server)
    made.sendall(_frame(b"\xff\xfe\xfd"))
    with contextlib.suppress(ConnectionError):
        while made.recv(4096):
            pass
    made.close()
    assert "Traceback" not in server.log


def test_an_address_opens_only_so_many_connections_a_second(tmp_path: Path) -> None:
    made = ServerProcess(tmp_path, bot_processes=1, handshakes_per_second=2).start()
    try:
        refused = 0
        for _ in range(60):
            try:
                refused += made.get("/health")[0] == 429
            except OSError:
                refused += 1
        assert refused > 20
    finally:
        assert made.stop() == 0


def test_who_asks_for_the_lobby_again_and_again_gets_only_so_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.server.local import local_server

    monkeypatch.setattr("alphadiamond.server.dispatcher._ASKED_BYTES", 1e-9)  # or it depends on how fast this is

    async def ask() -> None:
        async with local_server(tmp_path) as local:
            greedy = await local.come("Greedy", address="10.0.0.1")
            local.dispatcher._lobby_data = m.encode(
                m.LobbyState(seeks=(), games=(), people=("x" * 24,) * 4000, playing=0, here=0)
            )
            local.dispatcher._lobby_until = float("inf")
            answers = [await greedy.ask(m.Lobby()) for _ in range(300)]
            codes = {getattr(answer, "code", "ok") for answer in answers}
            assert codes == {"ok", "too_fast"}
            assert sum(isinstance(answer, m.Ok) for answer in answers) < 250
            other = await local.come("Other", address="10.0.0.2")
            assert isinstance(await other.ask(m.Lobby()), m.Ok)

    run(ask())


def test_who_has_long_lines_followed_again_and_again_waits_and_others_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.server.local import local_server

    monkeypatch.setattr("alphadiamond.server.dispatcher._ASKED_BYTES", 1e-9)

    async def ask() -> None:
        async with local_server(tmp_path) as local:
            greedy = await local.come("Greedy", address="10.0.0.1")
            moves = ["nowhere"] * 300
            for request in (m.Explore, m.Consider):
                bot = {"bot": "@random"} if request is m.Consider else {}
                asked = [request(of="diamond_chase", start="", moves=moves, **bot) for _ in range(80)]  # type: ignore[arg-type]
                codes = [(await greedy.ask(one)).code for one in asked]
                assert set(codes) == ({"position", "too_fast"} if request is m.Explore else {"too_fast"}), codes
            other = await local.come("Other", address="10.0.0.2")
            assert isinstance(await other.ask(m.Explore(of="diamond_chase")), m.Explored)

    run(ask())


def test_who_asks_about_one_finished_game_after_another_waits_and_others_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is played through anew, in the threads that logins need too."""
    from tests.server.local import local_server
    from tests.server.test_downloads import fill

    fill(tmp_path, 40)
    monkeypatch.setattr("alphadiamond.server.dispatcher._ASKED_AT_ONCE", 100_000.0)
    monkeypatch.setattr("alphadiamond.server.dispatcher._ASKED_BYTES", 1e-9)

    async def ask() -> None:
        async with local_server(tmp_path) as local:
            greedy = await local.come("Greedy", address="10.0.0.1")
            asked = [m.Resign, m.Watch, lambda game: m.Offer(game=game, what="draw")]
            asked += [lambda game: m.Analyse(game=game, ply=0, bot="@nobody")]
            answers = [await greedy.ask(asked[number % 4](game=f"g{number}")) for number in range(1, 33)]
            refused = [getattr(answer, "code", "") == "too_fast" for answer in answers]
            assert refused == [False] * 12 + [True] * 20  # of eight moves each
            other = await local.come("Other", address="10.0.0.2")
            assert isinstance(await other.ask(m.Watch(game="g39")), m.Ok)

    run(ask())


def test_all_connections_of_an_address_together_are_heard_only_so_often(tmp_path: Path) -> None:
    made = ServerProcess(
        tmp_path, bot_processes=1, proxies=["127.0.0.1"], messages_per_second=10_000, messages_per_address=1
    ).start()

    async def come() -> None:
        def reach(address: str) -> Any:
            headers = {"X-Forwarded-For": address}
            return connect(made.address, additional_headers=headers, proxy=None, close_timeout=0.1)

        async with reach("203.0.113.5") as one, reach("203.0.113.5") as two, reach("203.0.113.6") as other:
            for number in range(300):  # five minutes' worth
                await (one, two)[number % 2].send('{"type": "hello"}')
            assert json.loads(await one.recv())["type"] == "welcome"
            for _ in range(3):
                assert (await answer(other, '{"type": "hello"}'))["type"] in ("welcome", "error")
            with pytest.raises(TimeoutError):  # most of it is not even read
                await asyncio.wait_for(asyncio.gather(*(_hear(one, 150), _hear(two, 150))), 0.5)

    async def _hear(socket: ClientConnection, count: int) -> None:
        for _ in range(count - 1):
            await socket.recv()

    try:
        run(come(), seconds=60)
    finally:
        assert made.stop() == 0


def test_behind_a_proxy_each_address_has_only_so_many_sockets_and_gets_them_back(tmp_path: Path) -> None:
    made = ServerProcess(tmp_path, bot_processes=1, proxies=["127.0.0.1"], connections_per_address=2).start()

    async def come() -> None:
        def reach(address: str) -> Any:
            return connect(made.address, additional_headers={"X-Forwarded-For": address}, proxy=None)

        async with reach("203.0.113.5"), reach("203.0.113.5"):
            with pytest.raises(InvalidStatus) as refused:
                await reach("203.0.113.5")
            assert refused.value.response.status_code == 403
            async with reach("203.0.113.6"):
                pass
        while True:  # when the server has noticed
            with contextlib.suppress(InvalidStatus):
                async with reach("203.0.113.5"), reach("203.0.113.5"):
                    return
            await asyncio.sleep(0.05)

    try:
        run(come(), seconds=60)
    finally:
        assert made.stop() == 0
