"""A client that keeps its person's games and comes back by itself when the connection or the server is gone.

async with Client("ws://127.0.0.1:8765/ws", name="Ada") as client:
    view = await client.play_bot("@medium", Terms("diamond_chase"))
    while not view.over:
        if view.mine:
            await client.move(view, view.legal[0][0])
        await client.change()
"""

import asyncio
import itertools
import random
import time
from collections import deque
from socket import gaierror
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.online import messages as m
from alphadiamond.online.game_state import GameState, missed, reduce

_FIRST_WAIT: Final = 0.1
_LONGEST_WAIT: Final = 15.0
_MOST_EVENTS: Final = 10_000
"""Events that nobody has asked for are forgotten beyond this, the oldest first; the views are always right."""
_ASK_AGAIN: Final = ("connection", "stopping")
"""Refusals that are over once the server is back."""
_GREETING_SECONDS: Final = 10.0
_CLOSING_SECONDS: Final = 15.0
_GONE: Final = (OSError, WebSocketException, TimeoutError)


class OnlineError(AlphaDiamondError):
    """What the server refused: a word for programs in `code`, a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class View:
    """A game that is followed: it has whatever its newest `GameState` has."""

    def __init__(self, state: GameState) -> None:
        self.code = state.code
        self.state = state

    @property
    def moves(self) -> list[str]:
        """As people's bots have always had them."""
        return list(self.state.moves)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)


