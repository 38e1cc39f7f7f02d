"""Messages and requests at random: nothing but documented answers, and the server goes on."""

import asyncio
import os
import random
import re
import string
import time
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.online import messages as m
from alphadiamond.server.audit import audit
from alphadiamond.server.storage import FILE
from tests.server.local import LocalServer, LocalSession, local_server
from tests.server.server_process import ServerProcess

DOCS: Final = (Path(__file__).parents[2] / "docs" / "reference" / "online-protocol.md").read_text()
DOCUMENTED: Final = frozenset(re.findall(r"`(\w+)`", DOCS.partition("| code | means |")[2].partition("\n\n")[0]))
KINDS: Final = {kind.__struct_config__.tag: kind for kind in m.ClientMessage.__args__}  # type: ignore[attr-defined]
WRONG: Final = (
    *(None, True, -1, 0, 1, 2, 7, 1 << 62, 1e308, 0.5, "", "x", "@random", "draw", "rematch", "diamond_chase"),
    *("\u202e", "\x00", "\ud7ff" * 40, "y" * 3000, [], {}, [[[]]], {"game": "diamond_chase"}, {"game": 5}),
    {"game": "diamond_chase", "clock": {"seconds": 1}, "rated": True},
)


class Fuzz:
    """People who send anything: right things at wrong times, wrong things, the same once more."""

    def __init__(self, server: LocalServer, seed: int) -> None:
        self.server = server
        self.rng = random.Random(seed)
        self.codes: list[str] = ["nope"]
        self.last = b"{}"
        self.heard: dict[str, int] = {}

    def message(self) -> bytes:
        rng = self.rng
        if rng.random() < 0.05:
            return self.last  # repeated
        tag, kind = rng.choice(list(KINDS.items()))
        made: dict[str, Any] = {"type": tag, "id": rng.randrange(1000)}
        for field in msgspec.structs.fields(kind):
            if field.name == "id" or rng.random() < 0.1:
                continue
            made[field.name] = self.value(field.name)
        if rng.random() < 0.02:
            made[rng.choice(string.ascii_letters)] = rng.choice(WRONG)
        text = msgspec.json.encode(made)
        if rng.random() < 0.05:
            at = rng.randrange(len(text))
            text = text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :]
        self.last = text
        return text

    def value(self, name: str) -> Any:
        rng = self.rng
        if rng.random() < 0.15:
            return rng.choice(WRONG)
        going = self.server.dispatcher.game_manager.going
        code = rng.choice([*list(going)[-20:], *self.codes[-20:]])
        online_game = going.get(code)
        legal = [text for text, _ in online_game.legal] if online_game is not None else []
        known: dict[str, Any] = {
            "game": code,
            "seek": rng.choice([*self.server.dispatcher.lobby.seeks, "nope"]),
            "challenge": rng.choice([*self.server.dispatcher.lobby._challenges, "nope"]),
            "ply": online_game.plies if online_game is not None else rng.randrange(9),
            "move": rng.choice(legal or ["si-cs"]),
            "what": rng.choice(("draw", "takeback", "rematch")),
            "terms": {"game": "diamond_chase", "seat": rng.randrange(2), "rated": rng.random() < 0.5},
            "bot": "@random",
            "name": f"Fuzz {rng.randrange(10**6)}",
            "to": f"Fuzz {rng.randrange(10**6)}",
            "on": rng.random() < 0.5,
            "version": 1,
            "of": "diamond_chase",
            "start": "",
            "moves": [],
        }
        return known.get(name, rng.choice(WRONG))

    async def send(self, session: LocalSession) -> None:
        text = self.message()
        try:
            request = m.read_request(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            self.heard["bad_message"] = self.heard.get("bad_message", 0) + 1  # as the socket answers it
            return
        await self.server.dispatcher.handle(session, request)

    def note(self, session: LocalSession) -> None:
        for event in session.heard:
            if isinstance(event, m.Error):
                assert event.code in DOCUMENTED, event
                assert "\n" not in event.message
                self.heard[event.code] = self.heard.get(event.code, 0) + 1
            elif isinstance(event, m.Game):
                self.codes.append(event.game)
        session.heard.clear()


async def fuzz(directory: Path, count: int, seed: int) -> dict[str, int]:
    async with local_server(directory, people_per_address=1_000_000, rated_at_home=True) as server:
        made = Fuzz(server, seed)
        sessions: list[LocalSession] = []
        for sent in range(count):
            if len(sessions) < 8 or made.rng.random() < 0.01:
                if len(sessions) >= 8:
                    made.note(sessions[0])
                    sessions.pop(0).leave()
                name = None if made.rng.random() < 0.1 else f"Fuzz {made.rng.randrange(10**6)}"
                sessions.append(await server.come(name, address=f"10.0.0.{made.rng.randrange(250)}"))
            session = made.rng.choice(sessions)
            await made.send(session)
            if sent % 50 == 0:
                await asyncio.sleep(0)
                for one in [one for one in sessions if one.ended is not None]:
                    sessions.remove(one)
                for one in sessions:
                    made.note(one)
        written = asyncio.Event()
        server.dispatcher.when_written(written.set)
        await written.wait()
        assert isinstance(await (await server.come("Calm")).ask(m.Ping()), m.Pong)
        return made.heard


def check(directory: Path, count: int, seed: int) -> None:
    heard = asyncio.run(fuzz(directory, count, seed))
    assert {"bad_message", "unknown", "not_allowed"} <= set(heard), heard
    assert not audit(directory / FILE).faults


def test_two_thousand_messages_of_every_kind_get_documented_answers(tmp_path: Path) -> None:
    check(tmp_path, 2_000, 1)


@pytest.mark.slow
def test_a_hundred_thousand_messages_of_every_kind_get_documented_answers(tmp_path: Path) -> None:
    """ALPHADIAMOND_FUZZ says how many instead."""
    check(tmp_path, int(os.environ.get("ALPHADIAMOND_FUZZ", "100000")), 2)


@pytest.mark.slow
def test_requests_at_random_get_what_the_description_says(tmp_path: Path) -> None:
    """By schemathesis, from /api/openapi.json."""
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, given, settings

    server = ServerProcess(tmp_path, bot_processes=1).start()
    try:
        schema = schemathesis.openapi.from_dict(server.json("/api/openapi.json"))
        for operation in schema.get_all_operations():
            asked = operation.ok()

            @given(case=asked.as_strategy())
            @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
            def ask(case: Any) -> None:
                answer = case.call(base_url=f"http://127.0.0.1:{server.port}")
                while answer.status_code == 429:  # asked too fast: the limit is by address
                    time.sleep(0.5)
                    answer = case.call(base_url=f"http://127.0.0.1:{server.port}")
                assert answer.status_code < 500, answer.text
                case.validate_response(answer)

            ask()
        while server.get("/health")[0] == 429:
            time.sleep(0.5)
        assert server.json("/health")["status"] == "ok"
    finally:
        code = server.stop()
    assert code == 0
    assert "Traceback" not in server.log
