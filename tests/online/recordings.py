"""Events of games as a page hears them, recorded from a real server.

    python -m tests.online.recordings

writes `streams/*.json` anew. A stream is a list of entries with the milliseconds `at` which they came: an `event`, or a
`truth`, the whole game as the server tells it to a second connection of the same person at that moment.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from alphadiamond.online import messages as m
from alphadiamond.online.client import Client
from tests.server.server_process import ServerProcess, pair, run, settle

STREAMS = Path(__file__).parent / "streams"
SETTINGS: dict[str, object] = {"bot_processes": 1, "away_seconds": 0.3}
TERMS = m.Terms("connect_four", seat=0)
TIMED = m.Terms("connect_four", clock=m.Clock(60, 2), rated=True, seat=0)
WON = ("4", "1", "4", "1", "4", "1", "4")


class Recorder:
    """A connection as a page has it; it keeps what it hears of games."""

    def __init__(self, address: str, name: str | None = None) -> None:
        self.address, self.name = address, name
        self.token: str | None = None
        self.entries: list[dict[str, Any]] = []
        self._began = time.monotonic()
        self._socket: ClientConnection | None = None

    async def open(self) -> None:
        """Also anew, as the same person."""
        hello = m.Hello(token=self.token, scenes=True) if self.token else m.Hello(name=self.name, scenes=True)
        self._socket = await connect(self.address)
        await self.send(hello)
        welcome = await self._next()
        self.token = welcome.get("token", self.token)

    async def close(self) -> None:
        assert self._socket is not None
        await self._socket.close()

    async def send(self, request: m.Request) -> None:
        assert self._socket is not None
        await self._socket.send(m.encode(request).decode())

    async def until(self, kind: str, **having: object) -> dict[str, Any]:
        """Record up to the next event of a kind with these fields."""
        while True:
            event = await self._next()
            if event["type"] == kind and all(event.get(key) == value for key, value in having.items()):
                return event

    async def check(self, code: str) -> None:
        """Have the server say how things stand."""
        other = Recorder(self.address)
        other.token = self.token
        await other.open()
        await other.send(m.Watch(game=code))
        self.entries.append({"at": self._now(), "truth": await other.until("game")})
        await other.close()

    def _now(self) -> int:
        return round(1000 * (time.monotonic() - self._began))

    async def _next(self) -> dict[str, Any]:
        assert self._socket is not None
        event: dict[str, Any] = msgspec.json.decode(await self._socket.recv())
        if "game" in event:
            self.entries.append({"at": self._now(), "event": event})
        return event


class Game:
    """One between the recorder, who moves first, and a rival."""

    def __init__(self, me: Recorder, rival: Client, code: str) -> None:
        self.me, self.rival, self.code = me, rival, code

    async def play(self, *moves: str) -> None:
        for move in moves:
            view = self.rival.games[self.code]
            ply = len(view.moves)
            if ply % 2 == 0:
                await self.me.send(m.Move(game=self.code, ply=ply, move=move))
                await settle(self.rival, view, ply + 1)
            else:
                await self.rival.move(view, move)
            moved = await self.me.until("moved", ply=ply)
            if moved["turn"] is not None:  # else that it is over comes next
                await self.check()

    async def check(self) -> None:
        await self.me.check(self.code)


async def begin(me: Recorder, rival: Client, terms: m.Terms = TERMS) -> Game:
    await me.open()
    await me.send(m.Challenge(terms=terms))
    made = await me.until("challenged")
    view = await rival.accept(made["challenge"]["challenge"])
    await me.until("game", game=view.code)
    return Game(me, rival, view.code)


async def whole_game(me: Recorder, rival: Client) -> None:
    game = await begin(me, rival, TIMED)
    await game.play(*WON)
    await me.until("ended")
    await game.check()


async def take_back(me: Recorder, rival: Client) -> None:
    game = await begin(me, rival, TIMED)
    await game.play("4", "4", "3")
    await me.send(m.Offer(game=game.code, what="takeback"))
    await me.until("offered", seat=0)
    await game.check()
    await rival.ask(m.Offer(game=game.code, what="takeback"))
    await me.until("game")
    await game.check()
    await game.play("5")


async def draw_declined_then_agreed(me: Recorder, rival: Client) -> None:
    game = await begin(me, rival)
    await game.play("4")
    await me.send(m.Offer(game=game.code, what="draw"))
    await me.until("offered", seat=0)
    await game.check()
    await rival.ask(m.Refuse(game=game.code, what="draw"))
    await me.until("offered", seat=None)
    await game.check()
    await rival.ask(m.Offer(game=game.code, what="draw"))
    await me.until("offered", seat=1)
    await game.play("4")  # which is a refusal too
    await rival.ask(m.Offer(game=game.code, what="draw"))
    await me.until("offered", seat=1)
    await me.send(m.Offer(game=game.code, what="draw"))
    await me.until("ended", result="draw")
    await game.check()


async def resignation(me: Recorder, rival: Client) -> None:
    game = await begin(me, rival, TIMED)
    await game.play("4", "4")
    await rival.ask(m.Offer(game=game.code, what="draw"))
    await me.until("offered", seat=1)
    await rival.ask(m.Resign(game=game.code))
    await me.until("ended", ending="resignation")
    await game.check()


async def flag_fall(me: Recorder, rival: Client) -> None:
    game = await begin(me, rival, m.Terms("connect_four", clock=m.Clock(1), seat=0))
    await game.play("4", "4")
    await me.until("ended", ending="time")
    await game.check()


async def reconnection(me: Recorder, rival: Client) -> None:
    game = await begin(me, rival, TIMED)
    await game.play("4", "3", "4")
    await me.close()
    await rival.move(rival.games[game.code], "3")
    await me.open()
    await me.send(m.Watch(game=game.code))
    await me.until("game")
    await game.check()
    await game.play("4", "3")


async def abort(me: Recorder, rival: Client) -> None:
    game = await begin(me, rival)
    await game.play("4")
    await rival.ask(m.Abort(game=game.code))
    await me.until("ended", result="aborted")
    await game.check()


async def rematch(me: Recorder, rival: Client) -> None:
    game = await begin(me, rival)
    await game.play(*WON)
    await me.until("ended")
    await me.send(m.Offer(game=game.code, what="rematch"))
    await me.until("offered", seat=0)
    await game.check()
    await rival.ask(m.Offer(game=game.code, what="rematch"))
    following = (await me.until("rematch"))["next"]
    await me.until("game", game=following)
    await game.check()
    await me.check(following)
    await rival.move(rival.games[following], "2")
    await me.until("moved", game=following)
    await me.check(following)


async def away(me: Recorder, rival: Client) -> None:
    """The rival goes, comes back, and goes again until the win is claimed."""
    game = await begin(me, rival, TIMED)
    await game.play("4", "4")
    await rival.close()
    await me.until("presence", here=False)
    await game.check()
    again = Client(me.address, token=rival.token)
    await again.open()
    await me.until("presence", here=True)
    await game.check()
    await again.close()
    await me.until("presence", here=False)
    await me.send(m.Watch(game=game.code))  # the whole of it leaves open when the win may be claimed
    await me.until("game")
    await game.check()
    await asyncio.sleep(0.4)
    await me.send(m.Claim(game=game.code))
    await me.until("ended", ending="abandonment")
    await game.check()


async def spectator(me: Recorder, rival: Client) -> None:
    """Of a game in which one player goes away; the recorder comes late."""
    me.name = None
    async with Client(me.address, name="Cleo") as other:
        first, second = await pair(rival, other, TIMED)
        await rival.move(first, "4")
        await me.open()
        await me.send(m.Watch(game=first.code))
        await me.until("game")
        await me.check(first.code)
        await settle(other, second, 1)
        await other.move(second, "4")
        await me.until("moved", ply=1)
        await rival.ask(m.Offer(game=first.code, what="draw"))
        await me.until("offered", seat=0)
        await me.check(first.code)
    await me.until("presence", here=False)
    await me.check(first.code)
    await rival.ask(m.Resign(game=first.code))
    await me.until("ended")
    await me.check(first.code)


SCRIPTS: dict[str, Callable[[Recorder, Client], Awaitable[None]]] = {
    script.__name__: script
    for script in (
        *(whole_game, take_back, draw_declined_then_agreed, resignation, flag_fall, reconnection, abort, rematch),
        *(away, spectator),
    )
}


def record(name: str, server: ServerProcess) -> list[dict[str, Any]]:
    """Play one of the scripts."""

    async def play() -> list[dict[str, Any]]:
        me = Recorder(server.address, f"Ada {name[:16]}")
        async with Client(server.address, name=f"Bob {name[:16]}") as rival:
            await SCRIPTS[name](me, rival)
            await me.close()
        return me.entries

    return run(play())


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        server = ServerProcess(Path(directory), **SETTINGS).start()
        for name in SCRIPTS:
            lines = [msgspec.json.encode(entry).decode() for entry in record(name, server)]
            (STREAMS / f"{name}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
            print(f"{name}: {len(lines)} entries")
        server.stop()


if __name__ == "__main__":
    main()