class Client:
    """One person's, or a spectator's, connection to a server."""

    def __init__(
        self, address: str, *, name: str | None = None, token: str | None = None, recovery: str | None = None
    ) -> None:
        self.address = address
        self.name = name
        self.token = token
        """Keep it to be the same person next time."""
        self._recovery = recovery
        self.troubled = False
        """Whether the server waits for its disk: moves are kept, and acknowledged later."""
        self.welcome: m.Welcome | None = None
        self.games: dict[str, View] = {}
        """Games that are watched, own ones first of all."""
        self.connected = asyncio.Event()
        self.reconnections = 0
        self.trouble = ""
        """Why there is no connection, in a few words; empty while there is one."""
        self._events: deque[m.ServerMessage] = deque(maxlen=_MOST_EVENTS)
        self._news = asyncio.Event()
        self._waiting: list[asyncio.Future[None]] = []
        self._socket: ClientConnection | None = None
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[m.ServerMessage]] = {}
        self._task: asyncio.Task[None] | None = None
        self._failed: OnlineError | None = None
        self._lobby = False

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> m.Welcome:
        """Connect and say hello; a refusal is raised, a server that is not there is waited for."""
        self._task = asyncio.create_task(self._stay())
        waiting = asyncio.create_task(self.connected.wait())
        await asyncio.wait((self._task, waiting), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._failed is not None:
            raise self._failed
        assert self.welcome is not None
        return self.welcome

    async def close(self) -> None:
        while self._task is not None and not self._task.done():
            self._task.cancel()
            # Once more where it was lost: whatever catches a cancellation would stay connected for ever.
            await asyncio.wait((self._task,), timeout=_CLOSING_SECONDS)
        self._drop_answers()

    async def send(self, request: m.Request) -> None:
        """Without waiting for an answer; raised if there is no connection now."""
        if self._socket is None:
            raise OnlineError("connection", "there is no connection")
        try:
            await self._socket.send(m.encode(request).decode())
        except _GONE as error:
            raise OnlineError("connection", f"the connection is gone ({type(error).__name__})") from None

    async def ask(self, request: m.Request) -> m.ServerMessage:
        """Send and wait for the answer; `OnlineError` if it is a refusal, or if the connection is lost meanwhile."""
        number = next(self._numbers)
        request.id = number
        answer: asyncio.Future[m.ServerMessage] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        try:
            await self.send(request)
            event = await answer
        finally:
            self._answers.pop(number, None)
        if isinstance(event, m.Error):
            raise OnlineError(event.code, event.message)
        return event

    async def insist(self, request: m.Request) -> m.ServerMessage:
        """The same across lost connections and restarts, for what may be asked twice: moves above all."""
        while True:
            await self.connected.wait()
            if self._failed is not None:
                raise self._failed
            try:
                return await self.ask(request)
            except OnlineError as error:
                if error.code not in _ASK_AGAIN:
                    raise
                await asyncio.sleep(_FIRST_WAIT)

    async def move(self, view: View, move: str) -> None:
        """Play; when it returns, the move is on the server's disk."""
        await self.insist(m.Move(game=view.code, ply=len(view.state.moves), move=move))

    async def watch(self, code: str) -> View:
        await self.insist(m.Watch(game=code))
        return self.games[code]

    async def enter_lobby(self) -> None:
        self._lobby = True
        await self.insist(m.Lobby())

    async def play_bot(self, bot: str, terms: m.Terms) -> View:
        return await self._begin(m.Bot(bot=bot, terms=terms))

    async def accept(self, challenge: str) -> View:
        return await self._begin(m.Accept(challenge=challenge))

    async def take(self, seek: str) -> View:
        return await self._begin(m.Take(seek=seek))

    async def resume(self, code: str) -> View:
        """Go on with a game against a bot that was aborted, as a new one that is not rated."""
        return await self._begin(m.Resume(game=code))

    async def rename(self, name: str) -> None:
        await self.ask(m.Rename(name=name))

    async def recovery_code(self) -> str:
        """A code to be written down; `Client(address, recovery=code)` is the same person with a new token, once."""
        made = await self.ask(m.Recovery())
        assert isinstance(made, m.RecoveryCode)
        return made.code

    async def delete(self) -> None:
        """Be no more."""
        await self.ask(m.Delete(name=self.name or ""))

    async def challenge(self, terms: m.Terms, *, to: str | None = None) -> m.ChallengeInfo:
        made = await self.ask(m.Challenge(terms=terms, to=to))
        assert isinstance(made, m.Challenged)
        return made.challenge

    async def next_event(self) -> m.ServerMessage:
        """The next thing that happened, in order; waits for it."""
        while not self._events:
            if self._failed is not None:
                raise self._failed
            self._news.clear()
            await self._news.wait()
        return self._events.popleft()

    def change(self) -> "asyncio.Future[None]":
        """Wait until anything happens after this call, whoever else listens; look at the views then.

        No coroutine, which would begin to listen only when it is run: what happens in between would be missed.
        """
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._failed is not None:
            waiting.set_exception(self._failed)
        else:
            self._waiting.append(waiting)
        return waiting

    async def until(self, kind: type[Any], **having: Any) -> Any:
        """The next event of a kind with these fields; those before it are passed over."""
        while True:
            event = await self.next_event()
            if isinstance(event, kind) and all(getattr(event, key) == value for key, value in having.items()):
                return event

    async def _begin(self, request: m.Request) -> View:
        known = set(self.games)
        await self.ask(request)
        return next(view for code, view in reversed(self.games.items()) if code not in known)

    async def _stay(self) -> None:
        """Connect, listen, and do it again whenever that ends."""
        wait = _FIRST_WAIT
        while True:
            try:
                async with connect(self.address, compression=None, max_size=1 << 22, open_timeout=10) as socket:
                    await self._greet(socket)
                    wait = _FIRST_WAIT
                    await self._listen(socket)
            except OnlineError as error:
                self._failed = error
                self.connected.set()
                self._wake()
                self._drop_answers()
                return
            except _GONE as error:
                self.trouble = _words(error)
            finally:
                self._socket = None
                if self._failed is None:
                    self.connected.clear()
                self._drop_answers()
            wait = max(wait, self._told_wait())
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))  # or all would come at once
            wait = min(2 * wait, _LONGEST_WAIT)
            self.reconnections += 1

    def _told_wait(self) -> float:
        """What the server said when it stopped."""
        last = self._events[-1] if self._events else None
        return last.back_in / 1000 if isinstance(last, m.Stopping) else 0.0

    async def _greet(self, socket: ClientConnection) -> None:
        hello = m.Hello(token=self.token) if self.token else m.Hello(name=self.name, recovery=self._recovery)
        await socket.send(m.encode(hello).decode())
        while True:
            async with asyncio.timeout(_GREETING_SECONDS):  # `wait_for` may lose a cancellation before Python 3.12
                event = m.read_event(await socket.recv())
            if isinstance(event, m.Error) and event.code in _ASK_AGAIN:
                raise ConnectionError(event.message)  # it came in while the server was going
            if isinstance(event, m.Error):
                raise OnlineError(event.code, event.message)
            if isinstance(event, m.Welcome):
                break
        self.welcome = event
        self.name = event.name
        self.token = event.token or self.token
        for code in dict.fromkeys([*(line.game for line in event.playing), *self._unfinished()]):
            await socket.send(m.encode(m.Watch(game=code)).decode())
        if self._lobby:
            await socket.send(m.encode(m.Lobby()).decode())
        self._socket = socket
        self.trouble = ""
        self._note(event)
        self.connected.set()

    def _unfinished(self) -> list[str]:
        return [view.code for view in self.games.values() if not view.state.over]

    async def _listen(self, socket: ClientConnection) -> None:
        async for data in socket:
            event = m.read_event(data)
            behind = self._see(event)
            number = getattr(event, "id", None)
            answer = self._answers.get(number) if number is not None else None
            if answer is not None and not answer.done():
                answer.set_result(event)
            self._note(event)
            if behind and isinstance(event, m.Moved):
                await socket.send(m.encode(m.Watch(game=event.game)).decode())

    def _note(self, event: m.ServerMessage) -> None:
        self._events.append(event)
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    def _see(self, event: m.ServerMessage) -> bool:
        """Bring the views up to date; whether something was missed."""
        if isinstance(event, m.Token):
            self.token = event.token
        elif isinstance(event, m.Named):
            self.name = event.name
        elif isinstance(event, m.Trouble):
            self.troubled = event.on
        view = self.games.get(getattr(event, "game", None) or "")
        before = view.state if view is not None else None
        state = reduce(before, event, 1000 * time.monotonic())
        if view is not None and state is not None:
            view.state = state
        elif state is not None:
            self.games[state.code] = View(state)
        return missed(before, event)

    def _drop_answers(self) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result(m.Error(code="connection", message="the connection is gone"))
        self._answers.clear()


def _words(error: BaseException) -> str:
    """A lost or refused connection for people."""
    if isinstance(error, ConnectionRefusedError) or "Connect call failed" in str(error):
        return "nobody listens there"
    if isinstance(error, TimeoutError):
        return "no answer"
    if isinstance(error, gaierror):
        return "no machine of that name"
    return str(error).strip().rstrip(".") or type(error).__name__
